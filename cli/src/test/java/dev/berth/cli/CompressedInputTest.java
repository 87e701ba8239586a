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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed inputs of the command, in processes of their own. */
@Timeout(600)
class CompressedInputTest {

  private static final String REQUESTS =
      "admitted,id,class,service_time,cpu,memory\n0s,a,gold,10s,1,1\n";

  @TempDir private Path folder;

  @Test
  void zstdWithoutAFolderForTemporaryFilesIsExplained() throws Exception {
    String file = compressed("zstd", REQUESTS, 1);
    assertThat(describe(file, "64m").exitCode()).as("with the folder").isEqualTo(ExitCode.DONE);
    Cli.Result ended = describe(file, "64m", "-Djava.io.tmpdir=/nonexistent");
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

  @ParameterizedTest
  @ValueSource(strings = {"xz", "zstd", "gz"})
  void bombsAreRefusedInLittleMemory(String kind) throws Exception {
    String bomb = compressed(kind, REQUESTS, 24);
    Cli.Result ended = describe(bomb, "56m");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ended.err())
        .startsWith("berth: " + bomb)
        .contains("follows 16 MiB more of blank lines and comments than of other lines")
        .doesNotContain("    at ");
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

  private Cli.Result describe(String file, String heap, String... options) throws Exception {
    List<String> jvm = new ArrayList<>(List.of(options));
    jvm.add("-Xmx" + heap);
    jvm.add("--enable-native-access=ALL-UNNAMED"); // as the script does
    return CliProcess.run(CliProcess.command(jvm, List.of("workload", "describe", file)), folder);
  }
}
