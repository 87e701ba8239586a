package dev.berth.api.plan;

import dev.berth.api.PlainHash;
import dev.berth.api.Reason;
import dev.berth.api.batch.BagReport;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The decisions of a scheduling pass. The embedder carries out the actions in order; the
 * preemptions for a placement directly precede it.
 *
 * <p>Immutable. Two plans are equal if all their components are.
 *
 * @param pass number of the pass, counting from 1
 * @param now time of the pass
 * @param triggers the events that made the pass due; not empty
 * @param actions the actions to carry out; possibly empty
 * @param deferrals the policy's own reason for each instance that it deferred, by id in ascending
 *     order; possibly empty
 * @param policyErrors invalid actions of the policy, in order, at most {@value #MAX_POLICY_ERRORS};
 *     empty unless the policy has a defect
 * @param bagDeferrals the policy's own reason for each bag of tasks that it deferred, by id in
 *     ascending order; possibly empty
 * @param endedBags reports of the bags that ended since the previous pass or in this one, in order;
 *     possibly empty
 * @param blockedHead id of the first pending instance in queue order that found no room, if the
 *     policy makes others wait for it; otherwise empty. Deferrals do not list those that wait for
 *     it, since there may be thousands
 */
public record Plan(
    long pass,
    long now,
    Set<Trigger> triggers,
    List<Action> actions,
    Map<String, Reason> deferrals,
    List<PolicyError> policyErrors,
    Map<String, Reason> bagDeferrals,
    List<BagReport> endedBags,
    Optional<String> blockedHead) {

  /** The maximum number of policy errors in a plan. */
  public static final int MAX_POLICY_ERRORS = 100;

  /** Copies the collections, in an order that is the same on every machine. */
  public Plan {
    Set<Trigger> ordered = EnumSet.noneOf(Trigger.class);
    ordered.addAll(triggers);
    triggers = Collections.unmodifiableSet(ordered);
    actions = List.copyOf(actions);
    deferrals = inOrder(deferrals);
    policyErrors = List.copyOf(policyErrors);
    bagDeferrals = inOrder(bagDeferrals);
    endedBags = List.copyOf(endedBags);
  }

  private static Map<String, Reason> inOrder(Map<String, Reason> reasons) {
    return reasons.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(reasons));
  }

  /** Creates a plan without a blocked head. */
  public Plan(
      long pass,
      long now,
      Set<Trigger> triggers,
      List<Action> actions,
      Map<String, Reason> deferrals,
      List<PolicyError> policyErrors,
      Map<String, Reason> bagDeferrals,
      List<BagReport> endedBags) {
    this(
        pass,
        now,
        triggers,
        actions,
        deferrals,
        policyErrors,
        bagDeferrals,
        endedBags,
        Optional.empty());
  }

  /** Creates a plan without bags of tasks and without a blocked head. */
  public Plan(
      long pass,
      long now,
      Set<Trigger> triggers,
      List<Action> actions,
      Map<String, Reason> deferrals,
      List<PolicyError> policyErrors) {
    this(pass, now, triggers, actions, deferrals, policyErrors, Map.of(), List.of());
  }

  /** Creates a plan without policy errors and deferrals. */
  public Plan(long pass, long now, Set<Trigger> triggers, List<Action> actions) {
    this(pass, now, triggers, actions, Map.of(), List.of());
  }

  /** Returns whether the plan has no actions. */
  public boolean isEmpty() {
    return actions.isEmpty();
  }

  /**
   * Returns the id of an action.
   *
   * @param index its place among the {@linkplain #actions() actions}, from 0
   * @throws IndexOutOfBoundsException if there is no such action
   */
  public ActionId id(int index) {
    return new ActionId(pass, Objects.checkIndex(index, actions.size()));
  }

  /** Returns the placements, in order. */
  public List<Action.Place> placements() {
    return actions(Action.Place.class);
  }

  /** Returns the preemptions, in order. */
  public List<Action.Preempt> preemptions() {
    return actions(Action.Preempt.class);
  }

  /** Returns the actions of one type, in order. */
  public <T extends Action> List<T> actions(Class<T> kind) {
    return actions.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /**
   * Returns a hash of all components, the same on every machine. Two plans that differ have
   * different digests, except with the probability of 64-bit hashes. The digest may change with the
   * version of Berth. Cost O(size of the plan).
   */
  public long digest() {
    return PlainHash.of(this);
  }

  /**
   * An action that the engine refused because it is invalid.
   *
   * @param subject id of the instance, host, pool or bag that the action names
   * @param why why it is invalid; of kind {@link Reason.Kind#POLICY_ERROR}
   */
  public record PolicyError(String subject, Reason why) {}
}
