package dev.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.plan.Action;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools, the actions on their hosts, and the load of hosts. */
class PoolSpecTest {

  private static final Resources CORE = Resources.of(Dimension.CPU, 1_000_000_000);
  private static final Reason WHY = new Reason.PolicyChoice("whim", "on a whim");

  @Test
  void hostsHaveTheOfferedCapacity() {
    Map<String, String> attributes = new HashMap<>(Map.of("zone", "a"));
    PoolSpec pool = new PoolSpec("p", CORE, attributes, 3, Duration.ofSeconds(1), Duration.ZERO);

    attributes.clear();

    assertThat(pool.host("p-1")).isEqualTo(new HostSpec("p-1", CORE, Map.of("zone", "a")));
    assertThat(pool.attributes()).isUnmodifiable();
  }

  @Test
  void refusesInvalidPools() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSpec("", CORE, 1))
        .withMessage("pool name was blank.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSpec("p", CORE, -1))
        .withMessage("pool p: limit was -1, must not be negative.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSpec("p", CORE, Map.of(), 1, Duration.ofNanos(-1), Duration.ZERO))
        .withMessage("pool p: start delay was PT-0.000000001S, must not be negative.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PoolSpec("p", CORE, Map.of(), 1, Duration.ZERO, Duration.ofNanos(-1)))
        .withMessage("pool p: stop delay was PT-0.000000001S, must not be negative.");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesNegativeAndNanLoads(double average) {
    assertThatIllegalArgumentException().isThrownBy(() -> new HostLoad(average, 0));
  }

  @Test
  void describesActionsOnHostsAndBags() {
    assertThat(
            List.of(
                    new Action.Provision(
                        "p", List.of("p-1"), Optional.empty(), OptionalLong.empty()),
                    new Action.Provision(
                        "p", List.of("p-1", "p-2", "p-4"), Optional.of("c"), OptionalLong.of(9)),
                    new Action.Release("p-1", "p"),
                    new Action.Assign("b", "c", OptionalLong.empty()),
                    new Action.Cancel("b", List.of("i", "j"), WHY))
                .stream()
                .map(Action::describe))
        .containsExactly(
            "provision p-1 from p",
            "provision 3 hosts, p-1 to p-4 from p for cluster c",
            "release p-1 to p",
            "assign bag b to cluster c",
            "cancel bag b, 2 left of it: on a whim");
  }
}
