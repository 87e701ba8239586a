package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.time.Duration;
import java.util.Objects;

/**
 * A class of service: the availability objective of its instances, their importance, and the limits
 * of preemption (QoS-driven scheduling, section 3).
 *
 * <p>Implementations are immutable. {@link #builder} creates the usual one.
 */
public interface ServiceClass {

  /** The default {@link #safetyMargin}: ten seconds (section 4.1.3). */
  Duration DEFAULT_SAFETY_MARGIN = Duration.ofSeconds(10);

  /**
   * Returns the name by which requests refer to the class; unique within a scheduler, not blank.
   */
  String name();

  /**
   * Returns the availability objective σ, from 0.001 to 1. An instance may be in service for 36,500
   * days at any objective; see {@link TimeLimits#LONGEST_LIFE}.
   */
  Slo slo();

  /**
   * Returns the importance rank, at least 1. Rank 1 is the most important; classes may share a
   * rank.
   */
  int importance();

  /**
   * Returns the safety margin φ, not negative. An instance whose QoS metric is below φ is close to
   * missing its objective.
   */
  Duration safetyMargin();

  /**
   * Returns the preemption-overhead limit, in [0, 1]. Instances of the same class may no longer
   * preempt an instance that has lost a larger share of its service time to restarts.
   */
  double preemptionOverheadLimit();

  /**
   * Returns a builder with the paper's settings: margin 10 s, overhead limit 1 − σ, importance 1.
   *
   * @param name not blank
   */
  static Builder builder(String name) {
    return new Builder(name);
  }

  /** Builds a service class; not thread-safe. */
  final class Builder {

    private static final Duration LONGEST_MARGIN = Duration.ofDays(36_500);

    private final String name;
    private Slo slo = Slo.of(1);
    private int importance = 1;
    private Duration safetyMargin = DEFAULT_SAFETY_MARGIN;
    private double overheadLimit = Double.NaN;

    private Builder(String name) {
      this.name = Objects.requireNonNull(name, "name");
      refuseIf(name.isBlank(), "service class name was blank. Maybe you meant \"gold\".");
    }

    /**
     * Sets the availability objective; default 1. The lowest objective of a scheduler's classes
     * fixes the unit in which it compares instances: a nanosecond above 0.439, 1024 ns at 0.001.
     *
     * @param share from 0.001 to 1
     * @throws IllegalArgumentException if outside that range
     */
    public Builder slo(double share) {
      this.slo = Slo.of(share);
      return this;
    }

    /**
     * Sets the importance rank; default 1, the most important.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder importance(int rank) {
      refuseIf(
          rank < 1,
          "service class %s: importance was %s, must be at least 1 (the most important).",
          name,
          rank);
      this.importance = rank;
      return this;
    }

    /**
     * Sets the safety margin; default 10 s. A larger margin protects instances earlier, so that
     * fewer are preempted. With zero, an instance may be preempted until the moment at which it
     * would miss its objective.
     *
     * @throws IllegalArgumentException if negative or beyond 36,500 days
     */
    public Builder safetyMargin(Duration margin) {
      Objects.requireNonNull(margin, "margin");
      refuseIf(
          margin.isNegative() || margin.compareTo(LONGEST_MARGIN) > 0,
          "service class %s: safety margin was %s, must be from 0 to a century.",
          name,
          margin);
      this.safetyMargin = margin;
      return this;
    }

    /**
     * Sets the preemption-overhead limit; default 1 − σ. A larger limit allows more preemption
     * within the class and loses more service time to restarts.
     *
     * @param share in [0, 1]
     * @throws IllegalArgumentException if outside that range or not a number
     */
    public Builder preemptionOverheadLimit(double share) {
      refuseIf(
          !(share >= 0 && share <= 1),
          "service class %s: preemption-overhead limit was %s, must be in [0, 1].",
          name,
          share);
      this.overheadLimit = share;
      return this;
    }

    /** Returns the service class. */
    public ServiceClass build() {
      double limit =
          Double.isNaN(overheadLimit) ? (1e9 - slo.partsPerBillion()) / 1e9 : overheadLimit;
      return new Settings(name, slo, importance, safetyMargin, limit);
    }

    private record Settings(
        String name, Slo slo, int importance, Duration safetyMargin, double preemptionOverheadLimit)
        implements ServiceClass {

      @Override
      public String toString() {
        return "service class %s (slo %s, importance %s, safety margin %s, preemption-overhead limit %s)"
            .formatted(name, slo, importance, safetyMargin, preemptionOverheadLimit);
      }
    }
  }
}
