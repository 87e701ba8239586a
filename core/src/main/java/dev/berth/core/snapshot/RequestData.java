package dev.berth.core.snapshot;

import dev.berth.api.PlainHash;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A {@link dev.berth.api.Request} without its id.
 *
 * @param serviceClass name of its service class
 * @param demand its demand
 * @param guaranteed its guaranteed resources; empty for the demand
 * @param constraints its placement constraints, in order
 * @param job its job, if any
 * @param application its application, if any
 * @param user its user, if any
 * @param labels its labels
 * @param payload its payload, if any
 * @param antiAffinity whether it refuses to share a host with its job
 * @param estimatedRunTime the estimate, if any
 * @param deadline the deadline after admission, if any
 * @param maxRunTime the longest service time, if it is limited
 * @param losesProgress whether it begins its work again after a preemption
 * @param maxFailures the failures in a row that it may have, if they are limited
 * @param after the ids of the requests that must have completed before it
 * @param moldability the points of its moldability; empty if it is not moldable
 * @param memoryProfile the steps of its memory profile; empty for none
 * @param performanceMemoryProfile the points of that profile; empty for none
 * @param placement its tolerations, rules and preferences; empty if it has none
 */
public record RequestData(
    String serviceClass,
    Map<String, Long> demand,
    Optional<Map<String, Long>> guaranteed,
    List<ConstraintData> constraints,
    Optional<String> job,
    Optional<String> application,
    Optional<String> user,
    Map<String, String> labels,
    @PlainHash.Added Optional<String> payload,
    boolean antiAffinity,
    OptionalLong estimatedRunTime,
    OptionalLong deadline,
    @PlainHash.Added OptionalLong maxRunTime,
    @PlainHash.Added boolean losesProgress,
    @PlainHash.Added OptionalInt maxFailures,
    @PlainHash.Added List<String> after,
    List<MoldabilityPoint> moldability,
    List<MemoryStep> memoryProfile,
    List<MemoryPoint> performanceMemoryProfile,
    Optional<PlacementData> placement)
    implements PlainHash.Listed {

  /** Copies the collections. */
  public RequestData {
    demand = Plain.sorted(demand);
    guaranteed = guaranteed.map(Plain::sorted);
    constraints = List.copyOf(constraints);
    labels = Plain.sorted(labels);
    after = List.copyOf(after);
    moldability = List.copyOf(moldability);
    memoryProfile = List.copyOf(memoryProfile);
    performanceMemoryProfile = List.copyOf(performanceMemoryProfile);
  }

  @Override
  public Object[] components() {
    return new Object[] {
      serviceClass,
      demand,
      guaranteed,
      constraints,
      job,
      application,
      user,
      labels,
      payload,
      antiAffinity,
      estimatedRunTime,
      deadline,
      maxRunTime,
      losesProgress,
      maxFailures,
      after,
      moldability,
      memoryProfile,
      performanceMemoryProfile,
      placement
    };
  }

  /**
   * A {@link dev.berth.api.Constraint}.
   *
   * @param type the simple name of its record: {@code "Equal"}
   * @param attribute the attribute
   * @param values the value, the bound or the values; none for {@code "Exists"}
   */
  public record ConstraintData(String type, String attribute, List<String> values) {

    /** Copies the values. */
    public ConstraintData {
      values = List.copyOf(values);
    }
  }

  /**
   * A point of a {@link dev.berth.api.Moldability}.
   *
   * @param share share of the cores
   * @param factor by how much the run takes longer
   */
  public record MoldabilityPoint(double share, double factor) {}

  /**
   * A step of a {@link dev.berth.api.MemoryProfile}.
   *
   * @param from work at which it begins
   * @param need memory needed from there on
   */
  public record MemoryStep(long from, long need) {}

  /**
   * A point of a {@link dev.berth.api.PerformanceMemoryProfile}.
   *
   * @param memory granted memory
   * @param runTime run time with it
   */
  public record MemoryPoint(long memory, long runTime) {}
}
