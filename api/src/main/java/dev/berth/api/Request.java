package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.plan.Action;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request for an instance of a service class, with a demand and, optionally, conditions on its
 * host.
 *
 * <p>Immutable. A request holds what its user <em>states</em>: estimate, deadline, profiles. The
 * actual run time and memory use are not part of it, since no scheduler knows them.
 */
public final class Request {

  /** The maximum number of labels of a request. */
  public static final int MOST_LABELS = 64;

  /** The maximum length of the name and of the value of a label, in UTF-16 characters. */
  public static final int LONGEST_LABEL = 500;

  /** The maximum length of a {@linkplain #payload payload}, in UTF-16 characters. */
  public static final int LONGEST_PAYLOAD = 65_536;

  private final String id;
  private final String serviceClass;
  private final Resources demand;
  private final List<Constraint> constraints;
  private final Optional<String> job;
  private final Optional<String> application;
  private final Optional<String> user;
  private final Map<String, String> labels; // in ascending order of name
  private final Optional<String> payload;
  private final boolean antiAffinity;
  private final PlacementSpec placement;
  private final Optional<Resources> guaranteed;
  private final OptionalLong estimatedRunTime;
  private final OptionalLong deadline;
  private final OptionalLong maxRunTime;
  private final boolean losesProgress;
  private final OptionalInt maxFailures;
  private final List<String> after;
  private final Optional<Moldability> moldability;
  private final Optional<MemoryProfile> memoryProfile;
  private final Optional<PerformanceMemoryProfile> performanceMemoryProfile;

  private Request(Builder builder) {
    this.id = builder.id;
    this.serviceClass = builder.serviceClass;
    this.demand = builder.requireDemand();
    this.constraints = List.copyOf(builder.constraints);
    this.job = builder.job;
    this.application = builder.application;
    this.user = builder.user;
    this.labels = builder.copiedLabels();
    this.payload = builder.payload;
    this.antiAffinity = builder.antiAffinity;
    this.placement = builder.placement;
    this.guaranteed = builder.guaranteed;
    this.estimatedRunTime = builder.estimatedRunTime;
    this.deadline = builder.deadline;
    this.maxRunTime = builder.maxRunTime;
    this.losesProgress = builder.losesProgress;
    this.maxFailures = builder.maxFailures;
    this.after = List.copyOf(builder.after);
    this.moldability = builder.moldability;
    this.memoryProfile = builder.memoryProfile;
    this.performanceMemoryProfile = builder.performanceMemoryProfile;
    guaranteed.ifPresent(this::requireWithinDemand);
    refuseIf(
        antiAffinity && job.isEmpty(),
        "request %s requires anti-affinity but belongs to no job. Maybe set job(...) too.",
        id);
  }

  /**
   * Returns a builder of a request.
   *
   * @param id unique among the requests that are not done; not blank
   * @param serviceClass the name of a service class of the scheduler
   */
  public static Builder builder(String id, String serviceClass) {
    return new Builder(id, serviceClass);
  }

  /** Returns the id of the request and of its instance. */
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

  /** Returns the resources that the instance needs while it starts and runs. */
  public Resources demand() {
    return demand;
  }

  /**
   * Returns the resources that cannot be reclaimed from the instance while it is on a host. They
   * never exceed the demand, which is the default. The instance may still be placed on fewer cores,
   * within its {@linkplain #moldability moldability}.
   */
  public Resources guaranteed() {
    return guaranteed.orElse(demand);
  }

  /**
   * Returns the user's estimate of the run time with the full demand, in nanoseconds, positive;
   * empty without an estimate.
   */
  public OptionalLong estimatedRunTime() {
    return estimatedRunTime;
  }

  /**
   * Returns how long after admission the request should be done, in nanoseconds, positive; empty
   * without a deadline.
   */
  public OptionalLong deadline() {
    return deadline;
  }

