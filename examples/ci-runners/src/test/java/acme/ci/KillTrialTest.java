package acme.ci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.runtime.journal.ForceMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Kills the service again and again while its jobs run. With {@code -Dkills=100} it kills more, in
 * rounds of 25: each has another policy, and another time at which the journal waits for the disk.
 * The folder of a round that fails stays below {@code target}.
 */
class KillTrialTest {

  private static final int KILLS = Integer.getInteger("kills", 5);
  private static final int ROUND = 25;
  private static final int JOBS_A_LIFE = 6;
  private static final List<String> POLICIES =
      List.of("priority", "qos-driven", "never-preempt", "qos-attained");

  @Test
  void nothingIsLostAndNothingRunsTwiceWhenTheServiceIsKilled() throws Exception {
    long seed = Long.getLong("seed", 1);
    Random random = new Random(seed);
    System.out.printf("%d kills, seed %d%n", KILLS, seed);
    int killed = 0;
    int busy = 0;
    for (int round = 0; killed < KILLS; round++) {
      String policy = POLICIES.get(round % POLICIES.size());
      ForceMode force = ForceMode.values()[round % ForceMode.values().length];
      Path root = Files.createTempDirectory(Path.of("target"), "trial-" + round + "-");
      int jobs = 0;
      for (int life = 0; life < ROUND && killed < KILLS; life++) {
        jobs += JOBS_A_LIFE;
        long before = size(root);
        Process service = start(root, jobs, policy, force);
        if (random.nextInt(4) > 0) { // else it is killed as it starts
          waitForWork(service, root, before);
        }
        boolean ended = ends(service, random.nextInt(600));
        assertThat(ended && service.exitValue() != 0).as("a failure, see %s/log", root).isFalse();
        killed += ended ? 0 : 1;
        busy += ended || isIdle(root) ? 0 : 1;
      }
      boolean ended = ends(start(root, jobs, policy, force), 300_000);
      assertThat(ended).as("the last life of %s ends", root).isTrue();
      String log = Files.readString(root.resolve("log"));
      assertThat(log).as(root + "/log").contains(jobs + " jobs: 0 findings");
      long starts = new Ledger(root).read().stream().map(Ledger.Line::run).distinct().count();
      System.out.printf(
          "%d kills, %d with jobs, %s, %s, %d jobs, %d starts: 0 findings%n",
          killed, busy, policy, force, jobs, starts);
      delete(root);
    }
    assertThat(busy).as("kills while there were jobs on hosts").isPositive();
  }

  /** Waits until a service has started or stopped a job, however long it takes to open. */
  private static void waitForWork(Process service, Path root, long before) throws Exception {
    for (int i = 0; i < 12_000 && service.isAlive() && size(root) == before; i++) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static long size(Path root) throws IOException {
    Path ledger = root.resolve("ledger");
    return Files.exists(ledger) ? Files.size(ledger) : 0;
  }

  private static boolean isIdle(Path root) throws IOException {
    Path hosts = Files.createDirectories(root.resolve("hosts")); // it may be killed before
    try (var folders = Files.find(hosts, 2, (it, about) -> it.resolve("start").toFile().exists())) {
      return folders.findAny().isEmpty();
    }
  }

  /** Waits until a service ends; kills it if it does not in that time, and returns false. */
  private static boolean ends(Process service, int milliseconds) throws InterruptedException {
    try {
      return service.waitFor(milliseconds, TimeUnit.MILLISECONDS);
    } finally {
      service.destroyForcibly().waitFor();
    }
  }

  /** Deletes the folder of a round, which has nothing to look into. */
  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static Process start(Path root, int jobs, String policy, ForceMode force)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            root.toAbsolutePath().toString(),
            Integer.toString(jobs),
            policy,
            force.name())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(root.resolve("log").toFile()))
        .start();
  }
}
