package dev.berth.experiments.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.experiments.queue.PlainQueue.Job;
import dev.berth.experiments.queue.PlainQueue.Rules;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Runs a workload on one host under {@code first-fit}, and compares it with the plain queue. */
final class BerthQueue {

  private static final String CONFIG =
      """
      {"queue": "%s", "backfill": "%s", "molding": {"maxSlowdown": %s},
       "elasticity": {"control": false, "migration": false}}""";

  private static final PolicyRegistry POLICIES = PolicyRegistry.load();

  private BerthQueue() {}

  /** Asserts that both start and end each job at the same nanosecond. */
  static void assertSameSchedule(Workload workload, Resources capacity, Rules rules) {
    List<Arrival> arrivals = arrivals(workload);
    Set<Dimension> dimensions = new LinkedHashSet<>(Set.of(Dimension.CPU)); // it is the first
    dimensions.addAll(capacity.dimensions());
    arrivals.forEach(each -> dimensions.addAll(each.request().demand().dimensions()));
    List<Job> jobs = arrivals.stream().map(each -> job(each, dimensions)).toList();
    Map<String, String> expected = new TreeMap<>();
    for (PlainQueue.Stay each : PlainQueue.run(jobs, amounts(capacity, dimensions), rules)) {
      expected.put(each.job().id(), "from %s to %s".formatted(each.start(), each.end()));
    }

    Map<String, String> actual = run(workload, capacity, rules);

    assertThat(differences(actual, expected)).as("%s", rules).isEmpty();
  }

  /** Returns the jobs whose stays differ: the schedule of a long log is no readable message. */
  private static Map<String, String> differences(
      Map<String, String> actual, Map<String, String> expected) {
    Map<String, String> differences = new LinkedHashMap<>();
    for (String id : expected.keySet()) {
      String got = actual.getOrDefault(id, "never");
      if (!got.equals(expected.get(id))) {
        differences.put(id, "ran %s, expected %s".formatted(got, expected.get(id)));
      }
    }
    for (String id : actual.keySet()) {
      if (!expected.containsKey(id)) {
        differences.put(id, "ran %s, expected never".formatted(actual.get(id)));
      }
    }
    return differences;
  }

  private static Map<String, String> run(Workload workload, Resources capacity, Rules rules) {
    Map<String, String> stays = new TreeMap<>();
    SimulationListener listener =
        SimulationListener.onRequestEnded(
            outcome -> {
              if (outcome.ran()) {
                stays.put(outcome.request().id(), stay(outcome));
              }
            });
    try (Simulation simulation =
        Simulation.builder()
            .workload(workload)
            .infrastructure(new Infrastructure("one", List.of(new HostSpec("host", capacity))))
            .scheduler(
                Scheduler.builder()
                    .registry(POLICIES)
                    .policy(
                        "first-fit",
                        CONFIG.formatted(rules.order(), rules.backfill(), rules.maxSlowdown()))
                    .decisionLog(0))
            .listener(listener)
            .build()) {
      simulation.run();
    }
    return stays;
  }

  private static String stay(RequestOutcome outcome) {
    return "from %s to %s"
        .formatted(outcome.firstPlacedAt().getAsLong(), outcome.report().endedAt());
  }

  // ---- Jobs of the plain queue

  private static List<Arrival> arrivals(Workload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      while (source.hasNext()) {
        arrivals.add(source.next());
      }
    }
    return arrivals;
  }

  private static Job job(Arrival arrival, Set<Dimension> dimensions) {
    Request request = arrival.request();
    assertThat(request.constraints()).extracting(Constraint::describe).isEmpty();
    return new Job(
        request.id(),
        arrival.at(),
        amounts(request.demand(), dimensions),
        arrival.serviceTime(),
        request.estimatedRunTime().orElse(PlainQueue.NEVER),
        request.deadline().isPresent()
            ? arrival.at() + request.deadline().getAsLong()
            : PlainQueue.NEVER,
        request.moldability().orElse(null));
  }

  private static long[] amounts(Resources resources, Set<Dimension> dimensions) {
    return dimensions.stream().mapToLong(resources::amount).toArray();
  }
}
