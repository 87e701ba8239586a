package dev.berth.runtime;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Backoff;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The settings of a {@link SchedulerLoop}. Immutable. The back-off of instances is a setting of the
 * scheduler, with a {@linkplain SchedulerLoop#DEFAULT_INSTANCE_BACKOFF default} in a loop.
 *
 * @param queueCapacity the most events that wait; from 1 on
 * @param underWayPerHost the most actions under way on a host; from 1 on
 * @param actionTimeout how long an action may take before it is repeated; positive
 * @param actionAttempts how often an action is tried before it is rejected; from 1 on
 * @param retryDelay how long to wait before an action is repeated, by its failures so far
 * @param passInterval the shortest time between two passes; not negative. Passes that are due
 *     meanwhile become one
 * @param reconcileEvery how often to compare with the fleet; empty for only at start and on demand
 * @param reconcileAtStart whether the first pass waits until what the fleet has is known
 * @param busyTimeout how long passes wait because the fleet is about an instance for which the loop
 *     has no open action, as after a restart; positive. A fleet that is about it for longer may
 *     start it while a pass has it start elsewhere
 * @param snapshotEvery the number of records after which a snapshot is saved; from 1 on
 * @param snapshotBytes the bytes of records after which a snapshot is saved; from 1 on. A
 *     comparison with a large fleet is a large record
 */
public record LoopSettings(
    int queueCapacity,
    int underWayPerHost,
    Duration actionTimeout,
    int actionAttempts,
    Backoff retryDelay,
    Duration passInterval,
    Optional<Duration> reconcileEvery,
    boolean reconcileAtStart,
    Duration busyTimeout,
    long snapshotEvery,
    long snapshotBytes) {

  private static final LoopSettings DEFAULTS =
      new LoopSettings(
          10_000,
          8,
          Duration.ofSeconds(30),
          5,
          new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)),
          Duration.ZERO,
          Optional.of(Duration.ofMinutes(5)),
          true,
          Duration.ofMinutes(5),
          1_000_000,
          256L << 20);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is out of range
   */
  public LoopSettings {
    Objects.requireNonNull(actionTimeout, "actionTimeout");
    Objects.requireNonNull(passInterval, "passInterval");
    Objects.requireNonNull(reconcileEvery, "reconcileEvery");
    Objects.requireNonNull(retryDelay, "retryDelay");
    Objects.requireNonNull(busyTimeout, "busyTimeout");
    requireAtLeastOne("queueCapacity", queueCapacity);
    requireAtLeastOne("underWayPerHost", underWayPerHost);
    requireAtLeastOne("actionAttempts", actionAttempts);
    requireAtLeastOne("snapshotEvery", snapshotEvery);
    requireAtLeastOne("snapshotBytes", snapshotBytes);
    requirePositive("actionTimeout", actionTimeout);
    requirePositive("busyTimeout", busyTimeout);
    reconcileEvery.ifPresent(each -> requirePositive("reconcileEvery", each));
    refuseIf(
        passInterval.isNegative(),
        "loop: passInterval was %s, must not be negative.",
        passInterval);
  }

  private static void requireAtLeastOne(String name, long value) {
    refuseIf(value < 1, "loop: %s was %s, must be 1 or more.", name, value);
  }

  private static void requirePositive(String name, Duration value) {
    refuseIf(
        value.isNegative() || value.isZero(), "loop: %s was %s, must be positive.", name, value);
  }

  /**
   * Returns the defaults: 10,000 events wait, 8 actions are under way on a host, an action takes at
   * most 30 s and is tried 5 times, the fleet is compared every 5 minutes, and a snapshot is saved
   * after 1,000,000 records or 256 MiB of them.
   */
  public static LoopSettings defaults() {
    return DEFAULTS;
  }

  /** Returns the same with another capacity of the queue. */
  public LoopSettings withQueueCapacity(int inputs) {
    return with(it -> it.queueCapacity = inputs);
  }

  /** Returns the same with another number of actions under way on a host. */
  public LoopSettings withUnderWayPerHost(int actions) {
    return with(it -> it.underWayPerHost = actions);
  }

  /** Returns the same with other attempts of an action. */
  public LoopSettings withAttempts(int attempts, Duration timeout, Backoff delay) {
    return with(
        it -> {
          it.actionAttempts = attempts;
          it.actionTimeout = timeout;
          it.retryDelay = delay;
        });
  }

  /** Returns the same with another shortest time between passes. */
  public LoopSettings withPassInterval(Duration shortest) {
    return with(it -> it.passInterval = shortest);
  }

  /** Returns the same with other times at which the fleet is compared. */
  public LoopSettings withReconciliation(boolean atStart, Optional<Duration> every) {
    return with(
        it -> {
          it.reconcileAtStart = atStart;
          it.reconcileEvery = every;
        });
  }

  /** Returns the same with another time that passes wait for actions of the fleet's own. */
  public LoopSettings withBusyTimeout(Duration longest) {
    return with(it -> it.busyTimeout = longest);
  }

  /** Returns the same with a snapshot after another number of records. */
  public LoopSettings withSnapshotEvery(long records) {
    return with(it -> it.snapshotEvery = records);
  }

  /** Returns the same with a snapshot after other bytes of records. */
  public LoopSettings withSnapshotBytes(long bytes) {
    return with(it -> it.snapshotBytes = bytes);
  }

  private LoopSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** Settings that are being changed. */
  private static final class Draft {
    int queueCapacity;
    int underWayPerHost;
    Duration actionTimeout;
    int actionAttempts;
    Backoff retryDelay;
    Duration passInterval;
    Optional<Duration> reconcileEvery;
    boolean reconcileAtStart;
    Duration busyTimeout;
    long snapshotEvery;
    long snapshotBytes;

    Draft(LoopSettings of) {
      queueCapacity = of.queueCapacity;
      underWayPerHost = of.underWayPerHost;
      actionTimeout = of.actionTimeout;
      actionAttempts = of.actionAttempts;
      retryDelay = of.retryDelay;
      passInterval = of.passInterval;
      reconcileEvery = of.reconcileEvery;
      reconcileAtStart = of.reconcileAtStart;
      busyTimeout = of.busyTimeout;
      snapshotEvery = of.snapshotEvery;
      snapshotBytes = of.snapshotBytes;
    }

    LoopSettings settings() {
      return new LoopSettings(
          queueCapacity,
          underWayPerHost,
          actionTimeout,
          actionAttempts,
          retryDelay,
          passInterval,
          reconcileEvery,
          reconcileAtStart,
          busyTimeout,
          snapshotEvery,
          snapshotBytes);
    }
  }
}
