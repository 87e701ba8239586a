package dev.berth.experiments.study;

import dev.berth.experiments.figures.Columns;
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

  private static final Columns<Claim> TABLE =
      new Columns<Claim>()
          .text("claim", Claim::words)
          .add(Table.Column.ofText("published"), each -> figure(each.published()))
          .add(Table.Column.ofText("ours"), each -> figure(each.ours()))
          .text("holds", each -> each.verdict().word());

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
            List.of(TABLE.table(study + "-claims", title, claims))));
    if (claims.stream().anyMatch(each -> !each.details().isEmpty())) {
      blocks.add(
          OnlyFor.of(Medium.HTML, new Details("Details of the claims", String.join("\n", lines))));
    }
    return blocks;
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
