package dev.berth.cli.bench;

import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunSettings;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.result.RunResult;
import java.time.Duration;

/** One run at scale. Keeps only totals of requests that have ended. */
final class ScaleRun {

  private final RunSettings settings;
  private final Duration apart;
  private final PolicyChoice<?> policy;
  private final ScaleProgress progress;
  private long ended;

  /**
   * Prepares a run.
   *
   * @param apart shortest time between two passes
   */
  ScaleRun(RunSettings settings, Duration apart, PolicyChoice<?> policy, ScaleProgress progress) {
    this.settings = settings;
    this.apart = apart;
    this.policy = policy;
    this.progress = progress;
  }

  /**
   * Runs the simulation. Call it once.
   *
   * @throws dev.berth.core.error.PolicyFailedException if the policy throws
   * @throws dev.berth.experiments.run.PolicyUnusableException if the policy cannot be created
   */
  ScaleOutcome run() {
    RunCost.Meter meter = new RunCost.Meter();
    ScaleLoad load = new ScaleLoad(settings.scenario().until());
    return policy.simulate(
        scheduler ->
            settings
                .simulation(scheduler)
                .minPassInterval(apart)
                .listener(SimulationListener.onRequestEnded(outcome -> ended++)),
        simulation -> {
          long until = settings.scenario().until().toNanos();
          long step = ScaleLoad.INTERVAL.toNanos();
          for (long now = step; now <= until; now += step) {
            simulation.runUntil(Duration.ofNanos(now));
            load.sample(now, simulation.scheduler());
            meter.sample();
            progress.reached(
                Duration.ofNanos(now),
                ended,
                simulation.scheduler().instanceCount(),
                simulation.scheduler().pendingCount(),
                simulation.events());
          }
          RunResult result = simulation.run();
          return new ScaleOutcome(result, simulation.events(), load, meter.cost());
        });
  }
}