  /**
   * Returns the longest service time of the instance, in nanoseconds, positive; empty, the default,
   * without one. The first pass after that {@linkplain Action.Stop stops} the instance for good,
   * whatever its policy and disruption budgets say.
   *
   * <p>All service counts, in whatever attempt; time in other states does not. If it {@linkplain
   * #losesProgress loses its progress}, only the service since it last began to run counts.
   */
  public OptionalLong maxRunTime() {
    return maxRunTime;
  }

  /**
   * Returns whether it begins its work again when it is placed after a preemption or after it lost
   * its host, as a program without checkpoints does. By default it resumes where it stopped.
   */
  public boolean losesProgress() {
    return losesProgress;
  }

  /**
   * Returns how many {@linkplain Instance#failures failures} in a row it may have, not negative:
   * one more, and it is cancelled. Empty, the default: as many as there are.
   */
  public OptionalInt maxFailures() {
    return maxFailures;
  }

  /**
   * Returns the ids of the requests that must have completed before this one may start, in the
   * order given; distinct, possibly empty.
   *
   * <p>Until then no policy decides about it, and its clock stands still: it counts as {@linkplain
   * Instance#admittedAt admitted} at the moment at which the last of them completes. If one of them
   * ends without completing, this one waits on: until a request of that id is submitted again and
   * completes, or this one is cancelled. An instance that is adopted, or found on a host, waits for
   * nothing.
   */
  public List<String> after() {
    return after;
  }

  /** Returns the slow-down on fewer cores than demanded, or empty if it needs all of them. */
  public Optional<Moldability> moldability() {
    return moldability;
  }

  /** Returns the memory profile that its user states, or empty. */
  public Optional<MemoryProfile> memoryProfile() {
    return memoryProfile;
  }

  /** Returns the performance-memory profile that its user states, or empty. */
  public Optional<PerformanceMemoryProfile> performanceMemoryProfile() {
    return performanceMemoryProfile;
  }

  /** Returns the placement constraints, all of which must hold; possibly empty. */
  public List<Constraint> constraints() {
    return constraints;
  }

  /** Returns the job it belongs to, or empty. */
  public Optional<String> job() {
    return job;
  }

  /**
   * Returns the application it runs, or empty if unknown. {@linkplain Host#history Earlier runs} of
   * the application predict how the request will run.
   */
  public Optional<String> application() {
    return application;
  }

  /**
   * Returns its user, or empty if unknown. The name has a meaning only for policies that
   * distinguish users.
   */
  public Optional<String> user() {
    return user;
  }

  /**
   * Returns its labels in ascending order of name, for policies of the embedder; unmodifiable,
   * possibly empty.
   */
  public Map<String, String> labels() {
    return labels;
  }

  /**
   * Returns what the fleet needs to start the instance, such as command, image and environment; or
   * empty. Its text has a meaning for the fleet alone: no scheduler and no policy reads it.
   * Snapshots and journals keep it.
   */
  public Optional<String> payload() {
    return payload;
  }

  /**
   * Returns whether it refuses to share a host with another instance of its job. Two instances of
   * one job share a host only if neither refuses. It means the same as the rule {@link
   * PlacementRule.Apart} for the peers of its job and {@link Domain#HOST}.
   */
  public boolean antiAffinity() {
    return antiAffinity;
  }

  /**
   * Returns what else it says about its host: tolerations, rules and preferences; {@link
   * PlacementSpec#NONE} by default.
   */
  public PlacementSpec placement() {
    return placement;
  }

  /**
   * Returns this request without constraints, anti-affinity and {@linkplain #placement placement
   * specification}, for bounds and what-if questions.
   */
  public Request unconstrained() {
    if (constraints.isEmpty() && !antiAffinity && placement.isEmpty()) {
      return this;
    }
    Builder copy = copy();
    copy.constraints.clear();
    copy.antiAffinity = false;
    copy.placement = PlacementSpec.NONE;
    return copy.build();
  }

