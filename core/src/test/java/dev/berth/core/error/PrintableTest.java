package dev.berth.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.error.ConfigException.Problem;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrintableTest {

  private static final String HOSTILE = "a\u001b[2J\u202eb\u2028\r\n\ud800\udbff\ud83d";
  private static final String SEEN =
      "a\\u001b[2J\\u202eb\\u2028\\u000d\\u000a\\ud800\\udbff\\ud83d";

  @Test
  void charactersThatGarbleATerminalAreVisible() {
    assertThat(Printable.line(HOSTILE)).isEqualTo(SEEN);
  }

  @Test
  void otherTextStaysAsItIs() {
    String text = "caf\u00e9 \u2605 \ud83d\udea2 \u05e9\u05dc\u05d5\u05dd \\u001b \u00a0";

    assertThat(Printable.line(text)).isSameAs(text);
    assertThat(Printable.quote(text)).isSameAs(text);
    assertThat(Printable.phrase(text)).isSameAs(text);
  }

  @Test
  void noCharacterOfTheResultGarbles() {
    assertThat(
            IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(
                    each ->
                        Printable.line(Character.toString(each))
                            .codePoints()
                            .anyMatch(PrintableTest::garbles)))
        .isEmpty();
  }

  private static boolean garbles(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  @Test
  void longTextIsCut() {
    assertThat(Printable.quote("x".repeat(60))).hasSize(60);
    assertThat(Printable.quote("x".repeat(61))).isEqualTo("x".repeat(60) + "…");
    assertThat(Printable.phrase("x".repeat(1_000))).hasSize(1_000);
    assertThat(Printable.phrase("x".repeat(1_001))).isEqualTo("x".repeat(1_000) + "…");
  }

  @Test
  void textThatIsEscapedIsCutAtItsLengthAsPrinted() {
    assertThat(Printable.quote("\u001b".repeat(10))).isEqualTo("\\u001b".repeat(10));
    assertThat(Printable.quote("\u001b".repeat(11))).isEqualTo("\\u001b".repeat(10) + "…");
    assertThat(Printable.quote("x" + "\ud83d\udea2".repeat(30)))
        .isEqualTo("x" + "\ud83d\udea2".repeat(29) + "…");
  }

  @Test
  void problemsOfAConfigurationAreSafeAndShort() {
    String longText = HOSTILE + "x".repeat(100_000);
    ConfigException error =
        new ConfigException(longText, List.of(new Problem(longText, longText, longText, longText)));

    assertThat(error).message().hasSizeLessThan(4_500).startsWith(SEEN).contains(" was " + SEEN);
    assertThat(error.getMessage().codePoints().filter(Character::isISOControl)).isEmpty();
    assertThat(error.problems().get(0).value()).isEqualTo(longText);
  }
}
