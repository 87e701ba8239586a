package dev.berth.core.internal.cluster;

/**
 * What can close a host. Several can at once; the host is open when none does. A host reports the
 * first in this order.
 */
public enum Closing {
  /** The embedder wants it to be empty. */
  DRAIN,
  /** The embedder wants it to take no instance. */
  CORDON,
  /** Starts on it failed in a row. */
  HELD_BACK,
  /** Its instances hold more than its capacity. */
  OVER_CAPACITY
}
