package dev.berth.cli.explain;

import dev.berth.api.Instance;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.core.config.Durations;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunSettings;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A question about one instance at a time, answered by simulating up to that time.
 *
 * @param settings everything but the policy
 * @param policy the policy of the run
 * @param instanceId the instance
 * @param at the simulated time of the explanation
 */
record ExplainQuery(RunSettings settings, PolicyChoice<?> policy, String instanceId, Duration at) {

  /** Number of decisions kept: enough to find the last one about an instance in most runs. */
  static final int DECISIONS_KEPT = 1 << 20;

  /**
   * Prepares a question.
   *
   * @throws BadInputException if the time is after the end of the run
   */
  ExplainQuery {
    BadInputException.unless(
        at.compareTo(settings.scenario().until()) <= 0,
        "--at was %s, must not be beyond --until %s."
            .formatted(Durations.format(at), Durations.format(settings.scenario().until())));
  }

  /**
   * Simulates and answers.
   *
   * @param display shows the progress of the run
   * @throws BadInputException if there is no such instance at that time
   * @throws RunFailedException if the policy fails
   */
  Explanation answer(ProgressDisplay display) {
    AtomicReference<RequestOutcome> done = new AtomicReference<>();
    try {
      return policy.simulate(
          scheduler ->
              settings
                  .simulation(scheduler.decisionLog(DECISIONS_KEPT))
                  .listener(SimulationListener.onProgress(display.beginSimulation(policy.id(), at)))
                  .listener(
                      SimulationListener.onRequestEnded(
                          outcome -> {
                            if (outcome.report().id().equals(instanceId)) {
                              done.set(outcome);
                            }
                          })),
          simulation -> {
            simulation.runUntil(at);
            Optional<Instance> live = simulation.scheduler().instance(instanceId);
            if (live.isPresent()) {
              return Explanation.ofLive(
                  policy.id(),
                  policy.configJson(),
                  at,
                  live.get(),
                  simulation.scheduler().explain(),
                  0);
            }
            return Optional.ofNullable(done.get())
                .map(
                    outcome ->
                        Explanation.ofDone(
                            policy.id(),
                            policy.configJson(),
                            at,
                            InstanceAccount.of(outcome.report())))
                .orElseThrow(this::notThere);
          });
    } catch (PolicyFailedException failure) {
      throw new RunFailedException(String.valueOf(failure.getMessage()), failure);
    } finally {
      display.end();
    }
  }

  private BadInputException notThere() {
    Workload workload = settings.scenario().workload();
    MissingInstance missing = new MissingInstance(instanceId, at.toNanos(), workload.name());
    try (ArrivalSource arrivals = workload.open()) {
      while (arrivals.hasNext() && !missing.isFound()) {
        Arrival arrival = arrivals.next();
        missing.admitted(arrival.request().id(), arrival.at());
      }
    }
    return missing.error();
  }
}
