package dev.berth.core.internal.search;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.core.explain.WhyPending;
import dev.berth.core.internal.budget.BudgetRecord;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.group.GroupRecord;
import dev.berth.core.internal.rule.Limits;
import dev.berth.core.internal.rule.PeerRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the instances on a host that must be preempted for an instance, and the cost of it.
 *
 * <p>The candidates on a host form groups by class and state, each in victim order. The search
 * merges the groups, so it sorts nothing. It works on its own arrays and allocates nothing once
 * they have grown. It looks up an instance only if a part of the policy asks for it, or if it is
 * chosen as a victim: on a full cluster, looking up each candidate would be most of the work.
 */
final class VictimSearch {

  private static final Verdict PROTECTED =
      Verdict.refuse(WhyPending.PROTECTED, "a disruption budget protects the next victim");
  private static final Verdict TAKEN = Verdict.allow(WhyPending.GROUP, "its group may go");
  private static final Verdict OWN =
      Verdict.refuse(WhyPending.GROUP, "its own group would lose too many members");
  private static final Verdict ACTED =
      Verdict.refuse(WhyPending.GROUP, "it was acted on in the same pass");
  private static final Verdict NO_CANDIDATE =
      Verdict.refuse(WhyPending.GROUP, "it cannot be preempted in its state or on its host");

  private final HostTable table;
  private final PeerRules peers;
  private final @Nullable VictimOrder order;
  private final @Nullable PreemptionRule rule;
  private final @Nullable MonotonePreemptionRule monotone; // the same rule, if it is one
  private final PreemptionCost cost;
  private final double[] costOfPolicy;
  private final boolean minimizeVictims;

  // Groups: class rank while running, classes + class rank while starting.
  private final List<ServiceClass> classes;
  private final int groups;
  private final int[] tiers;
  private final long[] drifts; // at the time prepared for
  private final long[] pendingDrifts;
  private final int[] cursors;
  private final long[] nextKeys; // of the candidates at the cursors
  private int advanced = -1; // the group whose key there is not known yet
  private final Pair pair = new Pair();

  // The first of each group on each host, by slot and group. Most searches need only these: they
  // are side by side, whereas each list and each instance is elsewhere in memory.
  private @Nullable VictimList[] lists = new @Nullable VictimList[0]; // null until first used
  private int[] sizes = new int[0];
  private long[] heads = new long[0];
  private int width = 2; // of the amounts below, by dimension
  private long[] headAmounts = new long[0];
  private boolean[] headsLostTime = new boolean[0]; // to restarts
  private boolean[] unlikeEquals = new boolean[0]; // whether their lists have such

  private long now;
  private long nextInstant;
  private long passNumber;

  // The host searched last
  private long[] room = new long[2];
  private int[] victimGroups = new int[8];
  private int[] victimPlaces = new int[8];
  private long[] victimAmounts = new long[8 * width];
  private InstanceRecord[] victims = new InstanceRecord[8]; // looked up on demand
  private int count;
  private int nextTier; // of the candidate at the cursor of the group chosen last
  private long nextValue;
  private boolean tied; // whether it may matter which of equal victims go
  private boolean overspent; // whether budgets do not allow all that were taken
  private @Nullable InstanceRecord limited; // the beneficiary, if it uses limits
  private @Nullable InstanceRecord crowded; // the same, if rules keep it off unless others leave
  private @Nullable HostRecord searched; // for the condition
  private final VictimChoice.Condition condition = this::rulesHold;
  private final VictimChoice choice = new VictimChoice();
  private @Nullable HostRecord found; // the host of these victims
  private long allowedUpTo;
  private long refusedUntil;
  private final List<GroupRecord> spared = new ArrayList<>(); // that a candidate would break
  private final List<GroupRecord> going = new ArrayList<>(); // as a whole
  private int elsewhere; // of their members, on other hosts
  private long searches;
  private boolean budgetDecides;

