package dev.berth.core.internal.search;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.HostFilter;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.core.decision.Decision;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Grant;
import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.HostTable;
import dev.berth.core.internal.state.InstanceRecord;
import dev.berth.core.internal.state.PlacementRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The feasibility core: finds the best host for one instance at a time, with its victims if it
 * takes any.
 *
 * <p>What it skips cannot change what it finds:
 *
 * <ul>
 *   <li>Hosts with room are found by a {@link HostIndex}, if the score goes by amounts.
 *   <li>What is known of hosts that are none for a {@link EquivalenceClass} holds for all of that
 *       kind, also in later passes, until they change or a refusal of the preemption rule runs out.
 *   <li>What hosts cost with preemption is kept as {@link PreemptionCandidates} for all of a kind
 *       in one run.
 * </ul>
 *
 * <p>Where parts of the policy do not say that this is right, and where all hosts are to be noted
 * for the log, every host is looked at. It works on the arrays of the {@link HostTable} and scratch
 * space of its own, so a decision allocates nothing unless it is logged.
 */
public final class Feasibility implements HostTrie.Visitor {

  private static final long NO_PASS = 0; // passes count from 1
  private static final int NOT_COUNTED = -1;
  private static final int MOST_BIDS = 64; // at one time: they take memory for all hosts
  private static final int FEW = 64; // hosts that are best looked at one by one
  private static final int MANY_ALIKE = 4; // requests that are likely to make bids worth while

  private final ClusterState state;
  private final HostTable table;
  private final AllocationScore score;
  private final VictimSearch victims;
  private final List<HostFilter> filters;
  private final GrantFinder grants;
  private final TieBreak ties;

  private final @Nullable HostIndex index; // null: every host is looked at
  private final boolean failuresTell;
  private final boolean bidsTell;
  private final List<PreemptionCandidates> allBids = new ArrayList<>();
  private int bidsInUse;
  private final List<EquivalenceClass> bidders = new ArrayList<>(); // the kinds that use those

  private final Scratch fit = new Scratch();

  private boolean detailed; // whether decisions are recorded
  private int topScores; // of the best hosts that are recorded
  private long passNumber;
  private int groupBits; // of the hashes of hosts, by which ties are broken
  private long run; // counts how often the pipeline was run
  private long now;

  // The instance looked at
  private long draw; // in this pass, to break ties
  private boolean turnedAwayByJob;
  private boolean failedAlike;

  // The host being looked at.
  private double[] tuple;
  private Grant grant = new Grant(InstanceRecord.NOTHING, null);

  // The best so far.
  private @Nullable HostRecord best;
  private Grant bestGrant = grant;
  private double bestScore;
  private long bestTie;
  private boolean contestedBest; // somebody must leave it
  private double[] bestTuple;
  private int roomy;
  private int contested;
  private @Nullable AvailabilityProfile timetable; // where others hold reservations
  private boolean turnedAway; // by those
  private @Nullable Reason filtered; // by a filter
  private @Nullable String latestPlacement;
  private final EvaluatedHosts evaluated = new EvaluatedHosts(this::compareTied);
  private final List<HostRecord> changed = new ArrayList<>(); // since the kind knew all

  public Feasibility(PipelineParts parts) {
    this.state = parts.state();
    this.table = state.table();
    this.score = parts.score();
    this.victims = new VictimSearch(parts);
    this.filters = List.copyOf(parts.filters());
    this.grants = new GrantFinder(table, parts.grants(), parts.oversubscribed());
    this.ties = parts.ties();
    boolean byRoomAndVictims = filters.isEmpty() && parts.grants() == null;
    this.index =
        byRoomAndVictims && score instanceof ResourceScore it && ties == TieBreak.SEEDED
            ? new HostIndex(state, it)
            : null;
    this.failuresTell =
        byRoomAndVictims
            && (parts.rule() == null || parts.rule() instanceof MonotonePreemptionRule);
    this.bidsTell = failuresTell && index != null && parts.cost() instanceof VictimCost;
    this.tuple = new double[parts.cost().width(state.serviceClasses().size())];
    this.bestTuple = new double[tuple.length];
  }

  /** Returns whether what is no host for an instance is none for others of its kind. */
  public boolean failuresTell() {
    return failuresTell;
  }

