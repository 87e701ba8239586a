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
 * @param setting what all contenders are put into
 * @param contender who decides
 * @param metrics how it is measured
 */
public record Cell(Case setting, ComparedPolicy contender, MetricsSettings metrics) {

  /**
   * Runs it. A policy that fails is an outcome, too.
   *
   * @param progress is told how far it has come
   * @param outcomes is told what became of each request, as it ends
   */
  public RunOutcome run(Progress progress, Consumer<? super RequestOutcome> outcomes) {
    RunSettings settings = setting.settingsFor(contender);
    PolicyChoice<?> policy = contender.policy();
    Workload workload = settings.scenario().workload();
    Infrastructure infrastructure = settings.scenario().infrastructure();
    MetricsCollector collector = new MetricsCollector(metrics, workload, infrastructure);
    Simulation.Builder ready =
        collector
            .attachTo(settings.simulation(policy.scheduler().decisionLog(0)))
            .listener(SimulationListener.onProgress(progress))
            .listener(SimulationListener.onRequestEnded(outcomes));
    try (Simulation simulation = policy.start(ready)) {
      RunResult result = simulation.run();
      return new RunOutcome.Finished(collector.result(result));
    } catch (PolicyUnusableException | PolicyFailedException failure) {
      return new RunOutcome.Failed(String.valueOf(failure.getMessage()), failure);
    }
  }
}
