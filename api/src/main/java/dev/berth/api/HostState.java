package dev.berth.api;

/** The states of a host. */
public enum HostState {
  /** Requested from a provider, but not yet reported up. Takes no instances. */
  STARTING,
  /** Up; takes instances. */
  UP,
  /**
   * Released, but not yet reported gone. Takes no instances, and still counts against the limit of
   * its pool.
   */
  STOPPING
}
