package dev.berth.policies.memory;

import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;

/**
 * Histories that exercise the controller. With an odd seed, every instance reports usage again and
 * again; most lack memory and have none guaranteed. With an even seed, a history is an unchanged
 * one of the kit.
 */
final class ReportedHistories {

  private static final int STEPS = 50;
  private static final int MEASURED = 5;
  private static final List<Integer> LITTLE = Collections.nCopies(4, 1);
  private static final List<Integer> MUCH = Collections.nCopies(4, 2);
  private static final List<Integer> NOTHING = Collections.nCopies(4, 0);

  private ReportedHistories() {}

  static Arbitrary<History> histories() {
    return HistoryArbitraries.ofUpTo(STEPS)
        .map(each -> each.seed() % 2 == 0 ? each : reported(each));
  }

  private static History reported(History history) {
    List<Step> steps = new ArrayList<>();
    int times = 0;
    for (Step each : history.steps()) {
      steps.add(each instanceof Step.Submit submit ? withoutGuaranteedMemory(submit) : each);
      if (each instanceof Step.StartAll) {
        report(steps, times++);
      }
    }
    return new History(
        history.seed(),
        history.epoch(),
        history.serviceClasses(),
        history.scale(),
        history.hosts(),
        history.present(),
        history.pools(),
        steps);
  }

  /** Guarantees no memory unless the request has options; otherwise few instances could shrink. */
  private static Step withoutGuaranteedMemory(Step.Submit submit) {
    RequestShape it = submit.shape();
    if (!it.options().equals(RequestOptions.NONE)) {
      return submit;
    }
    RequestOptions unpinned =
        new RequestOptions(
            List.of(8, 0, 8, 8), Optional.empty(), Optional.empty(), false, List.of(), false, 0);
    return new Step.Submit(
        new RequestShape(
            it.serviceClass(),
            it.demand(),
            it.constraints(),
            it.job(),
            it.antiAffinity(),
            it.reuseId(),
            unpinned));
  }

  /** Adds two reports of each instance, later ones with less shortfall, and a pass. */
  private static void report(List<Step> steps, int times) {
    for (int twice = 0; twice < 2; twice++) {
      for (int pick = 0; pick < MEASURED; pick++) {
        boolean lacks = pick >= times % MEASURED;
        steps.add(
            new Step.ReportUsage(
                pick, lacks ? 8 : 3, !lacks ? NOTHING : pick % 2 == 0 ? MUCH : LITTLE));
      }
    }
    steps.add(new Step.Pass());
  }
}
