package dev.berth.core.snapshot;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the latest plan says about instances that still wait. Explanations report it until the next
 * plan.
 *
 * @param deferrals why the policy deferred instances, by id, without those that ended since
 * @param policyErrors invalid actions of the policy, in order, without those on instances that
 *     ended since
 * @param bagDeferrals why the policy deferred bags, by id
 * @param blockedHead id of the instance that others waited for, if any
 * @param head where that instance was in the queue of a pipeline, if others waited for one
 * @param queuePass the latest pass of a pipeline that keeps one queue; 0 for none
 */
public record LatestPlan(
    Map<String, ReasonData> deferrals,
    List<ErrorData> policyErrors,
    Map<String, ReasonData> bagDeferrals,
    Optional<String> blockedHead,
    Optional<HeadData> head,
    long queuePass) {

  /** Copies the collections. */
  public LatestPlan {
    deferrals = Plain.sorted(deferrals);
    policyErrors = List.copyOf(policyErrors);
    bagDeferrals = Plain.sorted(bagDeferrals);
  }

  /** Returns the same without the deferrals of instances. */
  LatestPlan withoutDeferrals() {
    return new LatestPlan(Map.of(), policyErrors, bagDeferrals, blockedHead, head, queuePass);
  }

  /**
   * A {@link dev.berth.api.plan.Plan.PolicyError}.
   *
   * @param subject id of what the action names
   * @param why why it is invalid
   */
  public record ErrorData(String subject, ReasonData why) {}

  /**
   * The head of a queue in the latest pass. It may be done by now, but others keep their places
   * behind it until the next pass.
   *
   * @param id its id
   * @param admission its number in the order of admission
   * @param admittedAt when it was admitted
   * @param serviceClass name of its service class
   * @param queueKey its key in the order of the queue
   */
  public record HeadData(
      String id, long admission, long admittedAt, String serviceClass, long queueKey) {}
}
