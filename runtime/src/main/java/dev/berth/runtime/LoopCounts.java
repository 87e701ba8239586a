package dev.berth.runtime;

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
  private final ArrayDeque<LoopStatus.Pass> lastPasses = new ArrayDeque<>(KEPT);

  void passed(Plan plan, Scheduler scheduler, long nanos) {
    passes++;
    passNanos += nanos;
    decisions += plan.actions().size();
    for (Action each : plan.actions()) {
      if (each instanceof Action.Preempt victim) {
        scheduler
            .instance(victim.instance())
            .ifPresent(it -> preemptions.merge(it.serviceClass().name(), 1L, Long::sum));
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

  /** Returns the last passes, the latest first. */
  List<LoopStatus.Pass> lastPasses() {
    return List.copyOf(lastPasses);
  }
}
