package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.fleet.Adoption;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Attempt;
import java.time.Duration;
import java.util.Objects;

/**
 * What an instance has received so far, as far as it decides later plans and the accounting of the
 * instance. Immutable.
 *
 * <p>{@link #of} returns the history of an instance, so that an embedder can keep it elsewhere.
 * {@code Scheduler.submit} admits a request that continues a history. An {@link Adoption} takes
 * over an instance that runs already. Then the scheduler decides as if it had known the instance
 * all the time, with two exceptions: its {@linkplain Instance#earnedTime earned time} is computed
 * from its whole service and may differ by rounding, and failed starts are counted anew.
 *
 * @param admittedAt when the request was admitted, in nanoseconds
 * @param served its service so far
 * @param restartOverhead the time that restarts took; see {@link Instance#restartOverhead}
 * @param placements how often it was placed
 * @param preemptions how often it was preempted
 * @param migrations how often it was migrated
 * @param attempt how many starts of it plans have ordered; the next {@link Attempt} has the next
 *     number
 * @param restarting whether its next start, or the one that is under way, is a restart; see {@link
 *     Instance#restarting}
 */
public record History(
    long admittedAt,
    Duration served,
    Duration restartOverhead,
    int placements,
    int preemptions,
    int migrations,
    int attempt,
    boolean restarting) {

  /** The highest number of placements, preemptions, migrations and starts: one billion. */
  public static final int MOST = 1_000_000_000;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a time or a number is negative, or a number exceeds {@value
   *     #MOST}
   */
  public History {
    Objects.requireNonNull(served, "served");
    Objects.requireNonNull(restartOverhead, "restartOverhead");
    requireNotNegative("served", served);
    requireNotNegative("restart overhead", restartOverhead);
    requireCount("placements", placements);
    requireCount("preemptions", preemptions);
    requireCount("migrations", migrations);
    requireCount("attempt", attempt);
  }

  private static void requireNotNegative(String what, Duration time) {
    refuseIf(time.isNegative(), "history: %s was %s, must not be negative.", what, time);
  }

  private static void requireCount(String what, int count) {
    refuseIf(
        count < 0 || count > MOST, "history: %s was %s, must be from 0 to %s.", what, count, MOST);
  }

  /**
   * Returns the history of a request that has only waited.
   *
   * @param admittedAt when it was admitted, in nanoseconds
   */
  public static History since(long admittedAt) {
    return new History(admittedAt, Duration.ZERO, Duration.ZERO, 0, 0, 0, 0, false);
  }

  /**
   * Returns the history of an instance up to a time.
   *
   * <p>To submit the request again after the instance was stopped at that time, say why it stopped
   * by {@link #preempted}, {@link #evicted} or {@link #failed}. To {@linkplain Adoption adopt} the
   * instance where it is, use the time at which its present state began.
   *
   * @param now not before {@link Instance#stateSince}
   * @throws IllegalArgumentException if the instance runs, and {@code now} is before that or beyond
   *     the {@link TimeLimits}
   */
  public static History of(Instance instance, long now) {
    Objects.requireNonNull(instance, "instance");
    return new History(
        instance.admittedAt(),
        Duration.ofNanos(instance.serviceTime(now)),
        Duration.ofNanos(instance.restartOverhead()),
        instance.placements(),
        instance.preemptions(),
        instance.migrations(),
        instance.attempt(),
        instance.restarting());
  }

  /** Returns the same with a service so far. */
  public History served(Duration time) {
    return new History(
        admittedAt,
        time,
        restartOverhead,
        placements,
        preemptions,
        migrations,
        attempt,
        restarting);
  }

  /** Returns the same with a time that restarts took. */
  public History restartOverhead(Duration time) {
    return new History(
        admittedAt, served, time, placements, preemptions, migrations, attempt, restarting);
  }

  /** Returns the same after one more preemption: the next start is a restart. */
  public History preempted() {
    return new History(
        admittedAt,
        served,
        restartOverhead,
        placements,
        preemptions + 1,
        migrations,
        attempt,
        true);
  }

  /** Returns the same after an {@linkplain Action.Evict eviction}: the next start is a restart. */
  public History evicted() {
    return new History(
        admittedAt, served, restartOverhead, placements, preemptions, migrations, attempt, true);
  }

  /** Returns the same after a failure: the next start is no restart. */
  public History failed() {
    return new History(
        admittedAt, served, restartOverhead, placements, preemptions, migrations, attempt, false);
  }
}
