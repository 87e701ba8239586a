package dev.berth.core.internal.state;

import dev.berth.api.ApplicationHistory;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.cluster.ClassRecord;
import dev.berth.core.internal.cluster.Closing;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.SavedInstance;
import dev.berth.core.internal.elastic.BagRecord;
import dev.berth.core.internal.elastic.PoolRecord;
import dev.berth.core.internal.elastic.ProvidedHost;
import dev.berth.core.internal.group.GroupRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the contents of a snapshot into a new cluster: first dimensions and pools, then hosts in
 * order of joining, bags in order of submission, and instances in order of admission. The caller
 * has checked that they fit together.
 *
 * <p>The follower of the cluster sees hosts join and instances come to their places. It is not
 * asked for keys, which are part of the snapshot: they may depend on the past.
 */
public final class ClusterRestore {

  private final ClusterState state;
  private final Transitions transitions;

  /** Prepares to restore into a cluster without any event. */
  public ClusterRestore(ClusterState state, Transitions transitions) {
    this.state = state;
    this.transitions = transitions;
  }

  /** Numbers the dimensions. */
  public void number(List<Dimension> dimensions) {
    state.table().number(dimensions);
  }

  /** Sets how much there is of a counted limit. */
  public void setLimit(String name, long amount) {
    state.limits().set(name, amount);
  }

  /** Adds a pool without hosts. */
  public PoolRecord addPool(PoolSpec spec, int numbered, int failures, OptionalLong lastFailureAt) {
    PoolRecord pool = state.pools().offer(spec);
    pool.restore(numbered, failures, lastFailureAt);
    return pool;
  }

  /** Adds a host that is requested from a pool. */
  public void addStarting(
      PoolRecord pool, int number, String id, Optional<String> cluster, OptionalLong expiresAt) {
    state
        .pools()
        .addStarting(new ProvidedHost(pool, number, id, cluster, expiresAt, state.nextVersion()));
  }

  /** Adds a host that was released; its number, cluster and expiry matter no more. */
  public void addStopping(PoolRecord pool, String id) {
    state
        .pools()
        .addStopping(
            new ProvidedHost(
                pool, 0, id, Optional.empty(), OptionalLong.empty(), state.nextVersion()));
  }

  /**
   * Adds a host that is up, without instances.
   *
   * @param pool null: it comes from none
   */
  public HostRecord addHost(
      HostSpec spec,
      long joined,
      @Nullable PoolRecord pool,
      Optional<String> cluster,
      OptionalLong expiresAt,
      @Nullable HostLoad load,
      Map<String, ApplicationHistory> histories,
      List<Long> completions,
      Consumer<HostRecord> closes) {
    HostRecord host =
        new HostRecord(
            spec,
            pool == null
                ? null
                : new ProvidedHost(pool, 0, spec.id(), cluster, expiresAt, state.versions()),
            state.table(),
            state.table().dense(spec.capacity()),
            SeededTieBreaker.hash(state.seed(), spec.id()),
            joined);
    host.noteTaints(0); // until it is known since when
    host.restore(load, histories, completions);
    if (pool != null) {
      pool.up.put(joined, host);
    }
    state.enterHost(host);
    state.constraints().added(host);
    state.follower().joined(host);
    closes.accept(host);
    return host;
  }

  /**
   * What a host does not offer, and why it is closed.
   *
   * @param foreign what others hold there
   * @param cordoned whether it is cordoned
   * @param drain how it is drained; null: it is not
   * @param failedStarts the starts that failed there in a row
   * @param heldUntil until when it is held back, if it is
   */
  public record Availability(
      Resources foreign,
      boolean cordoned,
      @Nullable Drain drain,
      int failedStarts,
      OptionalLong heldUntil) {}

  /** Sets since when a host has its taints, in their order. */
  public void taintedSince(HostRecord host, long[] since) {
    host.restoreTaints(since);
  }

