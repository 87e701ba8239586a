package dev.berth.core.internal.state;

import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.core.error.EventRefusedException;

/**
 * The events that change a host that is up, without moving its instances. An event that is refused
 * changes nothing. Each returns whether it changed the host.
 */
public final class HostChanges {

  private final ClusterState state;
  private final ClusterEvents events;

  /** Prepares events in a cluster. */
  public HostChanges(ClusterState state, ClusterEvents events) {
    this.state = state;
    this.events = events;
  }

  /** Changes capacity, attributes and taints of a host. */
  public boolean changeHost(HostSpec spec, long time) {
    HostRecord host = find(spec.id(), " changes");
    requireChangeable(host, spec);
    events.requireNotPast(time, "host ", spec.id(), " changes");
    int dimensions = state.table.dimensions();
    state.beginChange();
    long[] capacity = state.table.dense(spec.capacity());
    refuseUnlessNumbers(host, capacity, host.foreignAmounts, dimensions);
    boolean changes = !spec.equals(host.spec);
    state.now = time;
    if (changes) {
      state.peers.beforeChange(host);
      host.spec = spec;
      host.noteTaints(time);
      state.noteExpelling(host);
      state.constraintIndex.added(host);
      state.peers.afterChange(host);
      change(host, capacity);
    }
    state.endChange();
    return changes;
  }

  /** Refuses to change what a host cannot change. */
  void requireChangeable(HostRecord host, HostSpec spec) {
    if (spec.timeShared() != host.timeShared()) {
      throw new EventRefusedException(
          "host %s changes, but whether its CPU is time-shared must stay %s. Maybe remove it first."
              .formatted(spec.id(), host.timeShared()));
    }
    events.refuseClash("host ", spec.id(), spec.capacity());
  }

  /** Records what others hold on a host, in place of the latest report. */
  public boolean foreignLoad(String id, Resources foreign, long time) {
    HostRecord host = find(id, " reports foreign load");
    events.refuseClash("foreign load of host ", id, foreign);
    events.requireNotPast(time, "host ", id, " reports foreign load");
    int dimensions = state.table.dimensions();
    state.beginChange();
    long[] held = state.table.dense(foreign);
    int cpu = state.table.numberOf(Dimension.CPU);
    if (host.timeShared() && cpu >= 0 && cpu < held.length) {
      held[cpu] = 0; // shared, too
    }
    long[] capacity = state.table.dense(host.capacity());
    refuseUnlessNumbers(host, capacity, held, dimensions);
    boolean changes = !foreign.equals(host.foreign());
    state.now = time;
    if (changes) {
      host.foreignLoad(foreign, held);
      change(host, capacity);
    }
    state.endChange();
    return changes;
  }

  private void refuseUnlessNumbers(
      HostRecord host, long[] capacity, long[] foreign, int dimensionsBefore) {
    if (!state.table.canHave(host.slot, capacity, foreign)) {
      state.table.forgetDimensionsFrom(dimensionsBefore);
      state.revertChange();
      throw new EventRefusedException(
          "foreign load of host %s and what its instances hold are more than 2^63 units together."
              .formatted(host.id()));
    }
  }

  private void change(HostRecord host, long[] capacity) {
    state.table.change(host.slot, capacity, host.foreignAmounts);
    host.mayBeOver = false; // unless it is
    state.closings.checkCapacity(host);
    state.hasChanged(host);
  }

  /** Closes a host. */
  public boolean cordon(String id, long time) {
    HostRecord host = require(id, time, " is cordoned");
    boolean changes = !host.isClosedBy(Closing.CORDON);
    state.beginChange();
    state.now = time;
    if (changes) {
      state.closings.close(host, Closing.CORDON, new Reason.Cordoned());
    }
    state.endChange();
    return changes;
  }

  /** Opens a host that was cordoned, drained, or both. */
  public boolean uncordon(String id, long time) {
    HostRecord host = require(id, time, " is uncordoned");
    boolean changes = host.isClosedBy(Closing.CORDON) || host.isClosedBy(Closing.DRAIN);
    state.beginChange();
    state.now = time;
    if (changes) {
      host.drain = null;
      state.noteDraining(host);
      state.closings.open(host, Closing.DRAIN);
      state.closings.open(host, Closing.CORDON);
    }
    state.endChange();
    return changes;
  }

  /** Closes a host, and has passes empty it. */
  public boolean drain(String id, Drain how, long time) {
    HostRecord host = require(id, time, " is drained");
    for (String each : how.restarted()) {
      if (!state.classes.containsKey(each)) {
        throw new EventRefusedException(
            "the drain of host %s restarts service class %s, which the scheduler does not have. Known: %s."
                .formatted(id, each, String.join(", ", state.classes.keySet())));
      }
    }
    boolean changes = !how.equals(host.drain);
    state.beginChange();
    state.now = time;
    if (changes) {
      host.drain = how;
      state.noteDraining(host);
      state.closings.close(host, Closing.DRAIN, new Reason.Draining(how.deadline()));
    }
    state.endChange();
    return changes;
  }

  private HostRecord require(String id, long time, String event) {
    HostRecord host = find(id, event);
    events.requireNotPast(time, "host ", id, event);
    return host;
  }

  private HostRecord find(String id, String event) {
    HostRecord host = state.hosts.get(id);
    if (host == null) {
      throw new EventRefusedException("host %s%s, but no such host is up.".formatted(id, event));
    }
    return host;
  }
}
