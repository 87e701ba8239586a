package dev.berth.core.internal.elastic;

import dev.berth.api.Dimension;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.Resources;
import dev.berth.core.internal.cluster.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.undo.UndoLog;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A host that a plan provisions and that is not up yet, or that is being released. */
public final class ProvidedHost implements HostRecord.Provided {

  public final PoolRecord pool;
  public final int number; // in its pool, in the order of asking
  private final String id;
  private final Optional<String> cluster;
  private HostState state = HostState.STARTING;
  private OptionalLong expiresAt;
  private long version;
  private UndoLog.@Nullable Step requestedBy; // null, or closed: no longer open
  private UndoLog.@Nullable Step releasedBy;
  private @Nullable HostRecord record; // if it was up

  public ProvidedHost(
      PoolRecord pool,
      int number,
      String id,
      Optional<String> cluster,
      OptionalLong expiresAt,
      long version) {
    this.pool = pool;
    this.number = number;
    this.id = id;
    this.cluster = cluster;
    this.expiresAt = expiresAt;
    this.version = version;
  }

  /** Notes that the view of it has changed. */
  public void touched(Cluster its) {
    its.changed(pool);
    version = its.nextVersion();
  }

  void isNow(HostState next) {
    state = next;
  }

  void expires(OptionalLong at, Cluster its) {
    expiresAt = at;
    touched(its);
  }

  void wasUp(HostRecord as) {
    record = as;
  }

  /** Returns its record if it was up, or null. */
  public @Nullable HostRecord record() {
    return record;
  }

  /** Notes the action that requested it. */
  public void requestedBy(UndoLog.Step action) {
    requestedBy = action;
  }

  /** Returns the action that requested it; null or closed: it is no longer open. */
  public UndoLog.@Nullable Step requestedBy() {
    return requestedBy;
  }

  /** Notes the action that released it. */
  public void releasedBy(UndoLog.Step action) {
    releasedBy = action;
  }

  /** Returns the action that released it; null or closed: it is no longer open. */
  public UndoLog.@Nullable Step releasedBy() {
    return releasedBy;
  }

  @Override
  public PoolRecord source() {
    return pool;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public Resources capacity() {
    return pool.spec().capacity();
  }

  @Override
  public Resources free() {
    return capacity();
  }

  @Override
  public long free(Dimension dimension) {
    return capacity().amount(dimension);
  }

  @Override
  public Map<String, String> attributes() {
    return pool.spec().attributes();
  }

  @Override
  public Collection<Instance> instances() {
    return List.of();
  }

  @Override
  public HostState state() {
    return state;
  }

  @Override
  public Optional<String> pool() {
    return Optional.of(pool.name());
  }

  @Override
  public Optional<String> cluster() {
    return cluster;
  }

  @Override
  public OptionalLong expiresAt() {
    return expiresAt;
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public String toString() {
    return "host " + id + " (" + state + ")";
  }
}
