package dev.berth.testkit.history;

import dev.berth.api.Constraint;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import java.util.List;

/**
 * A request that does not depend on the service classes and dimensions of a history.
 *
 * @param serviceClass picks the service class, modulo the number of classes
 * @param demand small numbers, one for each of {@link Scale#DIMENSIONS}
 * @param constraints its placement constraints
 * @param job number of the job, or 0 for none
 * @param antiAffinity whether it refuses to share a host with its job; ignored without a job
 * @param reuseId whether it takes the id of the instance that was done last, if there is one free
 * @param options what its user says beyond that
 */
public record RequestShape(
    int serviceClass,
    List<Integer> demand,
    List<Constraint> constraints,
    int job,
    boolean antiAffinity,
    boolean reuseId,
    RequestOptions options) {

  /** Creates a shape without options. */
  public RequestShape(
      int serviceClass,
      List<Integer> demand,
      List<Constraint> constraints,
      int job,
      boolean antiAffinity,
      boolean reuseId) {
    this(serviceClass, demand, constraints, job, antiAffinity, reuseId, RequestOptions.NONE);
  }

  /** Copies the lists. */
  public RequestShape {
    demand = List.copyOf(demand);
    constraints = List.copyOf(constraints);
  }

  /** Returns this request without its use of counted limits. */
  public RequestShape withoutLimits() {
    PlacementSpec spec = options.placement();
    if (spec.limits().isEmpty()) {
      return this;
    }
    return placed(new PlacementSpec(spec.tolerations(), spec.rules(), spec.preferences()));
  }

  /** Returns this request with other tolerations, rules, preferences and limits. */
  public RequestShape placed(PlacementSpec other) {
    return with(options.placed(options.tier(), other));
  }

  /** Returns this request with other options. */
  public RequestShape with(RequestOptions others) {
    return new RequestShape(serviceClass, demand, constraints, job, antiAffinity, reuseId, others);
  }

  /** Returns this request of another job. */
  public RequestShape ofJob(int other, boolean refuses) {
    return new RequestShape(serviceClass, demand, constraints, other, refuses, reuseId, options);
  }

  /**
   * Returns the request that this is, where it is known.
   *
   * @param serviceClasses at least one
   */
  public Request request(String id, List<? extends ServiceClass> serviceClasses, Scale scale) {
    Resources all = scale.resources(demand);
    Request.Builder request =
        Request.builder(id, serviceClasses.get(serviceClass % serviceClasses.size()).name())
            .demand(all);
    constraints.forEach(request::constraint);
    if (job > 0) {
      request.job(job(job)).antiAffinity(antiAffinity);
    }
    options.applyTo(request, all);
    return request.build();
  }

  /** Returns the name of a job. */
  static String job(int number) {
    return "j" + number;
  }
}
