package dev.berth.testkit.reference;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Limit;
import dev.berth.api.Reason;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Completion;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.CaseCoverage.Mark;
import dev.berth.testkit.reference.ReferencePlacement.Refusal;
import dev.berth.testkit.reference.ReferencePolicy.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Algorithm 1 (section 3.4), line by line.
 *
 * <p>Where the paper leaves a choice to chance, the {@link SeededTieBreaker} makes it. Where the
 * paper leaves it open, a comment states the choice. Expects valid events, as {@link
 * ReferenceCluster} does.
 */
public final class ReferenceScheduler implements EventTarget {

  private final long seed;
  private final Optional<Duration> watchdog;
  private final ReferenceCluster cluster;
  private final CaseCoverage coverage = new CaseCoverage();
  private final Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);
  private ReferencePolicy policy; // as it decides in the latest pass
  private OptionalLong lastPassAt = OptionalLong.empty();
  private ReferencePass pass; // the latest one
  private boolean goesOn; // the latest pass evicted instances

  /**
   * A scheduler of an empty cluster.
   *
   * @param watchdog longest time between two passes; it does not affect what a pass decides
   */
  public ReferenceScheduler(
      ReferencePolicy policy,
      Collection<? extends ServiceClass> serviceClasses,
      long seed,
      Optional<Duration> watchdog) {
    this.policy = policy;
    this.seed = seed;
    this.watchdog = watchdog;
    this.cluster = new ReferenceCluster(serviceClasses);
    this.pass = new ReferencePass(cluster, coverage, 0, Long.MIN_VALUE);
  }

  /** Returns the cluster; read-only. */
  public ReferenceCluster cluster() {
    return cluster;
  }

  /** Returns the cases that it has met so far. */
  public CaseCoverage coverage() {
    return coverage;
  }

  // ---- Events (Algorithm 1, lines 1 to 17); the paper knows no pools and no bags

  @Override
  public Set<Feature> supportedFeatures() {
    return EnumSet.allOf(Feature.class);
  }

  @Override
  public Object apply(Event<?> event, long now) {
    requireFresh(event);
    noteBefore(event);
    Optional<Object> answer = cluster.apply(event, now);
    if (answer.isPresent()) {
      event.kind().trigger().ifPresent(triggers::add);
      noteAfter(event, answer.get());
    }
    return answer.orElse(Accepted.ACCEPTED);
  }

  /** Refuses reports of a fleet that are late or doubled; the paper knows none. */
  private void requireFresh(Event<?> event) {
    boolean isFresh = true;
    String subject = event instanceof Event.OfInstance<?> it ? it.instance() : "";
    if (event instanceof Event.Started report) {
      isFresh = cluster.canStart(report.attempt());
    } else if (event instanceof Event.Failed report) {
      isFresh = cluster.canFail(report.attempt());
    } else if (event instanceof Event.Completed report) {
      isFresh = cluster.canComplete(report.attempt());
    } else if (event instanceof Event.ActionRejected rejected) {
      isFresh = cluster.isOpen(rejected.action());
      subject = rejected.action().toString();
    }
    if (!isFresh) {
      coverage.count(Mark.STALE_REPORT);
      throw new StaleReportException(subject, event + " is stale");
    }
  }

  private void noteBefore(Event<?> event) {
    coverage.count(
        Mark.ATTEMPT_REPORT,
        event instanceof Event.OfAttempt<?> report && report.number().isPresent());
    coverage.count(
        Mark.COMPLETION_BEFORE_STOP,
        event instanceof Event.Completed report
            && cluster.instance(report.instance()).orElseThrow().state() == InstanceState.PENDING);
    coverage.count(
        Mark.UNREACHABLE_INSTANCE_KEPT,
        event instanceof Event.Reconciled fleet
            && cluster.instances().stream()
                .filter(each -> !isSeen(each, fleet.observed()))
                .anyMatch(each -> LedgerCorrections.isOnUnreachable(each, fleet.observed())));
    coverage.count(
        Mark.RETURN, event instanceof Event.Submitted submitted && submitted.history().isPresent());
  }

  private static boolean isSeen(ReferenceInstance instance, Observation observed) {
    return observed.instances().stream().anyMatch(each -> each.id().equals(instance.id()));
  }

  private void noteAfter(Event<?> event, Object answer) {
    coverage.count(
        Mark.GIVEN_UP,
        answer == Accepted.GAVE_UP || (answer instanceof Rejection it && it.gaveUp()));
    if (event instanceof Event.Started || event instanceof Event.StartedNow) {
      noteStart(((Event.OfInstance<?>) event).instance());
    } else if (answer instanceof Rejection rejection) {
      coverage.count(Mark.REJECTION);
      coverage.count(Mark.REJECTION_WITH_DEPENDENTS, rejection.undone().size() > 1);
    } else if (answer instanceof Reconciliation found) {
      for (Difference each : found.differences()) {
        triggers.add(triggerOf(each));
        coverage.count(markOf(each));
      }
    }
  }

  /** Has a pass follow a start if one member of its job may be taken down since. */
  private void noteStart(String instanceId) {
    ReferenceInstance started = cluster.instance(instanceId).orElseThrow();
    boolean hasBudget = cluster.budgets().cover(started);
    if (hasBudget
        && !cluster.budgets().protect(started, List.of())
        && cluster.budgets().protect(started, List.of(started))) {
      triggers.add(Trigger.BUDGET_CHANGED);
    }
  }

  @Override
  public Optional<List<Limit>> limits() {
    return Optional.of(cluster.limits().all());
  }

  @Override
  public Optional<Resources> free(String hostId) {
    return cluster.host(hostId).map(host -> cluster.free(host.id()));
  }

  private static Trigger triggerOf(Difference difference) {
    if (difference instanceof Difference.HostAppeared) {
      return Trigger.HOST_ADDED;
    } else if (difference instanceof Difference.HostGone) {
      return Trigger.HOST_REMOVED;
    } else if (difference instanceof Difference.InstanceGone gone) {
      return gone.ended() ? Trigger.INSTANCE_COMPLETED : Trigger.INSTANCE_FAILED;
    } else if (difference instanceof Difference.InstanceUnknown unknown && unknown.adopted()) {
      return Trigger.REQUEST_ADMITTED;
    }
    return Trigger.HOST_CHANGED;
  }

  private static Mark markOf(Difference difference) {
    if (difference instanceof Difference.InstanceGone) {
      return Mark.INSTANCE_GONE;
    } else if (difference instanceof Difference.InstanceDiffers) {
      return Mark.INSTANCE_CORRECTED;
    } else if (difference instanceof Difference.InstanceUnknown unknown) {
      return unknown.adopted() ? Mark.INSTANCE_ADOPTED : Mark.INSTANCE_FOREIGN;
    }
    return Mark.HOST_CORRECTED;
  }

  @Override
  public Optional<List<InstanceSnapshot>> snapshots(long now) {
    return Optional.of(cluster.snapshots(now));
  }

  private Set<Trigger> takeTriggers() {
    if (watchdog.isPresent()
        && lastPassAt.isPresent()
        && pass.now - lastPassAt.getAsLong() >= watchdog.get().toNanos()) {
      triggers.add(Trigger.WATCHDOG);
    }
    if (goesOn) {
      triggers.add(Trigger.WAKE_UP);
    }
    long last = lastPassAt.orElse(Long.MIN_VALUE);
    boolean isDeadline =
        cluster.drains().values().stream()
            .flatMapToLong(each -> each.deadline().stream())
            .anyMatch(at -> at > last && at <= pass.now);
    boolean isDeparture =
        cluster.hosts().stream()
            .flatMap(
                host ->
                    cluster.residents(host).stream()
                        .map(it -> cluster.taints().departure(it, host)))
            .flatMapToLong(OptionalLong::stream)
            .anyMatch(at -> at > last && at <= pass.now);
    boolean isOver = cluster.instances().stream().anyMatch(this::isOver);
    if (isDeadline || isDeparture || isOver || !cluster.expiredBags(pass.now).isEmpty()) {
      triggers.add(Trigger.EXPIRY);
    }
    if (triggers.isEmpty()) {
      triggers.add(Trigger.EMBEDDER);
    }
    Set<Trigger> taken = EnumSet.copyOf(triggers);
    triggers.clear();
    return taken;
  }

  /**
   * Returns a plan of an engine without what this model never says: that no other choice of hosts
   * would have found more members of a group. An engine may prove that.
   */
  public static Plan withoutProofs(Plan plan) {
    if (plan.deferrals().values().stream().noneMatch(Reason.GroupIncomplete.class::isInstance)) {
      return plan;
    }
    Map<String, Reason> deferrals = new HashMap<>(plan.deferrals());
    deferrals.replaceAll(
        (id, why) ->
            why instanceof Reason.GroupIncomplete it
                ? new Reason.GroupIncomplete(it.group(), it.found(), it.needed(), false)
                : why);
    return new Plan(
        plan.pass(),
        plan.now(),
        plan.triggers(),
        plan.actions(),
        deferrals,
        plan.policyErrors(),
        plan.bagDeferrals(),
        plan.endedBags(),
        plan.blockedHead());
  }

  // ---- The pass (Algorithm 1, lines 18 to 30)

  @Override
  public Plan schedule(long now) {
    pass = new ReferencePass(cluster, coverage, pass.number + 1, now);
    ReferenceDrains drains = new ReferenceDrains(pass);
    Set<Trigger> why = takeTriggers();
    lastPassAt = OptionalLong.of(now);
    List<Completion> completions = cluster.completions();
    cluster.settle();
    cancelExpired();
    stopOverdue();
    List<ReferenceInstance> moved = new ArrayList<>(releaseGroups());
    moved.addAll(drains.empty());
    moved.addAll(drains.expelTainted());
    policy = policy.learning(completions, cluster.instances(), now);
    Set<String> toStart = new HashSet<>(); // groups
    cluster.groups().stream()
        .filter(each -> each.onHosts().isEmpty())
        .forEach(each -> toStart.add(each.id()));

    // Victims and evicted instances of this pass are not in the queue: they wait for the next one.
    List<String> queue =
        without(cluster.instances(InstanceState.PENDING), moved).stream()
            .filter(each -> each.waitsFor().isEmpty())
            .sorted(policy.queueOrder(now))
            .map(ReferenceInstance::id)
            .toList();
    Map<String, Reason> incomplete = new LinkedHashMap<>(); // why members of groups wait
    Set<String> tried = new HashSet<>(); // groups
    boolean waits = false; // whether a group before does
    for (String id : queue) { // of j; undoing makes other objects of the instances
      ReferenceInstance j = cluster.instance(id).orElseThrow();
      Optional<ReferenceGroup> group = cluster.groupOf(j);
      group
          .filter(each -> each.onHosts().isEmpty()) // its last members were preempted in this pass
          .ifPresent(each -> toStart.add(each.id()));
      if (group.filter(each -> toStart.contains(each.id())).isEmpty()) {
        boolean broken = group.filter(ReferenceGroup::isBroken).isPresent();
        boolean placed = tryToPlace(j);
        if (placed && group.isPresent()) {
          coverage.count(broken ? Mark.GROUP_RESTORED : Mark.GROUP_EXTENDED);
        }
        coverage.count(Mark.GROUP_OVERTAKEN, placed && waits);
      } else if (tried.add(group.get().id())) {
        Optional<Reason> waiting = start(group.get().id(), queue);
        waits |= waiting.isPresent();
        waiting.ifPresent(
            it -> group.get().members().forEach(each -> incomplete.put(each.id(), it)));
      }
    }
    goesOn = pass.actions.stream().anyMatch(Action.Evict.class::isInstance);

    new PassTally(policy, pass)
        .pass(
            queue.stream().map(each -> cluster.instance(each).orElseThrow()).toList(),
            host -> candidates(cluster.residents(host), pass.number + 1));
    return new Plan(
        pass.number,
        now,
        why,
        pass.actions,
        incomplete,
        List.of(),
        Map.of(),
        cluster.takeEndedBags());
  }

  private boolean tryToPlace(ReferenceInstance j) {
    List<Option> feasible =
        cluster.hosts().stream().flatMap(host -> checkFeasibility(j, host).stream()).toList();
    Optional<Option> best = rank(feasible, j);
    best.ifPresent(it -> carryOut(it, j));
    return best.isPresent();
  }

  // ---- Groups; the paper knows none

  /** Places the members of a group in queue order, or none; returns why none, or empty. */
  private Optional<Reason> start(String groupId, List<String> queue) {
    int before = pass.actions.size();
    for (String id : queue) {
      ReferenceInstance j = cluster.instance(id).orElseThrow();
      if (cluster.groupOf(j).filter(each -> each.id().equals(groupId)).isPresent()) {
        tryToPlace(j);
      }
    }
    ReferenceGroup group = cluster.group(groupId).orElseThrow();
    int found = group.onHosts().size();
    List<Action> taken = pass.actions.subList(before, pass.actions.size());
    boolean preempts = taken.stream().anyMatch(Action.Preempt.class::isInstance);
    if (found >= group.required()) {
      tallyStart(group, found, preempts);
      return Optional.empty();
    }
    coverage.count(found == 0 ? Mark.GROUP_WITHOUT_HOSTS : Mark.GROUP_INCOMPLETE);
    coverage.count(Mark.GROUP_INCOMPLETE_WITH_VICTIMS, preempts);
    if (!taken.isEmpty()) {
      List<ActionId> undone = new ArrayList<>();
      for (int i = before; i < pass.actions.size(); i++) {
        undone.add(new ActionId(pass.number, i));
      }
      cluster.undo(undone);
      taken.clear();
    }
    return Optional.of(new Reason.GroupIncomplete(groupId, found, group.required(), false));
  }

  private void tallyStart(ReferenceGroup group, int found, boolean preempts) {
    if (found > 0) {
      coverage.count(Mark.GROUP_STARTED);
      coverage.count(Mark.GROUP_STARTED_IN_PART, found < group.members().size());
      coverage.count(Mark.GROUP_STARTED_BY_PREEMPTION, preempts);
    }
  }

  /** Returns whether a group is broken and starts again, which the budgets of jobs allow. */
  private boolean isReleased(ReferenceGroup group) {
    if (!group.isBroken() || group.onLoss() != GroupSpec.OnLoss.RELEASE) {
      return false;
    }
    List<ReferenceInstance> left = group.onHosts();
    for (int i = 0; i < left.size(); i++) {
      if (cluster.budgets().protect(left.get(i), left.subList(0, i))) {
        coverage.count(Mark.RELEASE_HELD_BY_BUDGET);
        return false;
      }
    }
    return true;
  }

  /** Evicts what is left of broken groups that are to start again; returns those instances. */
  private List<ReferenceInstance> releaseGroups() {
    List<ReferenceInstance> evicted = new ArrayList<>();
    for (ReferenceGroup group : cluster.groups()) {
      if (isReleased(group)) {
        coverage.count(Mark.GROUP_RELEASED);
        List<ReferenceInstance> left = group.onHosts();
        Reason why = new Reason.GroupBroken(group.id(), left.size(), group.required());
        for (ReferenceInstance each : left) {
          pass.decide(new Action.Evict(each.id(), each.hostId().orElseThrow(), why));
        }
        evicted.addAll(left);
      }
    }
    return evicted;
  }

  /** Cancels bags whose time to live is over, without the policy. */
  private void cancelExpired() {
    for (ReferenceBag each : cluster.expiredBags(pass.now)) {
      Reason why = new Reason.Expired(each.id(), pass.now - each.expiresAt().orElseThrow());
      List<String> left = each.members().stream().map(ReferenceInstance::id).toList();
      pass.decide(new Action.Cancel(each.id(), left, why));
    }
  }

  private boolean isOver(ReferenceInstance instance) {
    return instance.stopsAt().isPresent() && instance.stopsAt().getAsLong() <= pass.now;
  }

  /** Stops instances whose longest run time is over, without the policy. */
  private void stopOverdue() {
    List<ReferenceInstance> over =
        cluster.instances().stream()
            .filter(this::isOver)
            .sorted(
                Comparator.<ReferenceInstance>comparingLong(each -> each.stopsAt().getAsLong())
                    .thenComparing(ReferenceInstance::number))
            .toList();
    for (ReferenceInstance each : over) {
      Reason why = new Reason.RanTooLong(each.request().maxRunTime().orElseThrow());
      pass.decide(new Action.Stop(each.report(pass.now), each.hostId().orElseThrow(), why));
      coverage.count(Mark.STOPPED);
    }
  }

  private void carryOut(Option choice, ReferenceInstance j) {
    String host = choice.host.id();
    new PassTally(policy, pass).choice(j, choice.host, choice.victims);
    coverage.count(Mark.PREEMPTION_FOR_RULE, isKeptOff(j, choice.host, List.of()));
    for (ReferenceInstance k : choice.victims) {
      pass.decide(new Action.Preempt(k.id(), k.hostId().orElseThrow(), j.id()));
    }
    pass.decide(
        new Action.Place(
            j.id(),
            host,
            choice.victims.stream().map(ReferenceInstance::id).toList(),
            Optional.empty(),
            j.attempt() + 1));
  }

  // ---- Feasibility checking (section 3.3.1)

  /**
   * A host on which an instance can be placed.
   *
   * @param victims the victims, in the order in which they were taken; possibly empty
   */
  private record Option(HostSpec host, List<ReferenceInstance> victims) {}

  private Optional<Option> checkFeasibility(ReferenceInstance j, HostSpec host) {
    List<ReferenceInstance> residents = cluster.residents(host);
    if (!cluster.isOpen(host, residents)) {
      boolean isWithdrawn = cluster.withdrawn().contains(host);
      coverage.count(isWithdrawn ? Mark.REFUSAL_BY_CORDON : Mark.REFUSAL_BY_OVER_CAPACITY);
      return Optional.empty();
    }
    if (!ReferencePlacement.constraintsHold(j, host)) {
      coverage.count(Mark.REFUSAL_BY_CONSTRAINT);
      return Optional.empty();
    }
    // Preemption does not help here: they would only exchange places.
    if (!residents.stream().allMatch(each -> ReferencePlacement.mayShare(j, each))) {
      coverage.count(Mark.REFUSAL_BY_ANTI_AFFINITY);
      return Optional.empty();
    }
    List<Refusal> refusals = pass.placement.refusals(j, host, List.of());
    refusals.stream().findFirst().ifPresent(first -> coverage.count(markOf(first)));
    if (!refusals.stream().allMatch(Refusal::isOfThoseThere)) {
      return Optional.empty(); // preemption does not help
    }
    if (isKeptOff(j, host, ofOtherJobs(j, residents))) {
      return Optional.empty(); // members of its job would only exchange places with it
    }
    Optional<List<ReferenceInstance>> victims = victims(j, host, residents);
    // A victim may be what it must be near.
    if (victims.isPresent() && pass.placement.refusal(j, host, victims.get()).isPresent()) {
      coverage.count(Mark.REFUSAL_BY_LOST_PEER);
      return Optional.empty();
    }
    return victims.map(it -> new Option(host, it));
  }

  /** Returns whether instances that stay on a host keep one off. */
  private boolean isKeptOff(ReferenceInstance j, HostSpec host, List<ReferenceInstance> victims) {
    return pass.placement.refusals(j, host, victims).stream().anyMatch(Refusal::isOfThoseThere);
  }

  private static List<ReferenceInstance> ofOtherJobs(
      ReferenceInstance j, List<ReferenceInstance> all) {
    return all.stream()
        .filter(k -> k.request().job().isEmpty() || !k.request().job().equals(j.request().job()))
        .toList();
  }

  private Optional<List<ReferenceInstance>> victims(
      ReferenceInstance j, HostSpec host, List<ReferenceInstance> residents) {
    List<ReferenceInstance> eligible = new ArrayList<>();
    Set<ReferenceGroup> spared = new LinkedHashSet<>();
    for (ReferenceInstance k : candidates(residents, pass.number)) {
      boolean isEqual = !eligible.isEmpty() && areEqual(eligible.get(eligible.size() - 1), k);
      if (!policy.minimizeVictims() || !isEqual) {
        Optional<List<ReferenceInstance>> found = choose(j, host, residents, eligible);
        if (found.isPresent()) {
          return found;
        }
      }
      Optional<ReferenceGroup> broken = brokenWithout(k, eligible);
      if (broken.isPresent() && policy.judge(j, k, pass.now).allowed()) {
        spared.add(broken.get());
      } else if (isEligible(j, k, eligible)) {
        eligible.add(k);
      }
    }
    Optional<List<ReferenceInstance>> found =
        choose(j, host, residents, eligible)
            .or(() -> breakGroups(j, host, residents, eligible, spared));
    if (found.isEmpty()) {
      coverage.count(Mark.REFUSAL_BY_LIMIT, cluster.fit(j, host, without(residents, eligible)));
      coverage.count(
          Mark.REFUSAL_BY_FOREIGN_LOAD,
          cluster.fitWithoutForeignLoad(j, host, without(residents, eligible)));
    }
    return found;
  }

  /** Returns whether a victim may go; of those of a job with a budget, others may go instead. */
  private boolean isEligible(
      ReferenceInstance j, ReferenceInstance k, List<ReferenceInstance> taken) {
    Verdict verdict = policy.judge(j, k, pass.now);
    if (verdict.allowed() && cluster.budgets().protect(k, taken)) {
      boolean mayOthers = !cluster.budgets().protect(k, List.of());
      coverage.count(Mark.REFUSAL_BY_BUDGET);
      coverage.count(Mark.REFUSAL_BY_SHARED_BUDGET, mayOthers);
      return policy.minimizeVictims() && mayOthers;
    }
    switch (verdict) {
      case OVER_LIMIT -> coverage.count(Mark.REFUSAL_BY_OVERHEAD_LIMIT);
      case AT_PREEMPTION_LIMIT -> coverage.count(Mark.REFUSAL_BY_PREEMPTION_LIMIT);
      case OVER_RESTART_SHARE -> coverage.count(Mark.REFUSAL_BY_RESTART_SHARE);
      case LOSES_PROGRESS -> coverage.count(Mark.REFUSAL_BY_LOST_PROGRESS);
      default -> coverage.count(Mark.REFUSAL_BY_QUANTUM, verdict == Verdict.WITHIN_QUANTUM);
    }
    return verdict.allowed();
  }

  // ---- Groups as victims; the paper knows none

  /** Returns the group of which too few members are left if one goes with others, or empty. */
  private Optional<ReferenceGroup> brokenWithout(
      ReferenceInstance k, List<ReferenceInstance> others) {
    return cluster
        .groupOf(k)
        .filter(it -> others.stream().filter(it.members()::contains).count() >= it.surplus());
  }

  /**
   * Adds groups as a whole to victims that free too little, until they free enough, and then spares
   * others. Returns empty if they do not.
   */
  private Optional<List<ReferenceInstance>> breakGroups(
      ReferenceInstance j,
      HostSpec host,
      List<ReferenceInstance> residents,
      List<ReferenceInstance> eligible,
      Set<ReferenceGroup> groups) {
    List<ReferenceInstance> going = new ArrayList<>();
    for (ReferenceInstance k : eligible) {
      if (!cluster.budgets().protect(k, going)) {
        going.add(k);
      }
    }
    for (ReferenceGroup group : groups) {
      if (mayGo(group, j, going)) {
        going.addAll(without(group.onHosts(), going));
        if (fits(j, host, residents, going)) {
          coverage.count(Mark.GROUP_TAKEN);
          List<ReferenceInstance> all =
              policy.minimizeVictims() ? withoutNeedless(j, host, residents, going) : going;
          List<ReferenceInstance> inOrder = new ArrayList<>(all);
          inOrder.sort(Comparator.comparing(each -> !residents.contains(each)));
          return Optional.of(inOrder);
        }
      }
    }
    coverage.count(Mark.GROUP_SPARED, !groups.isEmpty());
    return Optional.empty();
  }

  /** Returns whether all members of a group on hosts may go, with others. */
  private boolean mayGo(ReferenceGroup group, ReferenceInstance j, List<ReferenceInstance> others) {
    List<ReferenceInstance> together = new ArrayList<>(others);
    for (ReferenceInstance k : group.onHosts()) {
      HostSpec itsHost = cluster.host(k.hostId().orElseThrow()).orElseThrow();
      if (candidates(List.of(k), pass.number).isEmpty()
          || ReferencePlacement.isUnreachable(itsHost)
          || !policy.judge(j, k, pass.now).allowed()) {
        return false;
      }
      if (!together.contains(k)) {
        if (cluster.budgets().protect(k, together)) {
          return false;
        }
        together.add(k);
      }
    }
    return !group.members().contains(j);
  }

  /** Spares victims from the last to the first, and groups that would break as a whole. */
  private List<ReferenceInstance> withoutNeedless(
      ReferenceInstance j,
      HostSpec host,
      List<ReferenceInstance> residents,
      List<ReferenceInstance> all) {
    List<ReferenceInstance> going = all;
    List<ReferenceInstance> here = all.stream().filter(residents::contains).toList();
    for (int i = here.size() - 1; i >= 0; i--) {
      ReferenceInstance k = here.get(i);
      List<ReferenceInstance> unit = unitOf(k, all);
      boolean isLast = here.subList(i + 1, here.size()).stream().noneMatch(unit::contains);
      if (isLast && fits(j, host, residents, without(going, unit))) {
        going = without(going, unit);
        coverage.count(Mark.VICTIM_SPARED);
      }
    }
    return going;
  }

  /**
   * Returns a victim, or all of its group if too few of its members are left without the victims.
   */
  private List<ReferenceInstance> unitOf(ReferenceInstance k, List<ReferenceInstance> victims) {
    return cluster
        .groupOf(k)
        .map(each -> each.unit(victims))
        .filter(it -> !it.isEmpty())
        .orElse(List.of(k));
  }

  /** Returns how many victims go with groups that break. */
  private long brokenBy(List<ReferenceInstance> victims) {
    return cluster.groups().stream().mapToLong(each -> each.unit(victims).size()).sum();
  }

  private boolean areEqual(ReferenceInstance a, ReferenceInstance b) {
    return policy.victimOrder(pass.now).compare(a, b) == 0;
  }

  /**
   * Chooses among those that may go; the paper takes all. Returns empty if they free too little.
   */
  private Optional<List<ReferenceInstance>> choose(
      ReferenceInstance j,
      HostSpec host,
      List<ReferenceInstance> residents,
      List<ReferenceInstance> eligible) {
    if (eligible.isEmpty() || !policy.minimizeVictims()) {
      return Optional.of(eligible).filter(it -> fits(j, host, residents, it));
    }
    ReferenceVictims choice =
        new ReferenceVictims(
            eligible,
            this::areEqual,
            some -> fits(j, host, residents, some),
            some ->
                some.stream()
                    .noneMatch(
                        each -> cluster.budgets().protect(each, without(some, List.of(each)))),
            each ->
                each.state() == InstanceState.RUNNING && each.request().losesProgress()
                    ? pass.now - each.stateSince()
                    : 0,
            each -> share(each, host));
    Optional<List<ReferenceInstance>> least = choice.least();
    coverage.count(Mark.VICTIM_SPARED, least.filter(it -> it.size() < eligible.size()).isPresent());
    coverage.count(Mark.CHOICE_AMONG_EQUALS, choice.differFromOrder());
    return least;
  }

  /** Returns what an instance holds of a host, summed over the dimensions, in parts of 2^30. */
  private long share(ReferenceInstance each, HostSpec host) {
    return cluster.dimensions().stream()
        .filter(d -> host.capacity().amount(d) > 0)
        .mapToLong(
            d -> (long) ((double) each.held(d) / (double) host.capacity().amount(d) * (1 << 30)))
        .sum();
  }

  private static Mark markOf(Refusal refusal) {
    return switch (refusal) {
      case TAINT -> Mark.REFUSAL_BY_TAINT;
      case NEAR -> Mark.REFUSAL_BY_NEAR;
      case APART -> Mark.REFUSAL_BY_APART;
      case KEPT_AWAY -> Mark.REFUSAL_BY_APART_OF_OTHERS;
      case SPREAD -> Mark.REFUSAL_BY_SPREAD;
      case NO_PLACE -> Mark.REFUSAL_WITHOUT_PLACE;
    };
  }

  /** Returns whether there is room, and limits and rules allow it, once some have left. */
  private boolean fits(
      ReferenceInstance j,
      HostSpec host,
      List<ReferenceInstance> residents,
      List<ReferenceInstance> victims) {
    return cluster.fit(j, host, without(residents, victims))
        && cluster.limits().allow(j, host, victims.stream().filter(residents::contains).toList())
        && !isKeptOff(j, host, victims);
  }

  /** Returns the victim candidates on a host, in the order in which they are considered. */
  private List<ReferenceInstance> candidates(List<ReferenceInstance> residents, long before) {
    return residents.stream()
        .filter(k -> k.currentStay().orElseThrow().pass() < before)
        .filter(
            k ->
                k.state() == InstanceState.RUNNING
                    || (k.state() == InstanceState.STARTING && policy.preemptStarting()))
        .sorted(
            policy
                .victimOrder(pass.now)
                .thenComparing(
                    Comparator.<ReferenceInstance>comparingLong(
                            k -> SeededTieBreaker.hash(seed, k.id()))
                        .reversed())
                .thenComparing(ReferenceInstance::id))
        .toList();
  }

  private static List<ReferenceInstance> without(
      List<ReferenceInstance> all, List<ReferenceInstance> some) {
    return all.stream().filter(each -> !some.contains(each)).toList();
  }

  // ---- Ranking (section 3.3.2)

  private Optional<Option> rank(List<Option> feasible, ReferenceInstance j) {
    List<Option> free = feasible.stream().filter(each -> each.victims.isEmpty()).toList();
    Comparator<Option> byTaints =
        Comparator.comparingLong(each -> ReferencePlacement.discouraging(j, each.host));
    Comparator<Option> byWorth = // greatest first
        Comparator.<Option>comparingLong(each -> pass.placement.worth(j, each.host)).reversed();
    Comparator<Option> byWish = byTaints.thenComparing(byWorth);
    Map<String, Double> scores = new HashMap<>();
    ToDoubleFunction<Option> score =
        it -> scores.computeIfAbsent(it.host.id(), each -> score(it, j));
    Comparator<Option> byScore = // greatest first
        (a, b) -> compare(score.applyAsDouble(b), score.applyAsDouble(a));
    Comparator<Option> byWishAndScore = byWish.thenComparing(byScore);
    Comparator<Option> byCost = // smallest first
        Comparator.<Option>comparingLong(each -> brokenBy(each.victims))
            .thenComparing((a, b) -> compare(cost(a), cost(b)));
    Comparator<Option> byMerit =
        free.isEmpty() ? byCost.thenComparing(byWishAndScore) : byWishAndScore;
    Comparator<Option> byChance =
        Comparator.<Option>comparingLong(
                each ->
                    SeededTieBreaker.toss(
                        seed, pass.number, j.id(), each.host.id(), cluster.hosts().size()))
            .reversed();

    // Sorting is stable: if chance fails to decide, the host that joined first wins.
    List<Option> ranked =
        (free.isEmpty() ? feasible : free)
            .stream().sorted(byMerit.thenComparing(byChance)).toList();
    if (ranked.size() > 1) {
      Option first = ranked.get(0);
      Option second = ranked.get(1);
      boolean costsDiffer = free.isEmpty() && byCost.compare(first, second) != 0;
      if (!costsDiffer && byTaints.compare(first, second) != 0) {
        coverage.count(Mark.DECISION_BY_TAINT);
      } else if (!costsDiffer && byWorth.compare(first, second) != 0) {
        coverage.count(
            free.isEmpty() ? Mark.DECISION_BY_PREFERENCE_AFTER_COST : Mark.DECISION_BY_PREFERENCE);
      } else if (byMerit.compare(first, second) == 0) {
        coverage.count(
            free.isEmpty() ? Mark.TIE_AMONG_HOSTS_WITH_PREEMPTION : Mark.TIE_AMONG_HOSTS);
      } else if (free.isEmpty()) {
        coverage.count(costsDiffer ? Mark.DECISION_BY_COST : Mark.DECISION_BY_SCORE_AFTER_COST);
      }
    }
    return ranked.stream().findFirst();
  }

  /** The allocation score of the host as it would be with j there and the victims gone. */
  private double score(Option option, ReferenceInstance j) {
    return policy
        .allocationScore()
        .score(
            option.host,
            without(cluster.residents(option.host), option.victims),
            each -> cluster.foreign(option.host, each) + j.request().demand().amount(each),
            cluster.dimensions());
  }

  private List<Double> cost(Option option) {
    return policy.preemptionCost(option.victims, cluster.serviceClasses(), pass.now);
  }

  /** Eq. 9. */
  static int compare(List<Double> a, List<Double> b) {
    for (int x = 0; x < a.size(); x++) {
      int byEntry = compare(a.get(x), b.get(x));
      if (byEntry != 0) {
        return byEntry;
      }
    }
    return 0;
  }

  /** Compares numbers: unlike {@link Double#compare}, 0.0 equals -0.0. */
  private static int compare(double a, double b) {
    return a < b ? -1 : a > b ? 1 : 0;
  }
}
