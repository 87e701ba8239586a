package dev.berth.experiments.spark;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Berth;
import dev.berth.core.PolicyRegistry;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ExperimentRunner;
import dev.berth.experiments.run.LocalCells;
import dev.berth.experiments.spec.ExperimentLoader;
import dev.berth.experiments.spec.ExperimentSpec;
import dev.berth.experiments.store.CellStore;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Experiments on a master and two workers, whose results are those of a run in one process. */
@Tag("long")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SparkExperimentTest {

  private static final int CELLS = 200;
  private static final String JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  @TempDir private static Path shared;
  private static LoopbackCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void startCluster() throws IOException {
    cluster = new LoopbackCluster(shared);
    cluster.startWorker();
    cluster.startWorker();
  }

  @AfterAll
  static void stopCluster() throws InterruptedException {
    cluster.stop();
  }

  @BeforeEach
  void writeFiles() throws IOException {
    Path inputs = Files.createDirectory(folder.resolve("inputs"));
    Files.writeString(
        inputs.resolve("requests.csv"),
        """
        admitted,id,class,service_time,cpu,memory
        0s,a,gold,10m,2,2
        0s,b,bronze,10m,1,1
        5s,c,bronze,10m,2,2
        9m,d,gold,3m,1,1
        """);
    Files.writeString(inputs.resolve("hosts.csv"), "id,cpu,memory\nh1,2,4\nh2,2,4\n");
  }

  private Path experiment(String policies, int seeds) throws IOException {
    String all =
        IntStream.rangeClosed(1, seeds)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    return Files.writeString(
        folder.resolve("trial.json"),
        """
        {"name": "trial", "workloads": ["inputs/requests.csv"], "bounds": false, "until": "20m",
         "infrastructures": ["inputs/hosts.csv"], "scales": [1, 0.5], "policies": [%s], "seeds": [%s]}
        """
            .formatted(policies, all));
  }

  @Test
  void resultsAreTheBytesOfALocalRun() throws Exception {
    Path file = experiment("\"qos-driven\", \"priority\"", CELLS / 4);
    Ended remote = run(file, "remote", spark("--jobs", folder.resolve("remote.csv").toString()));
    Ended local = run(file, "local", List.of("--jobs", folder.resolve("local.csv").toString()));
    assertThat(remote.err()).isEmpty();
    assertThat(remote.exit()).isZero();
    assertThat(remote.out()).isEqualTo(local.out());
    assertThat(contents("remote-report")).isEqualTo(contents("local-report")).hasSize(5);
    assertThat(folder.resolve("remote.csv")).hasSameBinaryContentAs(folder.resolve("local.csv"));
    assertThat(stored(folder.resolve("remote")))
        .isEqualTo(stored(folder.resolve("local")))
        .hasSize(CELLS);

    // Resumed by a program: half of the cells are missing, and one is damaged.
    Path log = logsIn(folder.resolve("remote")).get(0);
    byte[] whole = Files.readAllBytes(log);
    byte[] half = Arrays.copyOf(whole, whole.length / 2);
    half[half.length / 2]++;
    Files.write(log, half);
    SparkConf conf =
        new SparkConf()
            .setAppName("resumed")
            .setMaster(cluster.address())
            .set("spark.driver.host", LoopbackCluster.HOST)
            .set("spark.ui.enabled", "false")
            .set("spark.executor.memory", "512m")
            .set("spark.executor.extraJavaOptions", JVM);
    try (JavaSparkContext context = new JavaSparkContext(conf);
        CellStore store = CellStore.open(folder.resolve("remote"))) {
      List<CellResult> results = SparkCluster.run(context, file, store);
      assertThat(results).hasSize(CELLS).allMatch(each -> each.metrics().isPresent());
      assertThat(context.sc().isStopped()).isFalse();
    }
    assertThat(logsIn(folder.resolve("remote"))).hasSize(2); // the missing cells are in a new one
  }

  @Test
  void cellsOfALostWorkerRunAgainAndFailedOnesNameTheirExecutor() throws Exception {
    Path file = experiment("\"acme.gated\", \"acme.poison\", \"priority\"", 4);
    Path gate = Files.createDirectory(folder.resolve("gate"));
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    AcmePlugin.write(plugins, gate);
    List<String> arguments = spark("--plugins", plugins.toString());
    Process running = start(file, "remote", arguments);
    waitForFiles(gate, 2, running); // both workers are in a run
    cluster.killWorker();
    cluster.startWorker();
    Files.writeString(gate.resolve("open"), "");
    Ended remote = end(running, "remote");

    assertThat(remote.exit()).isEqualTo(1);
    assertThat(remote.out()).contains("acme.poison (4 failed)");
    assertThat(remote.err().lines().filter(each -> each.contains("acme.poison")))
        .hasSize(8)
        .allMatch(
            each ->
                each.startsWith("berth: policy acme.poison in " + plugins.resolve("acme.jar"))
                    && each.contains("out of ideas (executor ")
                    && each.endsWith(" on 127.0.0.1)"));
    URL[] jars = {plugins.resolve("acme.jar").toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(jars, Berth.class.getClassLoader());
        CellStore store = CellStore.open(folder.resolve("local"))) {
      ExperimentSpec spec = ExperimentSpec.parse("trial", Files.readString(file));
      new ExperimentRunner(store, new LocalCells(1), ExperimentRunner.Listener.NONE, false)
          .run(ExperimentLoader.load(spec, folder, PolicyRegistry.load(loader)));
    }
    assertThat(stored(folder.resolve("remote")))
        .isEqualTo(stored(folder.resolve("local")))
        .hasSize(16);
  }

  @Test
  void interruptionSaysWhatIsStored() throws Exception {
    Path file = experiment("\"acme.gated\"", 2);
    Path gate = Files.createDirectory(folder.resolve("gate"));
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    AcmePlugin.write(plugins, gate);
    List<String> arguments = spark("--plugins", plugins.toString());
    Process running = start(file, "remote", arguments);
    waitForFiles(gate, 2, running);
    running.destroy(); // SIGTERM: in the background of a shell, ^C is ignored
    Ended interrupted = end(running, "remote");
    assertThat(interrupted.exit()).isEqualTo(143);
    assertThat(interrupted.out()).isEmpty();
    assertThat(interrupted.err().lines())
        .containsExactly(
            "berth: interrupted. 0 of 4 runs are stored in \"%s\"."
                .formatted(folder.resolve("remote")),
            "berth: The same command resumes there. Output files are unchanged.");
    Files.writeString(gate.resolve("open"), "");
    assertThat(run(file, "remote", arguments).exit()).isZero();
    assertThat(stored(folder.resolve("remote"))).hasSize(4);
  }

  private static List<String> spark(String... more) {
    List<String> arguments = new ArrayList<>(List.of("--spark", cluster.address()));
    arguments.addAll(List.of("--conf", "spark.executor.memory=512m"));
    arguments.addAll(List.of("--conf", "spark.executor.extraJavaOptions=" + JVM));
    arguments.addAll(List.of("--conf", "spark.driver.host=" + LoopbackCluster.HOST));
    arguments.addAll(List.of(more));
    return arguments;
  }

  /** What a process printed. */
  private record Ended(int exit, String out, String err) {}

  private Ended run(Path file, String name, List<String> more)
      throws IOException, InterruptedException {
    return end(start(file, name, more), name);
  }

  private Process start(Path file, String name, List<String> more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--quiet", "experiment", file.toString()));
    arguments.addAll(List.of("--resume", folder.resolve(name).toString()));
    arguments.addAll(List.of("--report", folder.resolve(name + "-report").toString()));
    arguments.addAll(List.of("--parquet", folder.resolve(name + "-report").toString()));
    arguments.addAll(more);
    return LoopbackCluster.program(
            System.getProperty("java.class.path"), Berth.class.getName(), arguments)
        .directory(folder.toFile())
        .redirectOutput(folder.resolve(name + ".out").toFile())
        .redirectError(folder.resolve(name + ".err").toFile())
        .start();
  }

  private Ended end(Process process, String name) throws IOException, InterruptedException {
    assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
    return new Ended(
        process.exitValue(),
        Files.readString(folder.resolve(name + ".out")),
        Files.readString(folder.resolve(name + ".err")));
  }

  private void waitForFiles(Path gate, int count, Process running)
      throws IOException, InterruptedException {
    while (running.isAlive()) {
      try (Stream<Path> files = Files.list(gate)) {
        if (files.count() >= count) {
          return;
        }
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError(Files.readString(folder.resolve("remote.err")));
  }

  private static List<Path> logsIn(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files.filter(each -> each.toString().endsWith(".cells")).toList();
    }
  }

  /** Returns the records of the logs in a folder; bytes as characters. */
  static Set<String> stored(Path store) throws IOException {
    Set<String> records = new TreeSet<>();
    for (Path each : logsIn(store)) {
      String log = Files.readString(each, ISO_8859_1);
      records.addAll(List.of(log.split("(?=berth cell )")));
    }
    return records;
  }

  /** Returns the files of a folder; bytes as characters. */
  private Map<String, String> contents(String name) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    File[] files = folder.resolve(name).toFile().listFiles();
    for (File each : files == null ? new File[0] : files) {
      contents.put(each.getName(), Files.readString(each.toPath(), ISO_8859_1));
    }
    return contents;
  }
}
