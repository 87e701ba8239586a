package dev.berth.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a user asks for: an instance of a service class, with a demand and, possibly, conditions on
 * where it runs.
 *
 * <p>Immutable. How long it will really run and what memory it will really need are not part of it:
 * schedulers do not know. What the user <em>says</em> of that is: estimate, deadline, profiles.
 */
public final class Request {

  private final String id;
  private final String serviceClass;
  private final Resources demand;
  private final List<Constraint> constraints;
  private final Optional<String> job;
  private final Optional<String> application;
  private final boolean antiAffinity;
  private final Optional<Resources> guaranteed;
  private final OptionalLong estimatedRunTime;
  private final OptionalLong deadline;
  private final Optional<Moldability> moldability;
  private final Optional<MemoryProfile> memoryProfile;
  private final Optional<PerformanceMemoryProfile> performanceMemoryProfile;

  private Request(Builder builder) {
    this.id = builder.id;
    this.serviceClass = builder.serviceClass;
    this.demand = builder.demand;
    this.constraints = List.copyOf(builder.constraints);
    this.job = builder.job;
    this.application = builder.application;
    this.antiAffinity = builder.antiAffinity;
    this.guaranteed = builder.guaranteed;
    this.estimatedRunTime = builder.estimatedRunTime;
    this.deadline = builder.deadline;
    this.moldability = builder.moldability;
    this.memoryProfile = builder.memoryProfile;
    this.performanceMemoryProfile = builder.performanceMemoryProfile;
    guaranteed.ifPresent(this::requireWithinDemand);
    if (antiAffinity && job.isEmpty()) {
      throw new IllegalArgumentException(
          "request %s asks for anti-affinity but belongs to no job. Maybe set job(...) too."
              .formatted(id));
    }
  }

  /**
   * Starts a request.
   *
   * @param id unique among the requests that are not done; not blank
   * @param serviceClass the name of a service class of the scheduler
   */
  public static Builder builder(String id, String serviceClass) {
    return new Builder(id, serviceClass);
  }

  /** Returns its id, which is that of its instance too. */
  public String id() {
    return id;
  }

  /** Returns the name of its service class. */
  public String serviceClass() {
    return serviceClass;
  }

  private void requireWithinDemand(Resources least) {
    for (Dimension each : least.dimensions()) {
      if (least.amount(each) > demand.amount(each)) {
        throw new IllegalArgumentException(
            "request %s: %s guaranteed was %s, must be at most the demand of %s."
                .formatted(
                    id, each, each.format(least.amount(each)), each.format(demand.amount(each))));
      }
    }
  }

  /** Returns what its instance asks to hold while starting or running. */
  public Resources demand() {
    return demand;
  }

  /**
   * Returns what cannot be taken from its instance while it is on a host; in every dimension at
   * most the demand, which it is where nothing was said. It may still be placed on fewer cores, as
   * far as its {@linkplain #moldability moldability} goes.
   */
  public Resources guaranteed() {
    return guaranteed.orElse(demand);
  }

  /**
   * Returns how long its user says it runs with its full demand, in nanoseconds, positive; empty if
   * the user says nothing.
   */
  public OptionalLong estimatedRunTime() {
    return estimatedRunTime;
  }

  /**
   * Returns how long after its admission it is to be done, in nanoseconds, positive; empty if there
   * is no such time.
   */
  public OptionalLong deadline() {
    return deadline;
  }

  /** Returns how it runs on fewer cores than it demands, or empty if it needs them all. */
  public Optional<Moldability> moldability() {
    return moldability;
  }

  /** Returns how much memory its user says it needs as it goes on, or empty. */
  public Optional<MemoryProfile> memoryProfile() {
    return memoryProfile;
  }

  /** Returns how its user says it runs with less memory than it needs, or empty. */
  public Optional<PerformanceMemoryProfile> performanceMemoryProfile() {
    return performanceMemoryProfile;
  }

  /** Returns the conditions on its host, all of which must hold; possibly empty. */
  public List<Constraint> constraints() {
    return constraints;
  }

  /** Returns the job it belongs to, if any. */
  public Optional<String> job() {
    return job;
  }

  /**
   * Returns the application it runs, if that is told: what is known of that from {@linkplain
   * Host#history earlier runs} is expected of it.
   */
  public Optional<String> application() {
    return application;
  }

  /**
   * Returns whether it refuses to share a host with another instance of its job. Two instances of
   * one job share a host only if neither refuses.
   */
  public boolean antiAffinity() {
    return antiAffinity;
  }

