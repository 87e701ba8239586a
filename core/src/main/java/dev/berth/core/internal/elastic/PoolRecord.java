package dev.berth.core.internal.elastic;

import dev.berth.api.Host;
import dev.berth.api.PoolSpec;
import dev.berth.core.internal.cluster.HostPool;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.digest.TrackedRecord;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A pool: the offer of its provider, and its hosts. */
public final class PoolRecord extends TrackedRecord implements HostPool {

  private PoolSpec spec;
  public final int offered; // its number in the order of first offers
  final SortedMap<Integer, ProvidedHost> starting = new TreeMap<>(); // by number
  final SortedMap<Long, HostRecord> up = new TreeMap<>(); // in order of joining
  final Map<String, ProvidedHost> stopping = new LinkedHashMap<>(); // by id
  private int numbered; // ids in use or used before
  private int failures;
  private OptionalLong lastFailureAt = OptionalLong.empty();

  public PoolRecord(PoolSpec spec, int offered) {
    this.spec = spec;
    this.offered = offered;
  }

  /** Returns the pool of a host, or null if it comes from none. */
  public static @Nullable PoolRecord of(HostRecord host) {
    return (PoolRecord) host.pool;
  }

  void offer(PoolSpec changed) {
    this.spec = changed;
  }

  /** Returns how many ids are in use or were used before. */
  public int numbered() {
    return numbered;
  }

  int nextNumber() {
    return ++numbered;
  }

  /** Frees the numbers after one, unless later hosts have higher ones than the latest. */
  void freeNumbers(int after, int latest) {
    numbered = numbered == latest ? after : numbered;
  }

  void cameUp() {
    failures = 0;
  }

  void failed(long now) {
    failures++;
    lastFailureAt = OptionalLong.of(now);
  }

  /** Returns the hosts that are starting, by number. */
  public Collection<ProvidedHost> startingRecords() {
    return Collections.unmodifiableCollection(starting.values());
  }

  /** Returns the ids of the hosts that were released and have not gone yet, in that order. */
  public List<String> stoppingIds() {
    return List.copyOf(stopping.keySet());
  }

  /** Restores what happened to it before. The pool is new. */
  public void restore(int lastNumber, int failuresInARow, OptionalLong lastFailure) {
    numbered = lastNumber;
    failures = failuresInARow;
    lastFailureAt = lastFailure;
  }

  @Override
  public PoolSpec spec() {
    return spec;
  }

  @Override
  public List<Host> starting() {
    return List.copyOf(starting.values());
  }

  @Override
  public List<Host> up() {
    return List.copyOf(up.values());
  }

  @Override
  public boolean isStopping(String hostId) {
    return stopping.containsKey(hostId);
  }

  @Override
  public int stopping() {
    return stopping.size();
  }

  @Override
  public int room() {
    return Math.max(0, spec.limit() - starting.size() - up.size() - stopping.size());
  }

  @Override
  public int failures() {
    return failures;
  }

  @Override
  public OptionalLong lastFailureAt() {
    return lastFailureAt;
  }

  @Override
  public String toString() {
    return "pool " + name();
  }
}
