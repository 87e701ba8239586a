package acme.ci;

import dev.berth.api.Backoff;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Accepted;
import dev.berth.runtime.LoopSettings;
import dev.berth.runtime.SchedulerLoop;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.FileJournalOptions;
import dev.berth.runtime.journal.ForceMode;
import dev.berth.runtime.micrometer.BerthMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Runs jobs on the hosts of a folder. It may be killed at any time, and started again. */
final class CiService implements AutoCloseable {

  private final ProcessFleet fleet;
  private final SchedulerLoop loop;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  /** Starts the service of a folder: a new one, or as it was when the one before ended. */
  CiService(Path root, String policy, ForceMode force) throws IOException {
    CompletableFuture<SchedulerLoop> started = new CompletableFuture<>();
    fleet =
        new ProcessFleet(
            root, Duration.ofSeconds(2), job -> started.thenCompose(it -> request(it, job)));
    FileJournalOptions options = FileJournalOptions.defaults().withForceMode(force);
    loop =
        SchedulerLoop.builder(fleet)
            .scheduler(() -> Scheduler.builder().policy(policy).serviceClasses(Jobs.classes()))
            .journal(FileJournal.open(root.resolve("journal"), options))
            .reconciler(fleet)
            .settings(settings())
            .start();
    started.complete(loop);
    fleet.reportTo(loop::apply);
    new BerthMetrics(loop).bindTo(metrics);
  }

  private static LoopSettings settings() {
    Backoff retry = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
    return LoopSettings.defaults()
        .withAttempts(5, Duration.ofSeconds(15), retry)
        .withReconciliation(true, Optional.of(Duration.ofSeconds(5)))
        .withSnapshotEvery(300);
  }

  private static CompletionStage<Request> request(SchedulerLoop loop, String job) {
    return loop.ask(scheduler -> scheduler.instance(job).map(Instance::request).orElseThrow());
  }

  /**
   * Submits a job, unless it was submitted before: a client that got no answer calls again. The
   * answer completes once the job is on disk.
   */
  CompletableFuture<?> submit(Request job) {
    return loop.ask(scheduler -> scheduler.instance(job.id()).isPresent())
        .thenCompose(
            known ->
                known || fleet.completed().contains(job.id())
                    ? CompletableFuture.completedFuture(Accepted.ACCEPTED)
                    : loop.submit(job));
  }

  Set<String> completed() {
    return fleet.completed();
  }

  /** Returns whether no job is left. */
  boolean isIdle() {
    return loop.ask(scheduler -> scheduler.instanceCount() == 0).join() && fleet.isIdle();
  }

  /** Returns a few figures in words. */
  String figures() {
    return "%.0f passes, %.0f preemptions, %.0f attempts of actions, %.0f differences"
        .formatted(
            metrics.get("berth.passes").functionCounter().count(),
            metrics.find("berth.preemptions").functionCounters().stream()
                .mapToDouble(each -> each.count())
                .sum(),
            metrics.get("berth.actions.attempts").functionCounter().count(),
            metrics.get("berth.differences").functionCounter().count());
  }

  /** Ends the service, but none of its jobs. */
  @Override
  public void close() {
    loop.close();
    fleet.close();
  }
}
