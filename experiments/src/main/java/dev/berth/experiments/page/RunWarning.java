package dev.berth.experiments.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.report.Numbers;
import dev.berth.report.render.Printable;
import dev.berth.simulator.result.InvalidActions;
import dev.berth.simulator.result.RunResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A warning about one policy.
 *
 * @param finding what the policy did, with its label
 * @param figures the figures of the runs in which it did
 * @param advice what to try
 */
public record RunWarning(String finding, String figures, String advice) {

  private static final double SECONDS_PER_HOUR = 3600;
  private static final String LIMIT = "maxPreemptions";

  /**
   * Returns the warnings about runs: about invalid actions, then about lost work, each in the order
   * of the results.
   */
  public static List<RunWarning> of(List<CellResult> results) {
    Map<String, List<CellResult>> byPolicy = new LinkedHashMap<>();
    for (CellResult each : results) {
      byPolicy.computeIfAbsent(each.policy().label(), label -> new ArrayList<>()).add(each);
    }
    Collection<List<CellResult>> policies = byPolicy.values();
    List<RunWarning> warnings = new ArrayList<>();
    policies.forEach(its -> ofInvalidActions(its).ifPresent(warnings::add));
    policies.forEach(its -> ofLostWork(its).ifPresent(warnings::add));
    return warnings;
  }

  private static Optional<RunWarning> ofInvalidActions(List<CellResult> its) {
    List<RunResult> bad = runs(its, run -> run.invalidActions().first().isPresent());
    if (bad.isEmpty()) {
      return Optional.empty();
    }
    long count = bad.stream().mapToLong(run -> run.invalidActions().count()).sum();
    InvalidActions.First first = bad.get(0).invalidActions().first().orElseThrow();
    return Optional.of(
        new RunWarning(
            "%s tried %s invalid action%s"
                .formatted(subject(bad, its), Numbers.grouped(count), count == 1 ? "" : "s"),
            Printable.line(
                "the first, in pass %s, on %s: %s"
                    .formatted(first.pass(), first.subject(), first.why())),
            "The engine refused them. Test the policy with the contract test, rule P04."));
  }

  /**
   * A policy {@linkplain RunResult#lostMoreThanKept lost more work to preemptions than was kept}.
   */
  private static Optional<RunWarning> ofLostWork(List<CellResult> its) {
    List<RunResult> bad = runs(its, RunResult::lostMoreThanKept);
    return bad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RunWarning(
                subject(bad, its) + " lost more work to preemptions than was kept",
                "%s h lost, %s h kept, %s preemptions, %s of %s requests done"
                    .formatted(
                        hours(bad.stream().mapToDouble(RunResult::lostWork).sum()),
                        hours(bad.stream().mapToDouble(RunResult::keptService).sum()),
                        Numbers.grouped(bad.stream().mapToLong(RunResult::preemptions).sum()),
                        bad.stream().mapToLong(RunResult::completed).sum(),
                        bad.stream().mapToLong(RunResult::arrivals).sum()),
                fewerPreemptions(its.get(0).policy().choice())));
  }

  private static List<RunResult> runs(List<CellResult> its, Predicate<RunResult> which) {
    return its.stream().flatMap(each -> each.totals().stream()).filter(which).toList();
  }

  /** Returns the label of the policy, and in how many of its runs it did. */
  private static String subject(List<RunResult> bad, List<CellResult> all) {
    String label = all.get(0).policy().label();
    return all.size() == 1 ? label : "%s in %s of %s runs".formatted(label, bad.size(), all.size());
  }

  private static String hours(double seconds) {
    return Numbers.fixed(seconds / SECONDS_PER_HOUR, 1);
  }

  private static String fewerPreemptions(PolicyChoice<?> choice) {
    JsonNode limit = choice.configJson().path(LIMIT);
    if (limit.isMissingNode()) {
      return "Try a policy that preempts less, such as priority or never-preempt.";
    }
    return limit.asInt() == 0
        ? "Try priority or never-preempt."
        : "Try %s={\"%s\":0}, or priority.".formatted(choice.id(), LIMIT);
  }

  /** Returns the warning in one line. */
  public String line() {
    return "%s: %s. %s".formatted(finding, figures, advice);
  }

  /** Returns the warning in short lines, for a terminal. */
  public List<String> lines() {
    return List.of("warning: " + finding + ":", "  " + figures + ".", "  " + advice);
  }
}
