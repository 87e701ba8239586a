package dev.berth.core.explain;

import dev.berth.api.Reason;
import dev.berth.core.decision.ActionRecord;
import dev.berth.core.error.EventRefusedException;
import java.util.Optional;

/**
 * Explains the decisions of a scheduler, and why instances wait; see {@link
 * dev.berth.core.Scheduler#explain}. It reads the present state of the cluster and changes nothing.
 * Only the thread that drives the scheduler may use it, between other calls.
 */
public interface Explainer {

  /**
   * Explains why an instance waits: evaluates every host as a pass at time {@code now} would. Cost
   * O(hosts · instances per host), and for a member of a group that has not started that of {@link
   * GroupRoom}.
   *
   * @param now not before the latest event or pass
   * @throws EventRefusedException if there is no such instance, or {@code now} is in the past
   */
  WhyPending whyPending(String instanceId, long now);

  /**
   * Explains the latest preemption of an instance. Empty if there was none, or the log no longer
   * holds it.
   */
  Optional<WhyPreempted> whyPreempted(String instanceId);

  /**
   * Explains why an instance was placed on its host. Empty if it is on no host, if it was
   * {@linkplain #whyMigrated migrated} there, or if the log no longer holds the decision.
   */
  Optional<WhyHere> whyHere(String instanceId);

  /**
   * Returns the latest action on an instance, other than a placement or a preemption, with its
   * reason: why it was resized, paused, suspended, resumed, migrated or rejected. Empty if there
   * was none, or the log no longer holds it.
   */
  Optional<ActionRecord> whyAdjusted(String instanceId);

  /**
   * Returns the migration of an instance to its present host. Empty if it was placed there, or the
   * log no longer holds the migration.
   */
  Optional<ActionRecord> whyMigrated(String instanceId);

  /**
   * Returns the later of the provisioning and the release of a host, with its reason. Empty if
   * there was neither, or the log no longer holds it.
   */
  Optional<ActionRecord> whyHost(String hostId);

  /**
   * Returns the latest assignment of a bag of tasks to a cluster, or its cancellation, with the
   * reason. Empty if there was neither, or the log no longer holds it. If several bags had that id,
   * the latest bag counts.
   */
  Optional<ActionRecord> whyBag(String bagId);

  /**
   * Returns the disruption budget that keeps an instance up at present: the scheduler neither
   * preempts, moves, evicts, pauses nor suspends it, even if its host is draining. Empty if the
   * instance is not running, its job has no budget, or the budget allows to take it down. Cost
   * O(log members that are down).
   */
  Optional<Reason> whyProtected(String instanceId);
}