  VictimSearch(PipelineParts parts) {
    this.table = parts.state().table();
    this.peers = new PeerRules(parts.state().peers());
    this.order = parts.victims();
    this.rule = parts.rule();
    this.monotone = rule instanceof MonotonePreemptionRule it ? it : null;
    this.cost = parts.cost();
    this.costOfPolicy = new double[cost.width(parts.state().serviceClasses().size())];
    this.minimizeVictims = parts.minimizeVictims();
    this.classes = parts.state().serviceClasses();
    this.groups = classes.size() * (parts.preemptStarting() ? 2 : 1);
    this.tiers = new int[groups];
    this.drifts = new long[groups];
    this.pendingDrifts = new long[classes.size()];
    this.cursors = new int[groups];
    this.nextKeys = new long[groups];
    if (order != null) {
      for (int g = 0; g < groups; g++) {
        tiers[g] = order.tier(classOf(g));
      }
    }
  }

  /** Returns the group that lists an instance in a state, or -1 if it cannot be preempted in it. */
  int groupOf(InstanceRecord instance, InstanceState state) {
    int rank = instance.classRecord.rank();
    if (rule == null || (state != InstanceState.RUNNING && state != InstanceState.STARTING)) {
      return -1;
    }
    int group = state == InstanceState.RUNNING ? rank : classes.size() + rank;
    return group < groups ? group : -1;
  }

  /** Lists an instance as a candidate for preemption on a host. */
  void add(InstanceRecord instance, HostRecord host, int group) {
    int at = host.slot() * groups + group;
    VictimList list = lists[at];
    if (list == null) {
      list = new VictimList();
      lists[at] = list;
    }
    if (instance.held().length > width) {
      widen(Math.max(instance.held().length, 2 * width));
    }
    list.add(instance);
    noteHead(host.slot(), group, list);
  }

  /** Removes an instance from the candidates on a host. */
  void remove(InstanceRecord instance, HostRecord host, int group) {
    VictimList list = list(host, group);
    list.remove(instance);
    noteHead(host.slot(), group, list);
  }

  /** Makes room for the lists of a host that joined. Lists of a former host there are empty. */
  void joined(HostRecord host) {
    int end = (host.slot() + 1) * groups;
    if (end > sizes.length) {
      lists = Arrays.copyOf(lists, 2 * end);
      sizes = Arrays.copyOf(sizes, 2 * end);
      heads = Arrays.copyOf(heads, 2 * end);
      headAmounts = Arrays.copyOf(headAmounts, 2 * end * width);
      headsLostTime = Arrays.copyOf(headsLostTime, 2 * end);
      unlikeEquals = Arrays.copyOf(unlikeEquals, 2 * end);
    }
  }

  private void noteHead(int slot, int group, VictimList list) {
    int at = slot * groups + group;
    sizes[at] = list.size();
    heads[at] = list.key(0); // of no meaning if the list is empty
    unlikeEquals[at] = list.hasUnlikeEquals();
    if (list.size() > 0) {
      list.copyAmounts(0, headAmounts, at * width, width);
      headsLostTime[at] = list.hasLostTime(0);
    }
  }

  private void widen(int wider) {
    long[] wide = new long[sizes.length * wider];
    for (int at = 0; at < sizes.length; at++) {
      System.arraycopy(headAmounts, at * width, wide, at * wider, width);
    }
    headAmounts = wide;
    victimAmounts = new long[victimGroups.length * wider]; // of no search under way
    width = wider;
    none();
  }

  /** Returns whether the policy preempts. */
  boolean preempts() {
    return rule != null;
  }

  /** Prepares for a time, and for a pass; no instance is a victim twice in a pass. */
  void prepare(long time, long pass) {
    now = time;
    nextInstant = time + 1;
    passNumber = pass;
    if (room.length < table.dimensions()) {
      room = new long[table.dimensions()];
    }
    if (order != null) {
      for (int g = 0; g < groups; g++) {
        drifts[g] =
            order.drift(
                classOf(g),
                g < classes.size() ? InstanceState.RUNNING : InstanceState.STARTING,
                now);
      }
      for (int c = 0; c < pendingDrifts.length; c++) {
        pendingDrifts[c] = order.drift(classes.get(c), InstanceState.PENDING, now);
      }
    }
  }

  private ServiceClass classOf(int group) {
    return classes.get(group % classes.size());
  }

  /** Sets the instance for which the next searches find victims. */
  void beneficiary(InstanceRecord instance) {
    pair.beneficiary(instance);
    none();
  }

  /** Returns the value of the beneficiary in the victim order. */
  long beneficiaryValue() {
    return pair.beneficiaryValue;
  }

