package dev.berth.api;

import java.util.List;
import java.util.OptionalLong;

/**
 * A live, read-only view of a pool: what its provider offers, and the hosts provisioned from it.
 *
 * <p>During a scheduling pass it reflects the actions recorded so far. Only the thread that drives
 * the scheduler may use it.
 */
@Experimental
public interface Pool {

  /** Returns the name of the pool. */
  default String name() {
    return spec().name();
  }

  /** Returns the current offer of the provider. */
  PoolSpec spec();

  /**
   * Returns the hosts that were requested and are not up yet, in the order of the requests. The
   * list is a copy that cannot be modified. Cost O(hosts).
   */
  List<Host> starting();

  /**
   * Returns the hosts that are up, in the order in which they joined. The list is a copy that
   * cannot be modified. Cost O(hosts).
   */
  List<Host> up();

  /** Returns the number of hosts that were released and are not gone yet. */
  int stopping();

  /** Returns how many more hosts can be requested; 0 if the limit is reached or exceeded. */
  default int room() {
    return Math.max(0, spec().limit() - starting().size() - up().size() - stopping());
  }

  /**
   * Returns how many of the latest requested hosts failed to start in a row; 0 if the latest one
   * started.
   */
  int failures();

  /** Returns when a host last failed to start, or empty if none ever did. */
  OptionalLong lastFailureAt();
}
