package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/experiments.md} is what the command writes. */
class ExperimentsDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "experiments.md");

  @TempDir private Path folder;

  @Test
  void theDocumentIsMadeOfTheNotesAndWhatRunsPrinted() throws IOException {
    String document = Files.readString(DOCUMENT);
    Map<String, String> printed = ExperimentsDocument.printed(document);

    assertThat(printed.keySet())
        .containsExactlyElementsOf(Reproductions.all().stream().map(Reproduction::name).toList());
    assertThat(document).isEqualTo(ExperimentsDocument.of(Reproductions.all(), printed));
    for (Reproduction each : Reproductions.all()) {
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
            ExperimentsDocument.printed(Files.readString(DOCUMENT))
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
    assertThatThrownBy(() -> ExperimentsDocument.of(Reproductions.all(), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("validation-1");
  }
}
