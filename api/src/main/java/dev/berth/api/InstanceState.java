package dev.berth.api;

/** The states of an instance. */
public enum InstanceState {
  /** Waiting for a host: new, preempted, failed, or its host was removed. Not in service. */
  PENDING,
  /** Holding capacity on a host that is being prepared for it. Not in service yet. */
  STARTING,
  /** In service on a host. */
  RUNNING,
  /**
   * Stopped on its host by the scheduler. It keeps its grant except for the CPU. Not in service.
   */
  PAUSED,
  /**
   * Written to disk by the scheduler. It still belongs to its host, which has its image, but holds
   * no resources. Not in service.
   */
  SUSPENDED,
  /** Completed, cancelled or rejected; the scheduler has forgotten it. */
  DONE;

  /**
   * Returns whether an instance in this state is on a host. A suspended instance is, although it
   * holds no resources.
   */
  public boolean isOnHost() {
    return this != PENDING && this != DONE;
  }

  /** Returns whether an instance in this state holds capacity on a host. */
  public boolean holdsCapacity() {
    return this == STARTING || this == RUNNING || this == PAUSED;
  }
}
