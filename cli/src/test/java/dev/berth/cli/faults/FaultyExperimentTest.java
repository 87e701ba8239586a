package dev.berth.cli.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.CliProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An experiment whose operations on files fail one after another: on a full disk, with an error,
 * after half of a write, or because the process dies. What is left is whole, the error is clear,
 * and the same command then gives the same bytes as a run without a fault.
 */
class FaultyExperimentTest {

  @TempDir private Path folder;

  @Test
  void eachOperationMayFail() throws Exception {
    Map<String, Integer> counts = campaign(false);
    assertThat(counts.get("fresh.WRITE")).isGreaterThan(5);
    for (String each : new String[] {"CREATE", "OPEN", "READ", "CLOSE", "DELETE", "MOVE"}) {
      assertThat(counts).as("operations of a first run").containsKey("fresh." + each);
    }
    for (String each : new String[] {"LOCK", "LIST", "LOOK", "OPEN", "READ"}) {
      assertThat(counts).as("operations of a resumed run").containsKey("resumed." + each);
    }
    assertThat(counts).containsKey("harmless");
    assertThat(counts.get("reported")).isGreaterThan(40);
    for (Fault each : Fault.values()) {
      assertThat(counts).containsKey("faults." + each);
    }
  }

  @Test
  @Tag("long")
  void eachOperationMayFailInEveryWay() throws Exception {
    Map<String, Integer> counts = campaign(true);
    assertThat(counts).containsKey("partly-replaced");
    assertThat(counts.get("reported")).isGreaterThan(500);
  }

  /** Runs the campaign in a JVM of its own, and returns how often what happened. */
  private Map<String, Integer> campaign(boolean everyFault)
      throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Path work = Files.createDirectory(folder.resolve("work"));
    Process process =
        CliProcess.program(
                FaultCampaign.class,
                List.of(
                    "-Xmx512m",
                    "-Djava.nio.file.spi.DefaultFileSystemProvider=" + FaultyFiles.class.getName()),
                List.of(work.toString(), "1", Boolean.toString(everyFault)))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(() -> read(log)).isZero();
    Map<String, Integer> counts = new TreeMap<>();
    read(log)
        .lines()
        .map(line -> line.split("="))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> counts.put(parts[0], Integer.valueOf(parts[1])));
    return counts;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
