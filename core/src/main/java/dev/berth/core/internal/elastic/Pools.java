package dev.berth.core.internal.elastic;

import dev.berth.api.HostState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pools, and their hosts that are not up. */
public final class Pools {

  private final Map<String, PoolRecord> pools = new LinkedHashMap<>(); // in order of offering
  private final Map<String, ProvidedHost> provided = new HashMap<>(); // starting or stopping

  private final Cluster cluster;
  private long assignments; // of bags to clusters, so far

  public Pools(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Returns the number of assignments of bags so far. */
  public long assignments() {
    return assignments;
  }

  /** Sets the number of assignments of bags so far. */
  public void setAssignments(long number) {
    assignments = number;
  }

  /** Returns the pools in order of their first offer. */
  public List<Pool> all() {
    return List.copyOf(pools.values());
  }

  /** Returns the pools in order of offering; live. */
  public Collection<PoolRecord> records() {
    return Collections.unmodifiableCollection(pools.values());
  }

  public @Nullable PoolRecord get(String name) {
    return pools.get(name);
  }

  /** Offers a pool of hosts, or changes the offer. */
  public void offer(PoolSpec spec, long time) {
    cluster.refuseClash("pool ", spec.name(), spec.capacity());
    cluster.requireNotPast(time, "pool ", spec.name(), " is offered");
    cluster.beginChange();
    cluster.setNow(time);
    cluster.table().dense(spec.capacity()); // fixes its scales
    PoolRecord offered = offer(spec);
    cluster.changed(offered);
    offered.starting.values().forEach(each -> each.touched(cluster));
    cluster.endChange();
  }

  public PoolRecord offer(PoolSpec spec) {
    PoolRecord pool =
        pools.computeIfAbsent(spec.name(), name -> new PoolRecord(spec, pools.size()));
    pool.offer(spec);
    return pool;
  }

  /** Returns a host that is starting or stopping, or null. */
  public @Nullable ProvidedHost provided(String id) {
    return provided.get(id);
  }

  /** Returns the hosts of a cluster that are starting or stopping. */
  List<ProvidedHost> notUp(String itsCluster) {
    List<ProvidedHost> notUp = new ArrayList<>();
    for (PoolRecord pool : pools.values()) {
      notUp.addAll(pool.starting.values());
      notUp.addAll(pool.stopping.values());
    }
    notUp.removeIf(each -> !each.cluster().equals(Optional.of(itsCluster)));
    return notUp;
  }

  public void addStarting(ProvidedHost host) {
    host.isNow(HostState.STARTING);
    host.pool.starting.put(host.number, host);
    provided.put(host.id(), host);
  }

  public void removeStarting(ProvidedHost host) {
    host.pool.starting.remove(host.number);
    provided.remove(host.id());
  }

  public void joined(ProvidedHost former, HostRecord host) {
    removeStarting(former);
    former.pool.up.put(host.joined, host);
    former.pool.cameUp();
  }

  /** Follows a host that was up and has left. */
  public void left(HostRecord host) {
    PoolRecord pool = PoolRecord.of(host);
    if (pool != null) {
      pool.up.remove(host.joined);
    }
  }

  /** Follows a host that is up again. */
  public void cameBack(HostRecord host) {
    PoolRecord pool = PoolRecord.of(host);
    if (pool != null) {
      pool.up.put(host.joined, host);
    }
  }

  public void addStopping(ProvidedHost host) {
    host.isNow(HostState.STOPPING);
    host.pool.stopping.put(host.id(), host);
    provided.put(host.id(), host);
  }

  /** Undoes the release of a host. */
  public void removeStopping(ProvidedHost host) {
    host.pool.stopping.remove(host.id());
    provided.remove(host.id());
  }

  /** Removes a host that did not start, or that is gone after its release. */
  public void gone(ProvidedHost host, long now) {
    if (host.state() == HostState.STARTING) {
      removeStarting(host);
      host.pool.failed(now);
    } else {
      removeStopping(host);
    }
  }

  /** Returns the earliest expiry of a host after {@code seenUntil}. */
  public long nextExpiry(long seenUntil) {
    long next = Long.MAX_VALUE;
    for (PoolRecord pool : pools.values()) {
      for (HostRecord each : pool.up.values()) {
        long at = each.expiresAt().orElse(Long.MAX_VALUE);
        next = at > seenUntil ? Math.min(next, at) : next;
      }
      for (ProvidedHost each : pool.starting.values()) {
        long at = each.expiresAt().orElse(Long.MAX_VALUE);
        next = at > seenUntil ? Math.min(next, at) : next;
      }
    }
    return next;
  }
}
