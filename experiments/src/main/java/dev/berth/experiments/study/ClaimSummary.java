package dev.berth.experiments.study;

import dev.berth.report.Numbers;
import dev.berth.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The claims of several studies as one table: a row for each claim. */
public final class ClaimSummary {

  private static final List<String> COLUMNS =
      List.of("study", "claim", "published", "ours", "holds");
  private static final String LINK = "[%s](#%s)";

  /**
   * A claim, as the table shows it.
   *
   * @param id of the claim, unique in its study; empty if the table does not show it
   */
  record Row(String id, String words, String published, String ours, String holds) {

    private static Row of(Claim claim) {
      return new Row(
          claim.id(),
          claim.words(),
          orAbsent(claim.published()),
          orAbsent(claim.ours()),
          claim.verdict().word());
    }

    boolean isPublished() {
      return !published.equals(Numbers.ABSENT);
    }

    private List<String> cells() {
      return List.of(words, published, ours, holds);
    }
  }

  private final Map<String, List<Row>> rows = new LinkedHashMap<>();

  /** Creates a summary without claims. */
  public ClaimSummary() {}

  /** Sets the claims of a study; replaces those that it had. */
  public void put(String study, List<Claim> claims) {
    rows.put(study, claims.stream().map(Row::of).toList());
  }

  /** Returns whether no study has a claim. */
  public boolean isEmpty() {
    return rows.values().stream().allMatch(List::isEmpty);
  }

  /** Returns the rows by the id of the study and that of the claim: {@code study/claim}. */
  Map<String, Row> byId() {
    Map<String, Row> all = new LinkedHashMap<>();
    rows.forEach((study, its) -> its.forEach(row -> all.put(study + "/" + row.id(), row)));
    return all;
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
                  row.cells().forEach(each -> cells.add(Table.Cell.of(each)));
                  table.row(cells);
                }));
    return table.build();
  }

  /**
   * Returns the table in Markdown, with links to the sections of the studies.
   *
   * @param order names of the studies, in the order of the rows
   * @param unnamed studies whose claims are shown without their ids
   */
  String markdown(List<String> order, Set<String> unnamed) {
    StringBuilder text = new StringBuilder(head(COLUMNS));
    for (String study : order) {
      for (Row row : rows.getOrDefault(study, List.of())) {
        String link = LINK.formatted(study, study);
        List<String> cells =
            new ArrayList<>(
                List.of(unnamed.contains(study) ? link : "%s `%s`".formatted(link, row.id())));
        cells.addAll(row.cells());
        text.append(line(cells));
      }
    }
    return text.toString();
  }

  /** Returns the first two lines of a table in Markdown. */
  static String head(List<String> columns) {
    return line(columns) + "| --- ".repeat(columns.size()) + "|\n";
  }

  /** Returns a line of a table in Markdown. */
  static String line(List<String> cells) {
    return cells.stream()
        .map(each -> each.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** Adds the rows of a table that {@link #markdown} wrote. */
  void read(List<String> lines) {
    for (String line : lines) {
      if (line.startsWith("| [")) {
        List<String> cells = new ArrayList<>();
        for (String cell : line.split("(?<!\\\\)\\|", -1)) {
          cells.add(cell.strip().replace("\\|", "|"));
        }
        String first = cells.get(1);
        int id = first.indexOf('`') + 1;
        if (cells.size() == COLUMNS.size() + 2) {
          rows.computeIfAbsent(first.substring(1, first.indexOf(']')), study -> new ArrayList<>())
              .add(
                  new Row(
                      id == 0 ? "" : first.substring(id, first.length() - 1),
                      cells.get(2),
                      cells.get(3),
                      cells.get(4),
                      cells.get(5)));
        }
      }
    }
  }

  private static String orAbsent(String figure) {
    return figure.isEmpty() ? Numbers.ABSENT : figure;
  }
}