  /**
   * Returns the same request without conditions on its host: no constraints, no anti-affinity. For
   * bounds and what-if questions.
   */
  public Request unconstrained() {
    if (constraints.isEmpty() && !antiAffinity) {
      return this;
    }
    Builder copy = new Builder(id, serviceClass).demand(demand);
    copy.job = job;
    copy.application = application;
    copy.guaranteed = guaranteed;
    copy.estimatedRunTime = estimatedRunTime;
    copy.deadline = deadline;
    copy.moldability = moldability;
    copy.memoryProfile = memoryProfile;
    copy.performanceMemoryProfile = performanceMemoryProfile;
    return copy.build();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("request " + id + " (" + serviceClass + ", " + demand);
    job.ifPresent(name -> text.append(", job ").append(name));
    if (antiAffinity) {
      text.append(" on hosts of its own");
    }
    application.ifPresent(name -> text.append(", runs ").append(name));
    constraints.forEach(each -> text.append(", ").append(each.describe()));
    guaranteed.ifPresent(least -> text.append(", guaranteed ").append(least));
    estimatedRunTime.ifPresent(
        nanos -> text.append(", runs about ").append(Duration.ofNanos(nanos)));
    deadline.ifPresent(nanos -> text.append(", due after ").append(Duration.ofNanos(nanos)));
    moldability.ifPresent(how -> text.append(", moldable to ").append(how.leastShare()));
    memoryProfile.ifPresent(profile -> text.append(", ").append(profile));
    return text.append(')').toString();
  }

  /** Collects the parts of a request; not thread-safe. */
  public static final class Builder {

    private final String id;
    private final String serviceClass;
    private Resources demand = Resources.none();
    private final List<Constraint> constraints = new ArrayList<>();
    private Optional<String> job = Optional.empty();
    private Optional<String> application = Optional.empty();
    private boolean antiAffinity;
    private Optional<Resources> guaranteed = Optional.empty();
    private OptionalLong estimatedRunTime = OptionalLong.empty();
    private OptionalLong deadline = OptionalLong.empty();
    private Optional<Moldability> moldability = Optional.empty();
    private Optional<MemoryProfile> memoryProfile = Optional.empty();
    private Optional<PerformanceMemoryProfile> performanceMemoryProfile = Optional.empty();

    private Builder(String id, String serviceClass) {
      this.id = Objects.requireNonNull(id, "id");
      this.serviceClass = Objects.requireNonNull(serviceClass, "serviceClass");
      if (id.isBlank()) {
        throw new IllegalArgumentException("request id was blank.");
      }
    }

    /** Sets what the instance holds; default nothing. */
    public Builder demand(Resources demand) {
      this.demand = Objects.requireNonNull(demand, "demand");
      return this;
    }

    /** Adds a condition on the host. */
    public Builder constraint(Constraint constraint) {
      this.constraints.add(Objects.requireNonNull(constraint, "constraint"));
      return this;
    }

    /**
     * Sets the job it belongs to.
     *
     * @throws IllegalArgumentException if blank
     */
    public Builder job(String job) {
      if (job.isBlank()) {
        throw new IllegalArgumentException("request %s: job was blank.".formatted(id));
      }
      this.job = Optional.of(job);
      return this;
    }

    /**
     * Sets the application it runs; default unknown.
     *
     * @throws IllegalArgumentException if blank
     */
    public Builder application(String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("request %s: application was blank.".formatted(id));
      }
      this.application = Optional.of(name);
      return this;
    }

    /** Sets whether it refuses to share a host with another instance of its job; default no. */
    public Builder antiAffinity(boolean refuses) {
      this.antiAffinity = refuses;
      return this;
    }

    /**
     * Sets what cannot be taken from its instance while it is on a host; default: the demand, so
     * that nothing can. A dimension that is not named is not guaranteed at all.
     */
    public Builder guaranteed(Resources least) {
      this.guaranteed = Optional.of(least);
      return this;
    }

    /**
     * Sets how long it is expected to run with its full demand; default unknown.
     *
     * @throws IllegalArgumentException if not positive, or beyond 292 years
     */
    public Builder estimatedRunTime(Duration estimate) {
      this.estimatedRunTime = OptionalLong.of(positive("estimated run time", estimate));
      return this;
    }

    /**
     * Sets how long after its admission it is to be done; default never.
     *
     * @throws IllegalArgumentException if not positive, or beyond 292 years
     */
    public Builder deadline(Duration afterAdmission) {
      this.deadline = OptionalLong.of(positive("deadline", afterAdmission));
      return this;
    }

    /** Sets how it runs on fewer cores than it demands; default: it needs them all. */
    public Builder moldability(Moldability how) {
      this.moldability = Optional.of(how);
      return this;
    }

    /** Sets how much memory it needs as it goes on; default unknown. */
    public Builder memoryProfile(MemoryProfile profile) {
      this.memoryProfile = Optional.of(profile);
      return this;
    }

    /** Sets how it runs with less memory than it needs; default unknown. */
    public Builder performanceMemoryProfile(PerformanceMemoryProfile profile) {
      this.performanceMemoryProfile = Optional.of(profile);
      return this;
    }

    private long positive(String what, Duration duration) {
      if (duration.isNegative()
          || duration.isZero()
          || duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0) {
        throw new IllegalArgumentException(
            "request %s: %s was %s, must be positive and at most 292 years."
                .formatted(id, what, duration));
      }
      return duration.toNanos();
    }

    /**
     * Returns the request.
     *
     * @throws IllegalArgumentException if it asks for anti-affinity without a job, or more is
     *     guaranteed than demanded
     */
    public Request build() {
      return new Request(this);
    }
  }
}
