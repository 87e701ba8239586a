package dev.berth.core.internal.state;

import dev.berth.api.HostState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  public Runnable assign(BagRecord bag, String cluster, OptionalLong expiresAt) {
    String clusterBefore = bag.cluster;
    OptionalLong assignedBefore = bag.assignedAt;
    OptionalLong expiryBefore = bag.expiresAt;
    state.expiriesChanged = true;
    bag.assign(cluster, expiresAt, state.now);
    Runnable shorten = bag.expiresAt.isPresent() ? lengthen(cluster, bag.expiresAt) : () -> {};
    return () -> {
      shorten.run();
      state.expiriesChanged = true;
      bag.cluster = clusterBefore;
      bag.assignedAt = assignedBefore;
      bag.expiresAt = expiryBefore;
    };
  }

  /** Extends the life of the hosts of a cluster to a time. Returns how to undo it. */
  private Runnable lengthen(String cluster, OptionalLong expiresAt) {
    long time = expiresAt.getAsLong();
    Map<HostRecord, OptionalLong> before = new LinkedHashMap<>();
    for (HostRecord each : state.hostsInOrder.values()) {
      if (cluster.equals(each.cluster) && isSooner(each.expiresAt, time)) {
        before.put(each, each.expiresAt);
        each.expiresAt = expiresAt;
        state.touch(each);
      }
    }
    Map<ProvidedHost, OptionalLong> startingBefore = new LinkedHashMap<>();
    for (ProvidedHost each : state.pools.starting(cluster)) {
      if (isSooner(each.expiresAt, time)) {
        startingBefore.put(each, each.expiresAt);
        each.expiresAt = expiresAt;
        state.touch(each);
      }
    }
    return () -> {
      startingBefore.forEach(
          (each, expiry) -> {
            each.expiresAt = expiry;
            state.touch(each);
          });
      before.forEach(
          (each, expiry) -> {
            each.expiresAt = expiry;
            state.touch(each);
          });
    };
  }

  private static boolean isSooner(OptionalLong expiry, long time) {
    return expiry.isPresent() && expiry.getAsLong() < time;
  }

  /** Requests hosts and adds their ids to {@code ids}. Returns how to undo it. */
  public Runnable provision(
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
    requested.forEach(state.pools::addStarting);
    state.expiriesChanged = true;
    return () -> {
      state.expiriesChanged = true;
      requested.forEach(state.pools::removeStarting);
      pool.numbered = numberedBefore;
    };
  }

  /** Releases a host that is up and empty. Returns how to undo it. */
  public Runnable release(HostRecord host, PoolRecord pool) {
    ProvidedHost stopping =
        new ProvidedHost(pool, 0, host.id(), host.cluster(), host.expiresAt, ++state.versions);
    state.leaveHost(host);
    pool.up.remove(host.joined);
    state.pools.addStopping(stopping);
    return () -> {
      state.pools.removeStopping(stopping);
      pool.up.put(host.joined, host);
      state.table.restore(host, state.table.dense(host.capacity()));
      state.enterHost(host);
    };
  }

  /** Releases a host that is not up yet. Returns how to undo it. */
  public Runnable release(ProvidedHost starting) {
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
