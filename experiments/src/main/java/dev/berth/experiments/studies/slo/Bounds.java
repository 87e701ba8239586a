package dev.berth.experiments.studies.slo;

import dev.berth.experiments.bound.FluidBound;
import dev.berth.experiments.figures.Sample;
import dev.berth.report.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What no policy can exceed in the cases of some runs.
 *
 * @param byCase the bound of each case; empty if none was computed
 */
record Bounds(List<FluidBound> byCase) {

  /** Differences below are errors of rounding. */
  private static final double HAIR = 1e-9;

  static final Bounds NONE = new Bounds(List.of());

  /** Copies the list. */
  Bounds {
    byCase = List.copyOf(byCase);
  }

  /** Returns why there is no bound; empty if there is one or none was computed. */
  Optional<String> obstacle() {
    return byCase.stream().flatMap(each -> each.obstacle().stream()).findFirst();
  }

  /** Returns whether each case has a bound. */
  boolean exist() {
    return !byCase.isEmpty() && obstacle().isEmpty();
  }

  /** Returns the least penalty. */
  Sample penalty() {
    return Sample.ofDefined(byCase, FluidBound::penalty);
  }

  /** Returns the greatest share of a class that can meet its objective. */
  Sample fulfilment(String serviceClass) {
    return Sample.ofDefined(
        byCase,
        each ->
            each.classes().stream()
                .filter(its -> its.name().equals(serviceClass))
                .mapToDouble(FluidBound.ClassBound::fulfilment)
                .findFirst());
  }

  /**
   * Returns a sentence: how much of the way from one policy to the bound the others go, in
   * penalties.
   */
  String way(Runs runs, String from) {
    double start = runs.total(from, Figure.PENALTY).mean();
    double bound = penalty().mean();
    if (start - bound <= HAIR) {
      return "No policy can have a lower penalty than %s here.".formatted(from);
    }
    List<String> shares = new ArrayList<>();
    for (String each : runs.labels()) {
      if (!each.equals(from)) {
        double share = (start - runs.total(each, Figure.PENALTY).mean()) / (start - bound);
        shares.add("%s %s %%".formatted(each, Numbers.fixed(100 * share, 1)));
      }
    }
    return "Of the way from the penalty of %s to the bound: %s."
        .formatted(from, String.join(", ", shares));
  }
}
