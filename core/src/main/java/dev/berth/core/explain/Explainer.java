package dev.berth.core.explain;

import dev.berth.core.decision.ActionRecord;
import dev.berth.core.error.EventRefusedException;
import java.util.Optional;

/**
 * Explains what a scheduler decided and what it could not decide; see {@link
 * dev.berth.core.Scheduler#explain}. It changes nothing. The thread that drives the scheduler calls
 * it between other calls; it describes the cluster as it is at the call.
 */
public interface Explainer {

  /**
   * Explains why an instance waits, by looking at every host as a pass at time {@code now} would.
   * Cost O(hosts · instances per host).
   *
   * @param now not before the latest event or pass
   * @throws EventRefusedException if there is no such instance, or {@code now} is in the past
   */
  WhyPending whyPending(String instanceId, long now);

  /**
   * Explains the latest preemption of an instance; empty if there was none or the log no longer
   * holds it.
   */
  Optional<WhyPreempted> whyPreempted(String instanceId);

  /**
   * Explains why an instance is on the host where it is; empty if it is on none or the log no
   * longer holds the decision, or it was migrated there: see {@link #whyMigrated}.
   */
  Optional<WhyHere> whyHere(String instanceId);

  /**
   * Returns what was done to an instance last, other than to place or preempt it: why it is paused,
   * suspended, resized or where it was migrated to. Empty if nothing was, or the log no longer
   * holds it.
   */
  Optional<ActionRecord> whyAdjusted(String instanceId);

  /**
   * Returns the migration that brought an instance to the host where it is; empty if it was placed
   * there, or the log no longer holds the migration.
   */
  Optional<ActionRecord> whyMigrated(String instanceId);

  /**
   * Returns why a host was asked for from its pool, or given back: whichever was later. Empty if
   * neither was, or the log no longer holds it.
   */
  Optional<ActionRecord> whyHost(String hostId);

  /**
   * Returns why a bag of tasks was assigned to its cluster, or cancelled: whichever was later.
   * Empty if neither was, or the log no longer holds it. Of several bags of that id, it is about
   * the latest.
   */
  Optional<ActionRecord> whyBag(String bagId);
}