  /** Prepares for the decisions of one run. */
  public void begin(long pass, int groupBits, boolean detailed, int topScores) {
    this.passNumber = pass;
    this.groupBits = groupBits;
    this.detailed = detailed;
    this.topScores = topScores;
    run++;
    for (EquivalenceClass each : bidders) {
      if (each.bids != null) {
        each.bids.tell(each);
        each.bids = null;
      }
    }
    bidders.clear();
    bidsInUse = 0;
    prepare(state.now());
  }

  private void prepare(long time) {
    now = time;
    victims.prepare(time, passNumber);
  }

  // ---- Following the cluster

  /** A host has joined, empty. */
  public void joined(HostRecord host) {
    victims.joined(host);
  }

  /** An instance is on a host now, in its present state. */
  public void isOnHost(InstanceRecord instance, HostRecord host) {
    int group = victims.groupOf(instance, instance.state);
    if (group >= 0) {
      victims.add(instance, host, group);
    }
  }

  /** An instance left a host, or its former state there. */
  public void leavesHost(InstanceRecord instance, HostRecord host, InstanceState formerState) {
    int group = victims.groupOf(instance, formerState);
    if (group >= 0) {
      victims.remove(instance, host, group);
    }
  }

  /** A host is gone. */
  public void left(HostRecord host) {
    if (index != null) {
      index.left(host);
    }
    for (int i = 0; i < bidsInUse; i++) {
      allBids.get(i).remove(host.slot);
    }
  }

  // ---- The decision

  /**
   * Finds the best host for an instance; returns whether there is one.
   *
   * @param reservations those of others, to be kept; null if there are none
   */
  public boolean choose(InstanceRecord instance, @Nullable AvailabilityProfile reservations) {
    start(instance);
    timetable = reservations;
    EquivalenceClass kind = reservations == null ? kindOf(instance) : null;
    if (kind != null && !considersAll()) {
      try {
        chooseFor(instance, kind);
      } catch (Throwable failure) { // of a part, in the middle of what the kind was to learn
        kind.forget();
        throw failure;
      }
    } else {
      chooseRoomy(instance);
      if (best == null && victims.preempts()) {
        chooseContested(instance);
      }
    }
    complete();
    return best != null;
  }

  private @Nullable EquivalenceClass kindOf(InstanceRecord instance) {
    return failuresTell && instance.bag == null ? (EquivalenceClass) instance.queueEntry : null;
  }

  private void start(InstanceRecord instance) {
    best = null;
    contestedBest = false;
    roomy = 0;
    contested = NOT_COUNTED;
    evaluated.clear();
    victims.beneficiary(instance);
    fit.instance = instance;
    draw = SeededTieBreaker.draw(instance.tieHash, passNumber);
    grant = instance.wholeDemand;
    timetable = null;
    turnedAway = false;
    turnedAwayByJob = false;
    failedAlike = false;
    filtered = null;
    latestPlacement = state.latestPlacement();
  }

  /** Finds the victims on the host chosen again, and its score if that is to be told. */
  private void complete() {
    HostRecord host = best;
    if (host == null || !contestedBest) {
      victims.none();
      return;
    }
    if (!victims.areOn(host) && !victims.find(host, bestGrant.amounts())) {
      throw new IllegalStateException(
          "%s was chosen for %s, but has no victims for it. A part of the policy contradicts itself."
              .formatted(host, fit.instance));
    }
    if (Double.isNaN(bestScore) && detailed) {
      fit.host = host;
      fit.slot = host.slot;
      bestScore = scoreOf(host);
    }
  }

  /** Returns whether the last choice failed only because of the reservations of others. */
  public boolean turnedAway() {
    return turnedAway;
  }

  /** Returns whether the last choice failed, and with it all of the kind that are no worse off. */
  public boolean failedAlike() {
    return failedAlike;
  }

  /** Returns what a filter of the policy had against the first host with room, or null. */
  public @Nullable Reason filtered() {
    return filtered;
  }

  // ---- Hosts with room

  private void chooseRoomy(InstanceRecord instance) {
    if (index != null && timetable == null && instance.promised == null && !considersAll()) {
      roomy = NOT_COUNTED;
      if (instance.constraints == null || !instance.constraints.areRare(table.slots())) {
        keepBestOf(index, instance);
        return;
      }
    }
    for (HostRecord host = firstFor(instance); host != null; host = nextFor(instance, host)) {
      considerRoomy(instance, host);
    }
  }

