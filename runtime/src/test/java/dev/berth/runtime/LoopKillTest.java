package dev.berth.runtime;

import static dev.berth.api.Dimension.CPU;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.core.event.Accepted;
import dev.berth.runtime.journal.FileJournal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes with a loop and a real journal are killed. -Dberth.kills=200 kills more of them. */
class LoopKillTest {

  private static final int GROUP = 20;

  /** A fleet in memory, which forgets all when the process ends. */
  private static final class Empty implements Fleet {
    @Override
    public CompletionStage<?> carryOut(ActionId id, Action action) {
      return CompletableFuture.completedFuture("done");
    }

    @Override
    public void takeBack(ActionId id, Action action) {}

    @Override
    public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Observation> observe() {
      HostSpec host = new HostSpec("h1", Resources.of(CPU, 100));
      return CompletableFuture.completedFuture(
          new Observation(List.of(new ObservedHost(host)), List.of()));
    }
  }

  private static SchedulerLoop loop(Path directory) throws IOException {
    return SchedulerLoop.builder(new Empty())
        .scheduler(() -> LoopWorld.scheduler(0))
        .journal(FileJournal.open(directory))
        .settings(LoopSettings.defaults().withSnapshotEvery(500))
        .start();
  }

  /** Submits requests from a number on, and prints the number of each that was accepted. */
  static final class Submitting {

    private Submitting() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] args) throws IOException {
      SchedulerLoop loop = loop(Path.of(args[0]));
      System.out.println("up");
      for (int i = Integer.parseInt(args[1]); ; ) {
        List<CompletableFuture<Accepted>> answers = new ArrayList<>();
        for (int j = 0; j < GROUP; j++) {
          answers.add(
              loop.submit(
                  Request.builder("r" + (i + j), "gold").demand(Resources.of(CPU, 1)).build()));
        }
        for (CompletableFuture<Accepted> each : answers) {
          each.join();
          System.out.println(i++);
        }
      }
    }
  }

  @Test
  void nothingAcknowledgedIsLostWhenTheProcessIsKilled(@TempDir Path directory) throws Exception {
    int kills = Integer.getInteger("berth.kills", 2);
    Random random = new Random(5);
    int next = 0; // the first request that may be unknown
    for (int kill = 0; kill < kills; kill++) {
      Path journal = directory.resolve("j" + kill / 10);
      next = kill % 10 == 0 ? 0 : next;
      int acknowledged = next - 1;
      Process process = start(journal, next);
      try (BufferedReader out =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
        assertThat(out.readLine()).as("kill %s", kill).isEqualTo("up");
        for (int lines = random.nextInt(300); lines > 0; lines--) {
          acknowledged = Integer.parseInt(out.readLine());
        }
        process.toHandle().destroyForcibly(); // leaves open what it had printed
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          acknowledged = Math.max(acknowledged, Integer.parseInt(line)); // the last may be cut
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      try (SchedulerLoop loop = loop(journal)) {
        int known = loop.ask(scheduler -> scheduler.instanceCount()).join();
        assertThat(known).as("kill %s", kill).isGreaterThan(acknowledged);
        for (int i = 0; i <= acknowledged; i++) {
          String id = "r" + i;
          assertThat(loop.ask(scheduler -> scheduler.instance(id).isPresent()).join())
              .as("kill %s, request %s", kill, id)
              .isTrue();
        }
        next = known; // they are submitted in order, so the known ones are the first
      }
    }
  }

  private static Process start(Path directory, int from) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            Submitting.class.getName(),
            directory.toString(),
            Integer.toString(from))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
