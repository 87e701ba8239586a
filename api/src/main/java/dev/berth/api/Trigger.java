package dev.berth.api;

/** What made a scheduling pass due (QoS-driven scheduling, Algorithm 1). */
public enum Trigger {
  /** A request was admitted. */
  REQUEST_ADMITTED,
  /** An instance completed or was cancelled. */
  INSTANCE_COMPLETED,
  /** An instance failed and is pending again. */
  INSTANCE_FAILED,
  /** A host joined, or came back. */
  HOST_ADDED,
  /**
   * A host left or failed, and its instances are pending again; or one that was asked for did not
   * come up; or one that was given back is gone.
   */
  HOST_REMOVED,
  /** A provider offers hosts, or changed its offer. */
  POOL_OFFERED,
  /** The time to live of a host or of a bag of tasks has run out. */
  EXPIRY,
  /** The policy asked for a pass at this time. */
  WAKE_UP,
  /** The longest time between two passes has elapsed. */
  WATCHDOG,
  /** The embedder asked for a pass although nothing made one due. */
  EMBEDDER
}
