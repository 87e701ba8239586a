package dev.berth.cli.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Constraint;
import dev.berth.api.HostSpec;
import dev.berth.api.LimitUse;
import dev.berth.api.Request;
import dev.berth.api.policy.RequestDetail;
import dev.berth.cli.run.SettingsJson;
import dev.berth.experiments.figures.Summary;
import dev.berth.experiments.figures.Verdict;
import dev.berth.experiments.run.Case;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ComparedPolicy;
import dev.berth.experiments.run.Experiment;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.experiments.run.RunSettings;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.metrics.MetricsSettings;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.traces.prepare.InfrastructureSizing;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A comparison of policies on one scenario, all with the same seed. */
public final class Comparison {

  /** The share of requests without a detail from which on a policy is expected to suffer. */
  private static final double CONSIDERABLE = 0.05;

  private static final int MOST_CONSTRAINTS = 5; // noted, those of most requests

  private final Experiment experiment;

  /**
   * Prepares a comparison of settings that were checked before.
   *
   * @param settings settings that all runs share
   * @param comparedPolicies the compared policies
   */
  public Comparison(RunSettings settings, List<ComparedPolicy> comparedPolicies) {
    Case only =
        new Case(
            0,
            settings.scenario().workload().name(),
            settings.scenario().infrastructure().name(),
            1,
            "",
            settings,
            JsonText.object());
    this.experiment =
        new Experiment(
            only.workload(),
            "",
            List.of(only),
            comparedPolicies,
            comparedPolicies.stream()
                .map(ComparedPolicy::label)
                .filter("priority"::equals)
                .findFirst(),
            MetricsSettings.PUBLISHED,
            effective(settings),
            List.of());
  }

  private static ObjectNode effective(RunSettings settings) {
    ObjectNode effective = JsonText.object();
    SettingsJson.put(effective, settings);
    return effective;
  }

  /** Returns the comparison as an experiment with one case. */
  public Experiment experiment() {
    return experiment;
  }

  /** Returns the verdict on a comparison, whose summary has one group. */
  public Verdict verdict(Summary summary) {
    return new Verdict(experiment, summary.groups().get(0));
  }

  /** Returns settings that all runs share. */
  public RunSettings settings() {
    return experiment.cases().get(0).settings();
  }

  /** Returns the ids of the policies that are compared, in the order of their outcomes. */
  public List<String> policyIds() {
    return policies().stream().map(PolicyChoice::id).toList();
  }

  private List<PolicyChoice<?>> policies() {
    List<PolicyChoice<?>> policies = new ArrayList<>();
    for (ComparedPolicy each : experiment.policies()) {
      if (each.role() == ComparedPolicy.Role.POLICY) {
        policies.add(each.choice());
      }
    }
    return policies;
  }

  /**
   * Returns what should be known of the inputs: requests that fit on no host or use a limit that is
   * never set, and details that policies depend on and many requests lack.
   *
   * @param outcomes of the compared policies
   */
  List<String> notes(List<CellResult> outcomes) {
    List<String> notes = new ArrayList<>();
    if (!allRan(outcomes)) {
      notes.addAll(notesOfPlace());
      notes.addAll(notesOfLimits());
    }
    notes.addAll(notesOfDetails());
    return notes;
  }

  private static boolean allRan(List<CellResult> outcomes) {
    return outcomes.stream()
        .flatMap(each -> each.totals().stream())
        .flatMap(totals -> totals.classes().stream())
        .allMatch(each -> each.neverRan() == 0);
  }

  /** Reads the workload. Requests on time-shared hosts fit otherwise. */
  private List<String> notesOfPlace() {
    Scenario scenario = settings().scenario();
    if (scenario.infrastructure().hosts().stream().anyMatch(HostSpec::timeShared)) {
      return List.of();
    }
    long nowhere = InfrastructureSizing.fitNowhere(scenario.workload(), scenario.infrastructure());
    if (nowhere == 0) {
      return List.of();
    }
    List<String> notes = new ArrayList<>();
    notes.add(
        "%s requests fit on no host with all that they demand, even if it is empty. A request runs on one host."
            .formatted(nowhere));
    InfrastructureSizing.metNowhere(scenario.workload(), scenario.infrastructure())
        .entrySet()
        .stream()
        .sorted(Map.Entry.<Constraint, Long>comparingByValue().reversed())
        .limit(MOST_CONSTRAINTS)
        .forEach(
            each ->
                notes.add(
                    "%s requests require %s, which holds on no host."
                        .formatted(each.getValue(), each.getKey().describe())));
    return notes;
  }

  /** Returns a note for each limit that requests use and no event sets. Reads the workload. */
  private List<String> notesOfLimits() {
    Set<String> known = new HashSet<>();
    for (HostEvent each : settings().hostEvents()) {
      if (each instanceof HostEvent.LimitSet set) {
        known.add(set.limit());
      }
    }
    Map<String, Long> unknown = new TreeMap<>();
    try (ArrivalSource source = settings().scenario().workload().open()) {
      while (source.hasNext()) {
        for (LimitUse each : source.next().request().placement().limits()) {
          if (!known.contains(each.limit())) {
            unknown.merge(each.limit(), 1L, Long::sum);
          }
        }
      }
    }
    return unknown.entrySet().stream()
        .map(
            each ->
                "%s requests use the limit %s and wait for ever: it is 0, since no line of --events sets it."
                    .formatted(each.getValue(), each.getKey()))
        .toList();
  }

  /**
   * Returns a note for each policy that depends on a detail that a considerable share of the
   * requests lack. The note has their number. Reads the workload if a policy requires details.
   */
  private List<String> notesOfDetails() {
    Map<RequestDetail, Long> lacking = new EnumMap<>(RequestDetail.class);
    policies().forEach(each -> each.requiredDetails().forEach(detail -> lacking.put(detail, 0L)));
    if (lacking.isEmpty()) {
      return List.of();
    }
    long count = 0;
    try (ArrivalSource source = settings().scenario().workload().open()) {
      while (source.hasNext()) {
        Request request = source.next().request();
        count++;
        lacking.replaceAll((detail, sofar) -> sofar + (detail.isGivenBy(request) ? 0 : 1));
      }
    }
    long all = count;
    List<String> notes = new ArrayList<>();
    for (PolicyChoice<?> policy : policies()) {
      List<String> missing =
          policy.requiredDetails().stream()
              .sorted()
              .filter(detail -> isConsiderable(lacking.getOrDefault(detail, 0L), all))
              .map(
                  detail ->
                      "%s of %s requests have no %s".formatted(lacking.get(detail), all, detail))
              .toList();
      if (!missing.isEmpty()) {
        notes.add(
            "%s depends on details that many requests lack: %s."
                .formatted(policy.id(), String.join(", ", missing)));
      }
    }
    return notes;
  }

  private static boolean isConsiderable(long some, long all) {
    return some > 0 && some >= CONSIDERABLE * all;
  }
}
