package dev.berth.policies.elastic;

import dev.berth.api.PoolSpec;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;

/**
 * Histories in which bags share hosts. With an odd seed, a history begins with a bag of six tasks
 * on three hosts of two slots; half of the bag is done when a second bag arrives and ends. With an
 * even seed, it is an unchanged history of the kit.
 */
final class SharedHistories {

  private static final int STEPS = 50;
  private static final int FIRST = 6;
  private static final int SECOND = 2;
  private static final List<Integer> ONE = Collections.nCopies(4, 1);
  private static final List<Integer> TWO = Collections.nCopies(4, 2);

  private SharedHistories() {}

  static Arbitrary<History> histories() {
    return HistoryArbitraries.ofUpTo(STEPS).map(each -> each.seed() % 2 == 0 ? each : shared(each));
  }

  private static History shared(History history) {
    List<Step> steps = new ArrayList<>();
    bag(FIRST, steps);
    for (int i = 0; i < FIRST / 2; i++) {
      steps.add(new Step.Complete(i)); // one task remains on each host
    }
    steps.add(new Step.Pass());
    bag(SECOND, steps);
    for (int i = 0; i < SECOND; i++) {
      steps.add(new Step.Complete(FIRST / 2)); // of the second bag
    }
    steps.add(new Step.Pass());
    steps.addAll(history.steps());
    PoolSpec pool = new PoolSpec("shared", history.scale().resources(TWO), FIRST);
    List<PoolSpec> pools = new ArrayList<>(List.of(pool));
    pools.addAll(history.pools());
    return new History(
        history.seed(),
        history.epoch(),
        history.serviceClasses(),
        history.scale(),
        history.hosts(),
        0,
        pools,
        steps);
  }

  private static void bag(int tasks, List<Step> steps) {
    RequestShape task = new RequestShape(0, ONE, List.of(), 0, false, false, RequestOptions.NONE);
    steps.add(new Step.SubmitBag(Collections.nCopies(tasks, task), Optional.empty()));
    steps.add(new Step.Pass());
    steps.add(new Step.AllHostsUp());
    steps.add(new Step.Pass());
    steps.add(new Step.StartAll());
    steps.add(new Step.Elapse(Duration.ofMinutes(1)));
  }
}
