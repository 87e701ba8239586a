package dev.berth.testkit.assertions;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import org.assertj.core.api.WritableAssertionInfo;

/** Assertions about a preemption in a plan, followed by assertions about the plan. */
public final class PreemptionAssert extends PlanAssert {

  private final Action.Preempt preemption;

  PreemptionAssert(Plan plan, WritableAssertionInfo info, Action.Preempt preemption) {
    super(plan, info);
    this.preemption = preemption;
  }

  /** The victim is preempted on this host. */
  public PreemptionAssert on(String hostId) {
    check(
        preemption.host().equals(hostId),
        "preempt %s on %s".formatted(preemption.instance(), hostId));
    return this;
  }

  /** The victim is preempted for this instance. */
  public PreemptionAssert inFavourOf(String beneficiaryId) {
    check(
        preemption.beneficiary().equals(beneficiaryId),
        "preempt %s for %s".formatted(preemption.instance(), beneficiaryId));
    return this;
  }
}
