package dev.berth.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.CellLogs;
import dev.berth.cli.CliProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Experiments whose process is killed and started again. Whether a kill comes before the end
 * depends on the machine; {@link dev.berth.cli.faults.FaultyExperimentTest} ends experiments at
 * chosen operations.
 */
@Tag("long")
class KilledExperimentTest {

  private static final int KILLS = Integer.getInteger("berth.kills", 12);
  private static final int MOST_KILLS = 4; // of one experiment
  private static final int NEVER = Integer.MAX_VALUE;
  private static final int CELLS = 3 * 4 + 2 * 3; // both scales share the infinite host

  @TempDir private Path folder;
  private final Random random = new Random(20);

  @BeforeEach
  void writeFiles() throws IOException {
    Files.writeString(folder.resolve("requests.csv"), requests(7));
    StringBuilder hosts = new StringBuilder("id,cpu,memory\n");
    for (int i = 0; i < 12; i++) {
      hosts.append("h%d,4,4\n".formatted(i));
    }
    Files.writeString(folder.resolve("hosts.csv"), hosts);
    Files.writeString(
        folder.resolve("killed.json"),
        """
        {
          "workloads": ["requests.csv"], "infrastructures": ["hosts.csv"], "name": "killed",
          "scales": [1, 0.7], "seeds": [1, 2, 3], "policies": ["qos-driven", "priority"],
          "until": "2h"
        }
        """);
  }

  private static String requests(int seed) {
    Random random = new Random(seed);
    StringBuilder requests = new StringBuilder("admitted,id,class,service_time,cpu,memory\n");
    for (int i = 0; i < 400; i++) {
      requests.append(
          "%ds,r%d,%s,%ds,%d,1\n"
              .formatted(
                  i * 15,
                  i,
                  List.of("gold", "silver", "bronze").get(random.nextInt(3)),
                  60 + random.nextInt(2400),
                  1 + random.nextInt(2)));
    }
    return requests.toString();
  }

  @Test
  void resumedExperimentGivesSameBytes() throws Exception {
    resumedExperimentGivesSameBytes(1, 0, 3); // during the start, and early
  }

  @Test
  void resumedParallelExperimentGivesSameBytes() throws Exception {
    resumedExperimentGivesSameBytes(2, 1, CELLS - 4); // early, and near the end
  }

  /**
   * Kills the process at random moments, also while it writes its outputs, until an experiment
   * ends. {@code -Dberth.kills=96} kills that often.
   */
  @Test
  void experimentKilledAtRandomMomentsGivesSameBytes() throws Exception {
    Map<String, String> undisturbed = run("calm", 1, NEVER, 0);
    undisturbed.remove("stderr");
    long longest = millisOf("timed");
    int kills = 0;
    int ended = 0;
    for (int experiment = 0; kills < KILLS; experiment++) {
      String name = "killed-" + experiment;
      for (int i = 0; i < MOST_KILLS && kills < KILLS; i++) {
        long delay = longest * (20 + random.nextInt(90)) / 100;
        long begin = System.nanoTime();
        Map<String, String> killed = run(name, 1 + random.nextInt(2), 0, (int) delay - 300);
        if (killed.get("exit").equals("0")) {
          ended++;
          if (i == 0) { // the machine has become faster
            longest = Math.min(longest, millisSince(begin));
          }
          break;
        }
        kills++;
        for (String each :
            List.of("index.html", "results.json", "results.csv", "json", "jobs.csv")) {
          if (killed.containsKey(each)) {
            assertThat(killed.get(each)).isEqualTo(undisturbed.get(each));
          }
        }
      }
      Map<String, String> atLast = run(name, 2, NEVER, 0);
      atLast.remove("stderr");
      assertThat(atLast).as(name).isEqualTo(undisturbed);
      assertThat(hiddenFiles(name)).as("drafts that killed runs left").isEmpty();
    }
    System.out.printf("%s kills, %s runs ended before their kill%n", kills, ended);
  }

  private long millisOf(String name) throws Exception {
    long begin = System.nanoTime();
    run(name, 1, NEVER, 0);
    return millisSince(begin);
  }