  /** Forgets the victims found. */
  void none() {
    count = 0;
    found = null;
    elsewhere = 0;
    if (!going.isEmpty()) {
      going.clear();
    }
  }

  /** Returns whether the victims found last are on a host. */
  boolean areOn(HostRecord host) {
    return found == host;
  }

  /**
   * Returns the victims found; the first {@link #count} entries count. Call it before they change.
   */
  InstanceRecord[] victims() {
    return count == 0 ? victims : victimsOn(chosen());
  }

  private InstanceRecord[] victimsOn(HostRecord host) {
    collect(host, -1, null);
    return victims;
  }

  /** Lists the victims, those of the host first, but for one or those of a group. */
  private int collect(HostRecord host, int without, @Nullable GroupRecord group) {
    if (victims.length < count() || victims.length < victimGroups.length) {
      victims = new InstanceRecord[Math.max(2 * count(), victimGroups.length)];
    }
    int number = 0;
    for (int i = 0; i < count; i++) {
      if (!goWith(host, i, without, group)) {
        victims[number++] = victim(host, i);
      }
    }
    for (GroupRecord whole : going) {
      for (InstanceRecord each : whole.present()) {
        if (whole != group && each.place() != null && each.place() != host) {
          victims[number++] = each;
        }
      }
    }
    return number;
  }

  private InstanceRecord victim(HostRecord host, int index) {
    return list(host, victimGroups[index]).get(victimPlaces[index]);
  }

  private HostRecord chosen() {
    checkState(found != null, "no victims were found");
    return found;
  }

  int count() {
    return count + elsewhere;
  }

  /** Returns whether a victim goes with all of its group. */
  boolean goesWithGroup(InstanceRecord victim) {
    return victim.group != null && going.contains(GroupRecord.of(victim));
  }

  /** Returns whether some of the victims found are on other hosts. */
  boolean areElsewhere() {
    return elsewhere > 0;
  }

  /** Returns the amount of a dimension that the victims found hold on their host. */
  long held(int dimension) {
    long all = 0;
    for (int i = 0; i < count && dimension < width; i++) {
      all += victimAmounts[i * width + dimension];
    }
    return all;
  }

  /**
   * Returns the greatest value of a beneficiary for which the search would find the same victims,
   * if the rule is monotone.
   */
  long allowedUpTo() {
    return allowedUpTo;
  }

  /**
   * Returns the time until which a failed search would fail again if the host does not change. The
   * time may be too early.
   */
  long refusedUntil() {
    return refusedUntil;
  }

  /**
   * Returns whether a failed search left out a choice of victims that disruption budgets allow. A
   * search with fewer eligible candidates may succeed then.
   */
  boolean budgetDecides() {
    return budgetDecides;
  }

  /**
   * Selects victims on a host in victim order until there is room, then spares unneeded ones; among
   * equals, it {@linkplain VictimChoice chooses}. If these do not suffice, groups go as a whole.
   * Returns whether there is room.
   */
  boolean find(HostRecord host, long[] demand) {
    return find(host, demand, null, null);
  }

  /**
   * Does the same as {@link #find}, and determines {@link #allowedUpTo} or {@link #refusedUntil}.
   */
  boolean findAndDate(HostRecord host, long[] demand) {
    return find(host, demand, monotone, null);
  }

  /** Does the same as {@link #find}, and collects every judgement. */
  boolean findAndTell(HostRecord host, long[] demand, List<Verdict> judgements) {
    return find(host, demand, null, judgements);
  }