  /** Returns the first host for which the placement constraints of an instance may hold. */
  private @Nullable HostRecord firstFor(InstanceRecord instance) {
    return hostFrom(instance, instance.firstSlot());
  }

  private @Nullable HostRecord nextFor(InstanceRecord instance, HostRecord host) {
    return hostFrom(instance, instance.nextSlot(host.slot));
  }

  private @Nullable HostRecord hostFrom(InstanceRecord instance, int first) {
    int slot = first;
    while (slot >= 0 && slot < table.slots()) {
      HostRecord host = table.host(slot);
      if (host != null) {
        return host;
      }
      slot = instance.nextSlot(slot);
    }
    return null;
  }

  private void keepBestOf(HostIndex index, InstanceRecord instance) {
    best = index.best(instance, draw, groupBits);
    bestGrant = grant;
    bestScore = index.bestScore();
    bestTie = index.bestTie();
    noteJob(instance, index.turnedAwayByJob());
  }

  /** Members of one job are of one kind only if they all keep away from each other. */
  private void noteJob(InstanceRecord instance, boolean inTheWay) {
    turnedAwayByJob |= inTheWay && !instance.antiAffinity;
  }

  private void considerRoomy(InstanceRecord instance, HostRecord host) {
    int slot = host.slot;
    if (!grantOn(instance, host)
        || !table.fits(slot, grant.amounts())
        || !admits(instance, host)
        || !passes(instance, host)) {
      return;
    }
    if (timetable != null
        && !timetable.hasRoom(host, grant.amounts(), durationOf(instance, grant))) {
      turnedAway = true;
      return;
    }
    roomy += roomy == NOT_COUNTED ? 0 : 1;
    fit.host = host;
    fit.slot = slot;
    double value = scoreOf(host);
    if (considersAll()) {
      evaluated.add(host, List.of(), value, tieOf(host));
    }
    if (best != null && best == instance.promised) {
      return;
    }
    if (best == null || value > bestScore || host == instance.promised) {
      keep(host, value, tieOf(host));
    } else if (value == bestScore) {
      long tie = tieOf(host);
      if (winsTie(host, tie)) {
        keep(host, value, tie);
      }
    }
  }

  // ---- Hosts that somebody would have to leave

  private void chooseContested(InstanceRecord instance) {
    contested = considersAll() ? 0 : NOT_COUNTED;
    for (HostRecord host = firstFor(instance); host != null; host = nextFor(instance, host)) {
      if (grantOn(instance, host)
          && admits(instance, host)
          && passes(instance, host)
          && victims.find(host, grant.amounts())) {
        considerContested(host);
      }
    }
  }

  /** Compares a host, whose victims were just found, with the best so far. */
  private void considerContested(HostRecord host) {
    contested += contested == NOT_COUNTED ? 0 : 1;
    victims.addUpCost(host, tuple);
    int order = best == null ? -1 : compareTuples();
    boolean logsAll = considersAll();
    if (order > 0 && !logsAll) {
      return;
    }
    fit.host = host;
    fit.slot = host.slot;
    double value = scoreOf(host);
    long tie = tieOf(host);
    if (logsAll) {
      evaluated.add(host, Arrays.stream(tuple).boxed().toList(), value, tie);
    }
    if (order < 0
        || (order == 0 && (value > bestScore || (value == bestScore && winsTie(host, tie))))) {
      keep(host, value, tie);
      contestedBest = true;
    }
  }

  // ---- Sharing what is known of hosts

