package dev.berth.testkit.contract.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.selftest.ContractRunner.Ending;
import dev.berth.testkit.format.FormatContractTest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Breaks every rule of the format contract on purpose and requires that its test fails. */
class FormatContractSelfTest {

  static Stream<Class<?>> broken() {
    return Stream.<Class<?>>of(BrokenFormats.class.getDeclaredClasses())
        .filter(each -> each.getSimpleName().matches("F\\d\\d"))
        .sorted((a, b) -> a.getSimpleName().compareTo(b.getSimpleName()));
  }

  private static List<String> rules() {
    return Arrays.stream(FormatContractTest.class.getDeclaredMethods())
        .map(each -> each.getName())
        .filter(each -> each.startsWith("required_"))
        .map(each -> each.substring("required_".length(), "required_".length() + 3))
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("broken")
  void detectsAFormatThatBreaksARule(Class<?> subject) {
    Map<String, Ending> endings = ContractRunner.run(subject, Map.of());

    assertThat(endings)
        .hasSize(rules().size())
        .anySatisfy(
            (test, ending) -> {
              assertThat(test).startsWith("required_" + subject.getSimpleName());
              assertThat(ending.status()).as(ending.message()).isEqualTo("FAILED");
            });
  }

  @Test
  void hasABrokenFormatForEveryRule() {
    assertThat(broken().map(Class::getSimpleName)).isEqualTo(rules());
  }

  @Test
  void acceptsAFormatThatBreaksNoRule() {
    assertThat(ContractRunner.run(BrokenFormats.BreaksNothing.class, Map.of()))
        .hasSize(rules().size())
        .allSatisfy(
            (test, ending) ->
                assertThat(ending.status()).as(ending.message()).isEqualTo("SUCCESSFUL"));
  }
}
