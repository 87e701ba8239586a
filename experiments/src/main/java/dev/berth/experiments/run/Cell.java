package dev.berth.experiments.run;

import dev.berth.core.error.PolicyFailedException;
import dev.berth.simulator.Progress;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.metrics.MetricsCollector;
import dev.berth.simulator.metrics.MetricsSettings;
import dev.berth.simulator.workload.Workload;
import java.util.List;

/**
 * One run of an experiment.
 *
 * @param setting the case
 * @param policy the compared policy
 * @param metrics settings of the measurements
 */
public record Cell(Case setting, ComparedPolicy policy, MetricsSettings metrics) {

  /**
   * Returns the digest of everything that the result of the cell depends on, its code included, as
   * 64 hexadecimal digits.
   */
  public String digest() {
    return CellKey.of(this);
  }

  /**
   * Runs the cell. A policy failure is an outcome, not an exception.
   *
   * @param progress receives the progress of the run
   * @param listeners hear what happens in the run
   */
  public RunOutcome run(Progress progress, List<SimulationListener> listeners) {
    RunSettings settings = setting.settingsFor(policy);
    Workload workload = settings.scenario().workload();
    Infrastructure infrastructure = settings.scenario().infrastructure();
    MetricsCollector collector = new MetricsCollector(metrics, workload, infrastructure);
    try {
      return policy
          .choice()
          .simulate(
              scheduler -> {
                Simulation.Builder simulation =
                    collector
                        .attachTo(settings.simulation(scheduler))
                        .listener(SimulationListener.onProgress(progress));
                listeners.forEach(simulation::listener);
                return simulation;
              },
              simulation -> new RunOutcome.Finished(collector.result(simulation.run())));
    } catch (PolicyUnusableException | PolicyFailedException failure) {
      return new RunOutcome.Failed(String.valueOf(failure.getMessage()), failure);
    }
  }
}
