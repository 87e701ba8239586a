package dev.berth.api;

import dev.berth.api.policy.SchedulingPass;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A live, read-only view of a bag of tasks that is not at an end.
 *
 * <p>Within a {@linkplain SchedulingPass pass} it shows what the pass has left so far. Used only by
 * the thread that drives the scheduler.
 */
public interface Bag {

  /** Returns its id. */
  String id();

  /** Returns how many requests it was submitted with. */
  int size();

  /** Returns its instances that are not done, in order of admission. Cost O(members). */
  List<Instance> instances();

  /** Returns how many of its instances are not done. Cost O(members). */
  int remaining();

  /** Returns how many of its instances have completed. */
  int completed();

  /** Returns when it was submitted. */
  long submittedAt();

  /**
   * Returns how long all its requests together are said to run, in nanoseconds (the <i>walltime</i>
   * of ElasticSite); empty if not all of them say it.
   */
  OptionalLong estimatedRunTime();

  /** Returns the cluster it was assigned to, or empty. */
  Optional<String> cluster();

  /** Returns when it was assigned to its cluster, or empty. */
  OptionalLong assignedAt();

  /** Returns when it is cancelled unless it is done, or empty if it never is. */
  OptionalLong expiresAt();

  /**
   * Returns the summed service time of its instances, those that are done included, in nanoseconds.
   * Cost O(members).
   *
   * @param now the time of the pass
   */
  long serviceTime(long now);
}
