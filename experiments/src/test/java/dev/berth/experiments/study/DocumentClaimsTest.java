package dev.berth.experiments.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.experiments.study.DocumentClaims.Document;
import dev.berth.experiments.study.DocumentClaims.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The claims of the documents against those of the studies. */
class DocumentClaimsTest {

  private static final Path PAGE = Path.of("..", "docs", "experiments.md");

  private final ClaimSummary summary = new ClaimSummary();

  private static DocumentClaims claims(Entry... entries) {
    return new DocumentClaims(
        List.of(new Document("Paper", "a title", List.of(entries))), Set.of("mine"));
  }

  private static Entry entry(String... rows) {
    return new Entry("5.1", "less is less", List.of(rows), rows.length == 0 ? "a plot" : "");
  }

  @Test
  void everyPublishedFigureIsAClaimAndEveryClaimIsChecked() throws IOException {
    assertThat(StudiesMarkdown.parse(Files.readString(PAGE)).problems()).isEmpty();
  }

  @Test
  void namesWhatDoesNotMatch() {
    summary.put(
        "one",
        List.of(Claim.of("a", "is a", "1 s", "2 s", true), Claim.of("b", "is b", "", "2 s", true)));
    summary.put("mine", List.of(Claim.of("target", "is met", "1 s", "2 s", true)));

    assertThat(claims(entry("one/a"), entry()).problems(summary)).isEmpty();
    assertThat(claims(entry("one/b")).problems(summary))
        .containsExactly("one/a has a published figure and is no claim of a document");
    assertThat(claims(entry("one/a", "one/c")).problems(summary))
        .containsExactly("one/c does not exist");
    assertThat(claims(entry("one/a"), new Entry("5.2", "is", List.of(), "")).problems(summary))
        .hasSize(1);
  }

  @Test
  void verdictIsThatOfAllRows() {
    summary.put(
        "one",
        List.of(
            Claim.of("a", "is a", "1 s", "2 s", true),
            Claim.of("b", "is b", "1 s", "2 s", false),
            Claim.undefined("c", "is c", "1 s")));
    DocumentClaims claims =
        claims(entry("one/a"), entry("one/b"), entry("one/a", "one/b"), entry("one/c"), entry());

    assertThat(claims.counts(summary)).endsWith("| Paper: a title | 5 | 1 | 1 | 1 | 1 | 1 |\n");
    assertThat(claims.markdown(summary))
        .contains("| Paper | 5.1 | less is less | [one](#one) `a`, `b` | in part |\n")
        .contains("| Paper | 5.1 | less is less | a plot | not checked |\n");
  }
}
