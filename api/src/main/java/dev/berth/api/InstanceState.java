package dev.berth.api;

/** Where an instance stands in its life. */
public enum InstanceState {
  /**
   * Waits for a host: never placed yet, preempted, failed, or left without its host. Not in
   * service.
   */
  PENDING,
  /** Holds capacity on a host that is being prepared for it. Not in service yet. */
  STARTING,
  /** In service on a host. */
  RUNNING,
  /** Completed or cancelled; known to nobody any more. */
  DONE;

  /** Returns whether an instance in this state holds capacity on a host. */
  public boolean holdsCapacity() {
    return this == STARTING || this == RUNNING;
  }
}
