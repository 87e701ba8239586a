package dev.berth.traces.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Dimension;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600) // an absurd number must be refused, not computed with
class FieldTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.375, 375000000",
    ".5, 500000000",
    "1., 1000000000",
    "3e-9, 3",
    "1.5e1, 15000000000",
    "+2, 2000000000",
    "0.0000000015, 2",
    "0e999999999, 0",
    "0.1000000000000000055511, 100000000"
  })
  void amountsAreExactInUnits(String text, long units) {
    assertThat(field(text).units(Dimension.CPU)).isEqualTo(units);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "NaN",
        "Infinity",
        "1 2",
        "0x10",
        "1e",
        "--1",
        "1.2.3",
        "٣",
        "1_000",
        "."
      })
  void refusesTextThatIsNotANumber(String text) {
    assertWrong(text, field -> field.units(Dimension.CPU), "must be a number");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e999999999",
        "1e99999999999999",
        "1e-999999999",
        "1e-99999999999",
        "12345678901234567890"
      })
  void refusesExcessiveNumbersQuickly(String text) {
    assertWrong(text, field -> field.units(Dimension.CPU), "is too large or has too many decimals");
    assertWrong(text, Field::nanos, "is too large or has too many decimals");
    assertWrong(text, field -> field.whole(0, 11), "is too large or has too many decimals");
  }

  @Test
  void amountsHaveLimits() {
    assertWrong("-0.5", field -> field.units(Dimension.CPU), "must not be negative");
    assertWrong("9999999999999", field -> field.units(Dimension.CPU), "is too large to count");
    assertWrong(
        "0.0000000001", field -> field.units(Dimension.CPU), "must be 0 or at least 0.000000001");
    assertWrong(
        "1".repeat(65),
        field -> field.units(Dimension.CPU),
        "must not be longer than 64 characters");
  }

  @Test
  void suggestsADecimalPoint() {
    assertThatThrownBy(() -> field("0,375").units(Dimension.CPU))
        .hasMessage(
            "f.csv, line 7: cpu was \"0,375\", must be a number. Maybe you meant \"0.375\".");
  }

  @ParameterizedTest
  @CsvSource({
    "0, PT0S", "7200, PT2H", "0.5, PT0.5S", "0.0000000004, PT0S", "1.0000000016, PT1.000000002S",
    "30s, PT30S", "10m, PT10M", "1500ms, PT1.5S", "1h30m, PT1H30M", "PT30S, PT30S"
  })
  void timesAreInSecondsOrHaveUnits(String text, Duration time) {
    assertThat(field(text).nanos()).isEqualTo(time.toNanos());
  }

  @Test
  void timesHaveLimits() {
    assertWrong("-1", Field::nanos, "must not be negative");
    assertWrong("4000000000", Field::nanos, "must be at most a century");
    assertWrong("900000h", Field::nanos, "must be at most a century");
    assertWrong("0", Field::positiveNanos, "must be longer than 0 s");
    assertWrong("1".repeat(20_000) + "x", Field::nanos, "must not be longer than 64 characters");
    assertWrong("1".repeat(65), Field::nanos, "must not be longer than 64 characters");
    for (String text : new String[] {"soon", "10x", "", "-10m", "10 m m", "1e5h"}) {
      assertWrong(
          text,
          Field::nanos,
          "must be a number of seconds, or a duration such as 30s, 10m or 1h30m");
    }
  }

  @Test
  void wholeNumbersHaveARange() {
    assertThat(field("11").whole(0, 11)).isEqualTo(11);
    assertThat(field("1e1").whole(0, 11)).isEqualTo(10);
    for (String text : new String[] {"12", "-1", "0.5"}) {
      assertWrong(text, field -> field.whole(0, 11), "must be a whole number from 0 to 11");
    }
  }

  @Test
  void readsFlags() {
    assertThat(field("true").flag()).isTrue();
    assertThat(field("1").flag()).isTrue();
    assertThat(field("false").flag()).isFalse();
    assertThat(field("0").flag()).isFalse();
    assertThat(field("").flag()).isFalse();
    assertWrong("yes", Field::flag, "must be true or false (or 1 or 0)");
  }

  @Test
  void limitsTheLengthOfNames() {
    assertThat(field("r-1").required()).isEqualTo("r-1");
    assertThatThrownBy(() -> field("").required())
        .hasMessage("f.csv, line 7: cpu was \"\", must not be empty.");
    assertThatThrownBy(() -> field("x".repeat(501)).required())
        .hasMessage(
            "f.csv, line 7: cpu was \"%s…\", must not be longer than 500 characters."
                .formatted("x".repeat(60)));
  }

  private static void assertWrong(String text, Consumer<Field> use, String rule) {
    assertThatThrownBy(() -> use.accept(field(text)))
        .isInstanceOfSatisfying(
            InputException.class,
            error -> {
              assertThat(error.file()).isEqualTo("f.csv");
              assertThat(error.line()).hasValue(7);
              assertThat(error.field()).contains("cpu");
              assertThat(error.value()).contains(text);
              assertThat(error.rule()).isEqualTo(rule);
            });
  }

  private static Field field(String text) {
    return new Field(new SourceLocation("f.csv", 7), "cpu", text);
  }
}