  private boolean find(
      HostRecord host,
      long[] demand,
      @Nullable MonotonePreemptionRule dates,
      @Nullable List<Verdict> judgements) {
    allowedUpTo = Long.MAX_VALUE;
    refusedUntil = Long.MAX_VALUE;
    budgetDecides = false;
    none();
    for (int d = 0; d < demand.length; d++) {
      if (table.usable(host.slot(), d) < demand[d]) {
        return false;
      }
    }
    searched = host;
    limited = pair.limited();
    crowded = pair.crowdedOn(host);
    if ((limited != null && !Limits.couldBeCovered(limited, host))
        || (crowded != null && !couldBeAdmitted(crowded, host))) {
      return false;
    }
    table.copyFree(host.slot(), room);
    int base = host.slot() * groups;
    for (int g = 0; g < groups; g++) { // of so few, faster than a copy
      cursors[g] = 0;
      nextKeys[g] = heads[base + g];
    }
    advanced = -1;
    tied = crowded != null; // alike victims may have other rules, or be other peers
    overspent = false;
    searches++;
    if (!spared.isEmpty()) {
      spared.clear();
    }
    while (true) {
      if (covers(demand) && (!isConditional() || rulesHold(victimsOn(host), count))) {
        if (!minimizeVictims || choose(demand, host, dates, judgements)) {
          found = host;
          return true;
        }
      }
      int group = nextGroup(host);
      if (group < 0) {
        return !spared.isEmpty() && breakGroups(demand, host, dates, judgements);
      }
      consider(host, group, dates, judgements);
    }
  }

  /** Takes the candidate at the cursor of a group if it is eligible. */
  private void consider(
      HostRecord host,
      int group,
      @Nullable MonotonePreemptionRule dates,
      @Nullable List<Verdict> judgements) {
    int place = cursors[group];
    long key = nextKeys[group];
    cursors[group]++;
    advanced = group;
    if (host.actedInPass() == passNumber
        && list(host, group).get(place).actedInPass() == passNumber) {
      refusedUntil = now; // the next pass may be at the same time
      return;
    }
    pair.victim(host, group, place, key);
    Verdict verdict = judge();
    if (host.hasGroups() && verdict.allowed() && isSpared(list(host, group).get(place))) {
      if (dates != null) {
        date(verdict, dates);
      }
      return;
    }
    if (host.guarded() > 0 && verdict.allowed() && isProtected(host, group, place)) {
      if (judgements != null) {
        judgements.add(PROTECTED);
      }
      return;
    }
    if (judgements != null) {
      judgements.add(inWords(verdict));
    }
    if (verdict.allowed()) {
      take(host, group, place);
      if (host.hasGroups()) {
        count(list(host, group).get(place));
      }
      tied |= unlikeEquals[host.slot() * groups + group];
    } else if (verdict.closesClass()) {
      cursors[group] = sizes[host.slot() * groups + group];
    }
    if (dates != null) {
      date(verdict, dates);
    }
  }

  /**
   * Decides which victims go, once all that were taken free enough; returns whether some may go
   * that free enough.
   */
  private boolean choose(
      long[] demand,
      HostRecord host,
      @Nullable MonotonePreemptionRule dates,
      @Nullable List<Verdict> judgements) {
    if (count > 0 && (tied || overspent)) {
      considerEquals(host, dates, judgements);
      if (count > 1) {
        return chooseAmongEquals(demand, host);
      }
    }
    spare(demand, host);
    return true;
  }

  /** Considers the other candidates that the order does not distinguish from the last victim. */
  private void considerEquals(
      HostRecord host, @Nullable MonotonePreemptionRule dates, @Nullable List<Verdict> judgements) {
    int tier = tierOf(count - 1);
    long value = valueOf(host, count - 1);
    for (int group = nextGroup(host);
        group >= 0 && nextTier == tier && nextValue == value;
        group = nextGroup(host)) {
      consider(host, group, dates, judgements);
    }
  }

  private int tierOf(int victim) {
    return tiers[victimGroups[victim]];
  }

  private long valueOf(HostRecord host, int victim) {
    int group = victimGroups[victim];
    return keyAt(host, group, victimPlaces[victim]) + drifts[group];
  }

  private boolean chooseAmongEquals(long[] demand, HostRecord host) {
    InstanceRecord[] candidates = victimsOn(host);
    choice.begin(demand, room, Math.min(width, demand.length));
    if (isConditional()) {
      choice.require(condition, candidates);
    }
    int run = 0;
    for (int i = 0; i < count; i++) {
      boolean equals =
          i > 0 && tierOf(i) == tierOf(i - 1) && valueOf(host, i) == valueOf(host, i - 1);
      run += i > 0 && !equals ? 1 : 0;
      InstanceRecord each = candidates[i];
      boolean serves = victimGroups[i] < classes.size();
      long lost = serves && each.request().losesProgress() ? now - each.stateSince() : 0;
      BudgetRecord budget = host.guarded() > 0 && serves ? BudgetRecord.of(each) : null;
      choice.add(run, victimAmounts, i * width, lost, share(host, i), budget);
    }
    boolean chosen = choice.choose();
    budgetDecides |= choice.gaveUp();
    if (chosen) {
      for (int i = count - 1; i >= 0; i--) {
        if (!choice.isChosen(i)) {
          leave(i);
        }
      }
    }
    return chosen;
  }

