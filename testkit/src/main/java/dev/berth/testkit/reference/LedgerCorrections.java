package dev.berth.testkit.reference;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.core.event.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares a ledger with what a fleet reports, first in full; then corrects each difference by an
 * event. {@code Scheduler.reconcile} defines what counts.
 */
final class LedgerCorrections {

  private final ReferenceCluster ledger;
  private final Observation observed;
  private final Event.Reconciled fleet;
  private final long now;
  private final List<Difference> differences = new ArrayList<>();
  private final List<Runnable> corrections = new ArrayList<>();

  LedgerCorrections(ReferenceCluster ledger, Event.Reconciled fleet, long now) {
    this.ledger = ledger;
    this.observed = fleet.observed();
    this.fleet = fleet;
    this.now = now;
  }

  Reconciliation apply() {
    List<ObservedHost> up =
        observed.hosts().stream().filter(each -> !isReleased(each.spec().id())).toList();
    List<ObservedInstance> certain =
        observed.instances().stream()
            .filter(each -> !isReleased(each.host()) && !isUnderWay(each.id()))
            .toList();
    up.forEach(each -> compare(each.spec()));
    List<ObservedInstance> unknown = certain.stream().filter(each -> !isKnown(each)).toList();
    List<ObservedInstance> strays = strays(unknown);
    certain.stream()
        .filter(this::isKnown)
        .forEach(each -> compare(ledger.instance(each.id()).orElseThrow(), each));
    ledger.instances().stream().filter(this::isGone).forEach(this::gone);
    unknown.stream().filter(this::isAdopted).forEach(this::adopt);
    for (ObservedHost each : up) {
      compareForeignLoad(
          each,
          unknown.stream()
              .filter(it -> it.host().equals(each.spec().id()) && !isAdopted(it))
              .toList());
    }
    ledger.hosts().stream().filter(each -> !isObserved(each)).forEach(this::gone);
    corrections.forEach(Runnable::run);
    return new Reconciliation(differences, strays);
  }

  private void differs(Difference difference, Runnable correction) {
    differences.add(difference);
    corrections.add(correction);
  }

  /** A released host may be up until it is gone. */
  private boolean isReleased(String host) {
    return ledger.stopping().contains(host);
  }

  private boolean isUnderWay(String instance) {
    return observed.underWay().contains(instance);
  }

  private boolean isKnown(ObservedInstance seen) {
    return ledger.instance(seen.id()).isPresent()
        && !ledger.isOfEarlierLife(seen.id(), seen.attempt());
  }

  private boolean isAdopted(ObservedInstance unknown) {
    return ledger.instance(unknown.id()).isEmpty() && fleet.adoption(unknown.id()).isPresent();
  }

  /** Returns those that are to be stopped, first those whose ids others have now. */
  private List<ObservedInstance> strays(List<ObservedInstance> unknown) {
    return unknown.stream()
        .filter(each -> !isAdopted(each) && ledger.isLeftOfCancelled(each))
        .sorted(Comparator.comparing(each -> ledger.instance(each.id()).isEmpty()))
        .toList();
  }

  private boolean isObserved(HostSpec host) {
    return observed.hosts().stream().anyMatch(each -> each.spec().id().equals(host.id()));
  }

  private boolean isGone(ReferenceInstance instance) {
    return instance.hostId().isPresent()
        && !isUnderWay(instance.id())
        && !isOnUnreachable(instance, observed)
        && observed.instances().stream()
            .noneMatch(each -> each.id().equals(instance.id()) && isKnown(each));
  }

  /** Returns whether an instance is on a host that a fleet reports, but cannot reach. */
  static boolean isOnUnreachable(ReferenceInstance instance, Observation observed) {
    return observed.hosts().stream()
        .filter(each -> instance.hostId().equals(Optional.of(each.spec().id())))
        .anyMatch(each -> ReferencePlacement.isUnreachable(each.spec()));
  }

  private void compare(HostSpec spec) {
    Optional<HostSpec> believed = ledger.host(spec.id());
    if (believed.isEmpty()) {
      differs(
          new Difference.HostAppeared(spec.id()),
          () -> ledger.apply(new Event.HostAdded(spec), now));
    } else if (!believed.get().equals(spec)) {
      differs(
          new Difference.HostChanged(believed.get(), spec),
          () -> ledger.apply(new Event.HostChanged(spec), now));
    }
  }

  private void compare(ReferenceInstance instance, ObservedInstance seen) {
    boolean isThere = instance.hostId().equals(Optional.of(seen.host()));
    int believed = instance.presentAttempt();
    boolean isInAttempt = seen.attempt().orElse(believed) == believed;
    if (isThere && isInAttempt && instance.state() == seen.state()) {
      return;
    }
    long at = Math.max(instance.stateSince(), Math.min(now, seen.since().orElse(now)));
    boolean isReady =
        isThere
            && isInAttempt
            && instance.state() == InstanceState.STARTING
            && seen.state() == InstanceState.RUNNING;
    String id = instance.id();
    differs(
        new Difference.InstanceDiffers(
            id,
            instance.hostId(),
            instance.state(),
            believed,
            seen.host(),
            seen.state(),
            seen.attempt()),
        isReady
            ? () -> ledger.started(id, at)
            : () -> ledger.correct(id, seen.host(), seen.state(), seen.attempt(), at));
  }

  private void gone(ReferenceInstance instance) {
    String id = instance.id();
    boolean ended = fleet.ended().contains(id);
    differs(
        new Difference.InstanceGone(id, instance.hostId().orElseThrow(), instance.state(), ended),
        ended
            ? () -> ledger.apply(new Event.CompletedNow(id, Optional.empty()), now)
            : () -> ledger.missed(id, now));
  }

  private void adopt(ObservedInstance unknown) {
    differs(
        new Difference.InstanceUnknown(unknown.id(), unknown.host(), true),
        () ->
            ledger.apply(
                new Event.Adopted(fleet.adoption(unknown.id()).orElseThrow(), unknown), now));
  }

  /** What instances hold that are not adopted is foreign load, too. */
  private void compareForeignLoad(ObservedHost seen, List<ObservedInstance> others) {
    String host = seen.spec().id();
    Resources all = sum(seen.foreign(), others);
    Resources believed = ledger.foreign(host);
    if (!all.equals(believed)) {
      others.forEach(
          each -> differs(new Difference.InstanceUnknown(each.id(), host, false), () -> {}));
      differs(
          new Difference.ForeignLoadChanged(host, believed, all),
          () -> ledger.apply(new Event.ForeignLoadReported(host, all), now));
    }
  }

  private static Resources sum(Resources foreign, List<ObservedInstance> others) {
    Map<Dimension, Long> amounts = new HashMap<>();
    foreign.dimensions().forEach(each -> amounts.put(each, foreign.amount(each)));
    for (ObservedInstance it : others) {
      for (Dimension each : it.holds().dimensions()) {
        amounts.merge(each, it.holds().amount(each), Math::addExact);
      }
    }
    Resources.Builder sum = Resources.builder();
    amounts.forEach(sum::put);
    return sum.build();
  }

  private void gone(HostSpec host) {
    differs(
        new Difference.HostGone(host.id()),
        () -> ledger.apply(new Event.HostRemoved(host.id()), now));
  }
}
