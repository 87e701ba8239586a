package dev.berth.api;

import dev.berth.api.policy.SchedulingPass;
import java.util.List;
import java.util.OptionalLong;

/**
 * A live, read-only view of a pool of hosts and of what there is of it.
 *
 * <p>Within a {@linkplain SchedulingPass pass} it shows what the pass has left so far. Used only by
 * the thread that drives the scheduler.
 */
public interface Pool {

  /** Returns its name. */
  default String name() {
    return spec().name();
  }

  /** Returns what the provider offers just now. */
  PoolSpec spec();

  /** Returns its hosts that were asked for and are not up yet, in the order of asking. */
  List<Host> starting();

  /** Returns its hosts that are up, in the order in which they joined. */
  List<Host> up();

  /** Returns how many of its hosts were given back and are not gone yet. */
  int stopping();

  /** Returns how many more may be asked for; 0 if there are as many as the limit, or more. */
  default int room() {
    return Math.max(0, spec().limit() - starting().size() - up().size() - stopping());
  }

  /**
   * Returns how many hosts in a row were asked for and did not come up, the latest first; 0 if the
   * latest one did.
   */
  int failures();

  /** Returns when a host that was asked for last failed to come up, or empty if none ever did. */
  OptionalLong lastFailureAt();
}
