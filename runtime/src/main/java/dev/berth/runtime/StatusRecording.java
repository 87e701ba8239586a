package dev.berth.runtime;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the last hour of a loop, and takes what its status page shows of it. The loop calls it in
 * its thread.
 */
final class StatusRecording implements Replay.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(StatusPage.class);

  static final int MOST_SPANS = 20_000;
  static final int MOST_WAITING = 20;
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final long FRESH = TimeUnit.SECONDS.toNanos(1);
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long FIRST_PATIENCE = TimeUnit.SECONDS.toNanos(2); // there is no other yet
  private static final long LONGEST_EXPLAINING = TimeUnit.MILLISECONDS.toNanos(50);

  private final SchedulerLoop loop;
  private final int mostSpans;
  private @Nullable LoopTimeline timeline; // in the thread of the loop
  private @Nullable CompletableFuture<StatusView> asked;
  private @Nullable StatusView latest;
  private long askedAt;

  /** Starts to record. */
  StatusRecording(SchedulerLoop loop, int mostSpans) {
    this.loop = loop;
    this.mostSpans = mostSpans;
    loop.listen(this);
  }

  void stop() {
    loop.dismiss(this);
  }

  // ---- In other threads

  /**
   * Returns a view that is at most a second old, or the latest one if the loop does not take one
   * soon; empty before the first.
   */
  synchronized Optional<StatusView> view() {
    if (asked == null || (asked.isDone() && System.nanoTime() - askedAt > FRESH)) {
      askedAt = System.nanoTime();
      asked = loop.ask(this::take);
    }
    try {
      latest = asked.get(latest == null ? FIRST_PATIENCE : PATIENCE, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException busy) { // the latest one is shown
    } catch (ExecutionException failed) {
      if (!(failed.getCause() instanceof LoopStoppedException)) {
        LOG.error("What runs where could not be taken.", failed);
      }
    }
    return Optional.ofNullable(latest);
  }

  // ---- In the thread of the loop

  private long now(Scheduler scheduler) {
    return Math.max(loop.now(), scheduler.now());
  }

  @Override
  public void begins(Scheduler scheduler) {
    timeline = new LoopTimeline(scheduler.serviceClasses(), now(scheduler), mostSpans);
    timeline.begins(scheduler);
  }

  @Override
  public void applied(long now, Event<?> event, Object result) {
    Objects.requireNonNull(timeline).applied(now, event, result);
  }

  @Override
  public void planned(Plan plan) {
    Objects.requireNonNull(timeline).planned(plan);
  }

  /** Takes what the page shows. Cost O(spans + instances), and explaining. */
  private StatusView take(Scheduler scheduler) {
    LoopTimeline recorded = Objects.requireNonNull(timeline);
    long now = now(scheduler);
    long from = Math.max(now - HOUR, recorded.begin());
    return new StatusView(
        recorded.since(from, now), from > now - HOUR && recorded.isCut(), waiting(scheduler, now));
  }

  private static List<StatusView.Waiting> waiting(Scheduler scheduler, long now) {
    long begun = System.nanoTime();
    List<StatusView.Waiting> waiting = new ArrayList<>();
    scheduler.instances().stream()
        .filter(each -> each.state() == InstanceState.PENDING)
        .sorted(
            Comparator.comparingInt((Instance each) -> each.serviceClass().importance())
                .thenComparingLong(Instance::stateSince))
        .limit(MOST_WAITING)
        .forEach(
            each ->
                waiting.add(
                    new StatusView.Waiting(
                        each.id(),
                        each.serviceClass().name(),
                        Duration.ofNanos(now - each.stateSince()),
                        System.nanoTime() - begun > LONGEST_EXPLAINING
                            ? ""
                            : scheduler.explain().whyPending(each.id(), now).describe())));
    return waiting;
  }
}
