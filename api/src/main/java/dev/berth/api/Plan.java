package dev.berth.api;

import java.util.List;
import java.util.Map;
import java.util.Set;

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
 * @param deferrals id of an instance left pending to the policy's own reason, where it gave one;
 *     possibly empty
 */
public record Plan(
    long pass,
    long now,
    Set<Trigger> triggers,
    List<Action> actions,
    Map<String, Reason> deferrals) {

  /** Copies the collections. */
  public Plan {
    triggers = Set.copyOf(triggers);
    actions = List.copyOf(actions);
    deferrals = Map.copyOf(deferrals);
  }

  /** Returns whether there is nothing to do. */
  public boolean isEmpty() {
    return actions.isEmpty();
  }

  /** Returns the placements, in order. */
  public List<Action.Place> placements() {
    return only(Action.Place.class);
  }

  /** Returns the preemptions, in order. */
  public List<Action.Preempt> preemptions() {
    return only(Action.Preempt.class);
  }

  private <T extends Action> List<T> only(Class<T> kind) {
    return actions.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
