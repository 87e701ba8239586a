package dev.berth.runtime;

import dev.berth.api.Host;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.core.Scheduler;
import dev.berth.core.SchedulerStats;
import dev.berth.core.WaitingStats;
import dev.berth.runtime.journal.Journal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the latest status of a loop. The thread of the loop takes a new one when another thread has
 * asked for it, so a loop without readers takes none.
 */
final class StatusBoard {

  /** The age from which a status is taken anew. */
  private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

  /** How long a thread waits for a new one, counted from when it was asked for. */
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(200);

  private final Runnable nudge;
  private final LongSupplier nanoTime;
  private LoopStatus latest;
  private long takenAt;
  private long askedAt;
  private volatile boolean isAsked;
  private boolean isOver;

  /**
   * Makes a board.
   *
   * @param nudge wakes the loop
   * @param nanoTime a clock that never runs backwards
   */
  StatusBoard(LoopStatus first, Runnable nudge, LongSupplier nanoTime) {
    this.latest = first;
    this.nudge = nudge;
    this.nanoTime = nanoTime;
    this.takenAt = nanoTime.getAsLong();
  }

  /** Returns whether the loop is to take a status. Cost: the read of a volatile field. */
  boolean isAsked() {
    return isAsked;
  }

  synchronized void publish(LoopStatus taken) {
    latest = taken;
    takenAt = nanoTime.getAsLong();
    isAsked = false;
    notifyAll();
  }

  /** Publishes the last status. */
  synchronized void end(LoopStatus.Phase phase, Optional<String> why) {
    isOver = true;
    publish(latest.ended(phase, why));
  }

  synchronized LoopStatus latest() {
    return latest;
  }

  /** Returns a fresh status if the loop takes one soon, otherwise the latest one. */
  LoopStatus fresh() {
    synchronized (this) {
      if (isOver || nanoTime.getAsLong() - takenAt < FRESH) {
        return latest;
      }
    }
    ask();
    synchronized (this) {
      while (isAsked && !isOver) {
        long left = askedAt + PATIENCE - nanoTime.getAsLong();
        if (left <= 0) {
          break;
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(this, left);
        } catch (InterruptedException again) {
          Thread.currentThread().interrupt();
          break;
        }
      }
      return latest;
    }
  }

  /** Has the loop take a status, however fresh the latest one is. */
  void ask() {
    synchronized (this) {
      if (isAsked) {
        return;
      }
      askedAt = nanoTime.getAsLong();
      isAsked = true;
    }
    nudge.run();
  }

  /** Returns for how long the loop has not answered, in nanoseconds; 0 if nothing is asked. */
  synchronized long unanswered() {
    return isAsked && !isOver ? nanoTime.getAsLong() - askedAt : 0;
  }

  // ---- In the thread of the loop

  /** Takes the figures. Cost O(instances + hosts). */
  static LoopStatus take(
      LoopEngine engine,
      @Nullable Journal journal,
      LoopSettings settings,
      LoopStatus.Phase phase,
      int queued,
      long overloaded,
      long clock) {
    Scheduler scheduler = engine.scheduler();
    LoopCounts counts = engine.counts();
    SchedulerStats stats = scheduler.stats();
    WaitingStats waiting = scheduler.waiting();
    long now = Math.max(clock, stats.now());
    return new LoopStatus(
        Instant.now(),
        now,
        phase,
        Optional.empty(),
        scheduler.policyId(),
        waiting.byClass(),
        waiting.oldestSince().isPresent()
            ? Optional.of(Duration.ofNanos(now - waiting.oldestSince().getAsLong()))
            : Optional.empty(),
        stats.instances(),
        fulfilment(scheduler, stats.instances(), now),
        hosts(scheduler),
        new LoopStatus.Inputs(
            queued,
            settings.queueCapacity(),
            counts.inputs,
            counts.refused,
            overloaded,
            counts.ahead),
        new LoopStatus.Passes(
            counts.passes,
            counts.failedPasses,
            Duration.ofNanos(counts.passNanos),
            counts.decisions,
            counts.preemptions(stats.instances().keySet()),
            counts.firstWaits(stats.instances().keySet()),
            counts.lastPasses()),
        new LoopStatus.Actions(
            engine.actions().size(),
            engine.actions().underWay(),
            counts.begun,
            counts.retried,
            counts.timedOut,
            counts.rejected),
        journal == null
            ? Optional.empty()
            : Optional.of(
                new LoopStatus.JournalUse(
                    journal.size(),
                    journal.lastNumber(),
                    counts.forces,
                    Duration.ofNanos(counts.forceNanos),
                    Duration.ofNanos(counts.longestForceNanos),
                    counts.failedSnapshots)),
        new LoopStatus.Reconciliations(
            counts.reconciliations, counts.differences, !engine.mayPass()));
  }

  private static Map<String, Double> fulfilment(
      Scheduler scheduler, Map<String, Map<InstanceState, Integer>> classes, long now) {
    Map<String, int[]> met = new LinkedHashMap<>(); // and how many there are
    classes.keySet().forEach(each -> met.put(each, new int[2]));
    for (Instance each : scheduler.instances()) {
      int[] ofClass = met.computeIfAbsent(each.serviceClass().name(), name -> new int[2]);
      long service = each.serviceTime(now);
      long life = now < each.admittedAt() ? 0 : service + each.waitingTime(now);
      ofClass[0] += each.serviceClass().slo().isMetBy(service, life) ? 1 : 0;
      ofClass[1]++;
    }
    Map<String, Double> shares = new LinkedHashMap<>();
    met.forEach(
        (name, ofClass) -> {
          if (ofClass[1] > 0) {
            shares.put(name, (double) ofClass[0] / ofClass[1]);
          }
        });
    return shares;
  }

  private static Map<String, Integer> hosts(Scheduler scheduler) {
    Map<String, Integer> byState = new TreeMap<>();
    for (Host each : scheduler.hosts()) {
      String state =
          each.state() == HostState.STARTING
              ? "starting"
              : each.closed().map(Reason::code).orElse("open");
      byState.merge(state, 1, Integer::sum);
    }
    return byState;
  }
}
