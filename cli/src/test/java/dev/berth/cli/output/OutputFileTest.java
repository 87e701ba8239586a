package dev.berth.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.terminal.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {

  @TempDir private Path folder;

  @Test
  void replacesFileAndLeavesNoDraft() throws IOException {
    Path file = Files.writeString(folder.resolve("outcome.json"), "a longer previous text");
    OutputFile.at(file, "--json").write("new");
    assertThat(file).hasContent("new");
    assertThat(namesIn(folder)).containsExactly("outcome.json");
  }

  @Test
  void keepsPreviousFileIfWritingFails() throws IOException {
    Path file = Files.writeString(folder.resolve("outcome.json"), "previous");
    OutputFile output = OutputFile.at(file, "--json");
    // A folder has the name of the draft, so the draft cannot be created.
    Path draft = folder.resolve(".outcome.json.%d.tmp".formatted(ProcessHandle.current().pid()));
    Files.createDirectories(draft.resolve("taken"));
    assertThatThrownBy(() -> output.write("new")).isInstanceOf(IOException.class);
    assertThat(file).hasContent("previous");
  }

  @Test
  void writesThroughSymbolicLinks() throws IOException {
    Path target = Files.writeString(folder.resolve("target.json"), "previous");
    Path link = Files.createSymbolicLink(folder.resolve("link.json"), target);
    OutputFile.at(link, "--json").write("new");
    assertThat(link).isSymbolicLink();
    assertThat(target).hasContent("new");
  }

  @Test
  void writesToDeviceInPlace() throws IOException {
    Path device = Path.of("/dev/null");
    assumeTrue(Files.exists(device), "SKIPPED: there is no /dev/null");
    OutputFile.at(device, "--json").write("new");
    assertThat(Files.isRegularFile(device)).isFalse();
  }

  @Test
  void refusesFoldersAndMissingParents() {
    assertThatThrownBy(() -> OutputFile.at(folder, "--json"))
        .isInstanceOf(BadInputException.class)
        .hasMessage("--json: \"%s\" is a directory, must be a file to write.", folder);
    Path missing = folder.resolve("missing/outcome.json");
    assertThatThrownBy(() -> OutputFile.at(missing, "--json"))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "--json: \"%s\": folder \"%s\" does not exist. Maybe create it first.",
            missing, missing.getParent());
  }

  private static List<String> namesIn(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