  /**
   * Returns this request with other ids in {@link #after}, such as those that have not completed.
   *
   * @throws IllegalArgumentException as {@link Builder#after}
   */
  public Request withAfter(Collection<String> others) {
    Builder copy = copy();
    copy.after.clear();
    others.forEach(copy::after);
    return copy.build();
  }

  private Builder copy() {
    Builder copy = new Builder(id, serviceClass).demand(demand);
    copy.constraints.addAll(constraints);
    copy.job = job;
    copy.application = application;
    copy.user = user;
    copy.labels.putAll(labels);
    copy.payload = payload;
    copy.antiAffinity = antiAffinity;
    copy.placement = placement;
    copy.guaranteed = guaranteed;
    copy.estimatedRunTime = estimatedRunTime;
    copy.deadline = deadline;
    copy.maxRunTime = maxRunTime;
    copy.losesProgress = losesProgress;
    copy.maxFailures = maxFailures;
    copy.after.addAll(after);
    copy.moldability = moldability;
    copy.memoryProfile = memoryProfile;
    copy.performanceMemoryProfile = performanceMemoryProfile;
    return copy;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("request " + id + " (" + serviceClass + ", " + demand);
    job.ifPresent(name -> text.append(", job ").append(name));
    if (antiAffinity) {
      text.append(" on hosts of its own");
    }
    application.ifPresent(name -> text.append(", runs ").append(name));
    user.ifPresent(name -> text.append(", user ").append(name));
    if (!labels.isEmpty()) {
      text.append(", labels ").append(labels);
    }
    payload.ifPresent( // which may be long, or secret
        it -> text.append(", payload of ").append(it.length()).append(" characters"));
    constraints.forEach(each -> text.append(", ").append(each.describe()));
    if (!placement.isEmpty()) {
      text.append(", ").append(placement.describe());
    }
    guaranteed.ifPresent(least -> text.append(", guaranteed ").append(least));
    estimatedRunTime.ifPresent(
        nanos -> text.append(", runs about ").append(Duration.ofNanos(nanos)));
    deadline.ifPresent(nanos -> text.append(", due after ").append(Duration.ofNanos(nanos)));
    maxRunTime.ifPresent(nanos -> text.append(", runs at most ").append(Duration.ofNanos(nanos)));
    if (losesProgress) {
      text.append(", loses its progress");
    }
    maxFailures.ifPresent(most -> text.append(", may fail ").append(most).append(" times"));
    if (!after.isEmpty()) {
      text.append(", after ").append(String.join(" and ", after));
    }
    moldability.ifPresent(how -> text.append(", moldable to ").append(how.leastShare()));
    memoryProfile.ifPresent(profile -> text.append(", ").append(profile));
    return text.append(')').toString();
  }

  /** Builds a request; not thread-safe. */
  public static final class Builder {

    private final String id;
    private final String serviceClass;
    private @Nullable Resources demand;
    private final List<Constraint> constraints = new ArrayList<>();
    private Optional<String> job = Optional.empty();
    private Optional<String> application = Optional.empty();
    private Optional<String> user = Optional.empty();
    private final Map<String, String> labels = new TreeMap<>();
    private Optional<String> payload = Optional.empty();
    private boolean antiAffinity;
    private PlacementSpec placement = PlacementSpec.NONE;
    private Optional<Resources> guaranteed = Optional.empty();
    private OptionalLong estimatedRunTime = OptionalLong.empty();
    private OptionalLong deadline = OptionalLong.empty();
    private OptionalLong maxRunTime = OptionalLong.empty();
    private boolean losesProgress;
    private OptionalInt maxFailures = OptionalInt.empty();
    private final Set<String> after = new LinkedHashSet<>();
    private Optional<Moldability> moldability = Optional.empty();
    private Optional<MemoryProfile> memoryProfile = Optional.empty();
    private Optional<PerformanceMemoryProfile> performanceMemoryProfile = Optional.empty();