  /**
   * Chooses as for any instance, but looks only where its kind does not know that it is in vain.
   */
  private void chooseFor(InstanceRecord instance, EquivalenceClass kind) {
    roomy = NOT_COUNTED;
    PreemptionCandidates bids = kind.bids;
    boolean bidding = bids != null && bids.serve(instance);
    boolean known =
        !bidding
            && kind.knows(instance)
            && kind.retries() <= 2 * table.slots() + FEW
            && collectChanged(kind.knownVersion());
    if (known && changed.size() <= FEW && !kind.mayHaveRoom()) {
      for (HostRecord host : changed) { // no other has room
        considerRoomy(instance, host);
      }
    } else {
      chooseRoomy(instance);
    }
    if (best != null) {
      return;
    }
    if (known) {
      kind.openDue(now, run);
    } else if (!bidding) {
      kind.forget();
    }
    if (!victims.preempts()) {
      if (!turnedAwayByJob) {
        kind.learn(instance.victimKey, state.versions(), false);
      }
    } else if (bids != null && bidding) {
      chooseByBids(instance, kind, bids);
    } else {
      boolean again = kind.isLookedAtAgain(run) || kind.waiting.size() >= MANY_ALIKE;
      boolean many = !known || changed.size() + kind.openCount() > FEW;
      boolean first = !known || kind.isFirst(instance);
      PreemptionCandidates fresh = again && many && first && bidsTell ? newBids() : null;
      if (fresh != null) {
        bidAll(instance, kind, known, fresh);
        chooseByBids(instance, kind, fresh);
      } else {
        lookAround(instance, kind, known, first);
      }
    }
    failedAlike = best == null && !turnedAwayByJob;
  }

  /**
   * Collects the hosts that have changed since a version; returns whether it is worth while to know
   * the others.
   */
  private boolean collectChanged(long version) {
    changed.clear();
    int most = FEW + table.slots() / 4;
    HostRecord host = state.latestChanged();
    while (host != null && host.version > version && changed.size() <= most) {
      changed.add(host);
      host = host.changedBefore;
    }
    return changed.size() <= most;
  }

  /**
   * Looks at each host that must be looked at.
   *
   * @param known whether the kind knows all but those that changed or are open
   * @param learns whether it is to know afterwards; what was seen holds for nobody who is worse off
   */
  private void lookAround(
      InstanceRecord instance, EquivalenceClass kind, boolean known, boolean learns) {
    long version = kind.knownVersion();
    if (known) {
      for (int i = kind.openCount() - 1; i >= 0; i--) {
        HostRecord host = table.host(kind.openSlot(i));
        boolean isNone =
            host == null || host.version > version || isNoneFor(instance, kind, host, learns);
        if (isNone && learns) {
          kind.close(i);
        }
      }
      for (HostRecord host : changed) {
        if (!isNoneFor(instance, kind, host, learns) && learns) {
          kind.open(host.slot);
        }
      }
    } else {
      for (HostRecord host = firstFor(instance); host != null; host = nextFor(instance, host)) {
        if (!isNoneFor(instance, kind, host, true)) {
          kind.open(host.slot);
        }
      }
    }
    if (learns) {
      boolean mayHaveRoom = turnedAwayByJob || (known && kind.mayHaveRoom());
      kind.learn(instance.victimKey, state.versions(), mayHaveRoom);
    }
  }

  /** Looks at a host; returns whether it is none for all of a kind who are no worse off. */
  private boolean isNoneFor(
      InstanceRecord instance, EquivalenceClass kind, HostRecord host, boolean learns) {
    if (!PlacementRules.mayRunOn(instance, host)) {
      return true;
    }
    if (!admits(instance, host)) {
      return instance.antiAffinity; // or it stands in the way of this one only
    }
    boolean found =
        learns ? victims.findAndDate(host, grant.amounts()) : victims.find(host, grant.amounts());
    if (found) {
      considerContested(host);
    } else if (learns) {
      kind.retry(victims.refusedUntil(), host.slot);
    }
    return !found;
  }

  /**
   * Returns whether it is certain that no host will be found for an instance: nothing has changed
   * since others of its kind found none.
   */
  public boolean isKnownToFail(InstanceRecord instance) {
    EquivalenceClass kind = kindOf(instance);
    if (kind == null || !kind.knows(instance) || kind.mustLook(now) || considersAll()) {
      return false;
    }
    HostRecord latest = state.latestChanged();
    return latest == null || latest.version <= kind.knownVersion();
  }

  // ---- Bids

  private @Nullable PreemptionCandidates newBids() {
    if (bidsInUse == MOST_BIDS) {
      return null;
    }
    if (bidsInUse == allBids.size()) {
      allBids.add(new PreemptionCandidates(tuple.length));
    }
    PreemptionCandidates bids = allBids.get(bidsInUse++);
    bids.clear();
    return bids;
  }

