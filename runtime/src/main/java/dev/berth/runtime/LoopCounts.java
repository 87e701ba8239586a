package dev.berth.runtime;

import dev.berth.api.Instance;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.runtime.journal.Journal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a loop has counted since it began. For the thread of the loop. */
final class LoopCounts {

  /** The number of passes that {@link #lastPasses} keeps. */
  private static final int KEPT = 20;

  long inputs;
  long refused;
  long ahead; // reports with a time that is still to come
  long passes;
  long failedPasses;
  int failedPassesInARow;
  long passNanos;
  long decisions;
  long begun;
  long retried;
  long timedOut;
  long rejected;
  long reconciliations;
  long differences;
  long failedSnapshots;
  long forces;
  long forceNanos;
  long longestForceNanos;
  private long unforcedRecords;
  private long unforcedBytes;
  private final Map<String, Long> preemptions = new LinkedHashMap<>(); // by class of the victim
  private final Map<String, FirstWaits> firstWaits = new LinkedHashMap<>(); // by class
  private final ArrayDeque<LoopStatus.Pass> lastPasses = new ArrayDeque<>(KEPT);

  /** The waits of a class, for each placement to count at once. */
  private static final class FirstWaits {
    private static final long[] BOUNDS =
        LoopStatus.Waits.BOUNDS.stream().mapToLong(Duration::toNanos).toArray();

    private final long[] within = new long[BOUNDS.length];
    private long count;
    private Duration total = Duration.ZERO; // may be more than a long has of nanoseconds

    void add(long wait) {
      count++;
      total = total.plusNanos(wait);
      for (int i = 0; i < BOUNDS.length; i++) {
        within[i] += wait <= BOUNDS[i] ? 1 : 0;
      }
    }

    LoopStatus.Waits read() {
      Map<Duration, Long> byBound = new LinkedHashMap<>();
      for (int i = 0; i < BOUNDS.length; i++) {
        byBound.put(LoopStatus.Waits.BOUNDS.get(i), within[i]);
      }
      return new LoopStatus.Waits(count, total, byBound);
    }
  }

  void passed(Plan plan, Scheduler scheduler, long nanos) {
    passes++;
    passNanos += nanos;
    decisions += plan.actions().size();
    for (Action each : plan.actions()) {
      if (each instanceof Action.Preempt victim) {
        scheduler
            .instance(victim.instance())
            .ifPresent(it -> preemptions.merge(it.serviceClass().name(), 1L, Long::sum));
      } else if (each instanceof Action.Place start) {
        scheduler
            .instance(start.instance())
            .filter(it -> it.placements() == 1)
            .ifPresent(it -> waited(it, plan.now()));
      }
    }
    if (lastPasses.size() == KEPT) {
      lastPasses.removeLast();
    }
    lastPasses.addFirst(
        new LoopStatus.Pass(
            plan.pass(),
            plan.now(),
            Duration.ofNanos(nanos),
            plan.actions().size(),
            scheduler.pendingCount()));
  }

  private void waited(Instance instance, long placedAt) {
    firstWaits
        .computeIfAbsent(instance.serviceClass().name(), name -> new FirstWaits())
        .add(placedAt - instance.admittedAt());
  }

  /** Notes a record that the journal has not forced yet. */
  void appended(int bytes) {
    unforcedRecords++;
    unforcedBytes += bytes;
  }

  /** Forces a journal. */
  void force(Journal journal) throws IOException {
    ForceRecord recording = FlightRecords.beginForce();
    long begun = System.nanoTime();
    journal.force();
    long took = System.nanoTime() - begun;
    forces++;
    forceNanos += took;
    longestForceNanos = Math.max(longestForceNanos, took);
    if (recording != null) {
      recording.end(unforcedRecords, unforcedBytes);
    }
    unforcedRecords = 0;
    unforcedBytes = 0;
  }

  /** Returns the number of preemptions by the class of the victim, of all given classes. */
  Map<String, Long> preemptions(Iterable<String> classes) {
    Map<String, Long> byClass = new LinkedHashMap<>();
    classes.forEach(each -> byClass.put(each, preemptions.getOrDefault(each, 0L)));
    return byClass;
  }

  /** Returns how long instances waited for their first placement, of all given classes. */
  Map<String, LoopStatus.Waits> firstWaits(Iterable<String> classes) {
    Map<String, LoopStatus.Waits> byClass = new LinkedHashMap<>();
    FirstWaits none = new FirstWaits();
    classes.forEach(each -> byClass.put(each, firstWaits.getOrDefault(each, none).read()));
    return byClass;
  }

  /** Returns the last passes, the latest first. */
  List<LoopStatus.Pass> lastPasses() {
    return List.copyOf(lastPasses);
  }
}
