package dev.berth.core;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.batch.Bag;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.state.ClusterState;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** All that decides the future of a cluster, as text, for comparing two runs. */
final class StateDump {

  private StateDump() {}

  /** Returns the state, one thing a line, without its clock and what a search may have cached. */
  static List<String> of(Scheduler scheduler, long now) {
    ClusterState state = state(scheduler);
    List<String> lines = new ArrayList<>();
    lines.add("latest placement " + state.latestPlacement());
    for (Host each : scheduler.hosts()) {
      lines.add(of((HostRecord) each));
    }
    for (Instance each : scheduler.instances()) {
      lines.add(of((InstanceRecord) each, now));
    }
    List<String> pending = new ArrayList<>();
    state.pendingRecords().forEach(each -> pending.add(each.id()));
    lines.add("pending " + pending);
    for (Pool each : scheduler.pools()) {
      PoolRecord pool = (PoolRecord) each;
      List<String> starting = new ArrayList<>();
      pool.starting().forEach(it -> starting.add(it + " " + it.cluster() + it.expiresAt()));
      lines.add(
          "pool %s: %s, starting %s, up %s, stopping %s, numbered %s, failures %s at %s"
              .formatted(
                  pool.name(),
                  pool.spec(),
                  starting,
                  pool.up(),
                  pool.stoppingIds(),
                  pool.numbered(),
                  pool.failures(),
                  pool.lastFailureAt()));
    }
    for (Bag each : scheduler.bags()) {
      BagRecord bag = (BagRecord) each;
      lines.add(
          "bag %s: members %s, %s completed, cluster %s since %s, expires %s, served %s"
              .formatted(
                  bag.id(),
                  bag.members(),
                  bag.completed(),
                  bag.itsCluster(),
                  bag.assignedAt(),
                  bag.expiresAt(),
                  bag.serviceTime(now)));
    }
    scheduler.groups().forEach(each -> lines.add(each.toString()));
    state.groupRecords().forEach(each -> lines.add(each + " has the members " + each.admissions()));
    lines.add("next expiry " + state.nextExpiry(Long.MIN_VALUE));
    return lines;
  }

  private static String of(HostRecord host) {
    List<String> free = new ArrayList<>();
    for (Dimension each : List.of(Dimension.CPU, Dimension.MEMORY)) {
      free.add(each + " " + host.free(each));
    }
    TreeSet<String> residents = new TreeSet<>();
    host.residents.forEach(each -> residents.add(each.id()));
    if (!residents.equals(new TreeSet<>(host.instances().stream().map(Instance::id).toList()))) {
      throw new AssertionError(host.instances() + ", but there are " + residents);
    }
    return "host %s: %s, joined %s, free %s, holds %s, pool %s, cluster %s until %s, load %s, ends %s"
            .formatted(
                host.id(),
                host.spec(),
                host.joined,
                free,
                residents,
                host.pool(),
                host.cluster,
                host.expiresAt(),
                host.load(),
                host.recentCompletions())
        + host.history("app")
        + ", closed by %s, drain %s, foreign %s"
            .formatted(host.closed(), host.drain(), host.foreign());
  }

  private static String of(InstanceRecord it, long now) {
    return "instance %s: %s since %s on %s, e %s, p %s, earned %s"
            .formatted(
                it.id(),
                it.state(),
                it.stateSince(),
                it.place(),
                it.serviceTime(now),
                it.waitingTime(now),
                it.earnedTime(now))
        + " served %s earned %s".formatted(it.served(), it.earned())
        + ", %s preemptions, %s placements, %s migrations, attempt %s, lost %s %s %s"
            .formatted(
                it.preemptions(),
                it.placements(),
                it.migrations(),
                it.attempt(),
                it.restartOverhead(),
                it.placedAfterPreemption(),
                it.lastStopWasPreemption())
        + ", granted %s %s, holds %s, used %s before %s, victim key %s, queue key %s, bag %s"
            .formatted(
                Arrays.toString(it.grantedAmounts()),
                it.grantedResources(),
                Arrays.toString(it.held()),
                it.usage(),
                it.previousUsage(),
                it.victimKey(),
                it.state() == InstanceState.PENDING ? it.queueKey() : 0, // unused on a host
                it.bag)
        + (it.job == null
            ? ""
            : ", job on "
                + it.job.name
                + (it.place() == null ? "" : it.job.admits(it.place(), true)));
  }

  static ClusterState state(Scheduler scheduler) {
    try {
      Field field = ClusterView.class.getDeclaredField("state");
      field.setAccessible(true);
      return (ClusterState) field.get(scheduler);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("no state", impossible);
    }
  }
}
