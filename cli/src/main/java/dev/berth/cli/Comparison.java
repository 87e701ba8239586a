package dev.berth.cli;

import dev.berth.core.PolicyFailedException;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Some policies on one and the same scenario, all with the same luck. */
final class Comparison {

  private final RunSettings settings;
  private final List<PolicyChoice<?>> policies;

  /**
   * Prepares a comparison of what was checked before.
   *
   * @param settings what all runs have in common
   * @param policies what differs
   */
  Comparison(RunSettings settings, List<PolicyChoice<?>> policies) {
    this.settings = settings;
    this.policies = List.copyOf(policies);
  }

  /** Returns what all runs have in common. */
  RunSettings settings() {
    return settings;
  }

  /** Returns the ids of the policies, in the order of their outcomes. */
  List<String> policyIds() {
    return policies.stream().map(PolicyChoice::id).toList();
  }

  /**
   * Runs one policy after the other. One that fails does not keep the others from running.
   *
   * @param watcher is told how far the runs have come
   * @return one outcome for each policy
   */
  List<RunOutcome> run(Watcher watcher) {
    List<RunOutcome> outcomes = new ArrayList<>();
    for (PolicyChoice<?> policy : policies) {
      outcomes.add(run(policy, watcher));
    }
    return outcomes;
  }

  private RunOutcome run(PolicyChoice<?> policy, Watcher watcher) {
    long startedAt = System.nanoTime();
    Simulation.Builder ready =
        settings.simulation(policy.scheduler()).progress(watcher.begin(policy.id()));
    try (Simulation simulation = policy.start(ready)) {
      RunResult result = simulation.run();
      Duration wallTime = Duration.ofNanos(System.nanoTime() - startedAt);
      return new RunOutcome.Finished(result, wallTime);
    } catch (PolicyUnusableException | PolicyFailedException failure) {
      return new RunOutcome.Failed(
          policy.id(), policy.configJson(), String.valueOf(failure.getMessage()), failure);
    } finally {
      watcher.end();
    }
  }
}
