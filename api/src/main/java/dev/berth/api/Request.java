package dev.berth.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a user asks for: an instance of a service class, with a demand and, possibly, conditions on
 * where it runs.
 *
 * <p>Immutable. How long it will run is not part of it: schedulers do not know.
 */
public final class Request {

  private final String id;
  private final String serviceClass;
  private final Resources demand;
  private final List<Constraint> constraints;
  private final Optional<String> job;
  private final boolean antiAffinity;

  private Request(Builder builder) {
    this.id = builder.id;
    this.serviceClass = builder.serviceClass;
    this.demand = builder.demand;
    this.constraints = List.copyOf(builder.constraints);
    this.job = builder.job;
    this.antiAffinity = builder.antiAffinity;
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

  /** Returns what its instance holds while starting or running. */
  public Resources demand() {
    return demand;
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
   * Returns whether it refuses to share a host with another instance of its job. Two instances of
   * one job share a host only if neither refuses.
   */
  public boolean antiAffinity() {
    return antiAffinity;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("request " + id + " (" + serviceClass + ", " + demand);
    job.ifPresent(name -> text.append(", job ").append(name));
    if (antiAffinity) {
      text.append(" on hosts of its own");
    }
    constraints.forEach(each -> text.append(", ").append(each.describe()));
    return text.append(')').toString();
  }

  /** Collects the parts of a request; not thread-safe. */
  public static final class Builder {

    private final String id;
    private final String serviceClass;
    private Resources demand = Resources.none();
    private final List<Constraint> constraints = new ArrayList<>();
    private Optional<String> job = Optional.empty();
    private boolean antiAffinity;

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

    /** Sets whether it refuses to share a host with another instance of its job; default no. */
    public Builder antiAffinity(boolean refuses) {
      this.antiAffinity = refuses;
      return this;
    }

    /**
     * Returns the request.
     *
     * @throws IllegalArgumentException if it asks for anti-affinity without a job
     */
    public Request build() {
      return new Request(this);
    }
  }
}
