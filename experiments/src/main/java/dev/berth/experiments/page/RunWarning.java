package dev.berth.experiments.page;

import dev.berth.experiments.run.CellResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A warning about one policy.
 *
 * @param finding what the policy did, with its label
 * @param figures the figures of the runs in which it did
 * @param advice what to try
 */
public record RunWarning(String finding, String figures, String advice) {

  /**
   * Returns the warnings about runs: about invalid actions, then about lost work, each in the order
   * of the results.
   */
  public static List<RunWarning> of(List<CellResult> results) {
    Map<String, List<CellResult>> byPolicy = new LinkedHashMap<>();
    for (CellResult each : results) {
      byPolicy.computeIfAbsent(each.policy().label(), label -> new ArrayList<>()).add(each);
    }
    List<RunWarning> warnings = new ArrayList<>(InvalidActionWarnings.of(byPolicy));
    warnings.addAll(Thrashing.warnings(byPolicy));
    return warnings;
  }

  /** Returns in how many of the runs of a policy it did; empty if there is only one run. */
  static String where(List<?> bad, List<CellResult> all) {
    return all.size() == 1 ? "" : " in %s of %s runs".formatted(bad.size(), all.size());
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
