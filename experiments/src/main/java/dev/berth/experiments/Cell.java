package dev.berth.experiments;

import dev.berth.core.error.PolicyFailedException;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Progress;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.Workload;
import dev.berth.simulator.metrics.MetricsCollector;
import dev.berth.simulator.metrics.MetricsSettings;
import java.util.function.Consumer;

/**
 * One run of an experiment.
 *
 * @param setting the case
 * @param policy the compared policy
 * @param metrics settings of the measurements
 */
public record Cell(Case setting, ComparedPolicy policy, MetricsSettings metrics) {

  /**
   * Runs the cell. A policy failure is an outcome, not an exception.
   *
   * @param progress receives the progress of the run
   * @param outcomes receives the outcome of each request when the request ends
   */
  public RunOutcome run(Progress progress, Consumer<? super RequestOutcome> outcomes) {
    RunSettings settings = setting.settingsFor(policy);
    PolicyChoice<?> choice = policy.choice();
    Workload workload = settings.scenario().workload();
    Infrastructure infrastructure = settings.scenario().infrastructure();
    MetricsCollector collector = new MetricsCollector(metrics, workload, infrastructure);
    Simulation.Builder ready =
        collector
            .attachTo(settings.simulation(choice.scheduler().decisionLog(0)))
            .listener(SimulationListener.onProgress(progress))
            .listener(SimulationListener.onRequestEnded(outcomes));
    try (Simulation simulation = choice.start(ready)) {
      RunResult result = simulation.run();
      return new RunOutcome.Finished(collector.result(result));
    } catch (PolicyUnusableException | PolicyFailedException failure) {
      return new RunOutcome.Failed(String.valueOf(failure.getMessage()), failure);
    }
  }
}
