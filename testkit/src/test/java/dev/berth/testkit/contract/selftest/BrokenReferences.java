package dev.berth.testkit.contract.selftest;

import dev.berth.api.InstanceState;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.testkit.contract.ReferenceContractTest;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.PriorityBased;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.ReferenceScheduler;
import dev.berth.testkit.reference.ReferenceScore;
import dev.berth.testkit.rule.Rule;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;

/** Schedulers that differ from the reference model in one detail (P29). */
final class BrokenReferences {

  private static final String OTHER_ANSWER = "to \"pass\" the reference answers";

  private BrokenReferences() {}

  /** Runs the reference model with the QoS-driven policy, which a subject may change. */
  abstract static class Subject extends ReferenceContractTest {

    @Override
    protected EventTarget start(ReferencePolicy policy, Setting setting) {
      return reference(changed((QosDriven) policy), setting);
    }

    QosDriven changed(QosDriven policy) {
      return policy;
    }

    @Provide
    @Override
    protected Arbitrary<? extends ReferencePolicy> policies() {
      return Arbitraries.just(QosDriven.PAPER);
    }
  }

  /** Compares actions only, since the triggers always differ. */
  @Breaks(value = Rule.P29, says = OTHER_ANSWER, events = 10)
  static class PlansNothingAfterTheFirstPass extends Subject {
    @Override
    protected EventTarget start(ReferencePolicy policy, Setting setting) {
      return new ForwardingTarget(super.start(policy, setting)) {
        private int passes;

        @Override
        public Plan schedule(long now) {
          Plan plan = super.schedule(now);
          Set<Trigger> unknown = EnumSet.of(Trigger.EMBEDDER);
          return ++passes == 1
              ? new Plan(plan.pass(), now, unknown, plan.actions())
              : new Plan(plan.pass(), now, unknown, List.of());
        }
      };
    }

    @Override
    protected boolean agree(Plan reference, Plan subject) {
      return reference.actions().equals(subject.actions());
    }
  }

  @Breaks(value = Rule.P29, says = OTHER_ANSWER, events = 18)
  static class KeepsUnneededVictims extends Subject {
    @Override
    QosDriven changed(QosDriven paper) {
      return new QosDriven(
          paper.expectedOverhead(),
          paper.allocationScore(),
          paper.cost(),
          false,
          paper.preemptStarting());
    }
  }

  @Breaks(value = Rule.P29, says = OTHER_ANSWER, events = 10)
  static class PreemptsStarting extends Subject {
    @Override
    QosDriven changed(QosDriven paper) {
      return new QosDriven(
          paper.expectedOverhead(),
          paper.allocationScore(),
          paper.cost(),
          paper.minimizeVictims(),
          true);
    }
  }

  @Breaks(value = Rule.P29, says = OTHER_ANSWER, events = 15)
  static class UsesThePrintedCost extends Subject {
    @Override
    QosDriven changed(QosDriven paper) {
      return new QosDriven(
          paper.expectedOverhead(),
          paper.allocationScore(),
          QosDriven.Cost.AS_PRINTED,
          paper.minimizeVictims(),
          paper.preemptStarting());
    }
  }

  @Breaks(value = Rule.P29, says = OTHER_ANSWER, events = 7)
  static class ScoresByBalanceOnly extends Subject {
    @Override
    QosDriven changed(QosDriven paper) {
      return new QosDriven(
          paper.expectedOverhead(),
          new ReferenceScore(0, 1),
          paper.cost(),
          paper.minimizeVictims(),
          paper.preemptStarting());
    }
  }

  @Breaks(value = Rule.P29, says = OTHER_ANSWER, events = 13)
  static class ExpectsOverhead extends Subject {
    @Override
    QosDriven changed(QosDriven paper) {
      return new QosDriven(
          1_000_000_000,
          paper.allocationScore(),
          paper.cost(),
          paper.minimizeVictims(),
          paper.preemptStarting());
    }
  }

  @Breaks(value = Rule.P29, says = OTHER_ANSWER, events = 11)
  static class BreaksTiesByAnotherSeed extends Subject {
    @Override
    protected EventTarget start(ReferencePolicy policy, Setting setting) {
      return reference(policy, new Setting(setting.serviceClasses(), setting.seed() + 1));
    }
  }

  @Breaks(value = Rule.P29, says = OTHER_ANSWER, events = 8)
  static class FollowsAnotherPolicy extends Subject {
    @Override
    protected EventTarget start(ReferencePolicy policy, Setting setting) {
      return reference(PriorityBased.PAPER, setting);
    }
  }

  @Breaks(
      value = Rule.P29,
      says = "it threw java\\.lang\\.IllegalStateException: no more",
      events = 6)
  static class ThrowsInAPass extends Subject {
    @Override
    protected EventTarget start(ReferencePolicy policy, Setting setting) {
      return new FirstFitScheduler(setting) {
        @Override
        public Plan schedule(long now) {
          throw new IllegalStateException("no more");
        }
      };
    }
  }

  @Breaks(value = Rule.P29, says = "the reference has the instances", events = 6)
  static class OmitsPendingSnapshots extends Subject {
    @Override
    protected EventTarget start(ReferencePolicy policy, Setting setting) {
      return new ForwardingTarget(reference(policy, setting)) {
        @Override
        public Optional<List<InstanceSnapshot>> snapshots(long now) {
          return super.snapshots(now)
              .map(
                  all ->
                      all.stream().filter(each -> each.state() != InstanceState.PENDING).toList());
        }
      };
    }
  }

  private static EventTarget reference(ReferencePolicy policy, Setting setting) {
    return new ReferenceScheduler(
        policy, setting.serviceClasses(), setting.seed(), Optional.empty());
  }
}
