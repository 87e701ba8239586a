package dev.berth.api.plan;

import dev.berth.api.Backoff;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.LimitUse;

/** The events that make a scheduling pass due (QoS-driven scheduling, Algorithm 1). */
public enum Trigger {
  /** A request was admitted. */
  REQUEST_ADMITTED,
  /** An instance completed or was cancelled. */
  INSTANCE_COMPLETED,
  /** An instance failed and is pending again. */
  INSTANCE_FAILED,
  /** An action of a plan could not be carried out and was undone. */
  ACTION_REJECTED,
  /** A host joined. */
  HOST_ADDED,
  /**
   * A host left or failed, and its instances are pending again. Or a requested host failed to
   * start, or a released host is gone.
   */
  HOST_REMOVED,
  /**
   * A host changed: its capacity, its attributes, its taints or its foreign load, or it was
   * cordoned, uncordoned or drained.
   */
  HOST_CHANGED,
  /** A provider offered a pool or changed its offer. */
  POOL_OFFERED,
  /** A counted limit of the cluster changed; see {@link LimitUse}. */
  LIMIT_CHANGED,
  /** A host or an instance is no longer held back after failed starts; see {@link Backoff}. */
  HELD_BACK_ENDED,
  /**
   * A {@linkplain DisruptionBudget disruption budget} was set, changed or removed, or a member of
   * its job is up again, so that another one may be taken down.
   */
  BUDGET_CHANGED,
  /**
   * A host or a bag of tasks expired, a drain reached its deadline, or an instance has stayed as
   * long as a taint of its host allows, or has run as long as its request does.
   */
  EXPIRY,
  /**
   * The policy requested a pass at this time. Or the last pass ended at its placement limit, or
   * evicted instances, which can be placed now.
   */
  WAKE_UP,
  /** The longest time between two passes has elapsed. */
  WATCHDOG,
  /** The embedder called for a pass that nothing made due. */
  EMBEDDER
}
