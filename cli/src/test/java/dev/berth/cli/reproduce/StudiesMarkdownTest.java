package dev.berth.cli.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.Cli;
import dev.berth.experiments.studies.PublishedStudies;
import dev.berth.experiments.study.Claim;
import dev.berth.experiments.study.StudiesMarkdown;
import dev.berth.experiments.study.Study;
import dev.berth.experiments.study.StudyResult;
import dev.berth.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StudiesMarkdownTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "experiments.md");
  private static final List<Study> STUDIES = PublishedStudies.all();

  @TempDir private Path folder;

  @Test
  void documentIsGenerated() throws IOException {
    String document = Files.readString(DOCUMENT);

    assertThat(StudiesMarkdown.parse(document).render(STUDIES)).isEqualTo(document);
  }

  /** Studies that run for a second or two. */
  @ParameterizedTest
  @ValueSource(strings = {"validation-2", "memic-1", "memic-4"})
  void documentHasCurrentOutput(String name) throws IOException {
    Cli.Result result = Cli.run("reproduce", name);

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(Files.readString(DOCUMENT)).contains("```text\n" + result.out() + "```");
  }

  @Test
  void renewsOneStudyAndKeepsOthers() throws IOException {
    String document = Files.readString(DOCUMENT);
    Path file = folder.resolve("experiments.md");
    Files.writeString(
        file,
        document
            .replace("memic's total time is at least 1.7 %", "memic's total time is at least 99 %")
            .replace("## <a id=\"memic-2\">", "## An old heading <a id=\"memic-2\">"));

    Cli.Result result = Cli.run("reproduce", "memic-1", "--markdown", file.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(file).hasContent(document);
  }

  @Test
  void summaryHasLineForEachClaim() {
    Study study =
        STUDIES.stream().filter(each -> each.name().equals("memic-1")).findFirst().orElseThrow();
    StudiesMarkdown document = new StudiesMarkdown();
    document.put(
        study,
        new StudyResult(
            List.of(Text.of("figures")),
            List.of(
                Claim.of("one", "a | b", "1 s", "2 s", true),
                Claim.of("two", "is less", "", "3", false),
                Claim.undefined("three", "is more", "4")),
            List.of()));

    String text = document.render(List.of(study));

    assertThat(text)
        .contains(
            """
            ## Summary

            | study | claim | published | ours | holds |
            | --- | --- | --- | --- | --- |
            | [memic-1](#memic-1) `one` | a \\| b | 1 s | 2 s | yes |
            | [memic-1](#memic-1) `two` | is less | – | 3 | no |
            | [memic-1](#memic-1) `three` | is more | 4 | – | undefined |
            """);
    assertThat(StudiesMarkdown.parse(text).render(List.of(study))).isEqualTo(text);
  }

  @Test
  void refusesStudyWithoutResult() {
    StudiesMarkdown empty = new StudiesMarkdown();

    assertThatThrownBy(() -> empty.render(STUDIES))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("validation-1");
  }
}
