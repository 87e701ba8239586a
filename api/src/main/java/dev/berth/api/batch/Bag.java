package dev.berth.api.batch;

import dev.berth.api.Experimental;
import dev.berth.api.Instance;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A live, read-only view of a bag of tasks that has not ended.
 *
 * <p>During a scheduling pass it reflects the actions recorded so far. Only the thread that drives
 * the scheduler may use it.
 */
@Experimental
public interface Bag {

  /** Returns its id. */
  String id();

  /** Returns the number of requests in the submitted bag. */
  int size();

  /**
   * Returns the instances that are not done, in order of admission. The list is a copy that cannot
   * be modified. Cost O(members).
   */
  List<Instance> instances();

  /** Returns the number of instances that are not done. Cost O(members). */
  int remaining();

  /** Returns the number of completed instances. */
  int completed();

  /** Returns when it was submitted. */
  long submittedAt();

  /**
   * Returns the sum of the run-time estimates of its requests, in nanoseconds (the <i>walltime</i>
   * of ElasticSite); empty if a request has no estimate.
   */
  OptionalLong estimatedRunTime();

  /** Returns the cluster it is assigned to, or empty. */
  Optional<String> cluster();

  /** Returns when it was assigned to its cluster, or empty. */
  OptionalLong assignedAt();

  /** Returns when it is cancelled if it is not done by then; empty: never. */
  OptionalLong expiresAt();

  /**
   * Returns the sum of the service times of all its instances, including those that are done, in
   * nanoseconds. Cost O(members).
   *
   * @param now the time of the pass
   */
  long serviceTime(long now);
}
