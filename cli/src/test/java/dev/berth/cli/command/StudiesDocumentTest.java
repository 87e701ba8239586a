package dev.berth.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.Cli;
import dev.berth.experiments.studies.PublishedStudies;
import dev.berth.experiments.study.StudiesDocument;
import dev.berth.experiments.study.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/experiments.md} is what the command writes. */
class StudiesDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "experiments.md");

  @TempDir private Path folder;

  @Test
  void theDocumentIsMadeOfTheNotesAndWhatRunsPrinted() throws IOException {
    String document = Files.readString(DOCUMENT);
    Map<String, String> printed = StudiesDocument.printed(document);

    assertThat(printed.keySet())
        .containsExactlyElementsOf(PublishedStudies.all().stream().map(Study::name).toList());
    assertThat(document).isEqualTo(StudiesDocument.of(PublishedStudies.all(), printed));
    for (Study each : PublishedStudies.all()) {
      assertThat(printed.get(each.name())).startsWith(each.title() + "\n");
    }
  }

  /** Those that take a second or two; the others are as good as the last that made the document. */
  @ParameterizedTest
  @ValueSource(strings = {"validation-2", "memic-1", "memic-4"})
  void whatItSaysWasPrintedIsPrintedNow(String name) throws IOException {
    Cli.Result result = Cli.run("reproduce", name);

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out().lines().toList())
        .isEqualTo(
            StudiesDocument.printed(Files.readString(DOCUMENT))
                .getOrDefault(name, "")
                .lines()
                .toList());
  }

  @Test
  void theCommandRenewsOneExperimentAndKeepsTheOthers() throws IOException {
    String document = Files.readString(DOCUMENT);
    Path file = folder.resolve("experiments.md");
    Files.writeString(
        file,
        document
            .replace("memic's total is at least 1.7 %", "memic's total is at least 99 %")
            .replace("## <a id=\"memic-2\">", "## An old heading <a id=\"memic-2\">"));

    Cli.Result result = Cli.run("reproduce", "memic-1", "--markdown", file.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(file).hasContent(document);
  }

  @Test
  void nothingIsWrittenOfWhatWasNotPrinted() {
    assertThatThrownBy(() -> StudiesDocument.of(PublishedStudies.all(), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("validation-1");
  }
}
