package dev.berth.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of policies is copied as plain data, or refused with the place of what is not plain. */
class PlainTest {

  @Test
  void numbersBecomeLongAndDouble() {
    Map<String, Object> copy =
        Plain.copy(
            "memory",
            Map.of("list", List.of((byte) 1, (short) 2, 3, 4L, 1.5f, 2.5, true, "x", Map.of())));

    assertThat(copy)
        .isEqualTo(Map.of("list", List.of(1L, 2L, 3L, 4L, 1.5, 2.5, true, "x", Map.of())));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void numbersMustBeFinite(double number) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Plain.copy("memory", Map.of("a", number)))
        .withMessage("memory.a was %s, must be finite.", number);
  }

  @Test
  void otherValuesAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Plain.copy("memory", Map.of("a", Arrays.asList("x", null))))
        .withMessage("memory.a[1] was null, must be text, a number, a boolean, a list or a map.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Plain.copy("memory", Map.of("a", 'x')))
        .withMessageStartingWith("memory.a was a java.lang.Character, must be ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Plain.copy("memory", Map.of(1, "x")))
        .withMessage("memory has the key 1, must have text as keys.");
  }
}
