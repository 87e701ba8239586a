package dev.berth.core.snapshot;

import dev.berth.api.PlainHash;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A bag of tasks that has not ended. {@link InstanceData#bag} names that of each remaining member.
 *
 * @param id its id
 * @param submission the number of admissions before it was submitted, unique
 * @param tasks its requests, in order, also those that are done
 * @param timeToLive its time to live, if any
 * @param submittedAt when it was submitted
 * @param completed how many of its instances completed
 * @param serviceOfThoseDone the service of its instances that are done
 * @param cluster the cluster that it is assigned to, if any
 * @param assignedAt when it was assigned, if it is
 * @param expiresAt when it expires, if ever
 */
public record BagData(
    String id,
    long submission,
    List<TaskData> tasks,
    OptionalLong timeToLive,
    long submittedAt,
    int completed,
    long serviceOfThoseDone,
    Optional<String> cluster,
    OptionalLong assignedAt,
    OptionalLong expiresAt) {

  /** Copies the tasks. */
  public BagData {
    tasks = List.copyOf(tasks);
  }

  /** Returns the same without the tasks. */
  public BagData withoutTasks() {
    return new BagData(
        id,
        submission,
        List.of(),
        timeToLive,
        submittedAt,
        completed,
        serviceOfThoseDone,
        cluster,
        assignedAt,
        expiresAt);
  }

  /** Returns a hash of all components. That of the tasks can be kept, since they never change. */
  public long digest() {
    return PlainHash.combine(PlainHash.of(withoutTasks()), PlainHash.of(tasks));
  }

  /**
   * A request of a bag.
   *
   * @param id id of the request
   * @param request the rest of it
   */
  public record TaskData(String id, RequestData request) {}
}
