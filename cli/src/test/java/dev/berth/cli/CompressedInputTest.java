package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compressed inputs of the command, in processes of their own. */
@Timeout(600)
class CompressedInputTest {

  private static final String REQUESTS =
      "admitted,id,class,service_time,cpu,memory\n0s,a,gold,10s,1,1\n";

  @TempDir private Path folder;

  @Test
  void zstdWithoutAFolderForTemporaryFilesIsExplained() throws Exception {
    String file = compressed("zstd", REQUESTS, 1);
    assertThat(describe(file).exitCode()).as("with the folder").isEqualTo(ExitCode.DONE);
    Cli.Result ended =
        CliProcess.run(
            CliProcess.command(
                jvm("64m", "-Djava.io.tmpdir=/nonexistent"), List.of("workload", "describe", file)),
            folder);
    assertThat(ended.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    String ofTheJvm = "WARNING: java.io.tmpdir directory does not exist\n"; // since Java 20
    assertThat(ended.err().replace(ofTheJvm, ""))
        .startsWith(
            "berth: "
                + file
                + ": is compressed with zstd, whose library cannot be loaded. Maybe the folder for"
                + " temporary files cannot be written (-Djava.io.tmpdir); otherwise decompress the"
                + " file first.\n")
        .doesNotContain("    at ", "unexpected failure", "Exception");
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void bombsAreRefusedInLittleMemory() throws Exception {
    List<String> bombs = new ArrayList<>();
    for (String kind : new String[] {"xz", "zstd", "gz"}) {
      bombs.add(compressed(kind, REQUESTS, 24));
    }
    Cli.Result ended =
        CliProcess.run(CliProcess.program(Describing.class, jvm("56m"), bombs), folder);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).doesNotContain("    at ");
    assertThat(ended.err().lines().filter(line -> line.contains("berth: ")))
        .zipSatisfy(
            bombs,
            (line, bomb) ->
                assertThat(line)
                    .startsWith(ExitCode.BAD_INPUT + " berth: " + bomb)
                    .contains(
                        "follows 16 MiB more of blank lines and comments than of other lines"));
  }

  /** Describes files one after another, and prints the exit code and the error of each. */
  static final class Describing {

    public static void main(String[] files) {
      for (String each : files) {
        Cli.Result result = describe(each);
        System.err.print(result.exitCode() + " " + result.err());
      }
    }
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

  private static Cli.Result describe(String file) {
    return Cli.run("workload", "describe", file);
  }

  private static List<String> jvm(String heap, String... options) {
    List<String> jvm = new ArrayList<>(List.of(options));
    jvm.add("-Xmx" + heap);
    jvm.add("--enable-native-access=ALL-UNNAMED"); // as the script does
    return jvm;
  }
}
