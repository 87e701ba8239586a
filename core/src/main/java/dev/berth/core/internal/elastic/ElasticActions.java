package dev.berth.core.internal.elastic;

import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The actions of a pass on pools, hosts and bags. Each returns how to undo it. The caller checks
 * beforehand that an action may happen.
 */
public final class ElasticActions {

  private final Cluster state;
  private final Pools pools;
  private final Supplier<? extends Iterable<? extends UndoLog.Step>> open;

  /**
   * Prepares actions in a cluster.
   *
   * @param open returns the assignments that may still be undone, among other steps
   */
  public ElasticActions(
      Cluster state, Pools pools, Supplier<? extends Iterable<? extends UndoLog.Step>> open) {
    this.state = state;
    this.pools = pools;
    this.open = open;
  }

  /** Assigns a bag to a cluster, whose hosts expire no earlier. Returns how to undo it. */
  public UndoLog.Step assign(BagRecord bag, String cluster, OptionalLong expiresAt) {
    Assignment assignment = new Assignment(state, pools, open, bag, cluster);
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
    int numberedBefore = pool.numbered();
    List<ProvidedHost> requested = new ArrayList<>(count);
    while (requested.size() < count) {
      int number = pool.nextNumber();
      String id = pool.name() + "-" + number;
      if (state.hostRecord(id) == null
          && pools.provided(id) == null) { // otherwise a host of this name has joined
        requested.add(new ProvidedHost(pool, number, id, cluster, expiresAt, state.nextVersion()));
        ids.add(id);
      }
    }
    int numberedAfter = pool.numbered();
    requested.forEach(pools::addStarting);
    state.changed(pool);
    state.noteExpiries();
    return () -> {
      state.changed(pool);
      state.noteExpiries();
      requested.forEach(pools::removeStarting);
      pool.freeNumbers(numberedBefore, numberedAfter);
    };
  }

  /** Releases a host that is up and empty. Returns how to undo it. */
  public UndoLog.Step release(HostRecord host, PoolRecord pool) {
    ProvidedHost stopping =
        new ProvidedHost(pool, 0, host.id(), host.cluster(), host.expiresAt(), state.nextVersion());
    stopping.wasUp(host);
    state.leaveHost(host);
    pools.left(host);
    pools.addStopping(stopping);
    state.changed(pool);
    return () -> {
      state.changed(pool);
      pools.removeStopping(stopping);
      pools.cameBack(host);
      host.expires(stopping.expiresAt()); // perhaps lengthened meanwhile
      state.returnHost(host);
    };
  }

  /** Releases a host that is not up yet. Returns how to undo it. */
  public UndoLog.Step release(ProvidedHost starting) {
    starting.pool.starting.remove(starting.number);
    pools.addStopping(starting);
    starting.touched(state);
    state.noteExpiries();
    return () -> {
      state.noteExpiries();
      pools.removeStopping(starting);
      pools.addStarting(starting);
      starting.touched(state);
    };
  }
}
