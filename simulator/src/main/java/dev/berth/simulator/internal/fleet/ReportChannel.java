package dev.berth.simulator.internal.fleet;

import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.internal.Chance;
import dev.berth.simulator.internal.EventQueue;
import dev.berth.simulator.internal.EventQueue.Kind;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * The way of reports from an unreliable fleet to its scheduler, on which they can be lost, doubled
 * and delayed.
 */
final class ReportChannel {

  /** What became of a report when it was sent. */
  enum Fate {
    ARRIVED,
    UNDER_WAY,
    LOST
  }

  private final EventQueue queue;
  private final FaultSettings faults;
  private final SplittableRandom random;
  private final long until; // later, every report arrives at once
  long reports;
  long lost;
  long doubled;
  long delayed;

  ReportChannel(EventQueue queue, FaultSettings faults, Chance chance, long until) {
    this.queue = queue;
    this.faults = faults;
    this.random = chance.stream("reports");
    this.until = until;
  }

  /**
   * Sends a report.
   *
   * @param arrival called for each copy that arrives, with the time; at once or later
   */
  Fate send(LongConsumer arrival, long now) {
    reports++;
    if (now >= until) {
      arrival.accept(now);
      return Fate.ARRIVED;
    }
    // Always as many draws, so that a report has the same fate whatever becomes of others.
    boolean isLost = random.nextDouble() < faults.lost();
    boolean isDoubled = random.nextDouble() < faults.doubled();
    long first = delay();
    long second = delay();
    if (isLost) {
      lost++;
      return Fate.LOST;
    }
    if (isDoubled) {
      doubled++;
      copy(arrival, Math.min(first, second), now);
      copy(arrival, Math.max(first, second), now);
      return Math.min(first, second) == 0 ? Fate.ARRIVED : Fate.UNDER_WAY;
    }
    copy(arrival, first, now);
    return first == 0 ? Fate.ARRIVED : Fate.UNDER_WAY;
  }

  private long delay() {
    boolean isDelayed = random.nextDouble() < faults.delayed();
    long delay = random.nextLong();
    long longest = faults.delay().toNanos();
    return isDelayed && longest > 0 ? 1 + Long.remainderUnsigned(delay, longest) : 0;
  }

  private void copy(LongConsumer arrival, long delay, long now) {
    if (delay == 0) {
      arrival.accept(now);
    } else {
      delayed++;
      long at = EventQueue.later(now, delay);
      queue.add(at, Kind.FAULT, () -> arrival.accept(at));
    }
  }

  /** Returns whether a measurement, which is not worth repeating, is lost. */
  boolean losesMeasurement(long now) {
    return now < until && random.nextDouble() < faults.lost();
  }
}
