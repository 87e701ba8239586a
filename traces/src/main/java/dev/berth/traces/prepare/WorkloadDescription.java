package dev.berth.traces.prepare;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The properties of a workload and its demand on a host of infinite size, where every request runs
 * for its service time from its admission on (QoS-driven scheduling, sections 4.2 and 4.3).
 *
 * @param workload the name of the workload
 * @param firstAdmission the first admission in nanoseconds since the start
 * @param lastAdmission the last admission in nanoseconds since the start
 * @param lastEnd the completion of the last instance in nanoseconds since the start, at most {@link
 *     Long#MAX_VALUE}
 * @param endWithLog the number of requests that end in the last hundredth of the workload, if their
 *     admissions are far apart; else 0. Instances that a log cuts off at its end have such service
 *     times
 * @param all the figures of all requests
 * @param byClass the figures of each class that has requests, in the order of the workload's
 *     classes
 */
public record WorkloadDescription(
    String workload,
    long firstAdmission,
    long lastAdmission,
    long lastEnd,
    long endWithLog,
    Figures all,
    Map<String, Figures> byClass) {

  /** The interval between two points in figures 1 and 2 of the paper. */
  public static final Duration INTERVAL = Duration.ofMinutes(1);

  /** Copies the map. */
  public WorkloadDescription {
    byClass = Collections.unmodifiableMap(new LinkedHashMap<>(byClass));
  }

  /**
   * Figures of a set of requests.
   *
   * @param requests the number of requests; positive
   * @param jobs the number of jobs
   * @param users the number of users
   * @param withoutUser the number of requests without a user
   * @param antiAffine the number of requests with anti-affinity to others of their job
   * @param constrained the number of requests with placement constraints
   * @param serviceTime the service times in seconds
   * @param demand the demand in each dimension that any request of the workload demands, in
   *     ascending order
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

    /** Returns the peak in each dimension. The peaks need not occur at the same time. */
    public Resources peak() {
      Resources.Builder peak = Resources.builder();
      demand.forEach((dimension, figures) -> peak.put(dimension, figures.peak()));
      return peak.build();
    }
  }

  /**
   * The demand in one dimension.
   *
   * @param perRequest the demand of a request, in wholes of the dimension
   * @param peak the largest use at any time, in units of the dimension; exact
   * @param peakAt the first time of the peak, in nanoseconds since the start; meaningless if the
   *     peak is zero
   * @param mean the mean use from the first admission to the last completion, in wholes
   */
  public record Demand(Distribution perRequest, long peak, long peakAt, double mean) {}

  /**
   * Returns a description of a workload. Reads the workload once. Memory use grows with the number
   * of jobs, of users and of concurrent requests.
   *
   * @throws IllegalArgumentException if the workload has no request
   */
  public static WorkloadDescription of(Workload workload) {
    return of(workload, INTERVAL, sample -> {});
  }

  /**
   * Returns a description of a workload, and reports its demand at all multiples of an interval
   * from the first admission to the first multiple at which all instances have completed.
   *
   * @param interval the time between two samples, positive
   * @param series receives the samples in order of time
   * @throws IllegalArgumentException if the interval is not positive, or the workload has no
   *     request
   * @throws ArithmeticException if the use at some time exceeds a {@code long}
   */
  public static WorkloadDescription of(
      Workload workload, Duration interval, Consumer<? super DemandSample> series) {
    refuseIf(
        interval.isNegative() || interval.isZero(), "interval was %s, must be positive.", interval);
    return new InfiniteHost(workload, interval.toNanos(), series).run();
  }
}
