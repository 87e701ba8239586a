package dev.berth.experiments.study;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The claims of the documents that Berth implements, as a reader finds them: where each is, and
 * which claims of our studies check it. From the resource {@code claims.json}.
 *
 * @param documents in the order of the tables
 * @param ours names of the studies that check no document; their published figures are our targets,
 *     or others'
 */
record DocumentClaims(List<Document> documents, Set<String> ours) {

  private static final String IN_PART = "in part";
  private static final String NOT_CHECKED = "not checked";
  private static final List<String> VERDICTS =
      List.of(
          Claim.Verdict.HOLDS.word(),
          IN_PART,
          Claim.Verdict.FAILS.word(),
          Claim.Verdict.UNDEFINED.word(),
          NOT_CHECKED);

  /**
   * A document.
   *
   * @param name how tables call it
   * @param title its title, authors or year
   */
  record Document(String name, String title, List<Entry> claims) {}

  /**
   * A claim of a document.
   *
   * @param where section, table or figure
   * @param claim what it says
   * @param rows {@code study/claim} of each claim of ours that checks it
   * @param not why no study checks it; empty if one does
   */
  record Entry(String where, String claim, List<String> rows, String not) {

    /** Returns the common verdict of its rows. */
    private String verdict(Map<String, ClaimSummary.Row> all) {
      if (rows.isEmpty()) {
        return NOT_CHECKED;
      }
      Set<String> words =
          rows.stream()
              .flatMap(each -> Optional.ofNullable(all.get(each)).stream())
              .map(ClaimSummary.Row::holds)
              .collect(Collectors.toSet());
      return words.size() == 1 ? words.iterator().next() : IN_PART;
    }

    /** Returns its rows, those of a study together, or why there is none. */
    private String ours() {
      Map<String, List<String>> byStudy = new LinkedHashMap<>();
      for (String each : rows) {
        int slash = each.indexOf('/');
        byStudy
            .computeIfAbsent(each.substring(0, slash), study -> new ArrayList<>())
            .add("`%s`".formatted(each.substring(slash + 1)));
      }
      return byStudy.isEmpty()
          ? not
          : byStudy.entrySet().stream()
              .map(
                  each ->
                      "[%1$s](#%1$s) %2$s"
                          .formatted(each.getKey(), String.join(", ", each.getValue())))
              .collect(Collectors.joining("; "));
    }
  }

  /** Copies the collections. */
  DocumentClaims {
    documents = List.copyOf(documents);
    ours = Set.copyOf(ours);
  }

  /** Reads the resource. */
  static DocumentClaims read() {
    JsonNode root = Resource.json(DocumentClaims.class, "claims.json");
    List<Document> documents = new ArrayList<>();
    for (JsonNode document : root.get("documents")) {
      List<Entry> claims = new ArrayList<>();
      for (JsonNode each : document.get("claims")) {
        claims.add(
            new Entry(
                each.get("where").textValue(),
                each.get("claim").textValue(),
                texts(each.path("rows")),
                each.path("not").asText("")));
      }
      documents.add(
          new Document(
              document.get("name").textValue(), document.get("title").textValue(), claims));
    }
    return new DocumentClaims(documents, Set.copyOf(texts(root.get("ours"))));
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.textValue()));
    return texts;
  }

  /** Returns how the claims and those of our studies fail to match; empty if they do not. */
  List<String> problems(ClaimSummary summary) {
    Map<String, ClaimSummary.Row> all = summary.byId();
    List<String> problems = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (Document document : documents) {
      for (Entry each : document.claims()) {
        if (each.rows().isEmpty() == each.not().isEmpty()) {
          problems.add("%s needs either rows or a reason".formatted(each));
        }
        for (String row : each.rows()) {
          named.add(row);
          if (!all.containsKey(row)) {
            problems.add("%s does not exist".formatted(row));
          }
        }
      }
    }
    all.forEach(
        (id, row) -> {
          if (row.isPublished()
              && !named.contains(id)
              && !ours.contains(id.substring(0, id.indexOf('/')))) {
            problems.add("%s has a published figure and is no claim of a document".formatted(id));
          }
        });
    return problems;
  }

  /** Returns the number of claims of each document by verdict, in Markdown. */
  String counts(ClaimSummary summary) {
    Map<String, ClaimSummary.Row> all = summary.byId();
    List<String> columns = new ArrayList<>(List.of("document", "claims"));
    columns.addAll(VERDICTS);
    StringBuilder text = new StringBuilder(ClaimSummary.head(columns));
    for (Document document : documents) {
      List<String> verdicts = document.claims().stream().map(each -> each.verdict(all)).toList();
      List<String> cells =
          new ArrayList<>(
              List.of(
                  "%s: %s".formatted(document.name(), document.title()),
                  Integer.toString(verdicts.size())));
      for (String verdict : VERDICTS) {
        cells.add(Long.toString(verdicts.stream().filter(verdict::equals).count()));
      }
      text.append(ClaimSummary.line(cells));
    }
    return text.toString();
  }

  /** Returns all claims with their verdicts, in Markdown. */
  String markdown(ClaimSummary summary) {
    Map<String, ClaimSummary.Row> all = summary.byId();
    StringBuilder text =
        new StringBuilder(
            ClaimSummary.head(List.of("document", "where", "claim", "ours", "holds")));
    for (Document document : documents) {
      for (Entry each : document.claims()) {
        text.append(
            ClaimSummary.line(
                List.of(
                    document.name(), each.where(), each.claim(), each.ours(), each.verdict(all))));
      }
    }
    return text.toString();
  }
}
