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
    for (int round = 0; killed < KILLS; round++) {
      String policy = POLICIES.get(round % POLICIES.size());
      ForceMode force = ForceMode.values()[round % ForceMode.values().length];
      Path root = Files.createTempDirectory(Path.of("target"), "trial-" + round + "-");
      int jobs = 0;
      for (int life = 0; life < ROUND && killed < KILLS; life++) {
        jobs += JOBS_A_LIFE;
        Process service = start(root, jobs, policy, force);
        boolean ended = ends(service, 300 + random.nextInt(1700));
        assertThat(ended && service.exitValue() != 0).as("a failure, see %s/log", root).isFalse();
        killed += ended ? 0 : 1;
      }
      boolean ended = ends(start(root, jobs, policy, force), 300_000);
      assertThat(ended).as("the last life of %s ends", root).isTrue();
      String log = Files.readString(root.resolve("log"));
      assertThat(log).as(root + "/log").contains(jobs + " jobs: 0 findings");
      long starts = new Ledger(root).read().stream().map(Ledger.Line::run).distinct().count();
      System.out.printf(
          "%d kills, %s, %s, %d jobs, %d starts: 0 findings%n",
          killed, policy, force, jobs, starts);
      delete(root);
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
