package dev.berth.cli.bench;

import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunSettings;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.result.RunResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One run at scale. Keeps only totals of requests that have ended.
 *
 * @param apart shortest time between two passes
 */
record ScaleRun(
    RunSettings settings, Duration apart, PolicyChoice<?> policy, ScaleProgress progress) {

  /**
   * Runs the simulation.
   *
   * @throws dev.berth.core.error.PolicyFailedException if the policy throws
   * @throws dev.berth.experiments.run.PolicyUnusableException if the policy cannot be created
   */
  ScaleOutcome run() {
    RunCost.Meter meter = new RunCost.Meter();
    AtomicLong ended = new AtomicLong();
    ScaleLoad load = new ScaleLoad(settings.scenario().until());
    return policy.simulate(
        scheduler ->
            settings
                .simulation(scheduler)
                .minPassInterval(apart)
                .listener(SimulationListener.onRequestEnded(outcome -> ended.incrementAndGet())),
        simulation -> {
          long until = settings.scenario().until().toNanos();
          long step = ScaleLoad.INTERVAL.toNanos();
          for (long now = step; now <= until; now += step) {
            simulation.runUntil(Duration.ofNanos(now));
            load.sample(now, simulation.scheduler());
            meter.sample();
            progress.reached(
                Duration.ofNanos(now),
                ended.get(),
                simulation.scheduler().instanceCount(),
                simulation.scheduler().pendingCount(),
                simulation.events());
          }
          RunResult result = simulation.run();
          return new ScaleOutcome(result, simulation.events(), load, meter.cost());
        });
  }
}
