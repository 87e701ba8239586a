package dev.berth.core;

import com.google.common.math.LongMath;
import dev.berth.api.plan.Trigger;
import dev.berth.core.config.Durations;
import dev.berth.core.internal.state.ClusterState;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Determines when the next pass is due, and what triggers it. */
final class PassTimer {

  private static final long NEVER = Long.MAX_VALUE;

  private final ClusterState state;
  private final boolean watches;
  private final long watchdogNanos;
  private final Set<Trigger> due = EnumSet.noneOf(Trigger.class); // since the last pass
  private long passes;
  private long lastPassAt = Long.MIN_VALUE; // before the first
  private long wakeAt = NEVER;

  PassTimer(ClusterState state, Optional<Duration> watchdog) {
    this.state = state;
    this.watches = watchdog.isPresent();
    this.watchdogNanos = watchdog.map(Durations::toNanosSaturated).orElse(0L);
  }

  /** Returns the number of passes so far. */
  long passes() {
    return passes;
  }

  /** Returns the time of the latest pass, or empty before the first. */
  OptionalLong lastPassAt() {
    return passes == 0 ? OptionalLong.empty() : OptionalLong.of(lastPassAt);
  }

  /** Restores what happened so far; without a pass, {@code at} has no meaning. */
  void restore(long count, long at, long nextWakeAt, Set<Trigger> since) {
    passes = count;
    lastPassAt = count == 0 ? Long.MIN_VALUE : at;
    wakeAt = nextWakeAt;
    due.addAll(since);
  }

  /** Returns what makes a pass due since the latest one, apart from timers; live. */
  Set<Trigger> due() {
    return Collections.unmodifiableSet(due);
  }

  /** Returns the time at which the policy requested the next pass, or empty. */
  OptionalLong wakeAt() {
    return orNever(wakeAt);
  }

  /** Makes a pass due at once. */
  void trigger(Trigger event) {
    due.add(event);
  }

  /** Returns what triggers a pass at a time; never empty. */
  Set<Trigger> triggersAt(long now) {
    return triggersAt(now, Set.of());
  }

  /** Returns what triggers a pass at a time, with further triggers; never empty. */
  Set<Trigger> triggersAt(long now, Set<Trigger> more) {
    Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);
    triggers.addAll(due);
    triggers.addAll(more);
    if (isReached(watchdogAt(), now)) {
      triggers.add(Trigger.WATCHDOG);
    }
    if (isReached(expiryAt(), now) || isReached(state.runLimits().next(), now)) {
      triggers.add(Trigger.EXPIRY);
    }
    if (isReached(wakeAt, now)) {
      triggers.add(Trigger.WAKE_UP);
    }
    if (isReached(state.backoffs().next(), now)) {
      triggers.add(Trigger.HELD_BACK_ENDED);
    }
    if (triggers.isEmpty()) {
      triggers.add(Trigger.EMBEDDER);
    }
    return Collections.unmodifiableSet(triggers);
  }

  /**
   * Counts a pass that has ended.
   *
   * @param nextWakeAt when the policy asks for the next pass, or {@link Long#MAX_VALUE}
   */
  void passed(long now, long nextWakeAt) {
    passes++;
    lastPassAt = now;
    wakeAt = nextWakeAt;
    due.clear();
  }

  OptionalLong nextPassAt() {
    long at = due.isEmpty() ? Math.min(watchdogAt(), timerAt()) : state.now();
    return orNever(Math.max(at, state.now())); // events may have come after it
  }

  OptionalLong nextTimerAt() {
    return orNever(timerAt());
  }

  private long timerAt() {
    long forced = Math.min(state.runLimits().next(), state.backoffs().next());
    return Math.min(Math.min(wakeAt, expiryAt()), forced);
  }

  private static boolean isReached(long at, long now) {
    return at <= now && at != NEVER;
  }

  private static OptionalLong orNever(long at) {
    return at == NEVER ? OptionalLong.empty() : OptionalLong.of(at);
  }

  private long expiryAt() {
    return state.nextExpiry(lastPassAt);
  }

  private long watchdogAt() {
    return passes == 0 || !watches ? NEVER : LongMath.saturatedAdd(lastPassAt, watchdogNanos);
  }
}
