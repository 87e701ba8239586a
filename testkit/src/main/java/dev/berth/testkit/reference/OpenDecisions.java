package dev.berth.testkit.reference;

import dev.berth.api.Action;
import dev.berth.api.ActionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The actions that no report has confirmed yet, in the order of their ids. */
final class OpenDecisions {

  private final List<Decision> all = new ArrayList<>();

  /** Adds an action of the latest plan. */
  void add(Decision decision) {
    decision
        .subject()
        .ifPresent(
            instance -> {
              List<Decision> before = of(instance);
              int size = before.size();
              if (size > 1
                  && before.get(size - 1).isUnconfirmed()
                  && before.get(size - 2).isUnconfirmed()) {
                all.remove(before.get(size - 2)); // replaced for good
              }
            });
    all.add(decision);
  }

  /** A report says that an instance has started: closes its latest start and all before it. */
  void confirm(int instance) {
    List<Decision> its = of(instance);
    its.stream()
        .filter(Decision::isStart)
        .reduce((earlier, later) -> later)
        .ifPresent(
            start -> its.stream().filter(each -> !each.isLaterThan(start)).forEach(all::remove));
  }

  /** An instance has left its host for another reason than an action, or is done. */
  void end(int instance) {
    all.removeAll(of(instance));
  }

  /** A requested host has joined, or will not start. */
  void closeProvision(String host) {
    all.removeIf(each -> each.action() instanceof Action.Provision it && it.hosts().contains(host));
  }

  /** A released host is gone. */
  void closeRelease(String host) {
    all.removeIf(each -> each.action() instanceof Action.Release it && it.host().equals(host));
  }

  /** The next pass settles what ended instances and assigned bags. */
  void settle() {
    for (Decision each : all.stream().filter(Decision::endsWithTheNextPass).toList()) {
      if (!(each.action() instanceof Action.Assign)) {
        each.formers().forEach(it -> end(it.number()));
      }
      all.remove(each);
    }
  }

  void remove(Collection<ActionId> ids) {
    all.removeIf(each -> ids.contains(each.id()));
  }

  List<Decision> all() {
    return List.copyOf(all);
  }

  Optional<Decision> find(ActionId id) {
    return all.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** Returns the open actions on an instance. */
  List<Decision> of(Decision.Former instance) {
    return of(instance.number());
  }

  private List<Decision> of(int instance) {
    return all.stream()
        .filter(each -> each.subject().filter(it -> it.number() == instance).isPresent())
        .toList();
  }

  /** Returns the open release of a host, or empty. */
  Optional<Decision> releaseOf(String host) {
    return all.stream()
        .filter(each -> each.action() instanceof Action.Release it && it.host().equals(host))
        .findFirst();
  }
}
