package dev.berth.api;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a scheduling pass decided, for the embedder to carry out in the order given: the victims of
 * a placement come right before it.
 *
 * <p>Immutable. Two plans are equal if they decide the same at the same time.
 *
 * @param pass number of the pass, counting from 1
 * @param now time of the pass
 * @param triggers what made it due; not empty
 * @param actions what to do; possibly empty
 * @param deferrals id of an instance left pending to the policy's own reason, where it gave one, in
 *     ascending order of id; possibly empty
 * @param policyErrors what the policy asked for that made no sense, in order, the first {@value
 *     #MAX_POLICY_ERRORS}; empty unless the policy has a defect
 * @param bagDeferrals id of a bag of tasks to the policy's reason to leave all its pending
 *     instances waiting, where it gave one, in ascending order of id; possibly empty
 * @param endedBags what became of the bags of tasks that came to an end since the pass before, or
 *     by this one, in that order; possibly empty
 */
public record Plan(
    long pass,
    long now,
    Set<Trigger> triggers,
    List<Action> actions,
    Map<String, Reason> deferrals,
    List<PolicyError> policyErrors,
    Map<String, Reason> bagDeferrals,
    List<BagReport> endedBags) {

  /** How many policy errors a plan reports at most. */
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

  /** A plan without bags of tasks. */
  public Plan(
      long pass,
      long now,
      Set<Trigger> triggers,
      List<Action> actions,
      Map<String, Reason> deferrals,
      List<PolicyError> policyErrors) {
    this(pass, now, triggers, actions, deferrals, policyErrors, Map.of(), List.of());
  }

  /** A plan of a policy that made no errors and deferred nothing. */
  public Plan(long pass, long now, Set<Trigger> triggers, List<Action> actions) {
    this(pass, now, triggers, actions, Map.of(), List.of());
  }

  /** Returns whether there is nothing to do. */
  public boolean isEmpty() {
    return actions.isEmpty();
  }

  /** Returns the placements, in order. */
  public List<Action.Place> placements() {
    return actions(Action.Place.class);
  }

  /** Returns the preemptions, in order. */
  public List<Action.Preempt> preemptions() {
    return actions(Action.Preempt.class);
  }

  /** Returns the actions of one kind, in order. */
  public <T extends Action> List<T> actions(Class<T> kind) {
    return actions.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /**
   * An action that the engine refused because it made no sense.
   *
   * @param subject id of the instance, host, pool or bag it was about
   * @param why of kind {@link Reason.Kind#POLICY_ERROR}
   */
  public record PolicyError(String subject, Reason why) {}
}
