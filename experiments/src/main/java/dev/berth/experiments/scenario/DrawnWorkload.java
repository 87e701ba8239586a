package dev.berth.experiments.scenario;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A workload that is drawn again whenever it is read, so that many take little memory.
 *
 * @param draw returns the arrivals in order of time, each time the same
 */
record DrawnWorkload(String name, List<ServiceClass> serviceClasses, Supplier<List<Arrival>> draw)
    implements Workload {

  @Override
  public OptionalLong size() {
    return OptionalLong.of(draw.get().size());
  }

  @Override
  public ArrivalSource open() {
    return Workload.of(name, serviceClasses, draw.get()).open();
  }
}
