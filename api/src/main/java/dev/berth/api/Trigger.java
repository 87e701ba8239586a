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
  /** A host left or failed; its instances are pending again. */
  HOST_REMOVED,
  /** The longest time between two passes has elapsed. */
  WATCHDOG,
  /** The embedder asked for a pass although nothing made one due. */
  EMBEDDER
}