  /** Closes a host that has no instances yet, if anything closes it. */
  public void close(HostRecord host, Availability its) {
    if (!its.foreign.equals(Resources.none())) {
      host.foreignLoad(its.foreign, host.taken(state.table().dense(its.foreign)));
      state
          .table()
          .change(host.slot(), state.table().dense(host.capacity()), host.foreignAmounts());
      state.hasChanged(host);
    }
    if (its.drain != null) {
      state.drain(host, its.drain);
      state.closings().close(host, Closing.DRAIN, new Reason.Draining(its.drain.deadline()));
    }
    if (its.cordoned) {
      state.closings().close(host, Closing.CORDON, new Reason.Cordoned());
    }
    host.restoreFailedStarts(its.failedStarts);
    its.heldUntil.ifPresent(time -> state.backoffs().restore(host, time));
  }

  /** Closes the hosts that hold more than their capacity, once all instances are there. */
  public void closeOverfull() {
    for (HostRecord each : state.hostRecords()) {
      state.closings().checkCapacity(each);
    }
  }

  /** Sets a disruption budget, before there are instances. */
  public void addBudget(String job, DisruptionBudget budget) {
    state.budgets().set(job, budget);
  }

  /** Adds a bag without members. */
  public BagRecord addBag(
      BagSpec spec,
      long submittedAt,
      long submission,
      int completed,
      long serviceOfThoseDone,
      @Nullable String cluster,
      OptionalLong assignedAt,
      OptionalLong expiresAt) {
    BagRecord bag = new BagRecord(spec, submittedAt, submission);
    bag.restore(completed, serviceOfThoseDone, cluster, assignedAt, expiresAt);
    state.bags.put(spec.id(), bag);
    return bag;
  }

  /** Adds a group without members. */
  public GroupRecord addGroup(
      String id, int size, int minCount, GroupSpec.OnLoss onLoss, long submission, int completed) {
    GroupRecord group = new GroupRecord(id, size, minCount, onLoss, submission);
    group.restore(completed);
    state.groups.put(id, group);
    return group;
  }

  /**
   * Adds an instance.
   *
   * @param serviceClass a class of the cluster
   * @param bag null: it belongs to none
   * @param group null: it belongs to none
   * @param fill sets its state, its host, its grant, its accounting and its keys of the pipeline
   */
  public void addInstance(
      Request request,
      String serviceClass,
      @Nullable BagRecord bag,
      @Nullable GroupRecord group,
      long admittedAt,
      long sequence,
      Consumer<InstanceRecord> fill) {
    InstanceRecord instance =
        new InstanceRecord(
            request,
            classRecord(serviceClass),
            state.table().dense(request.demand()),
            state.constraints().acquire(request.constraints(), state.hostRecords()),
            request.job().map(state::job).orElse(null),
            bag,
            group,
            admittedAt,
            sequence,
            SeededTieBreaker.hash(state.seed(), request.id()));
    state.peers().connect(instance);
    state.limits().connect(instance);
    if (bag != null) {
      bag.members.add(instance);
    }
    if (group != null) {
      group.joins(instance);
    }
    SavedInstance former = new SavedInstance().note(instance); // pending, in no queue yet
    fill.accept(instance);
    state.add(instance);
    transitions.enter(instance, former);
  }

  /** Returns an instance that is gone, as the head of a queue that others still wait behind. */
  public InstanceRecord ghost(
      String id, String serviceClass, long admittedAt, long sequence, long queueKey) {
    InstanceRecord ghost =
        new InstanceRecord(
            Request.builder(id, serviceClass).demand(Resources.none()).build(),
            classRecord(serviceClass),
            InstanceRecord.NOTHING,
            null,
            null,
            null,
            null,
            admittedAt,
            sequence,
            SeededTieBreaker.hash(state.seed(), id));
    ghost.isRejected(admittedAt);
    ghost.nextWait(queueKey, 0);
    ghost.takeKeys();
    return ghost;
  }

  private ClassRecord classRecord(String serviceClass) {
    ClassRecord found = state.classRecords().get(serviceClass);
    if (found == null) {
      throw new IllegalStateException("service class " + serviceClass + " was not checked");
    }
    return found;
  }

  /** Adds the outcome of a bag that the next plan reports. */
  public void addEnded(BagReport report) {
    state.endedBags.add(report);
  }

  /**
   * Sets the time and the counters.
   *
   * @param now {@link Long#MIN_VALUE} before the first event; then {@code latest} has no meaning
   */
  public void setProgress(
      long now, long latest, long joins, long admissions, @Nullable String latestPlacement) {
    state.budgets().settle();
    state.setProgress(now, latest, joins, admissions, latestPlacement);
  }
}
