package dev.berth.traces.format.google;

import dev.berth.api.Constraint;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.Arrival;
import java.util.List;

/** Creates requests for tasks of the Google cluster trace, which several formats contain. */
public final class GoogleRequests {

  private GoogleRequests() {}

  /**
   * Returns the arrival of a task.
   *
   * @param user the user; blank if unknown
   */
  public static Arrival arrival(
      long admitted,
      String job,
      String index,
      String serviceClass,
      Resources demand,
      boolean antiAffinity,
      List<Constraint> constraints,
      long serviceTime,
      String user) {
    Request.Builder builder =
        Request.builder(job + "/" + index, serviceClass)
            .demand(demand)
            .job(job)
            .antiAffinity(antiAffinity);
    constraints.forEach(builder::constraint);
    if (!user.isBlank()) {
      builder.user(user);
    }
    return new Arrival(admitted, builder.build(), serviceTime);
  }
}
