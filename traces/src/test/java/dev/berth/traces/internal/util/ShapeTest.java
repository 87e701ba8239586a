package dev.berth.traces.internal.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.MatchResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeTest {

  @Test
  void matchesLikeAPattern() {
    Shape pair = Shape.of("([a-z]++)=([0-9]*+)");

    assertThat(pair.matches("a=1")).isTrue();
    assertThat(pair.matches("a=1;")).isFalse();
    assertThat(pair.begins("a=1;")).isTrue();
    assertThat(pair.match("ab=12")).map(found -> found.group(2)).contains("12");
    assertThat(pair.match("ab")).isEmpty();
    assertThat(pair.find("a=1;b=;c").map(MatchResult::group)).containsExactly("a=1", "b=");
  }

  /** The patterns that earlier readers had for numbers, attributes and constraints. */
  @ParameterizedTest
  @CsvSource({
    "[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?, '', '1', 'x'",
    "([^=<>!\\s]+)\\s*=\\s*([^=<>!]*), 'a=', ' ', '='",
    "([^=<>!\\s]+)\\s*([=<>!]+)\\s*([^=<>!]*), 'a=', ' ', '='",
    "([^=<>!\\s]+)\\s+in\\s+([^=<>!]+), 'a in', ' ', '='"
  })
  void aPatternThatBacktracksFailsInsteadOfHanging(
      String regex, String begin, String filling, String end) {
    String text = begin + filling.repeat(100_000) + end;

    assertThatThrownBy(() -> Shape.of(regex).matches(text))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("took more than 16 reads per character");
  }
}
