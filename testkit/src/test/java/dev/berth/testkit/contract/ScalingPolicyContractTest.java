package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Reason;
import dev.berth.api.batch.BagReport;
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

/** The rules accept a policy that scales, assigns and cancels correctly. */
class ScalingPolicyContractTest extends PolicyContractTest<ScalingPolicy.NoConfig> {

  @Override
  protected PolicyFactory<ScalingPolicy.NoConfig> factory() {
    return new ScalingPolicy.Factory();
  }

  @Override
  protected Capabilities capabilities() {
    return Capabilities.all()
        .without(
            Capability.PREEMPTS,
            Capability.DEFERS,
            Capability.RESIZES,
            Capability.SUSPENDS,
            Capability.MIGRATES,
            Capability.REJECTS,
            Capability.MOLDS);
  }

  /** Guards the contract test against holding vacuously. */
  @Property(tries = 1, generation = GenerationMode.RANDOMIZED, shrinking = ShrinkingMode.OFF)
  void coversAllActionsOnHostsAndBags(@ForAll("longHistories") Many many) {
    Map<String, Integer> seen = new HashMap<>();
    for (History history : many.histories()) {
      RuleCheck check =
          new RuleCheck("scaling", start(Setting.of(history)), history, laws(Rule.P22));
      check.play().record().stream()
          .flatMap(each -> each.answer().stream())
          .filter(Plan.class::isInstance)
          .forEach(each -> count((Plan) each, seen));
    }
    for (String each :
        List.of(
            "Provision",
            "Release",
            "Assign",
            "cancelled by the policy",
            "expired",
            "cancelled by the user",
            "not cancelled",
            "placed on a provisioned host")) {
      assertThat(seen.getOrDefault(each, 0)).as("%s, of %s", each, seen).isGreaterThan(10);
    }
  }

  private static void count(Plan plan, Map<String, Integer> seen) {
    for (Action each : plan.actions()) {
      String kind = each.getClass().getSimpleName();
      seen.merge(kind, 1, Integer::sum);
      if (each instanceof Action.Place place && place.host().startsWith("p")) {
        seen.merge("placed on a provisioned host", 1, Integer::sum);
      }
    }
    plan.endedBags().forEach(each -> seen.merge(end(each), 1, Integer::sum));
  }

  private static String end(BagReport report) {
    if (report.why().isEmpty()) {
      return "not cancelled";
    }
    Reason why = report.why().get();
    return why instanceof Reason.Expired
        ? "expired"
        : why.code().equals("given-up") ? "cancelled by the policy" : "cancelled by the user";
  }

  @Provide
  Arbitrary<Many> longHistories() {
    return HistoryArbitraries.ofUpTo(200).list().ofSize(1000).map(Many::new);
  }
}
