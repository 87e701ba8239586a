package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands in processes of their own that a signal ends. */
class InterruptedCommandTest {

  private static final int INTERRUPTED = 130;
  private static final int TERMINATED = 143;
  private static final int SIGINT = 1 << 1; // in the mask of a process

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void writeExperiment() throws IOException {
    Files.writeString(
        folder.resolve("long.json"),
        """
        {"name": "long", "workloads": ["validation-1"], "policies": ["priority", "qos-driven"],
         "seeds": SEEDS, "bounds": false}
        """
            .replace("SEEDS", seeds()));
  }

  private static String seeds() {
    return IntStream.rangeClosed(1, 100).boxed().toList().toString();
  }

  @AfterEach
  void endProcesses() {
    started.forEach(Process::destroyForcibly);
  }

  private Process start(String... arguments) throws IOException {
    Process process =
        CliProcess.start(
            CliProcess.command(List.of("-Djava.io.tmpdir=" + folder), List.of(arguments)), folder);
    started.add(process);
    return process;
  }

  private Process experiment() throws Exception {
    Process process =
        start(
            "experiment",
            folder.resolve("long.json").toString(),
            "--resume",
            folder.resolve("cells").toString(),
            "--jobs",
            folder.resolve("jobs.csv").toString());
    await(() -> CellLogs.count(folder.resolve("cells")) >= 2, process);
    return process;
  }

  /** A condition that reads files. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition, Process process) throws Exception {
    while (!condition.holds()) {
      assertThat(process.isAlive()).as("runs until it is interrupted").isTrue();
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private int exitCode(Process process) throws InterruptedException {
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("stderr"));
  }

  @Test
  void terminatedExperimentSaysWhatIsStored() throws Exception {
    Process process = experiment();
    process.destroy(); // SIGTERM
    assertThat(exitCode(process)).isEqualTo(TERMINATED);
    assertThat(err())
        .matches(
            "berth: interrupted\\. \\d+ of 200 runs are stored in \"[^\"]+cells\"\\.\\R"
                + "berth: The same command resumes there\\. Output files are unchanged\\.\\R");
    assertThat(folder.resolve("jobs.csv")).doesNotExist();
    assertThat(Files.readString(folder.resolve("stdout"))).isEmpty();
  }

  @Test
  void interruptedExperimentHasUsualExitCode() throws Exception {
    Process process = experiment();
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    assumeTrue(Files.exists(status), "SKIPPED: the system does not show which signals are ignored");
    assumeTrue(
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .allMatch(
                line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & SIGINT) == 0),
        "SKIPPED: the tests run in the background of a shell, where ^C is ignored");
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    assertThat(exitCode(process)).isEqualTo(INTERRUPTED);
    assertThat(err()).startsWith("berth: interrupted. ");
  }

  @Test
  void terminatedComparisonLeavesNothing() throws Exception {
    Path jobs = Files.writeString(folder.resolve("jobs.csv"), "of an earlier run\n");
    Process process =
        start(
            "compare",
            "--workload",
            "validation-1",
            "--policies",
            "qos-driven,priority",
            "--watchdog",
            "10ms",
            "--jobs",
            jobs.toString());
    await(this::hasTemporaryCells, process);
    process.destroy();
    assertThat(exitCode(process)).isEqualTo(TERMINATED);
    assertThat(err())
        .matches(
            "berth: interrupted (before the first run|after \\d of \\d runs)\\. Nothing is stored: the same command starts again\\.\\R"
                + "berth: Output files are unchanged\\. For long runs, berth experiment stores each run\\.\\R");
    assertThat(jobs).hasContent("of an earlier run\n");
    assertThat(hasTemporaryCells()).as("temporary files").isFalse();
  }

  private boolean hasTemporaryCells() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(each -> each.getFileName().toString().startsWith("berth-cells-"));
    }
  }
}
