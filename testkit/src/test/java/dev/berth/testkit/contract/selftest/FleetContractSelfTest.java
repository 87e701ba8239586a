package dev.berth.testkit.contract.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.event.Event;
import dev.berth.runtime.Fleet;
import dev.berth.testkit.contract.selftest.ContractRunner.Ending;
import dev.berth.testkit.fleet.FleetContractTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Breaks every law of the fleet contract on purpose and requires that its test fails. */
class FleetContractSelfTest {

  /** The contract of a fleet in memory; subclasses are named after the law that they break. */
  static class BreaksNothing extends FleetContractTest {
    private final MemoryFleet.World world = new MemoryFleet.World();

    @Override
    protected Fleet open(Consumer<Event<?>> reports) {
      return new MemoryFleet(world, getClass().getSimpleName(), reports);
    }

    @Override
    protected void close(Fleet fleet) {
      world.forgetWork();
    }

    @Override
    protected int begun(String instance) {
      return world.starts(instance);
    }

    @Override
    protected boolean connect(String host, boolean connected) {
      world.connect(host, connected);
      return true;
    }

    @Override
    protected void letTimePass() {
      world.letTimePass();
    }
  }

  /** Waits little: what it waits for may never come. */
  abstract static class Broken extends BreaksNothing {
    @Override
    protected Duration patience() {
      return Duration.ofMillis(200);
    }

    @Override
    protected Duration atOnce() {
      return patience();
    }
  }

  static final class L01 extends Broken {}

  static final class L02 extends Broken {}

  static final class L03 extends Broken {}

  static final class L04 extends Broken {}

  static final class L05 extends Broken {}

  static final class L06 extends Broken {}

  static final class L07 extends Broken {}

  static final class L08 extends Broken {}

  static final class L09 extends Broken {}

  static final class L10 extends Broken {}

  static final class L11 extends Broken {}

  static final class L12 extends Broken {}

  static final class L13 extends Broken {}

  static final class L14 extends Broken {}

  static final class L15 extends Broken {}

  static final class L16 extends Broken {}

  static final class L17 extends Broken {}

  static final class L18 extends Broken {}

  static Stream<Class<?>> broken() {
    return Stream.<Class<?>>of(FleetContractSelfTest.class.getDeclaredClasses())
        .filter(each -> each.getSimpleName().matches("L\\d\\d"))
        .sorted((a, b) -> a.getSimpleName().compareTo(b.getSimpleName()));
  }

  private static List<String> laws() {
    return Arrays.stream(FleetContractTest.class.getDeclaredMethods())
        .map(each -> each.getName())
        .filter(each -> each.startsWith("required_"))
        .map(each -> each.substring("required_".length(), "required_".length() + 3))
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("broken")
  void detectsAFleetThatBreaksALaw(Class<?> subject) {
    Map<String, Ending> endings = ContractRunner.run(subject, Map.of());

    assertThat(endings)
        .hasSize(laws().size())
        .anySatisfy(
            (test, ending) -> {
              assertThat(test).startsWith("required_" + subject.getSimpleName());
              assertThat(ending.status()).as(ending.message()).isEqualTo("FAILED");
            });
  }

  @Test
  void hasABrokenFleetForEveryLaw() {
    assertThat(broken().map(Class::getSimpleName)).isEqualTo(laws());
  }

  @Test
  void acceptsAFleetThatBreaksNoLaw() {
    assertThat(ContractRunner.run(BreaksNothing.class, Map.of()))
        .hasSize(laws().size())
        .allSatisfy(
            (test, ending) ->
                assertThat(ending.status()).as(ending.message()).isEqualTo("SUCCESSFUL"));
  }
}
