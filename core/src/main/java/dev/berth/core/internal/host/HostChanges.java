package dev.berth.core.internal.host;

import dev.berth.api.Drain;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.core.error.EventRefusedException.Code;
import dev.berth.core.internal.cluster.Closing;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.HostRecord;

/**
 * The events that change a host that is up, without moving its instances. An event that is refused
 * changes nothing. Most return whether they changed the host.
 */
public final class HostChanges {

  private final Cluster cluster;

  /** Prepares events in a cluster. */
  public HostChanges(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Changes capacity, attributes and taints of a host. */
  public boolean changeHost(HostSpec spec, long time) {
    HostRecord host = find(spec.id(), " changes");
    requireChangeable(host, spec);
    cluster.requireNotPast(time, "host ", spec.id(), " changes");
    int dimensions = cluster.table().dimensions();
    cluster.beginChange();
    long[] capacity = cluster.table().dense(spec.capacity());
    refuseUnlessNumbers(host, capacity, host.foreignAmounts(), dimensions);
    boolean changes = !spec.equals(host.spec());
    cluster.setNow(time);
    if (changes) {
      cluster.peers().beforeChange(host, host.residents);
      host.isNow(spec, time);
      cluster.noteExpelling(host);
      cluster.constraints().added(host);
      cluster.peers().afterChange(host, host.residents);
      change(host, capacity);
    }
    cluster.endChange();
    return changes;
  }

  /** Refuses to change what a host cannot change. */
  public void requireChangeable(HostRecord host, HostSpec spec) {
    if (spec.timeShared() != host.timeShared()) {
      throw Code.INVALID_VALUE.refusal(
          "host %s changes, but whether its CPU is time-shared must stay %s. Maybe remove it first.",
          spec.id(), host.timeShared());
    }
    cluster.refuseClash("host ", spec.id(), spec.capacity());
  }

  /** Records what others hold on a host, in place of the latest report. */
  public boolean foreignLoad(String id, Resources foreign, long time) {
    HostRecord host = find(id, " reports foreign load");
    cluster.refuseClash("foreign load of host ", id, foreign);
    cluster.requireNotPast(time, "host ", id, " reports foreign load");
    int dimensions = cluster.table().dimensions();
    cluster.beginChange();
    long[] held = host.taken(cluster.table().dense(foreign));
    long[] capacity = cluster.table().dense(host.capacity());
    refuseUnlessNumbers(host, capacity, held, dimensions);
    boolean changes = !foreign.equals(host.foreign());
    cluster.setNow(time);
    if (changes) {
      host.foreignLoad(foreign, held);
      change(host, capacity);
    }
    cluster.endChange();
    return changes;
  }

  /** Records the load of a host. */
  public void loadReported(String id, double load, long time) {
    HostRecord host = cluster.hostRecord(id);
    if (host == null) {
      throw Code.UNKNOWN_HOST.refusal("host %s reports its load, but no such host is present.", id);
    }
    HostLoad told;
    try {
      told = new HostLoad(load, time);
    } catch (IllegalArgumentException wrong) {
      throw Code.INVALID_VALUE.refusal("host %s: %s", id, wrong.getMessage());
    }
    cluster.requireNotPast(time, "host ", id, " reports its load");
    cluster.beginChange();
    cluster.setNow(time);
    host.reportsLoad(told);
    cluster.touch(host);
    cluster.endChange();
  }

  private void refuseUnlessNumbers(
      HostRecord host, long[] capacity, long[] foreign, int dimensionsBefore) {
    if (!cluster.table().canHave(host.slot(), capacity, foreign)) {
      cluster.table().forgetDimensionsFrom(dimensionsBefore);
      cluster.revertChange();
      throw Code.TOO_LARGE.refusal(
          "foreign load of host %s and what its instances hold are more than 2^63 units together.",
          host.id());
    }
  }

  private void change(HostRecord host, long[] capacity) {
    cluster.table().change(host.slot(), capacity, host.foreignAmounts());
    cluster.closings().recheckCapacity(host);
    cluster.hasChanged(host);
  }

  /** Closes a host. */
  public boolean cordon(String id, long time) {
    HostRecord host = require(id, time, " is cordoned");
    return cluster.changeAt(
        time,
        !host.isClosedBy(Closing.CORDON),
        () -> cluster.closings().close(host, Closing.CORDON, new Reason.Cordoned()));
  }

  /** Opens a host that was cordoned, drained, or both. */
  public boolean uncordon(String id, long time) {
    HostRecord host = require(id, time, " is uncordoned");
    return cluster.changeAt(
        time,
        host.isClosedBy(Closing.CORDON) || host.isClosedBy(Closing.DRAIN),
        () -> {
          cluster.drain(host, null);
          cluster.closings().open(host, Closing.DRAIN);
          cluster.closings().open(host, Closing.CORDON);
        });
  }

  /** Closes a host, and has passes empty it. */
  public boolean drain(String id, Drain how, long time) {
    HostRecord host = require(id, time, " is drained");
    for (String each : how.restarted()) {
      if (!cluster.classRecords().containsKey(each)) {
        throw Code.UNKNOWN_CLASS.refusal(
            "the drain of host %s restarts service class %s, which the scheduler does not have. Known: %s.",
            id, each, String.join(", ", cluster.classRecords().keySet()));
      }
    }
    return cluster.changeAt(
        time,
        !how.equals(host.drain()),
        () -> {
          cluster.drain(host, how);
          cluster.closings().close(host, Closing.DRAIN, new Reason.Draining(how.deadline()));
        });
  }

  private HostRecord require(String id, long time, String event) {
    HostRecord host = find(id, event);
    cluster.requireNotPast(time, "host ", id, event);
    return host;
  }

  public HostRecord find(String id, String event) {
    HostRecord host = cluster.hostRecord(id);
    if (host == null) {
      throw Code.UNKNOWN_HOST.refusal("host %s%s, but no such host is up.", id, event);
    }
    return host;
  }
}