  /** Returns what a victim holds, as a share of the host summed over the dimensions, in 2^-30. */
  private long share(HostRecord host, int victim) {
    long share = 0;
    for (int d = 0; d < Math.min(width, room.length); d++) {
      long capacity = table.capacity(host.slot(), d);
      double held = (double) victimAmounts[victim * width + d];
      share += capacity == 0 ? 0 : (long) (held / (double) capacity * (1 << 30));
    }
    return share;
  }

  /**
   * Returns whether a budget protects a candidate. Otherwise counts it as a victim. One of several
   * of its job may go; which one is chosen later, if it may be.
   */
  private boolean isProtected(HostRecord host, int group, int place) {
    if (group >= classes.size()) {
      return false; // it is starting
    }
    BudgetRecord budget = BudgetRecord.of(list(host, group).get(place));
    if (budget == null) {
      return false;
    }
    int left = budget.left();
    if (budget.taken(searches) < left) {
      budget.take(searches);
      return false;
    }
    if (minimizeVictims && left > 0) {
      overspent = true;
      return false;
    }
    budgetDecides |= left > 0;
    return true;
  }

  // ---- Groups

  /** Returns whether too few members of the group of a candidate would be left, and notes that. */
  private boolean isSpared(InstanceRecord candidate) {
    GroupRecord its = GroupRecord.of(candidate);
    if (its == null || !its.breaksIn(searches)) {
      return false;
    }
    if (!spared.contains(its)) {
      spared.add(its);
    }
    return true;
  }

  private void count(InstanceRecord member) {
    GroupRecord its = GroupRecord.of(member);
    if (its != null) {
      its.take(searches);
    }
  }

  /**
   * Adds groups as a whole to the victims taken, which free too little, until they free enough, and
   * then spares others. Returns whether they do.
   */
  private boolean breakGroups(
      long[] demand,
      HostRecord host,
      @Nullable MonotonePreemptionRule dates,
      @Nullable List<Verdict> judgements) {
    for (int i = 0; i < count && overspent; ) {
      if (BudgetRecord.protection(victimsOn(host), i + 1) == null) {
        i++;
      } else {
        leave(i);
        budgetDecides = true;
      }
    }
    for (GroupRecord each : spared) {
      Verdict refusal = refusal(each, dates, judgements != null);
      if (refusal == null && !takeAll(each, host)) {
        refusal = PROTECTED;
      }
      if (judgements != null) {
        judgements.add(refusal == null ? TAKEN : refusal);
      }
      if (refusal != null) {
        budgetDecides |= each.surplus() > 0; // another member may go if one that went here may not
      } else if (covers(demand) && (!isConditional() || rulesHold(victimsOn(host), count()))) {
        if (minimizeVictims) {
          spareGroups(demand, host);
        }
        found = host;
        return true;
      }
    }
    none();
    return false;
  }

  /** Returns why a member of a group may not go, or null if all may. */
  private @Nullable Verdict refusal(
      GroupRecord its, @Nullable MonotonePreemptionRule dates, boolean worded) {
    if (pair.isFor(its)) {
      return OWN;
    }
    for (InstanceRecord each : its.present()) {
      if (each.place() == null) {
        continue;
      }
      Verdict verdict = NO_CANDIDATE;
      if (PlacementRules.unreachable(each) != null) {
        budgetDecides = true; // it may be reached without a change here
      } else if (each.actedInPass() == passNumber) {
        refusedUntil = now;
        verdict = ACTED;
      } else if (groupOf(each, each.state()) >= 0) {
        verdict = judge(each);
        if (dates != null) {
          date(verdict, dates);
        }
      }
      if (!verdict.allowed()) {
        return worded
            ? Verdict.refuse(
                WhyPending.GROUP,
                "group %s leaves as a whole or not at all, but %s stays: %s"
                    .formatted(
                        its.id(),
                        each.id(),
                        verdict.equals(ACTED) || verdict.equals(NO_CANDIDATE)
                            ? verdict.text()
                            : inWords(verdict).text()))
            : verdict;
      }
    }
    return null;
  }

