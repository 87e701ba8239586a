package dev.berth.testkit.reference;

import dev.berth.api.Dimension;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The actions that no report has confirmed yet, in the order of their ids. */
final class OpenDecisions {

  private final ReferenceCluster cluster;
  private final List<Decision> all = new ArrayList<>();
  private final Map<String, Decision.Identity> visits = new HashMap<>(); // of hosts up or stopping
  private int joined;

  OpenDecisions(ReferenceCluster cluster) {
    this.cluster = cluster;
  }

  /** A host has joined, or a requested host is up. */
  void hostJoins(String host) {
    all.removeIf(each -> each.action() instanceof Action.Provision it && it.hosts().contains(host));
    visits.put(host, new Decision.Identity(host, joined++));
  }

  /** A host has left or will not start, or a released host is gone. */
  void hostLeaves(String host) {
    all.removeIf(each -> each.action() instanceof Action.Provision it && it.hosts().contains(host));
    all.removeIf(each -> each.action() instanceof Action.Release it && it.host().equals(host));
    visits.remove(host);
  }

  /** Some are undone: the hosts are those of another cluster, to which they never happened. */
  void undo(Collection<ActionId> ids, OpenDecisions again) {
    all.removeIf(each -> ids.contains(each.id()));
    visits.clear();
    visits.putAll(again.visits);
  }

  // ---- What an action can undo

  Decision decide(ActionId id, Action action) {
    Optional<Decision.Identity> none = Optional.empty();
    if (action instanceof Action.OnInstance it) {
      ReferenceInstance instance = cluster.get(it.instance());
      Optional<Decision.Identity> bag = cluster.bagOf(instance).map(ReferenceBag::identity);
      Optional<Decision.Identity> group = cluster.groupOf(instance).map(ReferenceGroup::identity);
      return new Decision(id, action, List.of(former(instance)), bag, Optional.empty(), group);
    } else if (action instanceof Action.Cancel it) {
      ReferenceBag bag = cluster.getBag(it.bag());
      List<Decision.Former> members = bag.members().stream().map(this::former).toList();
      return new Decision(id, action, members, Optional.of(bag.identity()), Optional.empty(), none);
    } else if (action instanceof Action.Assign it) {
      ReferenceBag bag = cluster.getBag(it.bag());
      return new Decision(id, action, List.of(), Optional.of(bag.identity()), bag.cluster(), none);
    }
    return new Decision(id, action, List.of(), none, Optional.empty(), none);
  }

  private Decision.Former former(ReferenceInstance instance) {
    Map<Dimension, Long> held = new HashMap<>();
    cluster.dimensions().forEach(each -> held.put(each, instance.held(each)));
    return new Decision.Former(
        instance.id(), instance.number(), instance.hostId().flatMap(this::visit), held);
  }

  private Optional<Decision.Identity> visit(String hostId) {
    return Optional.ofNullable(visits.get(hostId));
  }

  boolean canBeUndone(Decision decision) {
    Action action = decision.action();
    if (action instanceof Action.Cancel cancel) {
      return cluster.bag(cancel.bag()).isEmpty()
          && decision.formers().stream()
              .allMatch(each -> cluster.instance(each.instance()).isEmpty() && canReturn(each));
    } else if (action instanceof Action.Assign assign) {
      return cluster.bag(assign.bag()).map(ReferenceBag::identity).equals(decision.bag());
    } else if (action instanceof Action.Ends ends) {
      return cluster.instance(ends.instance()).isEmpty()
          && canReturn(decision.formers().get(0))
          && decision
              .bag()
              .flatMap(each -> cluster.bag(each.id()))
              .map(ReferenceBag::identity)
              .filter(present -> !decision.bag().equals(Optional.of(present)))
              .isEmpty()
          && decision
              .group()
              .flatMap(each -> cluster.group(each.id()))
              .map(ReferenceGroup::identity)
              .filter(present -> !decision.group().equals(Optional.of(present)))
              .isEmpty();
    } else if (action instanceof Action.OnInstance it) {
      Decision.Former former = decision.formers().get(0);
      boolean isReplaced =
          decision.isUnconfirmed() && of(former).stream().anyMatch(decision::isBefore);
      return cluster
              .instance(it.instance())
              .filter(each -> each.number() == former.number())
              .isPresent()
          && !isReplaced
          && canReturn(former);
    }
    return true;
  }

  private boolean canReturn(Decision.Former former) {
    return former.home().isEmpty()
        || former.home().filter(this::isUp).isPresent()
        || former
            .home()
            .filter(each -> visit(each.id()).equals(former.home()))
            .flatMap(each -> releaseOf(each.id()))
            .isPresent();
  }

  /** Returns whether a host has not left since. */
  boolean isUp(Decision.Identity visit) {
    return cluster.host(visit.id()).isPresent() && visit(visit.id()).equals(Optional.of(visit));
  }

  // ---- Open actions

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

  /** The next pass settles what ended instances and assigned bags. */
  void settle() {
    for (Decision each : all.stream().filter(Decision::endsWithTheNextPass).toList()) {
      if (!(each.action() instanceof Action.Assign)) {
        each.formers().forEach(it -> end(it.number()));
      }
      all.remove(each);
    }
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
