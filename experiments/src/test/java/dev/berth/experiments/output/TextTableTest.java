package dev.berth.experiments.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.experiments.output.TextTable.Heading;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void alignsTheFirstColumnLeftAndTheOthersRight() {
    TextTable table = new TextTable(2, 1);
    table.row(List.of("who", "n", "share"));
    table.row(List.of("first", "1", "0.5"));
    table.row(List.of("second one", "1000", "–"));
    assertThat(String.join("\n", table.render()))
        .isEqualTo(
            """
            who            n share
            first          1   0.5
            second one  1000     –\
            """);
  }

  @Test
  void rulesHeadingsOverTheirColumnsAndLetsLinesRunAcross() {
    TextTable table = new TextTable(2, 1, 2);
    table.headings(List.of(new Heading("", 1), new Heading("share", 2), new Heading("never", 1)));
    table.row(List.of("", "least", "greatest", "ran"));
    table.across("a line that is longer than the whole table, which it does not widen");
    table.row(List.of("row", "0.1", "0.9", "0"));
    assertThat(String.join("\n", table.render()))
        .isEqualTo(
            """
                 --- share ----  never
                 least greatest    ran
            a line that is longer than the whole table, which it does not widen
            row    0.1      0.9      0\
            """);
  }

  @Test
  void endsNoLineInBlanks() {
    TextTable table = new TextTable(2);
    table.row(List.of("wide enough", ""));
    table.across("  indented  ");
    assertThat(table.render()).containsExactly("wide enough", "  indented");
  }

  @Test
  void refusesRowsThatDoNotFit() {
    TextTable table = new TextTable(2);
    assertThatThrownBy(() -> table.row(List.of("one")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 cells for 2 columns.");
    assertThatThrownBy(() -> table.headings(List.of(new Heading("three", 3))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