  private static long millisSince(long begin) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  private List<Path> hiddenFiles(String name) throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve(name))) {
      return all.filter(Files::isRegularFile)
          .filter(each -> each.toString().endsWith(".tmp") || each.toString().endsWith(".draft"))
          .toList();
    }
  }

  private void resumedExperimentGivesSameBytes(int parallel, int... moments) throws Exception {
    Map<String, String> undisturbed = run("calm", 1, NEVER, 0);
    assertThat(undisturbed.keySet())
        .contains("stdout", "json", "jobs.csv", "index.html", "results.json", "results.csv");

    for (int moment : moments) {
      Map<String, String> killed = run("killed", parallel, moment, random.nextInt(80));
      assertThat(killed.get("exit")).isNotEqualTo("0");
      assertThat(killed).doesNotContainKeys("index.html", "json", "jobs.csv");
    }
    Map<String, String> atLast = run("killed", parallel, NEVER, 0);
    assertThat(atLast.get("stderr")).contains("runs are stored already.");
    undisturbed.remove("stderr");
    atLast.remove("stderr");
    assertThat(atLast).isEqualTo(undisturbed);
  }

  @Test
  void storedRunsOfOtherInputAreNotReused() throws Exception {
    assertThat(run("killed", 2, 6, 20).get("exit")).isNotEqualTo("0");
    Files.writeString(folder.resolve("requests.csv"), requests(8));
    Map<String, String> changed = run("killed", 2, NEVER, 0);
    assertThat(changed.get("stderr")).doesNotContain("stored already");
    Map<String, String> fresh = run("calm", 2, NEVER, 0);
    changed.remove("stderr");
    fresh.remove("stderr");
    assertThat(changed).isEqualTo(fresh);

    Files.writeString(folder.resolve("requests.csv"), requests(7));
    assertThat(run("killed", 2, NEVER, 0).get("stderr"))
        .as("stored runs of the first input are reused")
        .contains("runs are stored already.");
  }

  /**
   * Runs the command in a process of its own.
   *
   * @param name folder of its stored runs and its output
   * @param moment number of runs that end before it is killed
   * @param millis time from then until it is killed
   * @return its output and files, by name
   */
  private Map<String, String> run(String name, int parallel, int moment, int millis)
      throws Exception {
    Path its = Files.createDirectories(folder.resolve(name));
    Path out = its.resolve("stdout");
    List<String> arguments =
        List.of(
            "experiment",
            folder.resolve("killed.json").toString(),
            "--parallel",
            Integer.toString(parallel),
            "--resume",
            its.resolve("cells").toString(),
            "--json",
            its.resolve("json").toString(),
            "--jobs",
            its.resolve("jobs.csv").toString(),
            "--report",
            its.resolve("report").toString());
    Path err = its.resolve("stderr");
    Process process =
        CliProcess.command(List.of(), arguments)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (moment == 0) {
      process.waitFor(300L + millis, TimeUnit.MILLISECONDS); // during the start or a run
      process.destroyForcibly();
    } else if (moment != NEVER) {
      int before = CellLogs.count(its.resolve("cells"));
      while (process.isAlive() && CellLogs.count(its.resolve("cells")) < before + moment) {
        TimeUnit.MILLISECONDS.sleep(2);
      }
      TimeUnit.MILLISECONDS.sleep(millis);
      process.destroyForcibly();
    }
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    String printed = Files.readString(err);
    Map<String, String> all = new TreeMap<>();
    all.put("exit", Integer.toString(process.exitValue()));
    assertThat(printed).doesNotContain("berth:", "    at ");
    for (Path each : List.of(its, its.resolve("report"))) {
      addFiles(each, all);
    }
    return all;
  }

  private static void addFiles(Path folder, Map<String, String> all) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      files
          .filter(Files::isRegularFile)
          .forEach(
              each -> {
                try {
                  all.put(each.getFileName().toString(), Files.readString(each));
                } catch (IOException failure) {
                  throw new UncheckedIOException(failure);
                }
              });
    }
  }
}
