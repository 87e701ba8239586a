package dev.berth.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.CellLogs;
import dev.berth.cli.Cli;
import dev.berth.cli.CliProcess;
import dev.berth.cli.PluginJar;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments whose parts run in several processes, as on several machines. */
class ShardedExperimentTest {

  private static final int SHARDS = 2;
  private static final int RUNS = 5 * 2 * 2 + 5; // both scales share the infinite host

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    file =
        Files.writeString(
            folder.resolve("parts.json"),
            """
            {"name": "parts", "workloads": ["validation-1"], "policies": ["priority"],
             "seeds": [1, 2, 3, 4, 5], "scales": [1, 0.8], "until": "8m"}
            """);
  }

  @Test
  @Tag("long")
  void unitedShardsGiveTheBytesOfAWholeRun() throws Exception {
    List<Process> shards = new ArrayList<>();
    for (int i = 1; i <= SHARDS; i++) {
      shards.add(start(i));
    }
    Path united = Files.createDirectory(folder.resolve("united"));
    int stored = 0;
    for (int i = 1; i <= SHARDS; i++) {
      Process shard = shards.get(i - 1);
      assertThat(shard.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(folder.resolve("err-" + i)).isEmptyFile();
      assertThat(shard.exitValue()).isZero();
      int cells = CellLogs.count(folder.resolve("cells-" + i));
      assertThat(folder.resolve("out-" + i))
          .hasContent(
              "shard %s/%s: %3$s of %3$s runs are stored in \"%4$s\"."
                  .formatted(i, SHARDS, cells, folder.resolve("cells-" + i)));
      stored += cells;
      copyFiles(folder.resolve("cells-" + i), united);
    }
    assertThat(stored).as("no run is in two shards, and none is missing").isEqualTo(RUNS);

    Path jobs = folder.resolve("jobs.parquet");
    Cli.Result whole = all(folder.resolve("whole"), jobs);
    assertThat(whole.err()).isEmpty();
    byte[] wholeJobs = Files.readAllBytes(jobs);
    Cli.Result ofUnited = all(united, jobs);
    assertThat(ofUnited.err()).isEqualTo("%1$s of %1$s runs are stored already.\n", RUNS);
    assertThat(ofUnited.out()).isEqualTo(whole.out()).contains("parts");
    assertThat(jobs).hasBinaryContent(wholeJobs);
    for (String each :
        List.of("index.html", "results.json", "results.csv", "runs.parquet", "classes.parquet")) {
      assertThat(folder.resolve("united-report").resolve(each))
          .hasSameBinaryContentAs(folder.resolve("whole-report").resolve(each));
    }
  }

  @Test
  void failedRunsOfAShardAreReported() throws IOException {
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    PluginJar.write(plugins);
    Files.writeString(
        file,
        """
        {"workloads": ["validation-1"], "policies": ["acme.broken", "priority"], "bounds": false,
         "until": "1m"}
        """);
    Cli.Result result =
        Cli.run("experiment", file.toString(), "--shard", "1/1", "--plugins", plugins.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("berth: policy acme.broken in ", "out of ideas");
    assertThat(result.out()).startsWith("shard 1/1: 1 of 2 runs are stored in ");
  }

  private Process start(int shard) throws IOException {
    List<String> arguments =
        List.of(
            "experiment",
            file.toString(),
            "--shard",
            shard + "/" + SHARDS,
            "--resume",
            folder.resolve("cells-" + shard).toString(),
            "--jobs",
            folder.resolve("jobs-%s.parquet".formatted(shard)).toString());
    return CliProcess.command(List.of(), arguments)
        .redirectOutput(folder.resolve("out-" + shard).toFile())
        .redirectError(folder.resolve("err-" + shard).toFile())
        .start();
  }

  private Cli.Result all(Path cells, Path jobs) {
    Cli.Result result =
        Cli.run(
            "experiment",
            file.toString(),
            "--resume",
            cells.toString(),
            "--jobs",
            jobs.toString(),
            "--report",
            folder.resolve(cells.getFileName() + "-report").toString(),
            "--parquet",
            folder.resolve(cells.getFileName() + "-report").toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result;
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path each : files.toList()) { // the lock, too
        Files.copy(each, to.resolve(each.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
