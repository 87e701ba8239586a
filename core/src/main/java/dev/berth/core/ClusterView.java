package dev.berth.core;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Limit;
import dev.berth.api.Pool;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.GroupStatus;
import dev.berth.core.internal.state.ClusterState;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a scheduler believes of its cluster.
 *
 * <p><b>Collections</b> that it, a {@link Host}, a {@link Pool} or a {@link Bag} returns are copies
 * that cannot be modified. They list what was there at the call, so the embedder can report events
 * while it iterates over them. Their elements are live views.
 */
public abstract class ClusterView {

  final ClusterState state;
  final CallGate gate;

  ClusterView(ClusterState state, CallGate gate) {
    this.state = state;
    this.gate = gate;
  }

  /** Returns the time of the latest event or pass; {@link Long#MIN_VALUE} before the first. */
  public long now() {
    return state.now();
  }

  /** Returns the hosts that are up, in order of joining. Cost O(1) if none joined or left. */
  public List<Host> hosts() {
    gate.requireNoOther();
    return state.hosts();
  }

  /** Returns a live view of a host, or empty. Cost O(1). */
  public Optional<Host> host(String id) {
    Objects.requireNonNull(id, "id");
    gate.requireNoOther();
    return state.host(id);
  }

  /**
   * Returns the counted limits that are set or used, by name, with what is used of them. Cost
   * O(limits).
   */
  public List<Limit> limits() {
    gate.requireNoOther();
    return state.limits().all();
  }

  /** Returns the pools, in order of their first offer. Cost O(pools). */
  public List<Pool> pools() {
    gate.requireNoOther();
    return state.pools().all();
  }

  /** Returns the bags of tasks that have not ended, in order of submission. Cost O(bags). */
  public List<Bag> bags() {
    gate.requireNoOther();
    return state.bags();
  }

  /** Returns a live view of a bag that has not ended, or empty. Cost O(1). */
  public Optional<Bag> bag(String id) {
    Objects.requireNonNull(id, "id");
    gate.requireNoOther();
    return state.bag(id);
  }

  /** Returns the disruption budget of a job, or empty if it has none. Cost O(log budgets). */
  public Optional<DisruptionBudget> budget(String job) {
    Objects.requireNonNull(job, "job");
    gate.requireNoOther();
    return state.budgets().budget(job);
  }

  /** Returns what has become of the groups that have not ended, in order of submission. */
  public List<GroupStatus> groups() {
    gate.requireNoOther();
    return state.groups();
  }

  /** Returns what has become of a group that has not ended, or empty. Cost O(1). */
  public Optional<GroupStatus> group(String id) {
    Objects.requireNonNull(id, "id");
    gate.requireNoOther();
    return state.group(id);
  }

  /**
   * Returns the instances that are not done, in order of admission. Cost O(1) if none was admitted
   * or ended since the last call, otherwise O(instances); {@link #instanceCount} always costs O(1).
   */
  public Collection<Instance> instances() {
    gate.requireNoOther();
    return state.instances();
  }

  /** Returns a live view of an instance that is not done, or empty. Cost O(1). */
  public Optional<Instance> instance(String id) {
    Objects.requireNonNull(id, "id");
    gate.requireNoOther();
    return state.instance(id);
  }

  /** Returns the number of instances that are not done. */
  public int instanceCount() {
    return state.instanceCount();
  }

  /** Returns the number of pending instances. */
  public int pendingCount() {
    return state.pendingCount();
  }

  /** Returns the service classes, most important first. */
  public List<ServiceClass> serviceClasses() {
    return state.serviceClasses();
  }
}
