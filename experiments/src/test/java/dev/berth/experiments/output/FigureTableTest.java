package dev.berth.experiments.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.experiments.Sample;
import dev.berth.report.Table;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FigureTableTest {

  @Test
  void linesAndBlockSayTheSame() {
    FigureTable table = new FigureTable(2, 1);
    table.headings(List.of(new TextTable.Heading("", 1), new TextTable.Heading("total s", 2)));
    table.columns(List.of("", "published", "ours"));
    table.group("small");
    table.row(
        List.of(
            FigureTable.words("  one"),
            FigureTable.number(OptionalDouble.empty(), 1),
            FigureTable.estimate(Sample.of(List.of(1.0, 3.0)), 1)));
    table.across("that is all");

    assertThat(table.lines())
        .containsExactly(
            "       ----- total s -----",
            "       published      ours",
            "small",
            "  one          – 2.0 ±12.7",
            "that is all");
    Table block = table.block("id", "caption", "policy");
    assertThat(block.columns().stream().map(Table.Column::name))
        .containsExactly("policy", "total s, published", "total s, ours");
    assertThat(block.rows()).hasSize(1);
    List<Table.Cell> row = block.rows().get(0);
    assertThat(row.get(0).text()).isEqualTo("small: one");
    assertThat(row.get(1).number()).isEmpty();
    assertThat(row.get(2).text()).isEqualTo("2.0 ±12.7");
    assertThat(row.get(2).number()).hasValue(2);
    assertThat(row.get(2).uncertainty().orElseThrow()).isBetween(12.6, 12.8);
  }

  @Test
  void namesInTwoLinesAreOne() {
    FigureTable table = new FigureTable(1);
    table.columns(List.of("", "wall-time-"), List.of("", "estimated"));

    assertThat(table.lines()).containsExactly(" wall-time-", "  estimated");
    assertThat(table.block("id", "caption", "grid").columns().get(1).name())
        .isEqualTo("wall-time-estimated");
  }
}
