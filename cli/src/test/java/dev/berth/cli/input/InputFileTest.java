package dev.berth.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.Cli;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputFileTest {

  private static final int MOST = 16 << 20;

  @TempDir private Path folder;

  @Test
  void readsTextUpToTheLimit() throws IOException {
    Path file = folder.resolve("it.json");
    Files.writeString(file, "é");
    assertThat(InputFile.text(file.toString(), "FILE")).isEqualTo("é");
    resize(file, MOST);
    assertThat(InputFile.text(file.toString(), "FILE")).hasSize(MOST - 1);
  }

  @Test
  void refusesLargerFiles() throws IOException {
    Path file = Files.createFile(folder.resolve("it.json"));
    resize(file, MOST + 1L);
    assertThatThrownBy(() -> InputFile.text(file.toString(), "FILE"))
        .isInstanceOf(BadInputException.class)
        .hasMessage("FILE: \"%s\" has more than 16777216 bytes, must have at most 16 MiB.", file);
    resize(file, 600L << 20);
    assertThat(Cli.run("experiment", file.toString()).err()).contains("at most 16 MiB");
  }

  @Test
  void refusesOtherThanText() throws IOException {
    Path file = Files.write(folder.resolve("it.json"), new byte[] {(byte) 0xff});
    assertThatThrownBy(() -> InputFile.text(file.toString(), "FILE"))
        .hasMessage("FILE: \"%s\" is not a text in UTF-8.", file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "experiment PIPE",
        "compare --config priority=@PIPE",
        "workload generate --profile PIPE --out OUT.csv",
        "reproduce memic-1 --markdown PIPE"
      })
  @Timeout(600)
  void pipesAreRefusedWithoutWaiting(String arguments) throws Exception {
    Path pipe = folder.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assumeTrue(made.waitFor(10, TimeUnit.MINUTES) && made.exitValue() == 0, "SKIPPED: no mkfifo");
    Cli.Result result =
        Cli.run(
            arguments
                .replace("PIPE", pipe.toString())
                .replace("OUT", folder.resolve("out").toString())
                .split(" ", -1));
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).contains("is a pipe or a device, must be a regular file.");
  }

  private static void resize(Path file, long size) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(size);
    }
  }
}
