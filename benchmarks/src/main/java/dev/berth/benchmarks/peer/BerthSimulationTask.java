package dev.berth.benchmarks.peer;

import dev.berth.benchmarks.scenario.ScenarioRun;
import dev.berth.core.Scheduler;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/** Berth's simulator, from end to end. */
record BerthSimulationTask(String policy) implements Task {

  private static final long SECOND = 1_000_000_000L;

  @Override
  public Figures run(Size size) {
    return SimulatedLoad.measure(size, this::simulate);
  }

  private void simulate(SimulatedLoad load) {
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < load.requests().size(); i++) {
      arrivals.add(
          new Arrival(
              load.arrival(i) * SECOND, load.requests().get(i), load.seconds().get(i) * SECOND));
    }
    try (Simulation simulation =
        Simulation.builder()
            .workload(Workload.of("load", ScenarioRun.serviceClasses(), arrivals))
            .infrastructure(new Infrastructure("hosts", load.hosts()))
            .scheduler(Scheduler.builder().policy(policy).decisionLog(0))
            .build()) {
      RunResult result = simulation.run();
      if (result.completed() != arrivals.size() || result.placements() != arrivals.size()) {
        throw new IllegalStateException(
            "of %s requests %s were completed, after %s placements."
                .formatted(arrivals.size(), result.completed(), result.placements()));
      }
    }
  }
}
