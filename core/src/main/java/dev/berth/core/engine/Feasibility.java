package dev.berth.core.engine;

import dev.berth.api.AllocationScore;
import dev.berth.api.Contest;
import dev.berth.api.Dimension;
import dev.berth.api.GrantRule;
import dev.berth.api.Host;
import dev.berth.api.HostFilter;
import dev.berth.api.HostTies;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Moldability;
import dev.berth.api.Molding;
import dev.berth.api.PreemptionCost;
import dev.berth.api.PreemptionRule;
import dev.berth.api.PreemptionRule.Verdict;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.VictimOrder;
import dev.berth.core.Decision;
import dev.berth.core.Ties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The feasibility core: finds the best host for one instance at a time, with its victims if it
 * takes any.
 *
 * <p>It works on the arrays of the {@link HostTable} and scratch space of its own, so a decision
 * allocates nothing unless it is logged. Cost per decision: O(hosts · dimensions) without
 * preemption, O(hosts · (classes + victims tried)) with.
 */
final class Feasibility {

  private static final long NO_PASS = 0; // passes count from 1
  private static final double ROUNDING = 1e-12; // relative; shares are not whole numbers

  private final ClusterState state;
  private final HostTable table;
  private final AllocationScore score;
  private final PreemptionCost cost;
  private final @Nullable VictimOrder victimOrder;
  private final @Nullable PreemptionRule rule;
  private final boolean spareUnneeded;
  private final List<HostFilter> filters;
  private final @Nullable GrantRule grants;
  private final HostTies ties;
  private final Set<Dimension> oversubscribed;

  // Groups of victims: class rank while running, classes + class rank while starting.
  private final List<ServiceClass> classes;
  private final int groups;
  private final int[] tiers;
  private final long[] drifts; // in this pass
  private final long[] pendingDrifts;
  private final int[] cursors;
  private final Pair contest = new Pair();
  private final Scratch fit = new Scratch();

  private final Failures failures = new Failures();
  private final boolean failuresTell;
  private long knownUpTo; // hosts that have not changed since are none for the instance

  private @Nullable Pass pass;
  private long passNumber;
  private long now;

  // The host being looked at.
  private long[] room = new long[2];
  private InstanceRecord[] victims = new InstanceRecord[8];
  private int victimCount;
  private double[] tuple;
  private Grant grant = new Grant(InstanceRecord.NOTHING, null);

  // The best so far.
  private @Nullable HostRecord best;
  private Grant bestGrant = grant;
  private double bestScore;
  private long bestTie;
  private InstanceRecord[] bestVictims = new InstanceRecord[8];
  private int bestVictimCount;
  private double[] bestTuple;
  private int roomy;
  private int contested;
  private @Nullable Timetable timetable; // where others hold reservations
  private boolean turnedAway; // by those
  private @Nullable Reason filtered; // by a filter
  private @Nullable String latestPlacement;
  private final List<Considered> considered = new ArrayList<>();

  Feasibility(Pipeline.Builder parts) {
    this.state = parts.state;
    this.table = state.table();
    this.score = parts.score;
    this.cost = parts.cost;
    this.victimOrder = parts.victims;
    this.rule = parts.rule;
    this.spareUnneeded = parts.spareUnneeded;
    this.filters = List.copyOf(parts.filters);
    this.grants = parts.grants;
    this.ties = parts.ties;
    this.oversubscribed = Set.copyOf(parts.oversubscribed);
    this.classes = state.serviceClasses();
    this.groups = classes.size() * (parts.preemptStarting ? 2 : 1);
    this.tiers = new int[groups];
    this.drifts = new long[groups];
    this.pendingDrifts = new long[classes.size()];
    this.cursors = new int[groups];
    this.failuresTell =
        filters.isEmpty() && grants == null && (rule == null || rule.favoursTheWorseOff());
    this.tuple = new double[cost.width(classes.size())];
    this.bestTuple = new double[tuple.length];
    if (victimOrder != null) {
      for (int g = 0; g < groups; g++) {
        tiers[g] = victimOrder.tier(classOf(g));
      }
    }
  }

  int groups() {
    return groups;
  }