  /** Takes all members of a group, unless budgets protect some; returns whether it did. */
  private boolean takeAll(GroupRecord its, HostRecord host) {
    int before = count;
    int elsewhereBefore = elsewhere;
    for (InstanceRecord each : its.present()) {
      if (each.place() == host && !isTaken(each, host, before)) {
        int group = groupOf(each, each.state());
        take(host, group, list(host, group).placeOf(each));
      } else if (each.place() != null && each.place() != host) {
        elsewhere++;
      }
    }
    going.add(its);
    if (BudgetRecord.protection(victimsOn(host), count()) == null) {
      return true;
    }
    going.remove(its);
    elsewhere = elsewhereBefore;
    while (count > before) {
      leave(count - 1);
    }
    budgetDecides = true;
    return false;
  }

  private boolean isTaken(InstanceRecord member, HostRecord host, int among) {
    for (int i = 0; i < among; i++) {
      if (victim(host, i) == member) {
        return true;
      }
    }
    return false;
  }

  /** Spares victims from the last to the first; a group as a whole, in the place of its last. */
  private void spareGroups(long[] demand, HostRecord host) {
    List<GroupRecord> decided = new ArrayList<>();
    for (int i = count - 1; i >= 0; i--) {
      GroupRecord its = GroupRecord.of(victim(host, i));
      GroupRecord whole = going.contains(its) ? its : null;
      if (whole != null && decided.contains(whole)) {
        continue;
      }
      if (whole != null) {
        decided.add(whole);
      }
      if (!isNeeded(demand, host, i, whole)) {
        for (int v = count - 1; v >= 0; v--) {
          if (goWith(host, v, i, whole)) {
            leave(v);
            i -= v < i ? 1 : 0;
          }
        }
        if (whole != null) {
          going.remove(whole);
          elsewhere = collect(host, -1, null) - count;
        }
      }
    }
  }

  private boolean isNeeded(long[] demand, HostRecord host, int index, @Nullable GroupRecord whole) {
    for (int d = 0; d < demand.length; d++) {
      long left = room[d];
      for (int i = 0; i < count && d < width; i++) {
        left -= goWith(host, i, index, whole) ? victimAmounts[i * width + d] : 0;
      }
      if (left < demand[d]) {
        return true;
      }
    }
    int others = collect(host, index, whole);
    return isConditional() && !rulesHold(victims, others);
  }

  /** Returns whether a victim is a certain one, or is of a certain group. */
  private boolean goWith(HostRecord host, int victim, int index, @Nullable GroupRecord whole) {
    return victim == index || (whole != null && victim(host, victim).group == whole);
  }

  private void date(Verdict verdict, MonotonePreemptionRule dates) {
    if (verdict.allowed()) {
      allowedUpTo = Math.min(allowedUpTo, dates.allowedUpTo(pair));
    } else {
      long until = Math.max(dates.refusedUntil(pair), nextInstant); // it holds for this instant
      refusedUntil = Math.min(refusedUntil, until);
    }
  }

  private boolean covers(long[] demand) {
    for (int d = 0; d < demand.length; d++) {
      if (room[d] < demand[d]) {
        return false;
      }
    }
    return true;
  }

  private boolean isConditional() {
    return limited != null || crowded != null;
  }

  /**
   * Returns whether limits and rules allow the beneficiary once some victims have left. What those
   * on other hosts use of limits does not count; they come last.
   */
  private boolean rulesHold(InstanceRecord[] some, int number) {
    HostRecord host = searched;
    int here = 0;
    while (limited != null && here < number && some[here].place() == host) {
      here++;
    }
    return host == null
        || ((limited == null || Limits.areCovered(limited, host, some, here))
            && (crowded == null || !peers.isCrowded(crowded, host, some, number)));
  }

  /**
   * Returns whether rules allow an instance once others leave. Members of its job need not: if only
   * they could, they would exchange places with it.
   */
  private boolean couldBeAdmitted(InstanceRecord instance, HostRecord host) {
    InstanceRecord[] others = new InstanceRecord[host.residents.size()];
    int number = 0;
    for (InstanceRecord each : host.residents) {
      if (instance.job == null || each.job != instance.job) {
        others[number++] = each;
      }
    }
    return !peers.isCrowded(instance, host, others, number);
  }

