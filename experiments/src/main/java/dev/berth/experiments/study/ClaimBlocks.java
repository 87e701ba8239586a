package dev.berth.experiments.study;

import dev.berth.report.Block;
import dev.berth.report.Details;
import dev.berth.report.Medium;
import dev.berth.report.OnlyFor;
import dev.berth.report.Stack;
import dev.berth.report.Table;
import dev.berth.report.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Shows the claims of one study: a list in text, a table elsewhere. */
public final class ClaimBlocks {

  private ClaimBlocks() {}

  /**
   * Returns the blocks.
   *
   * @param study name of the study
   * @param title above the claims, without a colon
   */
  public static List<Block> of(String study, String title, List<Claim> claims) {
    List<Block> blocks = new ArrayList<>();
    List<String> lines = lines(claims);
    blocks.add(OnlyFor.of(Medium.TEXT, Stack.of(Text.of(title + ":"), Text.ofLines(lines))));
    blocks.add(
        new OnlyFor(
            Set.of(Medium.HTML, Medium.MARKDOWN, Medium.JSON),
            List.of(table(study, title, claims))));
    if (claims.stream().anyMatch(each -> !each.details().isEmpty())) {
      blocks.add(
          OnlyFor.of(Medium.HTML, new Details("Details of the claims", String.join("\n", lines))));
    }
    return blocks;
  }

  private static Table table(String study, String title, List<Claim> claims) {
    Table.Builder table =
        Table.builder(study + "-claims", title)
            .column(Table.Column.ofText("claim"))
            .column(Table.Column.ofText("published"))
            .column(Table.Column.ofText("ours"))
            .column(Table.Column.ofText("holds"));
    for (Claim each : claims) {
      table.row(
          Table.Cell.of(each.words()),
          figure(each.published()),
          figure(each.ours()),
          Table.Cell.of(each.verdict().word()));
    }
    return table.build();
  }

  private static Table.Cell figure(String words) {
    return words.isEmpty() ? Table.Cell.absent() : Table.Cell.of(words);
  }

  private static List<String> lines(List<Claim> claims) {
    List<String> lines = new ArrayList<>();
    for (Claim each : claims) {
      lines.add("  %-3s  %s".formatted(each.verdict().word(), each.words()));
      each.details().forEach(detail -> lines.add("         " + detail));
    }
    return lines;
  }
}
