package dev.berth.core.internal.pass;

import dev.berth.api.Dimension;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.rule.Limits;
import dev.berth.core.internal.rule.PeerRules;
import dev.berth.core.internal.state.ClusterState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the actions of one pass. Changes nothing; a check returns the reason of a refusal. */
final class PassGuard {

  private static final InstanceRecord[] NO_VICTIMS = {};

  private final ClusterState state;
  private final HostTable table;
  private final PeerRules peers;
  private final long number; // of the pass
  private final Set<Dimension> oversubscribed;
  private Map<InstanceRecord, Reason> drained = Map.of(); // only looked up; most passes have none

  PassGuard(ClusterState state, long number, Set<Dimension> oversubscribed) {
    this.state = state;
    this.table = state.table();
    this.peers = new PeerRules(state.peers());
    this.number = number;
    this.oversubscribed = oversubscribed;
  }

  /** Notes that the engine moved an instance off its host before the policy ran. */
  void drained(InstanceRecord instance, Reason why) {
    if (drained.isEmpty()) {
      drained = new HashMap<>();
    }
    drained.put(instance, why);
  }

  /**
   * Returns why an instance that was acted on in this pass takes no further action. It is no error
   * of the policy if the engine has moved the instance.
   */
  Reason acted(InstanceRecord instance, String rule) {
    Reason byTheEngine = drained.get(instance);
    return byTheEngine == null ? new Reason.WrongState(instance.id(), rule) : byTheEngine;
  }

  /** Returns why an instance is not ready for an action in this pass, state or place, or null. */
  @Nullable Reason unready(InstanceRecord instance, String rule, InstanceState... allowed) {
    if (instance.actedInPass() == number) {
      return acted(instance, "was acted on in this pass, so it waits for the next");
    }
    return Arrays.asList(allowed).contains(instance.state())
        ? PlacementRules.unreachable(instance)
        : new Reason.WrongState(instance.id(), rule + ", is " + where(instance));
  }

  /** Returns why an instance cannot be placed with certain victims and a certain grant, or null. */
  @Nullable Reason obstacle(
      InstanceRecord instance, HostRecord host, InstanceRecord[] victims, int count, Grant grant) {
    if (instance.state() != InstanceState.PENDING) {
      return new Reason.WrongState(
          instance.id(), "must be pending to be placed, is " + where(instance));
    }
    Reason heldBack = state.whyHeldBack(instance);
    if (heldBack != null) {
      return heldBack;
    }
    if (instance.actedInPass() == number) {
      return acted(instance, "was preempted in this pass, so it waits for the next");
    }
    for (int i = 0; i < count; i++) {
      InstanceRecord victim = victims[i];
      Reason misplaced = victim.place() == host ? null : misplaced(victim, host, victims, count);
      if (misplaced != null) {
        return misplaced;
      }
      if (victim.actedInPass() == number) {
        return acted(victim, "was acted on in this pass, so it cannot be a victim");
      }
      Reason broken = brokenGroup(victim, instance, victims, count);
      if (broken != null) {
        return broken;
      }
      if (!victim.state().holdsCapacity()) {
        return new Reason.WrongState(
            victim.id(),
            "must hold capacity on " + host.id() + " to leave it, is " + where(victim));
      }
      for (int other = 0; other < i; other++) {
        if (victims[other] == victim) {
          return new Reason.WrongState(victim.id(), "is named twice among the victims");
        }
      }
    }
    Reason obstacle = PlacementRules.misfit(instance, host, grant.amounts(), table);
    if (obstacle == null) {
      obstacle = host.closedBy();
    }
    if (obstacle == null) {
      obstacle = PlacementRules.antiAffinity(instance, host, victims, count);
    }
    if (obstacle == null) {
      obstacle = peers.obstacle(instance, host, victims, count);
    }
    if (obstacle != null) {
      return obstacle;
    }
    long[] need = grant.amounts();
    for (int d = 0; d < need.length; d++) {
      long room = table.free(host.slot(), d);
      for (int i = 0; i < count; i++) {
        long[] held = victims[i].held();
        room += d < held.length && victims[i].place() == host ? held[d] : 0;
      }
      if (room < need[d]) {
        return new Reason.ShortOfCapacity(table.dimension(d), need[d] - room);
      }
    }
    if (instance.limits() != null) {
      InstanceRecord[] here =
          Arrays.stream(victims, 0, count)
              .filter(each -> each.place() == host)
              .toArray(InstanceRecord[]::new);
      obstacle = Limits.obstacle(instance, host, here, here.length);
    }
    return obstacle == null ? BudgetRecord.protection(victims, count) : obstacle;
  }

  /** Returns why a victim on another host cannot leave, unless it does with its group. */
  private static @Nullable Reason misplaced(
      InstanceRecord victim, HostRecord host, InstanceRecord[] victims, int count) {
    for (int i = 0; i < count; i++) {
      boolean isOfOne = victim.group != null && victims[i].group == victim.group;
      if (isOfOne && victims[i].place() == host && victim.place() != null) {
        return PlacementRules.unreachable(victim);
      }
    }
    return new Reason.WrongState(
        victim.id(), "must be on " + host.id() + " to leave it, is " + where(victim));
  }

