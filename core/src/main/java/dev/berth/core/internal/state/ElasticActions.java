package dev.berth.core.internal.state;

import dev.berth.api.HostState;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The actions of a pass on pools, hosts and bags. Each returns how to undo it. The caller checks
 * beforehand that an action may happen.
 */
public final class ElasticActions {

  private final ClusterState state;

  /** Prepares actions in a cluster. */
  public ElasticActions(ClusterState state) {
    this.state = state;
  }

  /** Assigns a bag to a cluster, whose hosts expire no earlier. Returns how to undo it. */
  public UndoLog.Step assign(BagRecord bag, String cluster, OptionalLong expiresAt) {
    Assignment assignment = new Assignment(state, bag, cluster);
    assignment.make(expiresAt);
    return assignment;
  }

  /** Requests hosts and adds their ids to {@code ids}. Returns how to undo it. */
  public UndoLog.Step provision(
      PoolRecord pool,
      int count,
      Optional<String> cluster,
      OptionalLong expiresAt,
      List<String> ids) {
    int numberedBefore = pool.numbered;
    List<ProvidedHost> requested = new ArrayList<>(count);
    while (requested.size() < count) {
      int number = ++pool.numbered;
      String id = pool.name() + "-" + number;
      if (!state.hosts.containsKey(id)
          && state.pools.provided(id) == null) { // otherwise a host of this name has joined
        requested.add(new ProvidedHost(pool, number, id, cluster, expiresAt, ++state.versions));
        ids.add(id);
      }
    }
    int numberedAfter = pool.numbered;
    requested.forEach(state.pools::addStarting);
    state.changed(pool);
    state.expiriesChanged = true;
    return () -> {
      state.changed(pool);
      state.expiriesChanged = true;
      requested.forEach(state.pools::removeStarting);
      if (pool.numbered == numberedAfter) { // otherwise later hosts have higher numbers
        pool.numbered = numberedBefore;
      }
    };
  }

  /** Releases a host that is up and empty. Returns how to undo it. */
  public UndoLog.Step release(HostRecord host, PoolRecord pool) {
    ProvidedHost stopping =
        new ProvidedHost(pool, 0, host.id(), host.cluster(), host.expiresAt, ++state.versions);
    stopping.record = host;
    state.leaveHost(host);
    pool.up.remove(host.joined);
    state.pools.addStopping(stopping);
    state.changed(pool);
    return () -> {
      state.changed(pool);
      state.pools.removeStopping(stopping);
      pool.up.put(host.joined, host);
      host.expiresAt = stopping.expiresAt; // perhaps lengthened meanwhile
      state.returnHost(host);
    };
  }

  /** Releases a host that is not up yet. Returns how to undo it. */
  public UndoLog.Step release(ProvidedHost starting) {
    starting.pool.starting.remove(starting.number);
    state.pools.addStopping(starting);
    state.touch(starting);
    state.expiriesChanged = true;
    return () -> {
      state.expiriesChanged = true;
      state.pools.removeStopping(starting);
      starting.state = HostState.STARTING;
      state.pools.addStarting(starting);
      state.touch(starting);
    };
  }
}
