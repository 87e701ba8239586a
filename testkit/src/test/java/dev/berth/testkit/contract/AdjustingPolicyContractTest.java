package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.History;
import dev.berth.testkit.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** The rules accept a policy that uses all actions on instances correctly. */
class AdjustingPolicyContractTest extends PolicyContractTest<AdjustingPolicy.NoConfig> {

  @Override
  protected PolicyFactory<AdjustingPolicy.NoConfig> factory() {
    return new AdjustingPolicy.Factory();
  }

  /** Not monotone: the first in the queue may take the added capacity from another request. */
  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(Capability.PREEMPTS, Capability.MONOTONE, Capability.SCALES, Capability.ASSIGNS);
  }

  /** Guards the contract test against holding vacuously. */
  @Property(tries = 1, generation = GenerationMode.RANDOMIZED, shrinking = ShrinkingMode.OFF)
  void coversAllActionsExceptPreemptions(@ForAll("longHistories") Many many) {
    Map<Class<?>, Integer> done = new HashMap<>();
    for (History history : many.histories()) {
      RuleCheck check =
          new RuleCheck("elastic", start(Setting.of(history)), history, laws(Rule.P22));
      check.play().record().stream()
          .flatMap(each -> each.answer().stream())
          .filter(Plan.class::isInstance)
          .flatMap(each -> ((Plan) each).actions().stream())
          .forEach(each -> done.merge(each.getClass(), 1, Integer::sum));
    }
    for (Class<? extends Action> kind :
        List.of(
            Action.Place.class,
            Action.Resize.class,
            Action.Pause.class,
            Action.Suspend.class,
            Action.Resume.class,
            Action.Migrate.class,
            Action.Reject.class)) {
      assertThat(done.getOrDefault(kind, 0)).as("%s, of %s", kind, done).isGreaterThan(20);
    }
  }

  @Provide
  Arbitrary<Many> longHistories() {
    return HistoryArbitraries.ofUpTo(200).list().ofSize(300).map(Many::new);
  }
}
