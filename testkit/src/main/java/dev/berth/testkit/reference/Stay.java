package dev.berth.testkit.reference;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One time that an instance held capacity on a host.
 *
 * @param hostId where
 * @param pass number of the pass that placed it there
 * @param placedAt when
 * @param readyAt when it came into service; empty if it is still starting, or left before it was
 *     ready
 * @param leftAt when it left; empty if it is still there
 * @param ending why it left; empty if it is still there
 */
public record Stay(
    String hostId,
    long pass,
    long placedAt,
    OptionalLong readyAt,
    OptionalLong leftAt,
    Optional<Ending> ending) {

  /** Why an instance left a host. */
  public enum Ending {
    /** It was a victim of a preemption. */
    PREEMPTED,
    /** It failed. */
    FAILED,
    /** The host left the cluster. */
    HOST_LEFT,
    /** It completed or was cancelled. */
    DONE
  }

  static Stay begin(String hostId, long pass, long now) {
    return new Stay(
        hostId, pass, now, OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
  }

  Stay ready(long now) {
    return new Stay(hostId, pass, placedAt, OptionalLong.of(now), leftAt, ending);
  }

  Stay end(long now, Ending why) {
    return new Stay(hostId, pass, placedAt, readyAt, OptionalLong.of(now), Optional.of(why));
  }

  /** Returns whether the instance is still there. */
  public boolean current() {
    return ending.isEmpty();
  }

  boolean isOn(String host) {
    return current() && hostId.equals(host);
  }

  boolean ended(Ending why) {
    return ending.equals(Optional.of(why));
  }
}