  /** Has all hosts bid that may be some for a kind. */
  private void bidAll(
      InstanceRecord instance, EquivalenceClass kind, boolean known, PreemptionCandidates bids) {
    if (known) {
      for (int i = 0; i < kind.openCount(); i++) {
        HostRecord host = table.host(kind.openSlot(i));
        if (host != null) {
          bid(instance, host, kind, bids);
        }
      }
      for (HostRecord host : changed) {
        bid(instance, host, kind, bids);
      }
    } else {
      for (HostRecord host = firstFor(instance); host != null; host = nextFor(instance, host)) {
        bid(instance, host, kind, bids);
      }
    }
    bids.areRight(instance, state.versions());
    kind.bidWith(bids);
    bidders.add(kind);
  }

  private void chooseByBids(
      InstanceRecord instance, EquivalenceClass kind, PreemptionCandidates bids) {
    HostRecord host = state.latestChanged();
    while (host != null && host.version > bids.version()) {
      bid(instance, host, kind, bids);
      host = host.changedBefore;
    }
    while (bids.hasExpired(victims.beneficiaryValue())) {
      HostRecord expired = table.host(bids.pollExpired());
      if (expired != null) {
        bid(instance, expired, kind, bids);
      }
    }
    bids.areRight(instance, state.versions());
    contestedBest = bids.visitBest(draw, groupBits, this);
    if (bids.isEmpty()) {
      bids.tell(kind); // that is cheaper for those who come next
      kind.bids = null;
    }
  }

  private void bid(
      InstanceRecord instance, HostRecord host, EquivalenceClass kind, PreemptionCandidates bids) {
    bids.remove(host.slot);
    if (!PlacementRules.mayRunOn(instance, host)
        || (instance.antiAffinity && PlacementRules.isKeptOff(instance, host))) {
      return;
    }
    if (!victims.findAndDate(host, grant.amounts())) {
      kind.retry(victims.refusedUntil(), host.slot);
      return;
    }
    victims.addUpCost(host, tuple);
    fit.host = host;
    fit.slot = host.slot;
    long upTo = Math.max(victims.allowedUpTo(), victims.beneficiaryValue());
    bids.add(host, tuple, scoreOf(host), upTo);
  }

  /** Looks at a host of the best bid. */
  @Override
  public boolean visit(int slot) {
    HostRecord host = table.host(slot);
    InstanceRecord instance = fit.instance;
    if (host == null || instance == null || !admits(instance, host)) {
      return false;
    }
    long tie = tieOf(host);
    if (best == null || winsTie(host, tie)) {
      keep(host, Double.NaN, tie); // scored when it is to be told
    }
    return true;
  }

  /** Sets the grant to that on a host; returns whether it is enough for the instance. */
  private boolean grantOn(InstanceRecord instance, HostRecord host) {
    Grant found = grants.on(instance, host);
    if (found != null) {
      grant = found;
    }
    return found != null;
  }

  private boolean passes(InstanceRecord instance, HostRecord host) {
    for (HostFilter each : filters) {
      Optional<Reason> refusal = each.refusal(instance, host, now);
      if (refusal.isPresent()) {
        if (filtered == null) {
          filtered = refusal.get();
        }
        return false;
      }
    }
    return true;
  }

  /**
   * Returns how long an instance still has to run with a grant, or {@link
   * AvailabilityProfile#NEVER}.
   */
  public long durationOf(InstanceRecord instance, Grant granted) {
    return AvailabilityProfile.remaining(
        instance, granted.amounts(), table.numberOf(Dimension.CPU), state.now());
  }

  // ---- Instances that find no room

