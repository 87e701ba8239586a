package dev.berth.simulator.execution;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Slowdown;
import java.util.function.Function;

/** The execution model of time-shared hosts; see {@link ExecutionModel#sharing}. */
record Sharing(Function<Host, Slowdown> speed) implements ExecutionModel {

  private static final double MOST = Slowdown.MAX_PARTS_PER_MILLION / 1e6;

  @Override
  public Slowdown slowdown(Work work) {
    Host host = work.host();
    if (!host.timeShared()) {
      return BY_GRANT.slowdown(work);
    }
    double perCore = Math.max(1, running(host) / cores(host));
    return alone(work).times(Slowdown.of(Math.min(perCore, MOST)));
  }

  @Override
  public Slowdown alone(Work work) {
    return work.host().timeShared() ? speed.apply(work.host()) : BY_GRANT.slowdown(work);
  }

  @Override
  public boolean dependsOnOthers() {
    return true;
  }

  private static double running(Host host) {
    int running = 0;
    for (Instance each : host.instances()) {
      running += each.state() == InstanceState.RUNNING ? 1 : 0;
    }
    return running;
  }

  private static double cores(Host host) {
    for (Dimension each : host.capacity().dimensions()) {
      if (each.name().equals(Dimension.CPU.name())) { // on any scale
        return (double) host.capacity().amount(each) / each.unitsPerWhole();
      }
    }
    return 1;
  }
}