  /** Prepares for the decisions of one pass. */
  void begin(Pass pass) {
    this.pass = pass;
    this.passNumber = pass.number();
    failures.clear();
    prepare(state.now());
  }

  private void prepare(long time) {
    this.now = time;
    if (room.length < table.dimensions()) {
      room = new long[table.dimensions()];
    }
    if (victimOrder != null) {
      for (int g = 0; g < groups; g++) {
        drifts[g] =
            victimOrder.drift(
                classOf(g),
                g < classes.size() ? InstanceState.RUNNING : InstanceState.STARTING,
                now);
      }
      for (int c = 0; c < pendingDrifts.length; c++) {
        pendingDrifts[c] = victimOrder.drift(classes.get(c), InstanceState.PENDING, now);
      }
    }
  }

  private ServiceClass classOf(int group) {
    return classes.get(group % classes.size());
  }

  // ---- The decision

  /**
   * Finds the best host for an instance; returns whether there is one.
   *
   * @param reservations those of others, to be kept; null if there are none
   */
  boolean choose(InstanceRecord instance, @Nullable Timetable reservations) {
    start(instance);
    timetable = reservations;
    boolean alike = failuresTell && reservations == null;
    knownUpTo = alike ? failures.knownUpTo(instance) : Failures.NEVER;
    chooseRoomy(instance);
    if (best == null && rule != null) {
      contested = 0;
      chooseContested(instance);
    }
    if (best == null && alike) {
      failures.add(instance, state.versions());
    }
    return best != null;
  }

  private void start(InstanceRecord instance) {
    best = null;
    victimCount = 0;
    bestVictimCount = 0;
    roomy = 0;
    contested = -1;
    considered.clear();
    contest.beneficiary(instance);
    fit.instance = instance;
    grant = instance.wholeDemand;
    timetable = null;
    turnedAway = false;
    filtered = null;
    latestPlacement = state.latestPlacement();
  }

  /** Returns whether the last choice failed only because of the reservations of others. */
  boolean turnedAway() {
    return turnedAway;
  }

  /** Returns what a filter of the policy had against the first host with room, or null. */
  @Nullable Reason filtered() {
    return filtered;
  }

  private void chooseRoomy(InstanceRecord instance) {
    for (int slot = 0; slot < table.slots(); slot++) {
      HostRecord host = table.host(slot);
      if (host == null
          || host.version <= knownUpTo
          || !grantOn(instance, host)
          || !table.fits(slot, grant.amounts())
          || !admits(instance, host)
          || !passes(instance, host)) {
        continue;
      }
      if (timetable != null
          && !timetable.hasRoom(host, grant.amounts(), durationOf(instance, grant))) {
        turnedAway = true;
        continue;
      }
      roomy++;
      fit.host = host;
      fit.slot = slot;
      double value = scoreOf(host);
      if (considersAll()) {
        note(host, value, tieOf(instance, host));
      }
      if (best != null && best == instance.promised) {
        continue;
      }
      if (best == null || value > bestScore || host == instance.promised) {
        keep(host, value, tieOf(instance, host));
      } else if (value == bestScore) {
        long tie = tieOf(instance, host);
        if (winsTie(host, tie)) {
          keep(host, value, tie);
        }
      }
    }
  }

  private void chooseContested(InstanceRecord instance) {
    for (int slot = 0; slot < table.slots(); slot++) {
      HostRecord host = table.host(slot);
      if (host == null
          || host.version <= knownUpTo
          || !grantOn(instance, host)
          || !admits(instance, host)
          || !passes(instance, host)
          || !collectVictims(host, null)) {
        continue;
      }
      contested++;
      addUpCost(instance, host);
      int order = best == null ? -1 : compareTuples();
      boolean logsAll = considersAll();
      if (order > 0 && !logsAll) {
        continue;
      }
      fit.host = host;
      fit.slot = slot;
      double value = scoreOf(host);
      long tie = tieOf(instance, host);
      if (logsAll) {
        note(host, value, tie);
      }
      if (order < 0
          || (order == 0 && (value > bestScore || (value == bestScore && winsTie(host, tie))))) {
        keep(host, value, tie);
      }
    }
  }