    private Builder(String id, String serviceClass) {
      this.id = Objects.requireNonNull(id, "id");
      this.serviceClass = Objects.requireNonNull(serviceClass, "serviceClass");
      refuseIf(id.isBlank(), "request id was blank.");
    }

    /** Sets the demand, which may be {@link Resources#none}. There is no default. */
    public Builder demand(Resources demand) {
      this.demand = Objects.requireNonNull(demand, "demand");
      return this;
    }

    /** Adds a placement constraint. */
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
      Objects.requireNonNull(job, "job");
      refuseIf(job.isBlank(), "request %s: job was blank.", id);
      this.job = Optional.of(job);
      return this;
    }

    /**
     * Sets the application it runs; default unknown.
     *
     * @throws IllegalArgumentException if blank
     */
    public Builder application(String name) {
      Objects.requireNonNull(name, "name");
      refuseIf(name.isBlank(), "request %s: application was blank.", id);
      this.application = Optional.of(name);
      return this;
    }

    /**
     * Sets its user; default unknown. No policy of Berth distinguishes users.
     *
     * @throws IllegalArgumentException if blank
     */
    public Builder user(String name) {
      Objects.requireNonNull(name, "name");
      refuseIf(name.isBlank(), "request %s: user was blank.", id);
      this.user = Optional.of(name);
      return this;
    }

    /**
     * Adds a label, or replaces the label of that name. The labels of a request are for policies of
     * the embedder: no policy of Berth reads them.
     *
     * @param name not blank, at most {@value #LONGEST_LABEL} characters
     * @param value at most {@value #LONGEST_LABEL} characters; may be empty
     * @throws IllegalArgumentException if the name is blank, one of the two is too long, or there
     *     are {@value #MOST_LABELS} other labels
     */
    public Builder label(String name, String value) {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
      refuseIf(name.isBlank(), "request %s: a label had a blank name.", id);
      requireShort("the name", name, name);
      requireShort("the value", name, value);
      refuseIf(
          labels.size() == MOST_LABELS && !labels.containsKey(name),
          "request %s: label %s was one too many, a request may have %s.",
          id,
          name,
          MOST_LABELS);
      labels.put(name, value);
      return this;
    }

    private void requireShort(String what, String label, String text) {
      if (text.length() > LONGEST_LABEL) {
        throw new IllegalArgumentException(
            "request %s: %s of label %s had %s characters, must have at most %s."
                .formatted(
                    id,
                    what,
                    label.substring(0, Math.min(label.length(), 20)),
                    text.length(),
                    LONGEST_LABEL));
      }
    }

    /** Adds labels, as {@link #label} does for each. */
    public Builder labels(Map<String, String> labels) {
      Attributes.copy("labels", labels).forEach(this::label);
      return this;
    }

    /**
     * Sets what the fleet needs to start the instance; default nothing.
     *
     * @param text at most {@value #LONGEST_PAYLOAD} characters; may be empty
     * @throws IllegalArgumentException if it is longer
     */
    public Builder payload(String text) {
      Objects.requireNonNull(text, "text");
      refuseIf(
          text.length() > LONGEST_PAYLOAD,
          "request %s: payload had %s characters, must have at most %s. Maybe let it name a file.",
          id,
          text.length(),
          LONGEST_PAYLOAD);
      this.payload = Optional.of(text);
      return this;
    }

    private Resources requireDemand() {
      if (demand == null) {
        throw new IllegalArgumentException(
            "request %s has no demand. Maybe demand(Resources.of(CPU, CPU.whole(1))), or demand(Resources.none()) if it needs nothing."
                .formatted(id));
      }
      return demand;
    }

