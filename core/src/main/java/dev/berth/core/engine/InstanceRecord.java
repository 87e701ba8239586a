package dev.berth.core.engine;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * An instance of the cluster, with its accounting. Its state changes only through {@link
 * ClusterState}.
 *
 * <p>Service of finished run intervals is in {@code served} and {@code earned}; that of the present
 * one follows from {@code stateSince}, so nothing needs updating as time goes by.
 */
final class InstanceRecord implements Instance {

  static final long[] NOTHING = {};

  final Request request;
  final ClassRecord classRecord;
  final long[] demand;
  final Grant wholeDemand;
  final ConstraintIndex.@Nullable Entry constraints; // null: none
  final @Nullable JobRecord job;
  final boolean antiAffinity;
  @Nullable BagRecord bag; // null: none
  final long admittedAt;
  final long sequence; // of admission
  final long tieHash;

  InstanceState state = InstanceState.PENDING;
  long stateSince;
  @Nullable HostRecord host;
  long served;
  long earned;
  int preemptions;
  int placements;
  long restartOverhead;
  boolean placedAfterPreemption; // what its present or latest placement followed
  boolean lastStopWasPreemption;
  int migrations;

  /**
   * What it is granted while on a host, by dimension; its demand unless somebody said otherwise.
   */
  long[] granted;

  @Nullable Resources grantedResources; // null: its demand

  /** What it holds of that where it is: all, all but the CPU, or nothing. */
  long[] held = NOTHING;

  @Nullable Usage usage;
  @Nullable Usage previousUsage;

  /**
   * The pass that last placed or preempted it: an instance is the subject of at most one action in
   * a pass.
   */
  long actedInPass;

  /** Where it has had a reservation since the latest pass, if those behind it count on that. */
  @Nullable HostRecord promised;

  /** What it is like, to a pipeline; null until it was pending there. */
  @Nullable EquivalenceClass kind;

  int residence = -1; // place in host.residents
  int pendingPlace = -1; // place in ClusterState.pending
  // Keys in the pipeline's orders, and those for the state it is about to be in.
  long queueKey;
  long victimKey;
  long nextQueueKey;
  long nextVictimKey;

  InstanceRecord(
      Request request,
      ClassRecord classRecord,
      long[] demand,
      ConstraintIndex.@Nullable Entry constraints,
      @Nullable JobRecord job,
      long admittedAt,
      long sequence,
      long tieHash) {
    this.request = request;
    this.classRecord = classRecord;
    this.demand = demand;
    this.granted = demand;
    this.wholeDemand = new Grant(demand, null);
    this.constraints = constraints;
    this.job = job;
    this.antiAffinity = request.antiAffinity();
    this.admittedAt = admittedAt;
    this.stateSince = admittedAt;
    this.sequence = sequence;
    this.tieHash = tieHash;
  }

  /**
   * Returns whether it may go to a host as far as that does not depend on who is there: its
   * placement constraints hold, and the host is of the cluster that its bag runs on.
   */
  boolean mayGoTo(HostRecord there) {
    return (constraints == null || constraints.holdsOn(there.slot)) && isOfItsCluster(there);
  }

  /** Returns the first slot of a host where its placement constraints may hold, or -1. */
  int firstSlot() {
    return constraints == null ? 0 : constraints.nextSlot(0);
  }

  /** Returns the next such slot, -1 or one that is too great if there is none. */
  int nextSlot(int slot) {
    return constraints == null ? slot + 1 : constraints.nextSlot(slot + 1);
  }

  /**
   * Compares two keys of the victim order, of instances whose values change alike. Values differ by
   * less than 2<sup>63</sup>, so the difference of the keys has the right sign even if they wrap
   * around.
   */
  static int compareVictimKeys(long a, long b) {
    return Long.signum(a - b);
  }

  boolean isOfItsCluster(HostRecord there) {
    return bag == null || bag.cluster == null || bag.cluster.equals(there.cluster);
  }

  @Override
  public Optional<String> bag() {
    return Optional.ofNullable(bag).map(BagRecord::id);
  }

  @Override
  public Request request() {
    return request;
  }

  @Override
  public ServiceClass serviceClass() {
    return classRecord.serviceClass();
  }

  @Override
  public InstanceState state() {
    return state;
  }

  @Override
  public Optional<Host> host() {
    return Optional.ofNullable(host);
  }

  @Override
  public Resources granted() {
    return grantedResources == null ? request.demand() : grantedResources;
  }

  @Override
  public Optional<Usage> usage() {
    return Optional.ofNullable(usage);
  }

  @Override
  public Optional<Usage> previousUsage() {
    return Optional.ofNullable(previousUsage);
  }

  @Override
  public int migrations() {
    return migrations;
  }

  @Override
  public long admittedAt() {
    return admittedAt;
  }

  @Override
  public long stateSince() {
    return stateSince;
  }

  @Override
  public long serviceTime(long now) {
    return state == InstanceState.RUNNING ? served + (now - stateSince) : served;
  }

  @Override
  public long waitingTime(long now) {
    return Instance.super.waitingTime(lived(now));
  }

  @Override
  public OptionalDouble availability(long now) {
    return Instance.super.availability(lived(now));
  }

  /** Its life ends when it is done, however late somebody asks. */
  private long lived(long now) {
    return state == InstanceState.DONE ? stateSince : now;
  }

  @Override
  public long earnedTime(long now) {
    return state == InstanceState.RUNNING ? earned + earnedBetween(stateSince, now) : earned;
  }

  long earnedBetween(long from, long to) {
    return classRecord.slo().lifeSpan(to) - classRecord.slo().lifeSpan(from);
  }

  @Override
  public int preemptions() {
    return preemptions;
  }

  @Override
  public int placements() {
    return placements;
  }

  @Override
  public long restartOverhead() {
    return restartOverhead;
  }

  @Override
  public String toString() {
    return "instance " + id() + " (" + state + (host == null ? "" : " on " + host.id()) + ")";
  }
}
