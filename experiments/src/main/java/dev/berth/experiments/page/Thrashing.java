package dev.berth.experiments.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.PolicyChoice;
import dev.berth.report.Numbers;
import dev.berth.simulator.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Warnings about policies that {@linkplain RunResult#lostMoreThanKept lost more work to preemptions
 * than was kept}.
 */
final class Thrashing {

  private static final double SECONDS_PER_HOUR = 3600;
  private static final String LIMIT = "maxPreemptions";

  private Thrashing() {}

  /**
   * Returns a warning for each policy that lost more work than was kept in at least one run, in the
   * order of the results.
   */
  static List<RunWarning> warnings(Map<String, List<CellResult>> byPolicy) {
    List<RunWarning> warnings = new ArrayList<>();
    byPolicy.forEach(
        (label, its) -> {
          List<RunResult> bad =
              its.stream()
                  .flatMap(each -> each.totals().stream())
                  .filter(RunResult::lostMoreThanKept)
                  .toList();
          if (!bad.isEmpty()) {
            warnings.add(
                new RunWarning(
                    label
                        + RunWarning.where(bad, its)
                        + " lost more work to preemptions than was kept",
                    figures(bad),
                    advice(its.get(0).policy().choice())));
          }
        });
    return warnings;
  }

  private static String figures(List<RunResult> runs) {
    return "%s h lost, %s h kept, %s preemptions, %s of %s requests done"
        .formatted(
            hours(runs.stream().mapToDouble(RunResult::lostWork).sum()),
            hours(runs.stream().mapToDouble(RunResult::keptService).sum()),
            Numbers.grouped(runs.stream().mapToLong(RunResult::preemptions).sum()),
            runs.stream().mapToLong(RunResult::completed).sum(),
            runs.stream().mapToLong(RunResult::arrivals).sum());
  }

  private static String hours(double seconds) {
    return Numbers.fixed(seconds / SECONDS_PER_HOUR, 1);
  }

  private static String advice(PolicyChoice<?> choice) {
    JsonNode limit = choice.configJson().path(LIMIT);
    if (limit.isMissingNode()) {
      return "Try a policy that preempts less, such as priority or never-preempt.";
    }
    return limit.asInt() == 0
        ? "Try priority or never-preempt."
        : "Try %s={\"%s\":0}, or priority.".formatted(choice.id(), LIMIT);
  }
}