  private void take(HostRecord host, int group, int place) {
    if (count == victimGroups.length) {
      victimGroups = Arrays.copyOf(victimGroups, 2 * count);
      victimPlaces = Arrays.copyOf(victimPlaces, 2 * count);
      victimAmounts = Arrays.copyOf(victimAmounts, 2 * count * width);
    }
    victimGroups[count] = group;
    victimPlaces[count] = place;
    int base = count++ * width;
    if (place == 0) {
      int at = host.slot() * groups + group;
      for (int d = 0; d < width; d++) {
        victimAmounts[base + d] = headAmounts[at * width + d];
      }
    } else {
      list(host, group).copyAmounts(place, victimAmounts, base, width);
    }
    for (int d = 0; d < Math.min(width, room.length); d++) {
      room[d] += victimAmounts[base + d];
    }
  }

  /**
   * Spares each victim without which the instance fits, from the last selected to the first. The
   * last one selected is always needed.
   */
  private void spare(long[] demand, HostRecord host) {
    for (int i = count - 2; i >= 0; i--) {
      int base = i * width;
      boolean needed = false;
      for (int d = 0; d < demand.length && !needed; d++) {
        needed = room[d] - (d < width ? victimAmounts[base + d] : 0) < demand[d];
      }
      if (!needed && isConditional()) {
        needed = isNeededByRules(host, i);
      }
      if (!needed) {
        leave(i);
      }
    }
  }

  private boolean isNeededByRules(HostRecord host, int index) {
    InstanceRecord[] others = victimsOn(host);
    System.arraycopy(others, index + 1, others, index, count - index - 1);
    return !rulesHold(others, count - 1);
  }

  private void leave(int index) {
    for (int d = 0; d < Math.min(width, room.length); d++) {
      room[d] -= victimAmounts[index * width + d];
    }
    int after = --count - index;
    System.arraycopy(victimGroups, index + 1, victimGroups, index, after);
    System.arraycopy(victimPlaces, index + 1, victimPlaces, index, after);
    System.arraycopy(
        victimAmounts, (index + 1) * width, victimAmounts, index * width, after * width);
  }

  /**
   * Returns the group whose next candidate comes first in victim order, or -1 if all are exhausted.
   */
  private int nextGroup(HostRecord host) {
    int chosen = -1;
    long firstValue = 0;
    int base = host.slot() * groups;
    int behind = advanced;
    if (behind >= 0 && cursors[behind] < sizes[base + behind]) {
      nextKeys[behind] = list(host, behind).key(cursors[behind]); // most searches end before
    }
    for (int g = 0; g < groups; g++) {
      if (cursors[g] == sizes[base + g]) {
        continue;
      }
      long value = nextKeys[g] + drifts[g];
      boolean isFirst =
          chosen < 0
              || tiers[g] > tiers[chosen]
              || (tiers[g] == tiers[chosen] && value > firstValue);
      if (!isFirst && tiers[g] == tiers[chosen] && value == firstValue) {
        tied = true;
        isFirst = VictimList.compareTied(next(host, g), next(host, chosen)) < 0;
      }
      if (isFirst) {
        chosen = g;
        firstValue = value;
      }
    }
    nextTier = chosen < 0 ? 0 : tiers[chosen];
    nextValue = firstValue;
    return chosen;
  }

  private long keyAt(HostRecord host, int group, int place) {
    return place == 0 ? heads[host.slot() * groups + group] : list(host, group).key(place);
  }

  private boolean hasLostTime(HostRecord host, int group, int place) {
    return place == 0
        ? headsLostTime[host.slot() * groups + group]
        : list(host, group).hasLostTime(place);
  }

  private InstanceRecord next(HostRecord host, int group) {
    return list(host, group).get(cursors[group]);
  }

  private VictimList list(HostRecord host, int group) {
    VictimList list = lists[host.slot() * groups + group];
    checkState(list != null, "group %s of %s has never had a candidate", group, host);
    return list;
  }

  private Verdict judge() {
    return rule().judge(pair);
  }

  private PreemptionRule rule() {
    checkState(rule != null, "this pipeline does not preempt");
    return rule;
  }

