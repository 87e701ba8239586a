package dev.berth.experiments;

import dev.berth.simulator.Arrival;
import dev.berth.simulator.Workload;

/** A workload without placement constraints and anti-affinity. */
final class Unconstrained extends ForwardingWorkload {

  Unconstrained(Workload original) {
    super(original);
  }

  @Override
  Arrival changed(Arrival arrival) {
    return arrival.withRequest(arrival.request().unconstrained());
  }
}
