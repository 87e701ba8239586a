package dev.berth.experiments.study;

import dev.berth.report.Numbers;
import dev.berth.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The claims of several studies as one table: a row for each claim. */
public final class ClaimSummary {

  private static final List<String> COLUMNS =
      List.of("study", "claim", "published", "ours", "holds");

  private final Map<String, List<List<String>>> rows = new LinkedHashMap<>();

  /** Creates a summary without claims. */
  public ClaimSummary() {}

  /** Sets the claims of a study; replaces those that it had. */
  public void put(String study, List<Claim> claims) {
    rows.put(
        study,
        claims.stream()
            .map(
                each ->
                    List.of(
                        each.words(),
                        orAbsent(each.published()),
                        orAbsent(each.ours()),
                        each.verdict().word()))
            .toList());
  }

  /** Returns whether no study has a claim. */
  public boolean isEmpty() {
    return rows.values().stream().allMatch(List::isEmpty);
  }

  /** Returns the table, for a page. */
  public Table table() {
    Table.Builder table = Table.builder("summary-claims", "Claims, published and ours");
    COLUMNS.forEach(each -> table.column(Table.Column.ofText(each)));
    rows.forEach(
        (study, its) ->
            its.forEach(
                row -> {
                  List<Table.Cell> cells = new ArrayList<>(List.of(Table.Cell.of(study)));
                  row.forEach(each -> cells.add(Table.Cell.of(each)));
                  table.row(cells);
                }));
    return table.build();
  }

  /**
   * Returns the table in Markdown, with links to the sections of the studies.
   *
   * @param order names of the studies, in the order of the rows
   */
  String markdown(List<String> order) {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(String.join(" | ", COLUMNS)).append(" |\n");
    text.append("| --- ".repeat(COLUMNS.size())).append("|\n");
    for (String study : order) {
      for (List<String> row : rows.getOrDefault(study, List.of())) {
        text.append("| [%s](#%s) | ".formatted(study, study))
            .append(String.join(" | ", row.stream().map(ClaimSummary::escaped).toList()))
            .append(" |\n");
      }
    }
    return text.toString();
  }

  /** Adds the rows of a table that {@link #markdown} wrote. */
  void read(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith("| [")) {
        List<String> cells = new ArrayList<>();
        for (String cell : line.split("(?<!\\\\)\\|", -1)) {
          cells.add(cell.strip().replace("\\|", "|"));
        }
        if (cells.size() == COLUMNS.size() + 2) {
          String study = cells.get(1).substring(1, cells.get(1).indexOf(']'));
          rows.computeIfAbsent(study, key -> new ArrayList<>())
              .add(List.copyOf(cells.subList(2, cells.size() - 1)));
        }
      }
    }
  }

  private static String orAbsent(String figure) {
    return figure.isEmpty() ? Numbers.ABSENT : figure;
  }

  private static String escaped(String cell) {
    return cell.replace("|", "\\|");
  }
}
