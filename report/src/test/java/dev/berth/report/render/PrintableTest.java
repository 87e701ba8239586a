package dev.berth.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.report.Facts;
import dev.berth.report.Table;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrintableTest {

  private static final String EVIL =
      "a\u001b[2Jb\u009bc\u202ed\u0007\u2066\u200f\u2028\ufeff\u061c";
  private static final String SEEN =
      "a\\u001b[2Jb\\u009bc\\u202ed\\u0007\\u2066\\u200f\\u2028\\ufeff\\u061c";

  @Test
  void controlCharactersAndMarksOfDirectionBecomeVisible() {
    assertThat(Printable.line(EVIL)).isEqualTo(SEEN);
    assertThat(Printable.lines(EVIL)).isEqualTo(SEEN);
    IntStream.range(0, 0xa0)
        .filter(Character::isISOControl)
        .forEach(
            each ->
                assertThat(Printable.line(Character.toString(each)))
                    .isEqualTo("\\u%04x".formatted(each)));
  }

  @Test
  void printableTextStaysAsItIs() {
    String text = "caf\u00e9 \u2605 \ud83d\udea2 \u05e9\u05dc\u05d5\u05dd \\u001b \u00a0";
    assertThat(Printable.line(text)).isSameAs(text);
    assertThat(Printable.lines(text)).isSameAs(text);
  }

  @Test
  void lineBreaksStayOnlyBetweenLines() {
    assertThat(Printable.lines("a\nb\r\nc\rd")).isEqualTo("a\nb\r\nc\\u000dd");
    assertThat(Printable.line("a\nb")).isEqualTo("a\\u000ab");
  }

  @Test
  void tablesAndFactsStayAligned() {
    Table table =
        Table.of(
            "names",
            "Names.",
            List.of(Table.Column.ofText("name"), Table.Column.ofText("next")),
            List.of(
                List.of(Table.Cell.of("a\u001b"), Table.Cell.of("x")),
                List.of(Table.Cell.of("a\nbcdef"), Table.Cell.of("y"))));
    assertThat(new TextRenderer().lines(List.of(table)))
        .containsExactly("name          next", "a\\u001b       x", "a\\u000abcdef  y");
    Facts facts =
        Facts.of(
            new Facts.Fact("a", "a\u001b", Table.Cell.of("1\u001b2")),
            new Facts.Fact("b", "b", Table.Cell.of("2\n3")));
    assertThat(new TextRenderer().lines(List.of(facts)))
        .containsExactly("  a\\u001b  1\\u001b2", "  b        2\\u000a3");
  }
}
