package dev.berth.traces.prepare;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.simulator.Workload;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a workload is like, and what it takes on a host of infinite size, where every request runs
 * as soon as it is admitted, for its service time (QoS-driven scheduling, sections 4.2 and 4.3).
 *
 * @param workload its name
 * @param firstAdmission nanoseconds since the start
 * @param lastAdmission the same
 * @param lastEnd when the last instance is done there, in nanoseconds since the start; {@link
 *     Long#MAX_VALUE} where that is beyond it
 * @param all of all requests
 * @param byClass of each class that has any, in the order of the workload's classes
 */
public record WorkloadDescription(
    String workload,
    long firstAdmission,
    long lastAdmission,
    long lastEnd,
    Figures all,
    Map<String, Figures> byClass) {

  /** The paper's interval between two points of its figures 1 and 2. */
  public static final Duration INTERVAL = Duration.ofMinutes(1);

  /** Copies the map. */
  public WorkloadDescription {
    byClass = Collections.unmodifiableMap(new LinkedHashMap<>(byClass));
  }

  /**
   * Figures of some requests.
   *
   * @param requests how many; positive
   * @param jobs how many jobs they belong to
   * @param users how many users they belong to
   * @param withoutUser requests that tell no user
   * @param antiAffine requests that refuse to share a host with others of their job
   * @param constrained requests with placement constraints
   * @param serviceTime in seconds
   * @param demand in each dimension that any request of the workload asks for, in ascending order
   */
  public record Figures(
      long requests,
      long jobs,
      long users,
      long withoutUser,
      long antiAffine,
      long constrained,
      Distribution serviceTime,
      Map<Dimension, Demand> demand) {

    /** Copies the map. */
    public Figures {
      demand = Collections.unmodifiableMap(new LinkedHashMap<>(demand));
    }

    /** Returns the most that is ever in use in each dimension, not at one time. */
    public Resources peak() {
      Resources.Builder peak = Resources.builder();
      demand.forEach((dimension, figures) -> peak.put(dimension, figures.peak()));
      return peak.build();
    }
  }

  /**
   * Demand in one dimension.
   *
   * @param perRequest of the requests, in wholes of the dimension
   * @param peak the most that is ever in use, in units of the dimension; exact
   * @param peakAt when it is first reached, nanoseconds since the start; says nothing where the
   *     peak is zero
   * @param mean what is in use in the mean from the first admission to the last end, in wholes
   */
  public record Demand(Distribution perRequest, long peak, long peakAt, double mean) {}

  /**
   * Describes a workload. Reads it once, in memory that follows the number of jobs, of users, and
   * of the requests that run at one time.
   *
   * @throws IllegalArgumentException if it has no request
   */
  public static WorkloadDescription of(Workload workload) {
    return of(workload, INTERVAL, sample -> {});
  }

  /**
   * Describes a workload, and tells what runs at regular moments: all multiples of an interval from
   * the first admission on, up to the first at which everything is done.
   *
   * @param interval between two moments, positive
   * @param series is told the moments in order of time, as they are reached
   * @throws IllegalArgumentException if the interval is not positive, or there is no request
   * @throws ArithmeticException if more is in use at a time than can be counted
   */
  public static WorkloadDescription of(
      Workload workload, Duration interval, Consumer<? super DemandSample> series) {
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException("interval was %s, must be positive.".formatted(interval));
    }
    return new InfiniteHost(workload, interval.toNanos(), series).run();
  }
}
