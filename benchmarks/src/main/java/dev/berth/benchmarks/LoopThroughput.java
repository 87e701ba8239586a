package dev.berth.benchmarks;

import static dev.berth.api.Dimension.CPU;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.runtime.Fleet;
import dev.berth.runtime.LoopSettings;
import dev.berth.runtime.SchedulerLoop;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.FileJournalOptions;
import dev.berth.runtime.journal.ForceMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a loop does per second, how long a request waits for its plan, and how long a recovery
 * takes. Run it with {@code java -cp benchmarks.jar dev.berth.benchmarks.LoopThroughput [DIRECTORY
 * INPUTS HOSTS]}; the directory must be on the disk to measure.
 *
 * @param directory the parent of the journals
 * @param inputs of the recovery
 * @param hosts of the cluster
 */
public record LoopThroughput(Path directory, int inputs, int hosts) {

  private static final ServiceClass GOLD = ServiceClass.builder("gold").build();
  private static final int GROUP = 100;

  /** Runs the benchmark. */
  public static void main(String[] args) throws IOException {
    new LoopThroughput(
            Path.of(args.length > 0 ? args[0] : "."),
            args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000,
            args.length > 2 ? Integer.parseInt(args[2]) : 10_000)
        .run();
  }

  private void run() throws IOException {
    rate("no journal (warm-up)", null, 20_000);
    rate("no journal", null, 40_000);
    rate("journal GROUP", ForceMode.GROUP, 40_000);
    rate("journal EACH", ForceMode.EACH, 2_000);
    recovery();
  }

  /** A fleet that carries out each action at once, and notes when. */
  private static final class Prompt implements Fleet {
    private final List<ObservedHost> hosts;
    private final Map<String, Long> placedAt = new ConcurrentHashMap<>();

    Prompt(List<HostSpec> hosts) {
      this.hosts = hosts.stream().map(ObservedHost::new).toList();
    }

    @Override
    public CompletionStage<?> carryOut(ActionId id, Action action) {
      if (action instanceof Action.Place place) {
        placedAt.put(place.instance(), System.nanoTime());
      }
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
      return CompletableFuture.completedFuture(new Observation(hosts, List.of()));
    }
  }

  private List<HostSpec> specs() {
    return IntStream.range(0, hosts)
        .mapToObj(each -> new HostSpec("h" + each, Resources.of(CPU, 64)))
        .toList();
  }

  private static Scheduler.Builder scheduler() {
    return Scheduler.builder().policy("never-preempt").serviceClasses(GOLD);
  }

  private static LoopSettings settings() {
    return LoopSettings.defaults()
        .withReconciliation(true, Optional.of(Duration.ofDays(1)))
        .withSnapshotEvery(Long.MAX_VALUE / 2);
  }

  private SchedulerLoop start(Fleet fleet, @Nullable Path journal, @Nullable ForceMode mode)
      throws IOException {
    SchedulerLoop.Builder builder =
        SchedulerLoop.builder(fleet).scheduler(LoopThroughput::scheduler).settings(settings());
    if (journal != null && mode != null) {
      builder.journal(FileJournal.open(journal, FileJournalOptions.defaults().withForceMode(mode)));
    }
    return builder.start();
  }

  private static Request request(String id) {
    return Request.builder(id, "gold").demand(Resources.of(CPU, 1)).build();
  }

  private void rate(String what, @Nullable ForceMode mode, int requests) throws IOException {
    Path folder = Files.createTempDirectory(directory, "loop");
    Prompt fleet = new Prompt(specs());
    try (SchedulerLoop loop = start(fleet, folder, mode)) {
      loop.reconcile().join(); // adds the hosts
      long[] submittedAt = new long[requests];
      long begin = System.nanoTime();
      List<CompletableFuture<?>> answers = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        submittedAt[i] = System.nanoTime();
        answers.add(loop.submit(request("r" + i)));
        awaitGroup(answers, GROUP);
      }
      for (int i = 0; i < requests; i++) {
        while (!fleet.placedAt.containsKey("r" + i)) {
          Thread.onSpinWait();
        }
        answers.add(loop.apply(new Event.StartedNow("r" + i)));
        awaitGroup(answers, GROUP);
      }
      answers.forEach(CompletableFuture::join);
      double seconds = (System.nanoTime() - begin) / 1e9;
      long[] waits = new long[requests];
      for (int i = 0; i < requests; i++) {
        waits[i] = fleet.placedAt.getOrDefault("r" + i, Long.MAX_VALUE) - submittedAt[i];
      }
      Arrays.sort(waits);
      System.out.printf(
          Locale.ROOT,
          "%-22s %,d hosts: %,.0f events/s; from submit to the fleet %.2f ms, p99 %.2f ms%n",
          what,
          hosts,
          2 * requests / seconds,
          waits[requests / 2] / 1e6,
          waits[requests * 99 / 100] / 1e6);
    } finally {
      JournalThroughput.delete(folder);
    }
  }

  private static void awaitGroup(List<CompletableFuture<?>> answers, int size) {
    if (answers.size() >= size) {
      answers.forEach(CompletableFuture::join);
      answers.clear();
    }
  }

  /** Fills a journal with requests that come and go, and recovers from it. */
  private void recovery() throws IOException {
    Path folder = Files.createTempDirectory(directory, "loop");
    try {
      Prompt fleet = new Prompt(specs().subList(0, 100));
      try (SchedulerLoop loop = start(fleet, folder, ForceMode.NEVER)) {
        loop.reconcile().join();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int i = 0; i < inputs / 3; i++) {
          String id = "r" + i;
          answers.add(loop.submit(request(id)));
          answers.add(loop.apply(new Event.LoadReported("h" + i % 100, 0.5)));
          CompletableFuture<Accepted> unknown = loop.apply(new Event.LoadReported("h0", 0.25));
          answers.add(unknown);
          if (i >= GROUP) {
            answers.add(loop.cancel("r" + (i - GROUP)));
          }
          awaitGroup(answers, 4 * GROUP);
        }
        answers.forEach(CompletableFuture::join);
      }
      report("without snapshot", folder, fleet, Long.MAX_VALUE / 2);
      report("saves a snapshot", folder, fleet, 1);
      report("with snapshot", folder, fleet, Long.MAX_VALUE / 2);
    } finally {
      JournalThroughput.delete(folder);
    }
  }

  private void report(String what, Path folder, Fleet fleet, long snapshotEvery)
      throws IOException {
    long bytes;
    try (FileJournal journal = FileJournal.open(folder)) {
      bytes = journal.size();
    }
    try (SchedulerLoop loop =
        SchedulerLoop.builder(fleet)
            .scheduler(LoopThroughput::scheduler)
            .settings(settings().withSnapshotEvery(snapshotEvery))
            .journal(FileJournal.open(folder))
            .start()) {
      loop.reconcile().join();
      System.out.printf(
          Locale.ROOT,
          "recovery %-17s %,d inputs and %,d passes in %s; %,d bytes, %.0f an input%n",
          what,
          loop.recovery().inputs(),
          loop.recovery().passes(),
          loop.recovery().time(),
          bytes,
          (double) bytes / Math.max(1, loop.recovery().inputs()));
    }
  }
}