    private Map<String, String> copiedLabels() {
      return labels.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(labels));
    }

    /** Sets whether it refuses to share a host with another instance of its job; default no. */
    public Builder antiAffinity(boolean refuses) {
      this.antiAffinity = refuses;
      return this;
    }

    /** Sets what else it says about its host; default {@link PlacementSpec#NONE}. */
    public Builder placement(PlacementSpec spec) {
      this.placement = Objects.requireNonNull(spec, "spec");
      return this;
    }

    /**
     * Sets the resources that cannot be reclaimed from the instance; default: the whole demand. A
     * dimension that is not named is not guaranteed.
     */
    public Builder guaranteed(Resources least) {
      this.guaranteed = Optional.of(Objects.requireNonNull(least, "least"));
      return this;
    }

    /**
     * Sets the estimated run time with the full demand; default unknown.
     *
     * @throws IllegalArgumentException if not positive, or beyond 292 years
     */
    public Builder estimatedRunTime(Duration estimate) {
      Objects.requireNonNull(estimate, "estimate");
      this.estimatedRunTime = OptionalLong.of(positive("estimated run time", estimate));
      return this;
    }

    /**
     * Sets how long after admission the request should be done; default no deadline.
     *
     * @throws IllegalArgumentException if not positive, or beyond 292 years
     */
    public Builder deadline(Duration afterAdmission) {
      Objects.requireNonNull(afterAdmission, "afterAdmission");
      this.deadline = OptionalLong.of(positive("deadline", afterAdmission));
      return this;
    }

    /**
     * Sets the longest service time of the instance; default no limit.
     *
     * @throws IllegalArgumentException if not positive, or beyond 292 years
     */
    public Builder maxRunTime(Duration longest) {
      Objects.requireNonNull(longest, "longest");
      this.maxRunTime = OptionalLong.of(positive("maximum run time", longest));
      return this;
    }

    /**
     * Sets whether it begins its work again after a preemption; default: it resumes where it
     * stopped.
     */
    public Builder losesProgress(boolean whether) {
      this.losesProgress = whether;
      return this;
    }

    /**
     * Sets how many failures in a row it may have before it is cancelled; default any number.
     *
     * @throws IllegalArgumentException if negative
     */
    public Builder maxFailures(int most) {
      refuseIf(most < 0, "request %s: maxFailures was %s, must not be negative.", id, most);
      this.maxFailures = OptionalInt.of(most);
      return this;
    }

    /**
     * Adds a request that must have completed before this one may start; default none. To wait for
     * a group, name its members.
     *
     * @param request its id, neither blank nor that of this request
     * @throws IllegalArgumentException if it is
     */
    public Builder after(String request) {
      Objects.requireNonNull(request, "request");
      refuseIf(request.isBlank(), "request %s: after had a blank id.", id);
      refuseIf(request.equals(id), "request %s: after was itself, must be another request.", id);
      after.add(request);
      return this;
    }

    /** Sets the slow-down on fewer cores than demanded; default: it needs all of them. */
    public Builder moldability(Moldability how) {
      this.moldability = Optional.of(Objects.requireNonNull(how, "how"));
      return this;
    }

    /** Sets the memory that it needs as it progresses; default unknown. */
    public Builder memoryProfile(MemoryProfile profile) {
      this.memoryProfile = Optional.of(Objects.requireNonNull(profile, "profile"));
      return this;
    }

    /** Sets the run time with less memory than it needs; default unknown. */
    public Builder performanceMemoryProfile(PerformanceMemoryProfile profile) {
      this.performanceMemoryProfile = Optional.of(Objects.requireNonNull(profile, "profile"));
      return this;
    }

    private long positive(String what, Duration duration) {
      refuseIf(
          duration.isNegative()
              || duration.isZero()
              || duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0,
          "request %s: %s was %s, must be positive and at most 292 years.",
          id,
          what,
          duration);
      return duration.toNanos();
    }

    /**
     * Returns the request.
     *
     * @throws IllegalArgumentException if it has no demand, requires anti-affinity without a job,
     *     or more is guaranteed than demanded
     */
    public Request build() {
      return new Request(this);
    }
  }
}
