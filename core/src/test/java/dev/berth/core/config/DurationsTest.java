package dev.berth.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "30s, PT30S",
    "1500ms, PT1.5S",
    "2.5s, PT2.5S",
    "10m, PT10M",
    "1h30m, PT1H30M",
    "1h36.5s, PT1H36.5S",
    "1h0m36.5s, PT1H36.5S",
    "1d2h3m4s5ms6us7ns, PT26H3M4.005006007S",
    "2d, PT48H",
    "0s, PT0S",
    "0.000000001s, PT0.000000001S",
    "007s, PT7S",
    "' 30s ', PT30S",
    "PT30S, PT30S",
    "pt1h, PT1H",
    "P2D, PT48H",
    "9223372036.854775807s, PT2562047H47M16.854775807S"
  })
  void readsDurations(String text, Duration expected) {
    assertThat(Durations.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT30S, 30s",
    "PT1.5S, 1.5s",
    "PT10M, 10m",
    "PT90M, 1h30m",
    "PT0.0015S, 1500us",
    "PT50H45S, 2d2h0m45s",
    "PT1H36.5S, 1h0m36.5s",
    "PT24H1S, 1d0h0m1s",
    "PT24H30M, 1d0h30m",
    "PT-90S, -1m30s",
    "PT1H20M4.5S, 1h20m4.5s",
    "PT48H, 2d",
    "PT24H, 1d",
    "PT1H, 1h",
    "PT1M, 1m",
    "PT1S, 1s",
    "PT0.000001S, 1us",
    "PT0.000000001S, 1ns",
    "PT1.000000001S, 1.000000001s",
    "PT-5S, -5s",
    "PT2562047H47M16.854775807S, 106751d23h47m16.854775807s",
    "PT2562047H47M16.854775808S, PT2562047H47M16.854775808S", // too long to be read back
    "PT-2562047H-47M-16.854775807S, -106751d23h47m16.854775807s"
  })
  void writesDurations(Duration duration, String expected) {
    assertThat(Durations.format(duration)).isEqualTo(expected);
  }

  @Property
  void writtenDurationsReadBack(@ForAll @LongRange(min = 0) long nanos) {
    Duration duration = Duration.ofNanos(nanos);

    assertThat(Durations.parse(Durations.format(duration))).isEqualTo(duration);
  }

  @Property
  void readsIsoDurations(@ForAll @LongRange(min = 0) long nanos) {
    Duration duration = Duration.ofNanos(nanos);

    assertThat(Durations.parse(duration.toString())).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "s",
        "30",
        "3y",
        "-30s",
        "30 s",
        "30S",
        "30sec",
        "1h 30m",
        "1,5s",
        "1e3s",
        "30s!",
        "PT-5S",
        "P",
        "PT",
        "P1Y",
        "P-1D",
        "\u0663s",
        "1h1h",
        "1m1h",
        "1s1ms1s",
        "0s0s",
        "PT1\u017F"
      })
  void invalidTextStatesTheRule(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse(text))
        .withMessageStartingWith("was \"")
        .withMessageContaining(Durations.RULE);
  }

  @Test
  void bareNumberGetsASuggestion() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse("30"))
        .withMessage(
            "was \"30\", must be a duration such as 30s, 1500ms, 10m, 1h30m or 2d."
                + " Maybe you meant 30s.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036.854775808s",
        "107000d",
        "999999999999999999d",
        "PT2562047H47M16.854775808S",
        "P999999999999D",
        "P99999999999999999999D"
      })
  void refusesDurationsOutOfRange(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Durations.parse(text));
  }

  @Test
  void refusalNamesTheReason() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse("107000d"))
        .withMessageEndingWith(" The longest is 292 years.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse("0.5ns"))
        .withMessageEndingWith(" The shortest unit is 1ns.");
  }

  @Test
  void refusesLongTextsBriefly() {
    String longText = "1".repeat(100_000) + "s";

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse(longText))
        .withMessage(
            "was \"%s…\", must be a duration such as 30s, 1500ms, 10m, 1h30m or 2d."
                    .formatted("1".repeat(60))
                + " The longest text has 64 characters.");
    assertThat(Durations.parse(" ".repeat(62) + "1s")).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void unitsOutOfOrderGetAnExplanation() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durations.parse("1h1h"))
        .withMessageEndingWith(" Each unit may occur once, after the larger ones.");
  }

  @Test
  void durationsTooLongForNanosecondsCountAsTheLongest() {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);

    assertThat(Durations.toNanosSaturated(longest.minusNanos(1))).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(Durations.toNanosSaturated(longest)).isEqualTo(Long.MAX_VALUE);
    assertThat(Durations.toNanosSaturated(longest.plusNanos(1))).isEqualTo(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.5ns", "1.5ns", "0.0000000001s"})
  void refusesFractionsOfANanosecond(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Durations.parse(text));
  }
}
