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
  /**
   * Stands still on its host by order of the scheduler. It keeps what it was granted but the CPU;
   * not in service.
   */
  PAUSED,
  /**
   * Written out of its host by order of the scheduler. It belongs to that host still, where its
   * image is, but holds nothing there; not in service.
   */
  SUSPENDED,
  /** Completed or cancelled; known to nobody any more. */
  DONE;

  /**
   * Returns whether an instance in this state is on a host; a suspended one holds nothing there.
   */
  public boolean isOnHost() {
    return this != PENDING && this != DONE;
  }

  /** Returns whether an instance in this state holds capacity on a host. */
  public boolean holdsCapacity() {
    return this == STARTING || this == RUNNING || this == PAUSED;
  }
}
