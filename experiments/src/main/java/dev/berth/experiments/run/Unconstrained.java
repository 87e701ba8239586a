package dev.berth.experiments.run;

import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ForwardingWorkload;
import dev.berth.simulator.workload.Workload;
import java.util.function.UnaryOperator;

/** A workload without placement constraints and anti-affinity. */
public final class Unconstrained extends ForwardingWorkload {

  /** Forwards to a workload. */
  public Unconstrained(Workload original) {
    super(original);
  }

  @Override
  protected UnaryOperator<Arrival> reading() {
    return arrival -> arrival.withRequest(arrival.request().unconstrained());
  }
}