  /**
   * Finds the host where an instance gets most cores of those it demands, as long as its run time
   * does not grow too much; returns whether there is one.
   */
  public boolean chooseMolded(
      InstanceRecord instance, Molding molding, @Nullable AvailabilityProfile reservations) {
    int cpu = table.numberOf(Dimension.CPU);
    if (instance.request.moldability().isEmpty() || cpu < 0 || cpu >= instance.demand.length) {
      return false;
    }
    start(instance);
    timetable = reservations;
    long most = 0;
    for (HostRecord host = firstFor(instance); host != null; host = nextFor(instance, host)) {
      if (!grantOn(instance, host) || !admits(instance, host)) {
        continue;
      }
      int slot = host.slot;
      long cores =
          grants.moldedTo(instance, Math.min(table.free(slot, cpu), grant.amounts()[cpu]), molding);
      if (cores == 0 || cores < most) {
        grant = instance.wholeDemand;
        continue;
      }
      grant = grant.withAmount(cpu, cores, table);
      if (!table.fits(slot, grant.amounts())
          || !passes(instance, host)
          || (timetable != null
              && !timetable.hasRoom(host, grant.amounts(), durationOf(instance, grant)))) {
        grant = instance.wholeDemand;
        continue;
      }
      fit.host = host;
      fit.slot = slot;
      double value = scoreOf(host);
      long tie = tieOf(host);
      roomy++;
      if (cores > most
          || best == null
          || value > bestScore
          || (value == bestScore && winsTie(host, tie))) {
        keep(host, value, tie);
        most = cores;
      }
      grant = instance.wholeDemand;
    }
    return best != null;
  }

