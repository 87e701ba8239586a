package dev.berth.testkit.contract.selftest;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.testkit.contract.Setting;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.LedgerCalls;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePlacement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A scheduler independent of the engine: places requests in order of admission, each on the first
 * host with room. Broken subjects override single methods.
 */
class FirstFitScheduler implements EventTarget {

  final ReferenceCluster cluster;
  private long passes;

  FirstFitScheduler(Setting setting) {
    this.cluster = new ReferenceCluster(setting.serviceClasses());
  }

  @Override
  public Set<Feature> supportedFeatures() {
    return EnumSet.complementOf(
        EnumSet.of(
            Feature.ATTEMPTS,
            Feature.REJECTIONS,
            Feature.RECONCILIATION,
            Feature.GROUPS,
            Feature.RUN_TIME_LIMITS,
            Feature.DEPENDENCIES));
  }

  @Override
  public Object apply(Event<?> event, long now) {
    return cluster.apply(event, now).orElse(Accepted.ACCEPTED);
  }

  @Override
  public Optional<List<InstanceSnapshot>> snapshots(long now) {
    return Optional.of(cluster.snapshots(now));
  }

  @Override
  public Optional<Resources> free(String hostId) {
    return Optional.of(cluster.free(hostId));
  }

  @Override
  public Plan schedule(long now) {
    passes++;
    List<Action> all = new ArrayList<>(expire(now));
    List<Action> actions = new ArrayList<>();
    for (ReferenceInstance each : cluster.instances(InstanceState.PENDING)) {
      if (isRunnable(each)) {
        decide(each, now, actions);
      }
    }
    adjust(now, actions);
    all.addAll(tamper(actions));
    return new Plan(
        passes, now, Set.of(Trigger.EMBEDDER), all, Map.of(), List.of(), Map.of(), report(now));
  }

  /** Cancels the bags whose time to live is over. */
  List<Action> expire(long now) {
    return cluster.expiredBags(now).stream()
        .map(
            each -> {
              Reason why = new Reason.Expired(each.id(), now - each.expiresAt().orElseThrow());
              return cancel(each, why, now);
            })
        .toList();
  }

  final Action cancel(ReferenceBag bag, Reason why, long now) {
    List<String> left = bag.members().stream().map(ReferenceInstance::id).toList();
    cluster.apply(new Event.BagCancelled(bag.id(), why), now);
    return new Action.Cancel(bag.id(), left, why);
  }

  /** Returns the reports of the bags that ended. */
  List<BagReport> report(long now) {
    return cluster.takeEndedBags();
  }

  boolean isRunnable(ReferenceInstance instance) {
    return instance.waitsFor().isEmpty();
  }

  void decide(ReferenceInstance instance, long now, List<Action> actions) {
    cluster.hosts().stream()
        .filter(host -> admits(host, instance, cluster.residents(host)))
        .findFirst()
        .ifPresent(host -> place(instance, host, List.of(), now, actions));
  }

  /** Acts other than by placing and preempting; by default not at all. */
  void adjust(long now, List<Action> actions) {}

  /** Returns the reported actions; a subject may report others than it performed. */
  List<Action> tamper(List<Action> actions) {
    return actions;
  }

  final void place(
      ReferenceInstance instance,
      HostSpec host,
      List<ReferenceInstance> victims,
      long now,
      List<Action> actions) {
    for (ReferenceInstance victim : victims) {
      LedgerCalls.preempt(cluster, victim.id(), now);
      actions.add(new Action.Preempt(victim.id(), host.id(), instance.id()));
    }
    LedgerCalls.place(cluster, instance.id(), host.id(), passes, now);
    actions.add(
        new Action.Place(
            instance.id(), host.id(), victims.stream().map(ReferenceInstance::id).toList()));
  }

  final long passes() {
    return passes;
  }

  // ---- Feasibility

  final boolean admits(
      HostSpec host, ReferenceInstance instance, List<ReferenceInstance> residents) {
    return admitsButForLimits(host, instance, residents) && isWithinLimits(instance, host);
  }

  final boolean admitsButForLimits(
      HostSpec host, ReferenceInstance instance, List<ReferenceInstance> residents) {
    return isOpen(host)
        && fits(instance, host, residents)
        && ofItsCluster(instance, host)
        && constraintsHold(instance, host)
        && obeysRules(instance, host)
        && residents.stream().allMatch(each -> mayShare(instance, each));
  }

  boolean fits(ReferenceInstance instance, HostSpec host, List<ReferenceInstance> residents) {
    return cluster.fit(instance, host, residents);
  }

  boolean isWithinLimits(ReferenceInstance instance, HostSpec host) {
    return cluster.limits().allow(instance, host, List.of());
  }

  boolean isOpen(HostSpec host) {
    return cluster.isOpen(host);
  }

  boolean ofItsCluster(ReferenceInstance instance, HostSpec host) {
    return cluster.ofItsCluster(instance, host);
  }

  boolean constraintsHold(ReferenceInstance instance, HostSpec host) {
    return ReferencePlacement.constraintsHold(instance, host);
  }

  boolean obeysRules(ReferenceInstance instance, HostSpec host) {
    return new ReferencePlacement(cluster).refusal(instance, host, List.of()).isEmpty();
  }

  boolean mayShare(ReferenceInstance one, ReferenceInstance other) {
    return ReferencePlacement.mayShare(one, other);
  }
}
