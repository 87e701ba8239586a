package dev.berth.api.fleet;

import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.plan.Attempt;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An instance on a host, as a fleet reports it. Immutable.
 *
 * @param id id of the instance
 * @param host id of its host
 * @param state starting, running, paused or suspended
 * @param attempt the {@linkplain Attempt attempt} that it is in; empty if the fleet does not know
 * @param since when it entered the state, in nanoseconds; empty if the fleet does not know
 * @param holds the resources that it holds; counts only if it becomes foreign load
 */
public record ObservedInstance(
    String id,
    String host,
    InstanceState state,
    OptionalInt attempt,
    OptionalLong since,
    Resources holds) {

  /**
   * Checks the state.
   *
   * @throws IllegalArgumentException if the state is none of an instance on a host, or the attempt
   *     is not positive
   */
  public ObservedInstance {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(holds, "holds");
    if (state == InstanceState.PENDING || state == InstanceState.DONE) {
      throw new IllegalArgumentException(
          "observed instance %s was %s, must be starting, running, paused or suspended."
              .formatted(id, state));
    }
    if (attempt.isPresent() && attempt.getAsInt() < 1) {
      throw new IllegalArgumentException(
          "observed instance %s was in attempt %s, must be 1 or more."
              .formatted(id, attempt.getAsInt()));
    }
  }

  /** An instance in a state on a host, of which nothing else is known. */
  public ObservedInstance(String id, String host, InstanceState state) {
    this(id, host, state, OptionalInt.empty(), OptionalLong.empty(), Resources.none());
  }

  /** Returns the same in an attempt. */
  public ObservedInstance inAttempt(int number) {
    return new ObservedInstance(id, host, state, OptionalInt.of(number), since, holds);
  }

  /** Returns the same since a time. */
  public ObservedInstance since(long time) {
    return new ObservedInstance(id, host, state, attempt, OptionalLong.of(time), holds);
  }

  /** Returns the same with the resources that it holds. */
  public ObservedInstance holding(Resources resources) {
    return new ObservedInstance(id, host, state, attempt, since, resources);
  }
}
