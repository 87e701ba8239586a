package dev.berth.testkit.contract.selftest;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.core.event.Event;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.reference.LedgerCalls;
import dev.berth.testkit.reference.ReferenceInstance;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A first-fit scheduler that applies one kind of adjustment, after placing, to every instance on
 * which the pass has not acted. The static methods are adjustments and their parts.
 */
class AdjustingScheduler extends FirstFitScheduler {

  /** Changes an instance in the ledger of a scheduler and returns the action, if there is one. */
  interface Adjustment {
    Optional<? extends Action> apply(
        FirstFitScheduler scheduler, ReferenceInstance instance, long now);
  }

  /** An action on a host that the plan reports although it does not happen. */
  interface Claim {
    Action of(String id, String hostId);
  }

  private final Adjustment adjustment;

  AdjustingScheduler(Setting setting, Adjustment adjustment) {
    super(setting);
    this.adjustment = adjustment;
  }

  @Override
  void adjust(long now, List<Action> actions) {
    Set<String> acted = new HashSet<>();
    actions.forEach(each -> acted.add(((Action.OnInstance) each).instance()));
    for (ReferenceInstance each : cluster.instances()) {
      if (!acted.contains(each.id())) {
        adjustment.apply(this, each, now).ifPresent(actions::add);
      }
    }
  }

  /** Subtracts what the instances in a state are granted on a host. */
  final Resources less(Resources free, String hostId, InstanceState state, Dimension dimension) {
    return with(
        free, dimension, Math.max(0, free.amount(dimension) - granted(hostId, state, dimension)));
  }

  /** Adds what the instances in a state are granted on a host. */
  final Resources plus(Resources free, String hostId, InstanceState state, Dimension dimension) {
    return with(free, dimension, free.amount(dimension) + granted(hostId, state, dimension));
  }

  private long granted(String hostId, InstanceState state, Dimension dimension) {
    return cluster.instances(state).stream()
        .filter(each -> each.hostId().equals(Optional.of(hostId)))
        .mapToLong(each -> each.granted().amount(dimension))
        .sum();
  }

  static EventTarget adjusting(Setting setting, Adjustment adjustment) {
    return new AdjustingScheduler(setting, adjustment);
  }

  /** Reports an action on each instance in a state, and does nothing. */
  static Adjustment claiming(InstanceState state, Claim claim) {
    return (scheduler, each, now) ->
        each.state() == state
            ? Optional.of(claim.of(each.id(), each.hostId().orElseThrow()))
            : Optional.empty();
  }

  private static boolean isProtected(FirstFitScheduler scheduler, ReferenceInstance instance) {
    return scheduler.cluster.budgets().protect(instance, List.of());
  }

  static Optional<Action> resize(
      FirstFitScheduler scheduler, ReferenceInstance instance, Resources grant) {
    LedgerCalls.resize(scheduler.cluster, instance.id(), grant);
    return Optional.of(new Action.Resize(instance.id(), instance.hostId().orElseThrow(), grant));
  }

  static Optional<Action> pause(FirstFitScheduler scheduler, ReferenceInstance instance, long now) {
    if (instance.state() != InstanceState.RUNNING || isProtected(scheduler, instance)) {
      return Optional.empty();
    }
    LedgerCalls.pause(scheduler.cluster, instance.id(), now);
    return Optional.of(new Action.Pause(instance.id(), instance.hostId().orElseThrow()));
  }

  static Optional<Action> suspend(
      FirstFitScheduler scheduler, ReferenceInstance instance, long now) {
    if ((instance.state() != InstanceState.RUNNING && instance.state() != InstanceState.PAUSED)
        || isProtected(scheduler, instance)) {
      return Optional.empty();
    }
    LedgerCalls.suspend(scheduler.cluster, instance.id(), now);
    return Optional.of(new Action.Suspend(instance.id(), instance.hostId().orElseThrow()));
  }

  /** Migrates a running instance to the first other host with room. */
  static Optional<Action.Migrate> migrate(
      FirstFitScheduler scheduler, ReferenceInstance instance, long now) {
    if (instance.state() != InstanceState.RUNNING || isProtected(scheduler, instance)) {
      return Optional.empty();
    }
    String from = instance.hostId().orElseThrow();
    Optional<HostSpec> to =
        scheduler.cluster.hosts().stream()
            .filter(host -> !host.id().equals(from))
            .filter(host -> scheduler.admits(host, instance, scheduler.cluster.residents(host)))
            .findFirst();
    to.ifPresent(
        host ->
            LedgerCalls.migrate(
                scheduler.cluster,
                instance.id(),
                host.id(),
                instance.granted(),
                scheduler.passes(),
                now));
    return to.map(
        host ->
            new Action.Migrate(
                instance.id(), from, host.id(), instance.granted(), instance.attempt()));
  }

  static Optional<Action> reject(
      FirstFitScheduler scheduler, ReferenceInstance instance, long now) {
    scheduler.cluster.apply(new Event.Cancelled(instance.id()), now);
    return Optional.of(new Action.Reject(instance.id(), WellBehavedParts.NO_ROOM));
  }

  /** Returns resources with another amount of one dimension. */
  static Resources with(Resources resources, Dimension dimension, long amount) {
    Resources.Builder changed = Resources.builder();
    resources.dimensions().stream()
        .filter(each -> !each.equals(dimension))
        .forEach(each -> changed.put(each, resources.amount(each)));
    return changed.put(dimension, amount).build();
  }
}
