package dev.berth.cli;

import dev.berth.api.Request;
import dev.berth.api.RequestDetail;
import dev.berth.core.PolicyFailedException;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.RunResult;
import dev.berth.simulator.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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
   * Returns a note for each policy that lives on something that few or none of the requests tell;
   * reads the workload for that, if there is such a policy.
   */
  List<String> notes() {
    Map<RequestDetail, Long> told = new EnumMap<>(RequestDetail.class);
    policies.forEach(each -> each.livesOn().forEach(detail -> told.put(detail, 0L)));
    if (told.isEmpty()) {
      return List.of();
    }
    long count = 0;
    try (ArrivalSource source = settings.scenario().workload().open()) {
      while (source.hasNext()) {
        Request request = source.next().request();
        count++;
        told.replaceAll((detail, sofar) -> sofar + (detail.isToldBy(request) ? 1 : 0));
      }
    }
    long all = count;
    List<String> notes = new ArrayList<>();
    for (PolicyChoice<?> policy : policies) {
      List<String> missing =
          told.keySet().stream()
              .filter(policy.livesOn()::contains)
              .filter(detail -> told.getOrDefault(detail, 0L) < all)
              .map(detail -> "%s (%s of %s do)".formatted(detail, told.get(detail), all))
              .toList();
      if (!missing.isEmpty()) {
        notes.add(
            "%s makes little sense here: it lives on requests that tell %s."
                .formatted(policy.id(), String.join(" and ", missing)));
      }
    }
    return notes;
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
