package dev.berth.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.Cli;
import dev.berth.cli.terminal.ExitCode;
import dev.berth.cli.terminal.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFilesTest {

  private static final Path FULL = Path.of("/dev/full");

  @TempDir private Path folder;

  @Test
  void replacesAllFilesOnCommitAndLeavesNoDraft() throws IOException {
    Path one = Files.writeString(folder.resolve("one.json"), "a longer previous text");
    Path two = folder.resolve("two.csv");
    try (OutputFiles files = new OutputFiles()) {
      files.add(OutputFile.at(one, "--json"), "new");
      files.add(OutputFile.at(two, "--csv"), "newer");
      assertThat(one).hasContent("a longer previous text");
      assertThat(two).doesNotExist();
      files.commit();
    }
    assertThat(one).hasContent("new");
    assertThat(two).hasContent("newer");
    assertThat(namesIn(folder)).containsExactly("one.json", "two.csv");
  }

  @Test
  void keepsAllPreviousFilesIfOneFails() throws IOException {
    Path one = Files.writeString(folder.resolve("one.json"), "previous");
    Path two = folder.resolve("two.csv");
    try (OutputFiles files = new OutputFiles()) {
      files.add(OutputFile.at(one, "--json"), "new");
      assertThatThrownBy(
              () ->
                  files.add(
                      OutputFile.at(two, "--csv"),
                      out -> {
                        out.write(1);
                        throw new IOException("No space left on device");
                      }))
          .isInstanceOf(RunFailedException.class)
          .hasMessage("--csv \"%s\" cannot be written: No space left on device", two);
    }
    assertThat(one).hasContent("previous");
    assertThat(namesIn(folder)).containsExactly("one.json");
  }

  @Test
  void aShutdownDeletesDraftsAndNothingIsCommittedAfterwards() throws IOException {
    Path file = Files.writeString(folder.resolve("one.json"), "previous");
    try (OutputFiles files = new OutputFiles()) {
      files.add(OutputFile.at(file, "--json"), "new");
      OutputFiles.discardAll();
      assertThat(namesIn(folder)).containsExactly("one.json");
      assertThatThrownBy(files::commit).isInstanceOf(RunFailedException.class);
      assertThatThrownBy(() -> files.add(OutputFile.at(file, "--json"), "newer"))
          .hasMessageContaining("the command was interrupted");
    }
    assertThat(file).hasContent("previous");
  }

  @Test
  void aDraftNeverFollowsALinkInItsPlace() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Path file = folder.resolve("outcome.json");
    long process = ProcessHandle.current().pid();
    for (int i = 0; i < 3; i++) {
      Files.createSymbolicLink(
          folder.resolve(".outcome.json.%s.%s.tmp".formatted(process, i)), victim);
    }
    Files.createSymbolicLink(folder.resolve(".outcome.json.%s.tmp".formatted(process)), victim);
    write(file);
    assertThat(file).isRegularFile().hasContent("new");
    assertThat(victim).hasContent("precious");
  }

  @Test
  void replacesTheTargetOfASymbolicLink() throws IOException {
    Path target = Files.writeString(folder.resolve("target.json"), "previous");
    Path link = Files.createSymbolicLink(folder.resolve("link.json"), target);
    write(link);
    assertThat(link).isSymbolicLink();
    assertThat(target).hasContent("new");
  }

  @Test
  void writesToDeviceInPlace() {
    Path device = Path.of("/dev/null");
    assumeTrue(Files.exists(device), "SKIPPED: there is no /dev/null");
    write(device);
    assertThat(Files.isRegularFile(device)).isFalse();
  }

  @Test
  void aFullDiskLeavesTheWholePreviousReport() throws IOException {
    assumeTrue(Files.exists(FULL), "SKIPPED: there is no /dev/full");
    Path page = Files.createDirectory(folder.resolve("page"));
    Path index = Files.writeString(page.resolve("index.html"), "previous");
    Cli.Result result =
        Cli.run("compare", "--until", "1m", "--report", page.toString(), "--json", FULL.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err())
        .isEqualTo("berth: --json \"/dev/full\" cannot be written: No space left on device\n");
    assertThat(index).hasContent("previous");
    assertThat(namesIn(page)).containsExactly("index.html");
  }

  private static void write(Path path) {
    try (OutputFiles files = new OutputFiles()) {
      files.add(OutputFile.at(path, "--json"), "new");
      files.commit();
    }
  }

  private static List<String> namesIn(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
