package dev.berth.testkit.contract;

import dev.berth.core.Scheduler;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Replaces its scheduler, before some events, by one that is restored from a snapshot of it. The
 * other events reach the scheduler as they are.
 */
final class RestoringTarget extends PassingTarget {

  private static final int MEAN_EVENTS = 4; // for each scheduler

  private final Supplier<Scheduler.Builder> builder;
  private final SplittableRandom random;
  private Scheduler scheduler;

  /**
   * Begins with a new scheduler.
   *
   * @param builder makes the builder of each scheduler
   * @param seed decides before which events the scheduler is replaced
   */
  RestoringTarget(Supplier<Scheduler.Builder> builder, long seed) {
    this.builder = builder;
    this.random = new SplittableRandom(seed);
    this.scheduler = builder.get().build();
  }

  @Override
  EventTarget present() {
    if (random.nextInt(MEAN_EVENTS) == 0) {
      scheduler = restored();
    }
    return EventTarget.of(scheduler);
  }

  private Scheduler restored() {
    SchedulerSnapshot snapshot;
    Scheduler again;
    try {
      snapshot = scheduler.snapshot();
      again = builder.get().restore(snapshot).build();
    } catch (SnapshotException | IllegalArgumentException refused) {
      throw new RuleBroken(
          Rule.P43, "its memory cannot be restored: %s".formatted(refused.getMessage()), refused);
    }
    if (!again.snapshot().policyMemory().equals(snapshot.policyMemory())) {
      throw Rule.P43.broken(
          "it saves %s, and once restored %s",
          snapshot.policyMemory(), again.snapshot().policyMemory());
    }
    return again;
  }
}
