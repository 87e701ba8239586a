package dev.berth.testkit.reference;

import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** All that happened to a cluster, so that it can happen again without some of its actions. */
final class ReferenceLog {

  private final List<Entry> entries = new ArrayList<>();

  /**
   * An event, or an action of a plan.
   *
   * @param id id of the action; empty for an event
   * @param instances the numbers of the instances on which the action acts
   */
  private record Entry(
      Optional<ActionId> id,
      Optional<Action> action,
      List<Integer> instances,
      Consumer<ReferenceCluster> again) {}

  /** Notes an event. */
  void note(Consumer<ReferenceCluster> event) {
    entries.add(new Entry(Optional.empty(), Optional.empty(), List.of(), event));
  }

  /** Notes an action. */
  void note(ActionId id, Action action, List<Integer> instances, Consumer<ReferenceCluster> again) {
    entries.add(new Entry(Optional.of(id), Optional.of(action), instances, again));
  }

  /** Returns the ids of the actions that were not undone, in order. */
  List<ActionId> actions() {
    return entries.stream().flatMap(each -> each.id().stream()).toList();
  }

  Optional<Action> action(ActionId id) {
    return entries.stream()
        .filter(each -> each.id().equals(Optional.of(id)))
        .findFirst()
        .flatMap(Entry::action);
  }

  /**
   * Lets all happen again, but without some actions. Later actions on their instances, which others
   * have replaced, do not happen again either.
   */
  void replay(Collection<ActionId> undone, ReferenceCluster cluster) {
    Set<Integer> acted = new HashSet<>();
    for (Entry each : entries) {
      boolean isUndone = each.id().filter(undone::contains).isPresent();
      if (isUndone && each.action().get() instanceof Action.OnInstance) {
        acted.addAll(each.instances());
      } else if (!isUndone
          && (each.action().isEmpty()
              || !(each.action().get() instanceof Action.OnInstance)
              || !acted.containsAll(each.instances()))) {
        each.again().accept(cluster);
      }
    }
  }
}
