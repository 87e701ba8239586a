package dev.berth.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.CliProcess;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.run.Cell;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.store.CellStore;
import dev.berth.simulator.metrics.RunMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The results of many runs in little memory. The runs of one seed stand for those of all. */
@Tag("long")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class LargeExperimentTest {

  private static final int POLICIES = 2;
  private static final int SCALES = 5;

  @TempDir private Path folder;

  @Test
  void pageAndTablesOfManyRuns() throws Exception {
    int runs = 11_000;
    int seeds = runs / POLICIES / SCALES;
    Path file = write("many.json", seeds);
    Path cells = folder.resolve("cells");
    store(load(write("one.json", 1)), load(file), cells);
    try (Stream<Path> files = Files.list(cells)) {
      assertThat(files).as("the lock and one log").hasSize(2);
    }
    Path report = folder.resolve("report");
    List<String> arguments =
        List.of(
            "experiment",
            file.toString(),
            "--resume",
            cells.toString(),
            "--report",
            report.toString(),
            "--parquet",
            report.toString());
    Path printed = folder.resolve("printed");
    Process process =
        CliProcess.command(List.of("-Xmx64m"), arguments)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    assertThat(process.waitFor(20, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(printed)).isZero();
    assertThat(printed)
        .content()
        .contains("%1$s of %1$s runs are stored already.".formatted(runs), seeds + " cases");
    assertThat(report.resolve("index.html")).isNotEmptyFile();
    assertThat(report.resolve("runs.parquet")).isNotEmptyFile();
  }

  private Path write(String name, int seeds) throws IOException {
    Files.writeString(
        folder.resolve("requests.csv"),
        """
        admitted,id,class,service_time,cpu,memory
        0s,a,gold,10m,2,2
        0s,b,bronze,10m,1,1
        5s,c,bronze,10m,2,2
        9m,d,gold,3m,1,1
        """);
    Files.writeString(folder.resolve("hosts.csv"), "id,cpu,memory\nh1,2,4\nh2,2,4\n");
    String all =
        IntStream.rangeClosed(1, seeds)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    return Files.writeString(
        folder.resolve(name),
        """
        {"workloads": ["requests.csv"], "infrastructures": ["hosts.csv"], "scales": [1, 0.9, 0.8, 0.7, 0.5],
         "policies": ["qos-driven", "priority"], "bounds": false, "until": "20m", "seeds": [%s]}
        """
            .formatted(all));
  }

  private Experiment load(Path file) throws IOException {
    ExperimentSpec spec = ExperimentSpec.parse("many", Files.readString(file));
    return ExperimentLoader.load(spec, folder, PolicyRegistry.load());
  }

  private static void store(Experiment one, Experiment many, Path cells) throws IOException {
    Map<List<Object>, CellResult> samples = new HashMap<>();
    try (CellStore store = CellStore.temporary();
        CellStore all = CellStore.open(cells)) {
      Map<List<Object>, RunMetrics> metrics = new HashMap<>();
      for (CellResult each :
          new ExperimentRunner(store, 1, ExperimentRunner.Listener.NONE).run(one)) {
        samples.put(kind(each.cell()), each);
        metrics.put(kind(each.cell()), each.metrics().orElseThrow());
      }
      for (Cell each : many.cells()) {
        String key = each.digest();
        try (InputStream in = samples.get(kind(each)).stored().orElseThrow().availabilities()) {
          Files.copy(in, all.draft(key));
        }
        all.keep(key, metrics.get(kind(each)), false);
      }
    }
  }

  private static List<Object> kind(Cell cell) {
    return List.of(cell.setting().scale(), cell.policy().label());
  }
}
