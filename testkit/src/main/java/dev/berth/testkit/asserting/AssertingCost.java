package dev.berth.testkit.asserting;

import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.testkit.rule.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A cost that is asked twice, each time on a tuple of its own. If it {@linkplain
 * PreemptionCost#dependsOnVictimsOnly goes by victims}, it is shown nothing of the beneficiary.
 */
final class AssertingCost implements PreemptionCost {

  private final MisuseDetector watch;
  private final PreemptionCost cost;
  private final Declaration byVictims;

  AssertingCost(MisuseDetector watch, PreemptionCost cost) {
    this.watch = watch;
    this.cost = cost;
    this.byVictims =
        new Declaration(watch, "PreemptionCost.dependsOnVictimsOnly", cost::dependsOnVictimsOnly);
  }

  @Override
  public int width(int classes) {
    return watch.ask(
        "PreemptionCost.width", () -> classes + " classes", call -> cost.width(classes));
  }

  @Override
  public void add(PreemptionPair contest, double[] tuple) {
    change(
        "PreemptionCost.add",
        () -> AssertingPreemptionPair.describe(contest),
        tuple,
        (call, copy) ->
            cost.add(new AssertingPreemptionPair(call, contest, byVictims.isMade()), copy));
  }

  @Override
  public void finish(double[] tuple) {
    String before = Arrays.toString(tuple);
    change("PreemptionCost.finish", () -> before, tuple, (call, copy) -> cost.finish(copy));
  }

  @Override
  public boolean dependsOnVictimsOnly() {
    return byVictims.isMade();
  }

  private void change(
      String part, Supplier<String> about, double[] tuple, BiConsumer<Scope, double[]> change) {
    List<Double> changed =
        watch.ask(
            part,
            about,
            call -> {
              double[] copy = tuple.clone();
              change.accept(call, copy);
              return Arrays.stream(copy).boxed().toList();
            });
    if (changed.stream().anyMatch(each -> each.isNaN())) {
      throw watch.broken(
          Rule.P23,
          "%s of %s makes %s, which are not all numbers".formatted(part, about.get(), changed));
    }
    Arrays.setAll(tuple, changed::get);
  }
}
