package dev.berth.experiments.page;

import dev.berth.experiments.run.CellResult;
import dev.berth.report.Numbers;
import dev.berth.report.render.Printable;
import dev.berth.simulator.result.InvalidActions;
import dev.berth.simulator.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Warnings about policies whose {@linkplain InvalidActions actions were invalid}. */
final class InvalidActionWarnings {

  private static final String ADVICE =
      "The engine refused them. Test the policy with the contract test, rule P04.";

  private InvalidActionWarnings() {}

  /** Returns a warning for each policy with an invalid action. */
  static List<RunWarning> of(Map<String, List<CellResult>> byPolicy) {
    List<RunWarning> warnings = new ArrayList<>();
    byPolicy.forEach(
        (label, its) -> {
          List<InvalidActions> bad =
              its.stream()
                  .flatMap(each -> each.totals().stream())
                  .map(RunResult::invalidActions)
                  .filter(each -> each.first().isPresent())
                  .toList();
          if (!bad.isEmpty()) {
            long count = bad.stream().mapToLong(InvalidActions::count).sum();
            InvalidActions.First first = bad.get(0).first().orElseThrow();
            warnings.add(
                new RunWarning(
                    "%s%s tried %s invalid action%s"
                        .formatted(
                            label,
                            RunWarning.where(bad, its),
                            Numbers.grouped(count),
                            count == 1 ? "" : "s"),
                    Printable.line(
                        "the first, in pass %s, on %s: %s"
                            .formatted(first.pass(), first.subject(), first.why())),
                    ADVICE));
          }
        });
    return warnings;
  }
}
