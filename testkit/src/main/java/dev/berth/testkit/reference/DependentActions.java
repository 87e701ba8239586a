package dev.berth.testkit.reference;

import dev.berth.api.Dimension;
import dev.berth.api.plan.Action;
import dev.berth.testkit.reference.Decision.Former;
import dev.berth.testkit.reference.Decision.Identity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds what depends on an action that is rejected. Whether a host can hold what returns to it, it
 * learns from a cluster in which the actions found so far were never decided.
 */
final class DependentActions {

  private final ReferenceCluster cluster;
  private final OpenDecisions open;
  private final List<Decision> undone = new ArrayList<>();
  private final List<Decision> causes = new ArrayList<>(); // in the order in which they were found
  private final Map<Integer, Decision> earliest = new HashMap<>(); // undone, by instance

  private DependentActions(ReferenceCluster cluster, OpenDecisions open) {
    this.cluster = cluster;
    this.open = open;
  }

  /** Returns an open action and what depends on it, the latest first. */
  static List<Decision> of(Decision rejected, ReferenceCluster cluster, OpenDecisions open) {
    DependentActions search = new DependentActions(cluster, open);
    search.include(rejected);
    search.includeDependents();
    return search.undone.stream()
        .sorted(
            Comparator.<Decision>comparingLong(each -> each.id().pass())
                .thenComparingInt(each -> each.id().index())
                .reversed())
        .toList();
  }

  /** Includes an action and the later ones on its instance. */
  private void include(Decision action) {
    if (undone.contains(action)) {
      return;
    }
    Optional<Former> subject = action.subject();
    if (subject.isPresent()) {
      open.of(subject.get()).stream()
          .filter(each -> !action.isLaterThan(each) && !undone.contains(each))
          .forEach(undone::add);
      earliest.put(subject.get().number(), action);
    } else {
      undone.add(action);
    }
    causes.add(action);
  }

  private void includeDependents() {
    Optional<Decision> taker;
    do {
      for (int i = 0; i < causes.size(); i++) { // grows meanwhile
        includeDirect(causes.get(i));
      }
      taker = causes.stream().flatMap(each -> takerOfRoom(each).stream()).findFirst();
      taker.ifPresent(this::include);
    } while (taker.isPresent());
  }

  private void includeDirect(Decision cause) {
    for (Former each : cause.formers()) {
      each.home()
          .filter(home -> !open.isUp(home))
          .flatMap(home -> open.releaseOf(home.id()))
          .ifPresent(this::include);
    }
    if (cause.action() instanceof Action.Preempt preempt) {
      open.all().stream()
          .filter(each -> each.id().pass() == cause.id().pass())
          .filter(each -> isPlacementOf(preempt.beneficiary(), each))
          .filter(open::canBeUndone)
          .toList()
          .forEach(this::include);
    } else if (cause.action() instanceof Action.Provision provision) {
      provision.hosts().stream()
          .flatMap(each -> open.releaseOf(each).stream())
          .toList()
          .forEach(this::include);
    } else if (cause.action() instanceof Action.Assign) {
      includeOfBag(cause);
    }
  }

  private static boolean isPlacementOf(String instance, Decision action) {
    return action.action() instanceof Action.Place place && place.instance().equals(instance);
  }

  /** Includes later assignments of the bag, and the starts that its former cluster forbids. */
  private void includeOfBag(Decision assigned) {
    for (Decision each : open.all()) {
      if (!each.isLaterThan(assigned) || !each.bag().equals(assigned.bag())) {
        continue;
      }
      if (each.action() instanceof Action.Assign) {
        include(each);
      } else if (each.isStart()
          && assigned.formerCluster().isPresent()
          && open.canBeUndone(each)
          && each.subject()
              .flatMap(it -> cluster.instance(it.instance()))
              .flatMap(ReferenceInstance::hostId)
              .filter(host -> !cluster.clusterOf(host).equals(assigned.formerCluster()))
              .isPresent()) {
        include(each);
      }
    }
  }

  /** Returns an action that took the room of an instance that an undone action returns. */
  private Optional<Decision> takerOfRoom(Decision cause) {
    for (Former each : cause.formers()) {
      Decision first = earliest.getOrDefault(each.number(), cause);
      if (each.home().filter(open::isUp).isEmpty() || !first.equals(cause)) {
        continue; // it was on no host, or does not stay there
      }
      Identity home = each.home().get();
      Optional<Decision> taker = conflicting(each, home, cause).or(() -> latestTaker(home, cause));
      if (taker.isPresent()) {
        return taker;
      }
    }
    return Optional.empty();
  }

  /** Returns a later start on a host that anti-affinity with a returning instance forbids. */
  private Optional<Decision> conflicting(Former returning, Identity home, Decision cause) {
    Optional<ReferenceInstance> instance = without().instance(returning.instance());
    if (instance.isEmpty()) {
      return Optional.empty();
    }
    return cluster.residents(cluster.host(home.id()).orElseThrow()).stream()
        .filter(each -> each.number() != returning.number())
        .filter(each -> !ReferencePlacement.mayShare(each, instance.get()))
        .filter(each -> !earliest.containsKey(each.number()))
        .flatMap(each -> latestStartTo(home, each, cause).stream())
        .findFirst();
  }

  /** Returns the latest start that brought an instance to a host, if it is after another action. */
  private Optional<Decision> latestStartTo(
      Identity home, ReferenceInstance instance, Decision cause) {
    return open.all().stream()
        .filter(each -> isStartOf(instance, each))
        .filter(each -> !each.formers().get(0).home().equals(Optional.of(home)))
        .filter(each -> each.isLaterThan(cause) && open.canBeUndone(each))
        .reduce((earlier, later) -> later);
  }

  private static boolean isStartOf(ReferenceInstance instance, Decision action) {
    return action.isStart() && action.formers().get(0).number() == instance.number();
  }

  /** Returns the latest action after another that took what a host lacks. */
  private Optional<Decision> latestTaker(Identity home, Decision cause) {
    ReferenceCluster afterwards = without();
    List<Dimension> scarce = afterwards.scarce(home.id());
    return open.all().stream()
        .filter(each -> each.isLaterThan(cause) && !undone.contains(each))
        .filter(each -> each.isStart() || each.action() instanceof Action.Resize)
        .filter(each -> takes(each, home, scarce, afterwards) && open.canBeUndone(each))
        .reduce((earlier, later) -> later);
  }

  /** Returns whether an action gave an instance what it will have of a host and what is scarce. */
  private static boolean takes(
      Decision action, Identity home, List<Dimension> scarce, ReferenceCluster afterwards) {
    Former before = action.formers().get(0);
    boolean wasThere = before.home().equals(Optional.of(home));
    return afterwards
        .instance(before.instance())
        .filter(each -> each.hostId().equals(Optional.of(home.id())))
        .filter(
            each ->
                scarce.stream()
                    .anyMatch(
                        it -> each.held(it) > (wasThere ? before.held().getOrDefault(it, 0L) : 0)))
        .isPresent();
  }

  private ReferenceCluster without() {
    return cluster.without(undone.stream().map(Decision::id).toList());
  }
}
