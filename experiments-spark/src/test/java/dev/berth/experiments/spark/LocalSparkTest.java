package dev.berth.experiments.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.cluster.Cluster;
import dev.berth.experiments.cluster.ClusterCells;
import dev.berth.experiments.run.CellExecutor;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.LocalCells;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.store.CellStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark in this process. {@link SparkExperimentTest} has a cluster. */
class LocalSparkTest {

  private static final String NAME = "trial.json";

  @TempDir private Path folder;

  private Path experiment() throws IOException {
    Files.writeString(
        folder.resolve("requests.csv"),
        "admitted,id,class,service_time,cpu,memory\n0s,a,gold,10m,2,1\n0s,b,bronze,10m,1,1\n");
    Files.writeString(folder.resolve("hosts.csv"), "id,cpu,memory\nh1,2,4\n");
    return Files.writeString(
        folder.resolve(NAME),
        """
        {"name": "trial", "workloads": ["requests.csv"], "bounds": false, "until": "20m",
         "infrastructures": ["hosts.csv"], "policies": ["priority", "first-fit"], "seeds": [1, 2],
         "watchdog": ["10s", "1m"]}
        """);
  }

  @Test
  void programsGetTheBytesOfALocalRunAndKeepTheirContext() throws IOException {
    Path file = experiment();
    SparkConf conf =
        new SparkConf().setAppName(NAME).setMaster("local[2]").set("spark.ui.enabled", "false");
    conf.set("spark.driver.host", LoopbackCluster.HOST);
    try (JavaSparkContext context = new JavaSparkContext(conf);
        CellStore store = CellStore.open(folder.resolve("remote"))) {
      assertThat(SparkCluster.run(context, file, store))
          .hasSize(8)
          .allMatch(each -> each.metrics().isPresent());
      assertThat(context.sc().isStopped()).isFalse();
    }
    run(file, new LocalCells(1));
    assertThat(SparkExperimentTest.stored(folder.resolve("remote")))
        .isEqualTo(SparkExperimentTest.stored(folder.resolve("local")))
        .hasSize(8);
  }

  @Test
  void whatIsStoredNeedsNoCluster() throws IOException {
    Path file = experiment();
    run(file, new LocalCells(1));
    Cluster nowhere = new SparkProvider().connect("spark://127.0.0.1:1", Map.of());
    String text = Files.readString(file);
    assertThat(run(file, new ClusterCells(nowhere, NAME, text, folder, List.of())))
        .hasSize(8)
        .allMatch(each -> each.metrics().isPresent());
  }

  private List<CellResult> run(Path file, CellExecutor executor) throws IOException {
    ExperimentSpec spec = ExperimentSpec.parse(NAME, Files.readString(file));
    try (CellStore store = CellStore.open(folder.resolve("local"))) {
      return new ExperimentRunner(store, executor, ExperimentRunner.Listener.NONE, false)
          .run(ExperimentLoader.load(spec, folder, PolicyRegistry.load()));
    }
  }
}
