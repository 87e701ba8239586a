package dev.berth.core.internal.search;

import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.core.decision.Decision;
import dev.berth.core.internal.cluster.Grant;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best host for one instance at a time, and the victims that must leave it.
 *
 * <p>Any host with room is better than a host that needs preemption. {@link RoomSearch} finds the
 * former, {@link PreemptionSearch} the latter, and {@link ClassSearch} both for requests that can
 * share results. If parts of the policy do not declare that sharing is valid, or the log lists all
 * hosts, every host is evaluated.
 *
 * <p>The searches work on the arrays of the host table and on their own scratch space. A decision
 * allocates nothing unless it is logged.
 */
public final class Feasibility {

  private static final long NO_PASS = 0; // passes count from 1

  private final ClusterState state;
  private final VictimSearch victims;
  private final Selection selection;
  private final FitView fit;
  private final HostEligibility hosts;
  private final DecisionRecorder recorder;
  private final RoomSearch room;
  private final PreemptionSearch preemption;
  private final ClassSearch classes;
  private final ReservationSearch later;
  private final boolean roomAndVictimsDecide;

  private long passNumber;

  public Feasibility(PipelineParts parts) {
    this.roomAndVictimsDecide = parts.filters().isEmpty() && parts.grants() == null;
    int costWidth = parts.cost().width(parts.state().serviceClasses().size());
    this.state = parts.state();
    this.victims = new VictimSearch(parts);
    this.selection = new Selection(parts, victims, costWidth + 1); // first: groups that break
    this.fit = selection.fit;
    this.hosts = new HostEligibility(parts, fit);
    this.recorder = new DecisionRecorder(selection, victims);
    this.room = new RoomSearch(parts, selection, hosts, recorder, roomAndVictimsDecide);
    this.preemption = new PreemptionSearch(selection, hosts, victims, recorder);
    this.classes =
        new ClassSearch(parts, selection, hosts, victims, room, preemption, roomAndVictimsDecide);
    this.later = new ReservationSearch(state.table(), selection, hosts, recorder);
  }

  /** Returns whether the policy neither filters hosts nor grants anything but the demand. */
  public boolean roomAndVictimsDecide() {
    return roomAndVictimsDecide;
  }

  /** Returns whether a host that is infeasible for one request is so for its class. */
  public boolean sharesFailures() {
    return classes.sharesFailures();
  }

  /**
   * Prepares for the decisions of one run.
   *
   * @param groupBits number of bits of host hashes that break ties first
   * @param detailed whether decisions are recorded
   * @param topScores number of best hosts in each record
   */
  public void begin(long pass, int groupBits, boolean detailed, int topScores) {
    passNumber = pass;
    selection.begin(groupBits);
    recorder.begin(pass, detailed, topScores);
    classes.begin();
    prepare(state.now());
  }

  private void prepare(long time) {
    fit.now = time;
    victims.prepare(time, passNumber);
  }

  // ---- Following the cluster

  /** Follows a host that joined, empty. */
  public void joined(HostRecord host) {
    victims.joined(host);
  }

  /** Follows an instance that came to a host, or to its present state there. */
  public void isOnHost(InstanceRecord instance, HostRecord host) {
    int group = victims.groupOf(instance, instance.state());
    if (group >= 0) {
      victims.add(instance, host, group);
    }
  }

