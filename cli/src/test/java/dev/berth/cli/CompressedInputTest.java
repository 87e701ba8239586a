package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.terminal.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compressed inputs of the command, in processes of their own. */
@Timeout(120)
class CompressedInputTest {

  private static final String REQUESTS =
      "admitted,id,class,service_time,cpu,memory\n0s,a,gold,10s,1,1\n";

  @TempDir private Path folder;

  private record Ended(int exitCode, String out, String err) {}

  @Test
  void zstdWithoutAFolderForTemporaryFilesIsExplained() throws Exception {
    String file = compressed("zstd", REQUESTS, 1);
    assertThat(describe(file, "64m").exitCode).as("with the folder").isEqualTo(ExitCode.DONE);
    Ended ended = describe(file, "64m", "-Djava.io.tmpdir=/nonexistent");
    assertThat(ended.exitCode).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ended.err)
        .startsWith(
            "berth: "
                + file
                + ": is compressed with zstd, whose library cannot be loaded. Maybe the folder for"
                + " temporary files cannot be written (-Djava.io.tmpdir); otherwise decompress the"
                + " file first.\n")
        .doesNotContain("\tat ", "unexpected failure", "Exception");
    assertThat(ended.out).isEmpty();
  }

  /** Gzip cannot grow more than the limit allows, so its comments are read to the end. */
  @ParameterizedTest
  @CsvSource({
    "xz, is more than 16 MiB and 1032 times its size when decompressed",
    "zstd, is more than 16 MiB and 1032 times its size when decompressed",
    "gz, must be a number of seconds",
  })
  void bombsAreRefusedInLittleMemory(String kind, String rule) throws Exception {
    String bomb = compressed(kind, REQUESTS, 40);
    Ended ended = describe(bomb, "96m");
    assertThat(ended.exitCode).as(ended.err).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ended.err).startsWith("berth: " + bomb).contains(rule).doesNotContain("\tat ");
  }

  /** Writes requests, comments of so many megabytes, and a bad line. */
  private String compressed(String kind, String text, int megabytes)
      throws IOException, CompressorException {
    Path file = folder.resolve("requests." + kind);
    byte[] comments = "# comment\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);
    try (OutputStream out =
        new CompressorStreamFactory()
            .createCompressorOutputStream(
                kind.equals("zstd") ? CompressorStreamFactory.ZSTANDARD : kind,
                Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < megabytes; i++) {
        out.write(comments);
      }
      if (megabytes > 1) {
        out.write("bad,b,gold,10s,1,1\n".getBytes(StandardCharsets.UTF_8));
      }
    }
    return file.toString();
  }

  private Ended describe(String file, String heap, String... options) throws Exception {
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx" + heap,
            "-cp",
            System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>(java);
    command.addAll(List.of(options));
    command.addAll(List.of(Berth.class.getName(), "workload", "describe", file));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("stdout").toFile())
            .redirectError(folder.resolve("stderr").toFile())
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Ended(
        process.exitValue(),
        Files.readString(folder.resolve("stdout")),
        Files.readString(folder.resolve("stderr")));
  }
}
