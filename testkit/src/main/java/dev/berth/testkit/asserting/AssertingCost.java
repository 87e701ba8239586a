package dev.berth.testkit.asserting;

import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.testkit.rule.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Asks a cost twice, each time with a tuple of its own. */
class AssertingCost implements PreemptionCost {

  private final MisuseDetector detector;
  private final PreemptionCost cost;
  private final boolean victimsOnly;

  private AssertingCost(MisuseDetector detector, PreemptionCost cost, boolean victimsOnly) {
    this.detector = detector;
    this.cost = cost;
    this.victimsOnly = victimsOnly;
  }

  /**
   * Wraps a cost. The wrapper is a {@link VictimCost} if the cost is; it then hides the beneficiary
   * from the cost.
   */
  static PreemptionCost around(MisuseDetector detector, PreemptionCost cost) {
    return cost instanceof VictimCost
        ? new OfVictims(detector, cost)
        : new AssertingCost(detector, cost, false);
  }

  private static final class OfVictims extends AssertingCost implements VictimCost {
    OfVictims(MisuseDetector detector, PreemptionCost cost) {
      super(detector, cost, true);
    }
  }

  @Override
  public int width(int classes) {
    return detector.ask(
        "PreemptionCost.width", () -> classes + " classes", call -> cost.width(classes));
  }

  @Override
  public void add(PreemptionPair pair, double[] tuple) {
    change(
        "PreemptionCost.add",
        () -> AssertingRule.describe(pair),
        tuple,
        (call, copy) -> cost.add(ProxyView.pair(call, pair, victimsOnly), copy));
  }

  @Override
  public void finish(double[] tuple) {
    String before = Arrays.toString(tuple);
    change("PreemptionCost.finish", () -> before, tuple, (call, copy) -> cost.finish(copy));
  }

  private void change(
      String part, Supplier<String> about, double[] tuple, BiConsumer<Scope, double[]> change) {
    List<Double> changed =
        detector.ask(
            part,
            about,
            call -> {
              double[] copy = tuple.clone();
              change.accept(call, copy);
              return Arrays.stream(copy).boxed().toList();
            });
    if (changed.stream().anyMatch(each -> each.isNaN())) {
      throw detector.broken(
          Rule.P23.broken(
              "%s of %s makes %s, which are not all numbers", part, about.get(), changed));
    }
    Arrays.setAll(tuple, changed::get);
  }
}
