package dev.berth.cli.command;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.cli.output.Accounting;
import dev.berth.cli.output.Explanation;
import dev.berth.cli.output.TimeText;
import dev.berth.cli.terminal.BadInputException;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.cli.terminal.RunFailedException;
import dev.berth.core.config.Durations;
import dev.berth.core.error.NearestName;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.explain.Explainer;
import dev.berth.experiments.PolicyChoice;
import dev.berth.experiments.RunSettings;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.RequestOutcome;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A question about one instance at a time, answered by simulating up to that time. */
final class ExplainQuery {

  /** Number of decisions kept: enough to find the last one about an instance in most runs. */
  private static final int DECISIONS_KEPT = 1 << 20;

  private static final int IDS_SHOWN = 5;

  /** Ids are alike, so an id that differs in more letters is hardly the one that was meant. */
  private static final int MOST_TYPOS = 1;

  private final RunSettings settings;
  private final PolicyChoice<?> policy;
  private final String instanceId;
  private final Duration at;

  /**
   * Prepares a question.
   *
   * @param settings everything but the policy
   * @param policy the policy of the run
   * @param instanceId the instance
   * @param at the simulated time of the explanation
   * @throws BadInputException if {@code at} is after the end of the run
   */
  ExplainQuery(RunSettings settings, PolicyChoice<?> policy, String instanceId, Duration at) {
    if (at.compareTo(settings.scenario().until()) > 0) {
      throw new BadInputException(
          "--at was %s, must not be beyond --until %s."
              .formatted(Durations.format(at), Durations.format(settings.scenario().until())));
    }
    this.settings = settings;
    this.policy = policy;
    this.instanceId = instanceId;
    this.at = at;
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
              return explain(live.get(), simulation.scheduler().explain());
            }
            return Optional.ofNullable(done.get())
                .map(outcome -> explanation(Accounting.of(outcome.report())))
                .orElseThrow(this::notThere);
          });
    } catch (PolicyFailedException failure) {
      throw new RunFailedException(String.valueOf(failure.getMessage()), failure);
    } finally {
      display.end();
    }
  }

  private Explanation explain(Instance live, Explainer explainer) {
    boolean pending = live.state() == InstanceState.PENDING;
    return new Explanation(
        policy.id(),
        policy.configJson(),
        at,
        Accounting.of(live, at.toNanos()),
        pending ? Optional.of(explainer.whyPending(instanceId, at.toNanos())) : Optional.empty(),
        explainer.whyHere(instanceId),
        explainer.whyPreempted(instanceId),
        explainer.whyMigrated(instanceId),
        explainer.whyAdjusted(instanceId),
        explainer.whyProtected(instanceId));
  }

  private Explanation explanation(Accounting done) {
    return new Explanation(
        policy.id(),
        policy.configJson(),
        at,
        done,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns why the instance is missing: it is admitted later, or the workload has no such id. */
  private BadInputException notThere() {
    Workload workload = settings.scenario().workload();
    List<String> first = new ArrayList<>();
    String nearest = "";
    long count = 0;
    try (ArrivalSource arrivals = workload.open()) {
      while (arrivals.hasNext()) {
        Arrival arrival = arrivals.next();
        String id = arrival.request().id();
        if (id.equals(instanceId)) {
          return new BadInputException(
              "instance %s does not exist yet at %s; it is admitted at %s."
                  .formatted(instanceId, TimeText.of(at.toNanos()), TimeText.of(arrival.at())));
        }
        if (first.size() < IDS_SHOWN) {
          first.add(id);
        }
        if (nearest.isEmpty()) {
          nearest = NearestName.of(instanceId, List.of(id), MOST_TYPOS).orElse("");
        }
        count++;
      }
    }
    return new BadInputException(
        "no instance \"%s\" in %s.%s There are %s: %s%s"
            .formatted(
                instanceId,
                workload.name(),
                nearest.isEmpty() ? "" : " Maybe you meant %s.".formatted(nearest),
                count,
                String.join(", ", first),
                count > first.size() ? ", ..." : "."));
  }
}
