package dev.berth.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.Cli;
import dev.berth.cli.error.ExitCode;
import dev.berth.cli.error.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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
  void aFailureBetweenReplacementsNamesWhatWasReplaced() throws IOException {
    Path one = Files.writeString(folder.resolve("one.json"), "previous");
    Path two = folder.resolve("two.csv");
    Path three = Files.writeString(folder.resolve("three.csv"), "previous");
    try (OutputFiles files = new OutputFiles()) {
      files.add(OutputFile.at(one, "--json"), "new");
      files.add(OutputFile.at(two, "--csv"), "new");
      files.add(OutputFile.at(three, "--csv"), "new");
      Files.createDirectories(two.resolve("in the way"));
      assertThatThrownBy(files::commit)
          .isInstanceOf(RunFailedException.class)
          .hasMessageStartingWith("--csv \"%s\" cannot be written: ", two)
          .hasMessageEndingWith(
              ". These files are replaced already: \"%s\"; the others are unchanged.", one);
    }
    assertThat(one).hasContent("new");
    assertThat(three).hasContent("previous");
    assertThat(namesIn(folder)).containsExactly("one.json", "three.csv", "two.csv");
  }

  @Test
  void deletesDraftsOfTheSameFileThatKilledProcessesLeft() throws Exception {
    Process ended = new ProcessBuilder("sleep", "0").start();
    ended.waitFor();
    Process running = new ProcessBuilder("sleep", "600").start();
    try {
      Path victim = Files.writeString(folder.resolve("victim"), "precious");
      List<String> kept =
          List.of(
              ".one.json.%s.0.tmp".formatted(running.pid()),
              ".one.json.notes.0.tmp",
              ".other.json.%s.0.tmp".formatted(ended.pid()),
              "one.json.%s.0.tmp".formatted(ended.pid()));
      for (String each : kept) {
        Files.writeString(folder.resolve(each), "half");
      }
      Files.writeString(folder.resolve(".one.json.%s.0.tmp".formatted(ended.pid())), "half");
      Files.writeString(
          folder.resolve(".one.json.%s.7.tmp".formatted(ProcessHandle.current().pid())), "half");
      Path link = folder.resolve(".one.json.%s.1.tmp".formatted(ended.pid()));
      Files.createSymbolicLink(link, victim);

      Path one = folder.resolve("one.json");
      try (OutputFiles other = new OutputFiles();
          OutputFiles files = new OutputFiles()) {
        other.add(OutputFile.at(one, "--json"), "other");
        files.add(OutputFile.at(one, "--json"), "new");
        files.commit();
        other.commit();
      }
      assertThat(one).hasContent("other");
      assertThat(victim).hasContent("precious");
      assertThat(namesIn(folder))
          .containsExactlyInAnyOrder(
              Stream.concat(
                      kept.stream(), Stream.of("one.json", "victim", link.getFileName().toString()))
                  .toArray(String[]::new));
    } finally {
      running.destroyForcibly();
    }
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
        Cli.validation("--until", "1m", "--report", page.toString(), "--json", FULL.toString());
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