  /** Returns the judgement of a victim; afterwards, {@link #pair} has its value. */
  Verdict judge(InstanceRecord victim) {
    pair.victim(victim);
    return judge();
  }

  private Verdict inWords(Verdict verdict) {
    String words = rule().explain(pair, verdict);
    return new Verdict(verdict.allowed(), verdict.closesClass(), verdict.code(), words);
  }

  PreemptionPair pair() {
    return pair;
  }

  /**
   * Adds up the cost of the victims found.
   *
   * @param tuple receives the number of victims in groups that would break, and the entries of the
   *     policy
   */
  void addUpCost(HostRecord host, double[] tuple) {
    Arrays.fill(tuple, 0);
    Arrays.fill(costOfPolicy, 0);
    for (int i = 0; i < count; i++) {
      int group = victimGroups[i];
      int place = victimPlaces[i];
      pair.victim(host, group, place, keyAt(host, group, place));
      cost.add(pair, costOfPolicy);
    }
    for (GroupRecord whole : going) {
      tuple[0] += whole.onHosts();
      for (InstanceRecord each : whole.present()) {
        if (each.place() != null && each.place() != host) {
          pair.victim(each);
          cost.add(pair, costOfPolicy);
        }
      }
    }
    cost.finish(costOfPolicy);
    System.arraycopy(costOfPolicy, 0, tuple, 1, costOfPolicy.length);
    for (double entry : tuple) {
      if (Double.isNaN(entry)) {
        throw new IllegalStateException(
            "an entry of the preemption cost of %s for %s is not a number."
                .formatted(host, pair.beneficiary));
      }
    }
  }

  /** A view for the parts of the policy. One object serves all judgements. */
  private final class Pair implements PreemptionPair {

    private @Nullable InstanceRecord beneficiary;
    private @Nullable InstanceRecord victim; // null: look it up
    private @Nullable HostRecord host;
    private int group;
    private int place;
    private int victimRank;
    private long beneficiaryValue;
    private long victimValue;

    void beneficiary(InstanceRecord instance) {
      beneficiary = instance;
      beneficiaryValue = instance.victimKey() + pendingDrifts[instance.classRecord.rank()];
    }

    /** Returns the beneficiary if it uses limits, otherwise null. */
    @Nullable InstanceRecord limited() {
      return beneficiary == null || beneficiary.limits() == null ? null : beneficiary;
    }

    /** Returns the beneficiary if rules keep it off a host unless others leave, otherwise null. */
    @Nullable InstanceRecord crowdedOn(HostRecord on) {
      InstanceRecord instance = beneficiary;
      return instance != null && PeerRules.mayRefuse(instance) && peers.refuse(instance, on)
          ? instance
          : null;
    }

    /** Returns whether the beneficiary is of a group. */
    boolean isFor(GroupRecord its) {
      return beneficiary != null && beneficiary.group == its;
    }

    void victim(InstanceRecord instance) {
      victim = instance;
      victimRank = instance.classRecord.rank();
      boolean runs = instance.state() == InstanceState.RUNNING;
      victimValue = instance.victimKey() + drifts[runs ? victimRank : classes.size() + victimRank];
    }

    /** Sets a victim by its place. Most judgements need only its class and value. */
    void victim(HostRecord on, int inGroup, int at, long key) {
      victim = null;
      host = on;
      group = inGroup;
      place = at;
      victimRank = inGroup % classes.size();
      victimValue = key + drifts[inGroup];
    }

    private static InstanceRecord present(@Nullable InstanceRecord instance) {
      checkState(
          instance != null, "a preemption pair is valid only during the call it is passed to");
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
    public int beneficiaryTier() {
      return present(beneficiary).queueTier();
    }

    @Override
    public long beneficiaryValue() {
      return beneficiaryValue;
    }

    @Override
    public Instance victim() {
      if (victim == null && host != null) {
        victim = list(host, group).get(place);
      }
      return present(victim);
    }

    @Override
    public double victimPreemptionOverhead() {
      boolean lostNothing = victim == null && host != null && !hasLostTime(host, group, place);
      return lostNothing ? 0 : victim().preemptionOverhead(now);
    }

    @Override
    public int victimClassRank() {
      return victimRank;
    }

    @Override
    public long victimValue() {
      return victimValue;
    }
  }
}
