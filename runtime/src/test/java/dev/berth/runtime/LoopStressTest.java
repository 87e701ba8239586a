package dev.berth.runtime;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.event.Event;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.FileJournalOptions;
import dev.berth.runtime.journal.ForceMode;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.test.TestRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads that submit, a fleet that answers on other threads, and a loop that is stopped meanwhile.
 * Random by seed; the scheduling of the threads is not controlled.
 */
class LoopStressTest {

  private static final long FIRST = TestRun.seed() - 1;
  private static final long END = FIRST + TestRun.cases(40);

  /** Answers on threads of its own, some late, some with an error. */
  private static final class Answering implements Fleet {
    private final ExecutorService threads;
    private final Random random;

    Answering(ExecutorService threads, long seed) {
      this.threads = threads;
      this.random = new Random(seed);
    }

    @Override
    public synchronized CompletionStage<?> carryOut(ActionId id, Action action) {
      int dice = random.nextInt(10);
      return CompletableFuture.supplyAsync(
          () -> {
            if (dice == 0) {
              throw new IllegalStateException("busy");
            } else if (dice == 1) {
              throw new CompletionException(new ActionImpossibleException("impossible"));
            }
            return "done";
          },
          threads);
    }

    @Override
    public void takeBack(ActionId id, Action action) {
      throw new IllegalStateException("a fleet with a defect");
    }

    @Override
    public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Observation> observe() {
      return CompletableFuture.supplyAsync(
          () -> new Observation(List.of(new ObservedHost(host())), List.of()), threads);
    }
  }

  private static HostSpec host() {
    return new HostSpec("h1", Resources.of(CPU, 40));
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void allFuturesCompleteAndWhatIsAcknowledgedIsInTheJournal(@TempDir Path directory)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (long seed = FIRST; seed < END; seed++) {
        run(seed, directory.resolve("j" + seed), threads);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void run(long seed, Path directory, ExecutorService threads) throws Exception {
    Random random = new Random(seed);
    FileJournalOptions options =
        FileJournalOptions.defaults()
            .withForceMode(List.of(ForceMode.values()).get(random.nextInt(3)));
    LoopSettings settings =
        LoopSettings.defaults()
            .withQueueCapacity(1 + random.nextInt(50))
            .withAttempts(
                2,
                Duration.ofSeconds(5),
                new dev.berth.api.Backoff(Duration.ofMillis(1), Duration.ofMillis(5)));
    SchedulerLoop loop =
        SchedulerLoop.builder(new Answering(threads, seed))
            .scheduler(() -> LoopWorld.scheduler(0))
            .journal(FileJournal.open(directory, options))
            .settings(settings)
            .start();
    Queue<CompletableFuture<?>> answers = new ConcurrentLinkedQueue<>();
    Set<String> acknowledged = java.util.concurrent.ConcurrentHashMap.newKeySet();
    List<Thread> submitting = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      String prefix = "r" + t + "-";
      int count = random.nextInt(150);
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < count; i++) {
                  String id = prefix + i;
                  Request request =
                      Request.builder(id, "bronze").demand(Resources.of(CPU, 1)).build();
                  answers.add(loop.submit(request).thenRun(() -> acknowledged.add(id)));
                  if (i % 5 == 0) {
                    answers.add(loop.cancel(id));
                  } else if (i % 7 == 0) {
                    answers.add(loop.reconcile());
                  } else if (i % 3 == 0) {
                    answers.add(loop.ask(scheduler -> scheduler.pendingCount()));
                  }
                }
              });
      submitting.add(thread);
      thread.start();
    }
    Thread.sleep(random.nextInt(25));
    if (random.nextBoolean()) {
      loop.shutDown(Duration.ofMillis(1 + random.nextInt(50)));
    } else {
      loop.close();
    }
    for (Thread each : submitting) {
      each.join();
    }
    loop.close();
    for (CompletableFuture<?> each : answers) {
      assertThat(each).as("seed %s", seed).isDone();
      if (each.isCompletedExceptionally()) {
        Throwable error = each.handle((value, thrown) -> thrown).get();
        assertThat(error instanceof CompletionException ? error.getCause() : error)
            .isInstanceOfAny(
                LoopStoppedException.class,
                LoopOverloadedException.class,
                EventRefusedException.class);
      }
    }
    assertThat(requests(directory, options)).as("seed %s", seed).containsAll(acknowledged);
  }

  static Set<String> requests(Path directory, FileJournalOptions options) throws IOException {
    Set<String> found = new HashSet<>();
    try (FileJournal journal = FileJournal.open(directory, options);
        JournalCursor cursor = journal.read(journal.firstNumber())) {
      while (cursor.next()) {
        if (EntryFormat.read(cursor.bytes()) instanceof Entry.Applied applied
            && applied.input() instanceof Event.Submitted submit) {
          found.add(submit.request().id());
        }
      }
    }
    return found;
  }
}