  /** Returns whether some host of the cluster could ever hold an instance, if it were empty. */
  public boolean couldEverFit(InstanceRecord instance, Molding molding) {
    for (HostRecord host = firstFor(instance); host != null; host = nextFor(instance, host)) {
      if (grants.ifEmpty(instance, host, molding) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reserves for an instance the earliest time at which a host has room for it; on a host that a
   * filter of the policy refuses now, not before somebody is expected to leave it. Returns that
   * host, or null if there is none.
   */
  public @Nullable HostRecord reserve(
      InstanceRecord instance, Molding molding, AvailabilityProfile reservations) {
    start(instance);
    HostRecord where = null;
    Grant what = grant;
    long when = AvailabilityProfile.NEVER;
    for (HostRecord host = firstFor(instance); host != null; host = nextFor(instance, host)) {
      Grant whole = grants.ifEmpty(instance, host, molding);
      if (whole == null) {
        continue;
      }
      // a host that a filter refuses now may be allowed once an instance has left it
      boolean mayStartNow = passes(instance, host);
      long earliest =
          reservations.earliest(host, whole.amounts(), durationOf(instance, whole), mayStartNow);
      if (earliest < when || (earliest == when && where != null && host.joined < where.joined)) {
        where = host;
        what = whole;
        when = earliest;
      }
    }
    if (where != null && when != AvailabilityProfile.NEVER) {
      reservations.reserve(where, what.amounts(), when, durationOf(instance, what));
    }
    return where;
  }

  private double scoreOf(HostRecord host) {
    double value = score.score(fit);
    if (Double.isNaN(value)) {
      throw notANumber(host, fit.instance);
    }
    return value;
  }

  public static IllegalStateException notANumber(
      @Nullable HostRecord host, @Nullable InstanceRecord instance) {
    return new IllegalStateException(
        "the allocation score of %s for %s is not a number. Maybe it divides by a capacity of 0."
            .formatted(host, instance));
  }

  private boolean admits(InstanceRecord instance, HostRecord host) {
    if (!PlacementRules.mayRunOn(instance, host)) {
      return false;
    }
    boolean inTheWay = PlacementRules.isKeptOff(instance, host);
    noteJob(instance, inTheWay);
    return !inTheWay;
  }

  private int compareTuples() {
    for (int i = 0; i < tuple.length; i++) {
      int order = Double.compare(tuple[i] + 0.0, bestTuple[i] + 0.0); // -0 equals 0
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private long tieOf(HostRecord host) {
    return SeededTieBreaker.toss(draw, host.tieHash, groupBits);
  }

  private boolean winsTie(HostRecord host, long tie) {
    return best != null && compareTied(host, tie, best, bestTie) < 0;
  }

  /** Orders hosts of equal score, the winner first. */
  private int compareTied(HostRecord a, long tieOfA, HostRecord b, long tieOfB) {
    if (ties == TieBreak.SEEDED) {
      return tieOfA != tieOfB ? Long.compare(tieOfB, tieOfA) : Long.compare(a.joined, b.joined);
    }
    if (ties == TieBreak.IN_TURN && latestPlacement != null) {
      boolean aIsNext = a.id().compareTo(latestPlacement) > 0;
      boolean bIsNext = b.id().compareTo(latestPlacement) > 0;
      if (aIsNext != bIsNext) {
        return aIsNext ? -1 : 1;
      }
    }
    return a.id().compareTo(b.id());
  }

  private void keep(HostRecord host, double value, long tie) {
    best = host;
    bestGrant = grant;
    bestScore = value;
    bestTie = tie;
    double[] spareTuple = bestTuple;
    bestTuple = tuple;
    tuple = spareTuple;
  }

  // ---- What was chosen

  public HostRecord chosenHost() {
    if (best == null) {
      throw new IllegalStateException("nothing was chosen");
    }
    return best;
  }

  public Grant chosenGrant() {
    return bestGrant;
  }

  /** The first {@link #chosenVictimCount} entries count. */
  public InstanceRecord[] chosenVictims() {
    return victims.victims();
  }

  public int chosenVictimCount() {
    return victims.count();
  }

  /**
   * Returns the choice for the log, or null if the pass keeps none. Must be asked before the choice
   * is carried out.
   */
  public @Nullable Decision decision() {
    if (!detailed) {
      return null;
    }
    List<Decision.Victim> leaving = new ArrayList<>(victims.count());
    for (int i = 0; i < victims.count(); i++) {
      InstanceRecord victim = victims.victims()[i];
      Verdict verdict = victims.judge(victim);
      leaving.add(
          new Decision.Victim(
              victim.id(),
              verdict.code(),
              verdict.text(),
              victims.pair().victimValue(),
              victims.beneficiaryValue()));
    }
    InstanceRecord instance = fit.instance;
    if (instance == null) {
      throw new IllegalStateException("nothing was chosen");
    }
    return new Decision(
        passNumber,
        now,
        instance.id(),
        chosenHost().id(),
        OptionalDouble.of(bestScore),
        roomy,
        contested,
        leaving,
        evaluated.best(topScores));
  }

  private boolean considersAll() {
    return detailed && topScores > 0;
  }

  // ---- For explanations

  /**
   * Returns whether an instance that does not fit a host would after preemption there, outside a
   * pass, as of a given time; and every judgement on the way, in order.
   */
  public boolean wouldFit(
      InstanceRecord instance, HostRecord host, long time, List<Verdict> judgements) {
    if (!victims.preempts()) {
      return false;
    }
    passNumber = NO_PASS;
    prepare(time);
    victims.beneficiary(instance);
    grant = instance.wholeDemand;
    return grantOn(instance, host) && victims.findAndTell(host, grant.amounts(), judgements);
  }

  public boolean preempts() {
    return victims.preempts();
  }

  /**
   * Returns what an instance would be granted on a host, outside a pass; null if that is too little
   * for it.
   */
  public @Nullable Grant grantFor(InstanceRecord instance, HostRecord host) {
    grant = instance.wholeDemand;
    return grantOn(instance, host) ? grant : null;
  }

  /** Returns what is wrong with what an instance would be granted, outside a pass; or null. */
  public @Nullable Reason grantRefusal(InstanceRecord instance, HostRecord host) {
    return grants.refusal(instance, host);
  }

  /** Returns what a filter of the policy has against a host, outside a pass; or null. */
  public @Nullable Reason filteredFrom(InstanceRecord instance, HostRecord host, long time) {
    prepare(time);
    filtered = null;
    return passes(instance, host) ? null : filtered;
  }

  /** A view that is handed to the score, used again and again. */
  private final class Scratch implements AllocationScore.Fit {

    private @Nullable HostRecord host;
    private @Nullable InstanceRecord instance;
    private int slot;

    @Override
    public long now() {
      return now;
    }

    @Override
    public int dimensions() {
      return table.dimensions();
    }

    @Override
    public long capacity(int dimension) {
      return table.capacity(slot, dimension);
    }

    @Override
    public long used(int dimension) {
      long used =
          table.capacity(slot, dimension) - table.free(slot, dimension) - victims.held(dimension);
      long[] granted = grant.amounts();
      return dimension < granted.length ? used + granted[dimension] : used;
    }

    @Override
    public Dimension dimension(int number) {
      return table.dimension(number);
    }

    @Override
    public Host host() {
      if (host == null) {
        throw new IllegalStateException("a fit is valid during the call it is passed to only");
      }
      return host;
    }

    @Override
    public Instance instance() {
      if (instance == null) {
        throw new IllegalStateException("a fit is valid during the call it is passed to only");
      }
      return instance;
    }
  }
}