  /** Follows an instance that left a host, or its former state there. */
  public void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
    int group = victims.groupOf(instance, formerState);
    if (group >= 0) {
      victims.remove(instance, host, group);
    }
  }

  /** Follows a host that left. */
  public void left(HostRecord host) {
    room.left(host);
  }

  /** Follows a host that opened or closed, or whose description or foreign load changed. */
  public void changed(HostRecord host) {
    room.changed(host);
  }

  // ---- The decision

  /**
   * Finds the best host for an instance; returns whether one exists.
   *
   * @param reservations of other instances, which must hold; null if there are none
   */
  public boolean choose(InstanceRecord instance, @Nullable Reservations reservations) {
    start(instance, reservations);
    EquivalenceClass equivalenceClass = reservations == null ? classes.classOf(instance) : null;
    if (equivalenceClass != null && !recorder.considersAll()) {
      recorder.skipsHosts();
      classes.choose(instance, equivalenceClass);
    } else {
      room.choose(instance);
      if (selection.isEmpty() && victims.preempts()) {
        preemption.choose(instance);
      }
    }
    complete();
    return !selection.isEmpty();
  }

  private void start(InstanceRecord instance, @Nullable Reservations reservations) {
    selection.start(instance, passNumber);
    recorder.start();
    victims.beneficiary(instance);
    hosts.start();
    room.start(reservations);
    classes.start();
  }

  /** Finds the victims on the chosen host again, and its score if it is recorded. */
  private void complete() {
    if (!selection.needsVictims()) {
      victims.none();
      return;
    }
    HostRecord host = selection.chosen();
    if (!victims.areOn(host) && !victims.find(host, selection.grant().amounts())) {
      throw new IllegalStateException(
          "%s was chosen for %s, but has no victims for it. A part of the policy contradicts itself."
              .formatted(host, fit.instance));
    }
    if (recorder.detailed()) {
      selection.ensureScore();
    }
  }

  /**
   * Returns whether an instance is certain to find no host: nothing changed since others failed.
   */
  public boolean isKnownToFail(InstanceRecord instance) {
    return !recorder.considersAll() && classes.isKnownToFail(instance);
  }

  /** Returns whether the last choice found room, but not beside reservations of others. */
  public boolean blockedByReservation() {
    return room.blockedByReservation();
  }

  /**
   * Returns whether the last choice failed, also for every member of the equivalence class with an
   * equal or higher value.
   */
  public boolean failedForClass() {
    return classes.failedForClass();
  }

  /**
   * Returns why a filter refused the host with room that joined first, of those refused, or null.
   */
  public @Nullable Reason filtered() {
    return hosts.filtered();
  }

  // ---- Instances without room

  /**
   * Finds the host that grants an instance most of the cores it demands, as long as its run time
   * does not grow too much; returns whether one exists. Other instances must not hold reservations.
   */
  public boolean chooseMolded(InstanceRecord instance, Molding molding) {
    int cpu = later.moldableCpu(instance);
    if (cpu < 0) {
      return false;
    }
    start(instance, null);
    later.chooseMolded(instance, cpu, molding);
    return !selection.isEmpty();
  }

  /** Returns whether some host of the cluster could hold an instance if the host were empty. */
  public boolean couldEverFit(InstanceRecord instance, Molding molding) {
    return later.couldEverFit(instance, molding);
  }

  /**
   * Reserves the earliest time at which a host has room for an instance; returns that host, or null
   * if there is none. Then it keeps what the instance needs on each host where it could run.
   */
  public @Nullable HostRecord reserve(
      InstanceRecord instance, Molding molding, Reservations reservations) {
    return later.reserve(instance, molding, reservations);
  }

  // ---- The result

  /** Returns the chosen host, which must exist. */
  public HostRecord chosenHost() {
    return selection.chosen();
  }

  /** Returns what the instance is granted on the chosen host. */
  public Grant chosenGrant() {
    return selection.grant();
  }

  /** Returns the victims; the first {@link #chosenVictimCount} entries count. */
  public InstanceRecord[] chosenVictims() {
    return victims.victims();
  }

  public int chosenVictimCount() {
    return victims.count();
  }

  /**
   * Returns the choice for the log, or null if the pass keeps none. Call it before the choice is
   * carried out.
   */
  public @Nullable Decision decision() {
    return recorder.decision();
  }

  // ---- Explanations, outside a pass

  /** Returns whether the policy preempts. */
  public boolean preempts() {
    return victims.preempts();
  }

  /**
   * Returns whether an instance would fit on a full host after preemption there, as of a time.
   *
   * @param judgements receives every judgement of a victim, in victim order
   */
  public boolean wouldFit(
      InstanceRecord instance, HostRecord host, long time, List<Verdict> judgements) {
    passNumber = NO_PASS;
    prepare(time);
    victims.beneficiary(instance);
    fit.grant = instance.wholeDemand;
    return hosts.grantOn(instance, host)
        && hosts.mayAdmit(instance, host)
        && victims.findAndTell(host, fit.grant.amounts(), judgements)
        && hosts.admitsWith(instance, host, victims);
  }

  /** Returns what an instance would be granted on a host, or null if that is too little for it. */
  public @Nullable Grant grantFor(InstanceRecord instance, HostRecord host) {
    return hosts.grants().on(instance, host);
  }

  /** Returns what is wrong with the grant of an instance on a host, or null. */
  public @Nullable Reason grantRefusal(InstanceRecord instance, HostRecord host) {
    return hosts.grants().refusal(instance, host);
  }

  /** Returns why a filter of the policy refuses a host, or null. */
  public @Nullable Reason filteredFrom(InstanceRecord instance, HostRecord host, long time) {
    prepare(time);
    hosts.start();
    hosts.passes(instance, host);
    return hosts.filtered();
  }
}
