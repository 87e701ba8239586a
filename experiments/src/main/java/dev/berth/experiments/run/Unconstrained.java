package dev.berth.experiments.run;

import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ForwardingWorkload;
import dev.berth.simulator.workload.Workload;
import java.util.function.UnaryOperator;

/** A workload without placement constraints and anti-affinity. */
final class Unconstrained extends ForwardingWorkload {

  Unconstrained(Workload original) {
    super(original);
  }

  @Override
  protected UnaryOperator<Arrival> reading() {
    return arrival -> arrival.withRequest(arrival.request().unconstrained());
  }
}
