package dev.berth.testkit.assertions;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.core.config.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;

/** Assertions about an instance. */
public final class InstanceAssert extends AbstractAssert<InstanceAssert, Instance> {

  InstanceAssert(Instance instance) {
    super(instance, InstanceAssert.class);
  }

  /** It waits for a host. */
  public InstanceAssert isPending() {
    return isIn(InstanceState.PENDING);
  }

  /** It is starting on a host. */
  public InstanceAssert isStarting() {
    return isIn(InstanceState.STARTING);
  }

  /** It is running. */
  public InstanceAssert isRunning() {
    return isIn(InstanceState.RUNNING);
  }

  /** It is paused: it stays on its host without holding CPU. */
  public InstanceAssert isPaused() {
    return isIn(InstanceState.PAUSED);
  }

  /** It is suspended: it stays on its host without holding anything. */
  public InstanceAssert isSuspended() {
    return isIn(InstanceState.SUSPENDED);
  }

  /** It is on this host, whatever its state there. */
  public InstanceAssert isOn(String hostId) {
    return check(host().equals(Optional.of(hostId)), "be on " + hostId);
  }

  /** It has exactly this grant. */
  public InstanceAssert isGranted(Resources expected) {
    return check(
        actual.granted().equals(expected),
        "be granted " + expected,
        "is granted %s, ".formatted(actual.granted()));
  }

  /** It is on no host. */
  public InstanceAssert isOnNoHost() {
    return check(host().isEmpty(), "be on no host");
  }

  /**
   * It has exactly this service time.
   *
   * @param now time in nanoseconds, as the scheduler counts it; not before its latest event
   */
  public InstanceAssert hasServiceTime(Duration expected, long now) {
    return hasTime("service", expected, actual.serviceTime(now), now);
  }

  /**
   * It has exactly this waiting time: pending, starting, paused or suspended.
   *
   * @param now time in nanoseconds, as the scheduler counts it; not before its latest event
   */
  public InstanceAssert hasWaitingTime(Duration expected, long now) {
    return hasTime("waiting", expected, actual.waitingTime(now), now);
  }

  /** It was preempted this often since its admission. */
  public InstanceAssert wasPreempted(int times) {
    return check(actual.preemptions() == times, "have been " + preempted(times));
  }

  private InstanceAssert isIn(InstanceState state) {
    return check(actual.state() == state, "be " + word(state));
  }

  private InstanceAssert hasTime(String kind, Duration expected, long nanos, long now) {
    Duration real = Duration.ofNanos(nanos);
    return check(
        real.equals(expected),
        "have %s time %s at %s"
            .formatted(kind, Durations.format(expected), Durations.format(Duration.ofNanos(now))),
        "has %s, ".formatted(Durations.format(real)));
  }

  private Optional<String> host() {
    return actual.host().map(Host::id);
  }

  private InstanceAssert check(boolean holds, String expected) {
    return check(holds, expected, "");
  }

  private InstanceAssert check(boolean holds, String expected, String fact) {
    if (!holds) {
      failWithMessage(
          "%s",
          "expected %s to %s, but it %sis %s%s since %s and was %s"
              .formatted(
                  actual.id(),
                  expected,
                  fact,
                  word(actual.state()),
                  host().map(id -> " on " + id).orElse(""),
                  Durations.format(Duration.ofNanos(actual.stateSince())),
                  preempted(actual.preemptions())));
    }
    return this;
  }

  private static String word(InstanceState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static String preempted(int times) {
    return switch (times) {
      case 0 -> "never preempted";
      case 1 -> "preempted once";
      default -> "preempted " + times + " times";
    };
  }
}