  /**
   * Works out what an instance would be granted on a host; returns whether that is enough for it.
   */
  private boolean grantOn(InstanceRecord instance, HostRecord host) {
    if (grants == null) {
      return true;
    }
    Resources resources = grants.grant(instance, host);
    if (refusalOf(instance, resources) != null) {
      return false;
    }
    grant = Grant.of(instance, resources, table);
    return true;
  }

  private @Nullable Reason refusalOf(InstanceRecord instance, Resources resources) {
    Dimension unknown = Grant.unknown(resources, table);
    return unknown != null
        ? new Reason.Unknown("dimension", unknown.name())
        : Grant.tooSmall(instance, resources, true, oversubscribed);
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

  /** Returns how long an instance has yet to run with a grant, or {@link Timetable#NEVER}. */
  long durationOf(InstanceRecord instance, Grant grant) {
    return Timetable.remaining(
        instance, grant.amounts(), table.numberOf(Dimension.CPU), state.now());
  }

  // ---- Who finds no room

  /**
   * Finds the host where an instance gets most cores of those it demands, as long as its run time
   * does not grow too much; returns whether there is one.
   */
  boolean chooseMolded(InstanceRecord instance, Molding molding, @Nullable Timetable reservations) {
    int cpu = table.numberOf(Dimension.CPU);
    if (instance.request.moldability().isEmpty() || cpu < 0 || cpu >= instance.demand.length) {
      return false;
    }
    start(instance);
    timetable = reservations;
    long most = 0;
    for (int slot = 0; slot < table.slots(); slot++) {
      HostRecord host = table.host(slot);
      if (host == null || !grantOn(instance, host) || !admits(instance, host)) {
        continue;
      }
      long cores =
          moldedTo(instance, Math.min(table.free(slot, cpu), grant.amounts()[cpu]), molding);
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
      long tie = tieOf(instance, host);
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

  /**
   * Returns the whole cores of those that are free which a moldable instance would take; zero if
   * its run would take too long with them.
   */
  private long moldedTo(InstanceRecord instance, long free, Molding molding) {
    int cpu = table.numberOf(Dimension.CPU);
    Optional<Moldability> how = instance.request.moldability();
    if (how.isEmpty() || !molding.molds()) {
      return 0;
    }
    long core = table.dimension(cpu).unitsPerWhole();
    long cores = free / core * core;
    double least = how.get().leastShare(molding.slowest()) * instance.demand[cpu];
    return cores < least - ROUNDING * least ? 0 : cores;
  }

  /** Returns whether some host of the cluster could ever hold an instance, if it were empty. */
  boolean couldEverFit(InstanceRecord instance, Molding molding) {
    for (int slot = 0; slot < table.slots(); slot++) {
      HostRecord host = table.host(slot);
      if (host != null && grantIfEmpty(instance, host, molding) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns what an instance would be granted on a host if nobody were there; null if even then it
   * could not come. Since a rule of grants may grant less while the host is full, that is no less
   * than its demand, or all the host has in the dimensions that may be oversubscribed.
   */
  private @Nullable Grant grantIfEmpty(InstanceRecord instance, HostRecord host, Molding molding) {
    if (!instance.mayGoTo(host)) {
      return null;
    }
    grant = instance.wholeDemand;
    Grant atMost = withinCapacity(instance, host);
    Grant whole = grantOn(instance, host) ? grant : atMost;
    for (int d = 0; d < whole.amounts().length && d < atMost.amounts().length; d++) {
      if (whole.amounts()[d] < atMost.amounts()[d]) {
        whole = whole.withAmount(d, atMost.amounts()[d], table);
      }
    }
    long[] amounts = whole.amounts();
    for (int d = 0; d < amounts.length; d++) {
      long capacity = table.capacity(host.slot, d);
      if (amounts[d] > capacity) {
        long cores = d == table.numberOf(Dimension.CPU) ? moldedTo(instance, capacity, molding) : 0;
        if (cores == 0) {
          return null;
        }
        whole = whole.withAmount(d, cores, table);
      }
    }
    return whole;
  }

  private Grant withinCapacity(InstanceRecord instance, HostRecord host) {
    Grant within = instance.wholeDemand;
    for (int d = 0; d < instance.demand.length; d++) {
      long capacity = table.capacity(host.slot, d);
      Dimension dimension = table.dimension(d);
      if (instance.demand[d] > capacity
          && oversubscribed.contains(dimension)
          && instance.request.pinned().amount(dimension) <= capacity) {
        within = within.withAmount(d, capacity, table);
      }
    }
    return within;
  }

  /**
   * Reserves for an instance the earliest time at which a host has room for it; on a host that a
   * filter of the policy refuses now, not before somebody is expected to leave it. Returns that
   * host, or null if there is none.
   */
  @Nullable HostRecord reserve(InstanceRecord instance, Molding molding, Timetable reservations) {
    start(instance);
    HostRecord where = null;
    Grant what = grant;
    long when = Timetable.NEVER;
    for (int slot = 0; slot < table.slots(); slot++) {
      HostRecord host = table.host(slot);
      Grant whole = host == null ? null : grantIfEmpty(instance, host, molding);
      if (host == null || whole == null) {
        continue;
      }
      // whom a filter keeps off a host now may come when somebody has left it
      boolean now = passes(instance, host);
      long earliest =
          reservations.earliest(host, whole.amounts(), durationOf(instance, whole), now);
      if (earliest < when || (earliest == when && where != null && host.joined < where.joined)) {
        where = host;
        what = whole;
        when = earliest;
      }
    }
    if (where != null && when != Timetable.NEVER) {
      reservations.reserve(where, what.amounts(), when, durationOf(instance, what));
    }
    return where;
  }

  private double scoreOf(HostRecord host) {
    double value = score.score(fit);
    if (Double.isNaN(value)) {
      throw new IllegalStateException(
          "the allocation score of %s for %s is not a number. Maybe it divides by a capacity of 0."
              .formatted(host, fit.instance));
    }
    return value;
  }

  private boolean admits(InstanceRecord instance, HostRecord host) {
    return instance.mayGoTo(host)
        && (instance.job == null || instance.job.admits(host, instance.antiAffinity));
  }

  /**
   * Takes victims in order until the instance fits, then spares those that are not needed; returns
   * whether it fits. Leaves the victims in {@code victims}, and every judgement in {@code
   * judgements} if that is wanted.
   */
  private boolean collectVictims(HostRecord host, @Nullable List<Verdict> judgements) {
    long[] demand = grant.amounts();
    for (int d = 0; d < demand.length; d++) {
      if (table.capacity(host.slot, d) < demand[d]) {
        return false;
      }
    }
    table.copyFree(host.slot, room);
    victimCount = 0;
    Arrays.fill(cursors, 0);
    while (!covers(demand)) {
      int group = nextGroup(host);
      if (group < 0) {
        return false;
      }
      InstanceRecord candidate = list(host, group).get(cursors[group]++);
      if (candidate.actedInPass == passNumber) {
        continue;
      }
      contest.victim(candidate);
      Verdict verdict = judge();
      if (judgements != null) {
        judgements.add(verdict);
      }
      if (verdict.allowed()) {
        take(candidate);
      } else if (verdict.closesClass()) {
        cursors[group] = list(host, group).size();
      }
    }
    if (spareUnneeded) {
      spare(demand);
    }
    return true;
  }

  private boolean covers(long[] demand) {
    for (int d = 0; d < demand.length; d++) {
      if (room[d] < demand[d]) {
        return false;
      }
    }
    return true;
  }

  private void take(InstanceRecord victim) {
    if (victimCount == victims.length) {
      victims = Arrays.copyOf(victims, 2 * victimCount);
    }
    victims[victimCount++] = victim;
    for (int d = 0; d < victim.held.length; d++) {
      room[d] += victim.held[d];
    }
  }

  /**
   * From the last taken to the first, spares whom the instance fits without. The last one taken is
   * always needed.
   */
  private void spare(long[] demand) {
    for (int i = victimCount - 2; i >= 0; i--) {
      long[] held = victims[i].held;
      boolean needed = false;
      for (int d = 0; d < demand.length && !needed; d++) {
        needed = room[d] - (d < held.length ? held[d] : 0) < demand[d];
      }
      if (!needed) {
        for (int d = 0; d < held.length; d++) {
          room[d] -= held[d];
        }
        System.arraycopy(victims, i + 1, victims, i, --victimCount - i);
      }
    }
  }

  /**
   * Returns the group whose next candidate comes first in victim order, or -1 if all are exhausted.
   */
  private int nextGroup(HostRecord host) {
    int chosen = -1;
    InstanceRecord first = null;
    long firstValue = 0;
    for (int g = 0; g < groups; g++) {
      VictimList list = list(host, g);
      if (cursors[g] == list.size()) {
        continue;
      }
      InstanceRecord candidate = list.get(cursors[g]);
      long value = candidate.victimKey + drifts[g];
      if (first == null
          || tiers[g] > tiers[chosen]
          || (tiers[g] == tiers[chosen]
              && (value > firstValue
                  || (value == firstValue && VictimList.compareTied(candidate, first) < 0)))) {
        chosen = g;
        first = candidate;
        firstValue = value;
      }
    }
    return chosen;
  }

  private static VictimList list(HostRecord host, int group) {
    if (host.victims == null) {
      throw new IllegalStateException(host + " has no victim lists");
    }
    return host.victims[group];
  }

  private Verdict judge() {
    if (rule == null) {
      throw new IllegalStateException("this pipeline does not preempt");
    }
    return rule.judge(contest);
  }

  private void addUpCost(InstanceRecord instance, HostRecord host) {
    Arrays.fill(tuple, 0);
    for (int i = 0; i < victimCount; i++) {
      contest.victim(victims[i]);
      cost.add(contest, tuple);
    }
    cost.finish(tuple);
    for (double entry : tuple) {
      if (Double.isNaN(entry)) {
        throw new IllegalStateException(
            "an entry of the preemption cost of %s for %s is not a number."
                .formatted(host, instance));
      }
    }
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

  private long tieOf(InstanceRecord instance, HostRecord host) {
    return Ties.combine(instance.tieHash, passNumber, host.tieHash);
  }

  private boolean winsTie(HostRecord host, long tie) {
    return best != null && compareTied(host, tie, best, bestTie) < 0;
  }

  /** Orders hosts of equal score, the winner first. */
  private int compareTied(HostRecord a, long tieOfA, HostRecord b, long tieOfB) {
    if (ties == HostTies.SEEDED) {
      return tieOfA != tieOfB ? Long.compare(tieOfB, tieOfA) : Long.compare(a.joined, b.joined);
    }
    if (ties == HostTies.IN_TURN && latestPlacement != null) {
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
    InstanceRecord[] spareVictims = bestVictims;
    bestVictims = victims;
    bestVictimCount = victimCount;
    victims = spareVictims;
    double[] spareTuple = bestTuple;
    bestTuple = tuple;
    tuple = spareTuple;
  }

  // ---- What was chosen

  HostRecord chosenHost() {
    if (best == null) {
      throw new IllegalStateException("nothing was chosen");
    }
    return best;
  }

  Grant chosenGrant() {
    return bestGrant;
  }

  /** The first {@link #chosenVictimCount} entries count. */
  InstanceRecord[] chosenVictims() {
    return bestVictims;
  }

  int chosenVictimCount() {
    return bestVictimCount;
  }

  /**
   * Returns the choice for the log, or null if the pass keeps none. Must be asked before the choice
   * is carried out.
   */
  @Nullable Decision decision() {
    if (pass == null || !pass.detailed()) {
      return null;
    }
    List<Decision.Victim> leaving = new ArrayList<>(bestVictimCount);
    for (int i = 0; i < bestVictimCount; i++) {
      contest.victim(bestVictims[i]);
      Verdict verdict = judge();
      leaving.add(
          new Decision.Victim(
              bestVictims[i].id(),
              verdict.code(),
              verdict.text(),
              contest.victimValue(),
              contest.beneficiaryValue()));
    }
    InstanceRecord instance = contest.beneficiary;
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
        topOf(considered));
  }

  private boolean considersAll() {
    return pass != null && pass.detailed() && pass.topScores() > 0;
  }

  private void note(HostRecord host, double value, long tie) {
    List<Double> entries = victimCount == 0 ? List.of() : Arrays.stream(tuple).boxed().toList();
    considered.add(new Considered(new Decision.HostScore(host.id(), entries, value), tie, host));
  }

  private List<Decision.HostScore> topOf(List<Considered> all) {
    if (all.isEmpty() || pass == null) {
      return List.of();
    }
    return all.stream()
        .sorted(
            Considered.BEST_FIRST.thenComparing(
                (a, b) -> compareTied(a.host, a.tie, b.host, b.tie)))
        .limit(pass.topScores())
        .map(Considered::score)
        .toList();
  }

  /** A host that was looked at. */
  private record Considered(Decision.HostScore score, long tie, HostRecord host) {

    private static final Comparator<Considered> BEST_FIRST =
        Comparator.<Considered, List<Double>>comparing(
                each -> each.score.cost(), Considered::compareCosts)
            .thenComparing(each -> each.score.allocationScore(), Comparator.reverseOrder());

    private static int compareCosts(List<Double> a, List<Double> b) {
      for (int i = 0; i < a.size(); i++) {
        int order = Double.compare(a.get(i) + 0.0, b.get(i) + 0.0); // -0 equals 0
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
  }

  // ---- For explanations

  /**
   * Returns whether an instance that does not fit a host would after preemption there, outside a
   * pass, as of a given time; and every judgement on the way, in order.
   */
  boolean wouldFit(InstanceRecord instance, HostRecord host, long time, List<Verdict> judgements) {
    if (rule == null) {
      return false;
    }
    passNumber = NO_PASS;
    prepare(time);
    contest.beneficiary(instance);
    grant = instance.wholeDemand;
    return grantOn(instance, host) && collectVictims(host, judgements);
  }

  boolean preempts() {
    return rule != null;
  }

  /**
   * Returns what an instance would be granted on a host, outside a pass; null if that is too little
   * for it.
   */
  @Nullable Grant grantFor(InstanceRecord instance, HostRecord host) {
    grant = instance.wholeDemand;
    return grantOn(instance, host) ? grant : null;
  }

  /** Returns what is wrong with what an instance would be granted, outside a pass; or null. */
  @Nullable Reason grantRefusal(InstanceRecord instance, HostRecord host) {
    return grants == null ? null : refusalOf(instance, grants.grant(instance, host));
  }

  /** Returns what a filter of the policy has against a host, outside a pass; or null. */
  @Nullable Reason filteredFrom(InstanceRecord instance, HostRecord host, long time) {
    prepare(time);
    filtered = null;
    return passes(instance, host) ? null : filtered;
  }

  // ---- Views that are handed to the parts, used again and again

  private final class Pair implements Contest {

    private @Nullable InstanceRecord beneficiary;
    private @Nullable InstanceRecord victim;
    private long beneficiaryValue;
    private long victimValue;

    void beneficiary(InstanceRecord instance) {
      beneficiary = instance;
      beneficiaryValue = instance.victimKey + pendingDrifts[instance.classRecord.rank()];
    }

    void victim(InstanceRecord instance) {
      victim = instance;
      int rank = instance.classRecord.rank();
      int group = instance.state == InstanceState.RUNNING ? rank : classes.size() + rank;
      victimValue = instance.victimKey + drifts[group];
    }

    private static InstanceRecord present(@Nullable InstanceRecord instance) {
      if (instance == null) {
        throw new IllegalStateException("a contest is valid during the call it is passed to only");
      }
      return instance;
    }

    @Override
    public long now() {
      return now;
    }

    @Override
    public Instance beneficiary() {
      return present(beneficiary);
    }

    @Override
    public int beneficiaryClassRank() {
      return present(beneficiary).classRecord.rank();
    }

    @Override
    public long beneficiaryValue() {
      return beneficiaryValue;
    }

    @Override
    public Instance victim() {
      return present(victim);
    }

    @Override
    public int victimClassRank() {
      return present(victim).classRecord.rank();
    }

    @Override
    public long victimValue() {
      return victimValue;
    }
  }

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
      long used = table.capacity(slot, dimension) - table.free(slot, dimension);
      for (int i = 0; i < victimCount; i++) {
        long[] held = victims[i].held;
        used -= dimension < held.length ? held[dimension] : 0;
      }
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
