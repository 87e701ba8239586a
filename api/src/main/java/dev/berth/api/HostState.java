package dev.berth.api;

/** Where a host stands in its life. */
public enum HostState {
  /** A plan asked a provider for it, and it has not been reported up yet. It takes no instance. */
  STARTING,
  /** It is there and may take instances. */
  UP,
  /**
   * A plan gave it back, and it has not been reported gone yet. It takes no instance, but counts
   * against the limit of its pool.
   */
  STOPPING
}
