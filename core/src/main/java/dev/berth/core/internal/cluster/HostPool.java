package dev.berth.core.internal.cluster;

import dev.berth.api.Pool;

/** The pool of a host. */
public interface HostPool extends Pool {

  /** Returns whether it is stopping a host. */
  boolean isStopping(String hostId);
}