  /** Returns why victims break the group of one without being all of it, or null. */
  private static @Nullable Reason brokenGroup(
      InstanceRecord victim, InstanceRecord beneficiary, InstanceRecord[] victims, int count) {
    GroupRecord group = GroupRecord.of(victim);
    if (group == null) {
      return null;
    }
    int members = 0;
    for (int i = 0; i < count; i++) {
      members += victims[i].group == group ? 1 : 0;
    }
    return members <= group.surplus() || (members == group.onHosts() && beneficiary.group != group)
        ? null
        : new Reason.WrongSubject(
            "group",
            group.id(),
            "must keep %s of its %s members on hosts or lose all to another, victims are %s"
                .formatted(group.required(), group.onHosts(), members));
  }

  /** Returns why an instance cannot migrate to a host with a grant, or null. */
  @Nullable Reason unmovable(InstanceRecord instance, HostRecord host, Grant grant) {
    Reason obstacle =
        unready(
            instance,
            "must be running, paused or suspended to be migrated",
            InstanceState.RUNNING,
            InstanceState.PAUSED,
            InstanceState.SUSPENDED);
    if (obstacle == null && instance.place() == host) {
      obstacle = new Reason.WrongState(instance.id(), "is on " + host.id() + " already");
    }
    if (obstacle == null) {
      obstacle = PlacementRules.misfit(instance, host, grant.amounts(), table);
    }
    if (obstacle == null) {
      obstacle = host.closedBy();
    }
    if (obstacle == null) {
      obstacle = PlacementRules.antiAffinity(instance, host, NO_VICTIMS, 0);
    }
    if (obstacle == null) {
      obstacle = peers.obstacle(instance, host);
    }
    if (obstacle == null) {
      obstacle = shortage(host, grant.amounts(), null, true);
    }
    if (obstacle == null) {
      obstacle = Limits.immovable(instance, host);
    }
    return obstacle == null ? BudgetRecord.protection(instance) : obstacle;
  }

  /** Returns why a pool cannot provide hosts, or null. */
  static @Nullable Reason unprovidable(PoolRecord pool, int count, Optional<String> cluster) {
    if (count <= 0) {
      return new Reason.WrongSubject(
          "pool", pool.name(), "must provide at least 1 host, the request was for " + count);
    }
    if (cluster.isPresent() && cluster.get().isBlank()) {
      return new Reason.WrongSubject(
          "pool", pool.name(), "cannot provide hosts for a cluster with a blank name");
    }
    return count > pool.room() ? new Reason.PoolExhausted(pool.name(), count, pool.room()) : null;
  }

  /** Returns the reason why a host with instances on it cannot be released. */
  static Reason occupied(HostRecord host) {
    return new Reason.WrongSubject(
        "host",
        host.id(),
        "must be empty to be released, holds %s, the first is %s"
            .formatted(host.residents.size(), firstAdmitted(host).id()));
  }

  private static InstanceRecord firstAdmitted(HostRecord host) { // the list is not in order
    InstanceRecord first = host.residents.get(0);
    for (InstanceRecord each : host.residents) {
      first = InstanceRecord.BY_ADMISSION.compare(each, first) < 0 ? each : first;
    }
    return first;
  }

  /** Returns why a bag cannot be assigned to a cluster, or null. */
  static @Nullable Reason unassignable(
      BagRecord bag, String cluster, OptionalLong expiresAt, long now) {
    if (cluster.isBlank()) {
      return new Reason.WrongSubject(
          "bag", bag.id(), "cannot be assigned to a cluster with a blank name");
    }
    return expiresAt.isPresent() && expiresAt.getAsLong() < now
        ? new Reason.WrongSubject(
            "bag",
            bag.id(),
            "must not expire in the past, at %s ns".formatted(expiresAt.getAsLong()))
        : null;
  }

  /**
   * Returns what a host lacks for a need, or null.
   *
   * @param resident an instance there that releases what it holds; null if none does
   * @param withCpu whether the CPU is held at once; a paused instance needs it when it resumes
   */
  @Nullable Reason shortage(
      HostRecord host, long[] need, @Nullable InstanceRecord resident, boolean withCpu) {
    for (int d = 0; d < need.length; d++) {
      long has = resident == null || d >= resident.held().length ? 0 : resident.held()[d];
      if (need[d] <= has) {
        continue; // even on a host that holds more than its capacity
      }
      if (need[d] > table.capacity(host.slot(), d)) {
        return new Reason.LargerThanHost(
            table.dimension(d), need[d] - table.capacity(host.slot(), d));
      }
      if (need[d] > table.usable(host.slot(), d)) {
        return new Reason.ForeignLoad(table.dimension(d), need[d] - table.usable(host.slot(), d));
      }
      long room = table.free(host.slot(), d) + has;
      if (room < need[d] && (withCpu || !isCpu(d))) {
        return new Reason.ShortOfCapacity(table.dimension(d), need[d] - room);
      }
    }
    return null;
  }

  private boolean isCpu(int dimension) {
    return dimension == table.numberOf(Dimension.CPU); // on any scale
  }

  /** Returns the state of an instance and its host, for messages. */
  static String where(InstanceRecord instance) {
    HostRecord host = instance.place();
    return host == null ? instance.state().toString() : instance.state() + " on " + host.id();
  }

  /** Returns what is wrong with a grant on any host, or null. */
  @Nullable Reason wrongGrant(InstanceRecord subject, Resources grant, boolean molds) {
    if (grant.equals(subject.request.demand())) {
      return null;
    }
    Dimension unknown = Grant.unknown(grant, table);
    return unknown != null
        ? new Reason.Unknown("dimension", unknown.name())
        : Grant.tooSmall(subject, grant, molds, oversubscribed);
  }
}
