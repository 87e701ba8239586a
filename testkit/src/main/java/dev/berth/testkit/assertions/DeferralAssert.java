package dev.berth.testkit.assertions;

import dev.berth.api.Reason;
import dev.berth.api.plan.Plan;
import org.assertj.core.api.WritableAssertionInfo;

/** Assertions about the reason of a deferral, followed by assertions about the plan. */
public final class DeferralAssert extends PlanAssert {

  private final String instanceId;
  private final Reason why;

  DeferralAssert(Plan plan, WritableAssertionInfo info, String instanceId, Reason why) {
    super(plan, info);
    this.instanceId = instanceId;
    this.why = why;
  }

  /**
   * The description of the reason contains these words.
   *
   * @param words any part of {@link Reason#describe}
   */
  public DeferralAssert because(String words) {
    check(
        why.describe().contains(words), "defer %s because of \"%s\"".formatted(instanceId, words));
    return this;
  }

  /** The reason equals this one. */
  public DeferralAssert because(Reason reason) {
    check(why.equals(reason), "defer " + inWords(instanceId, reason));
    return this;
  }
}
