package dev.berth.traces;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import java.util.List;
import java.util.Optional;

/** Makes requests of tasks of the Google cluster trace, however a file tells them. */
final class Requests {

  private Requests() {}

  /**
   * Returns a task that is admitted.
   *
   * @param user whose it is; empty if that is not told
   */
  static Arrival arrival(
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
    Request request = builder.build();
    return new Arrival(
        admitted,
        request,
        serviceTime,
        ActualBehaviour.asSaid(request),
        Optional.empty(),
        Optional.of(user).filter(each -> !each.isBlank()));
  }

  static Resources amounts(long cpu, long memory) {
    return Resources.of(Dimension.CPU, cpu, Dimension.MEMORY, memory);
  }
}
