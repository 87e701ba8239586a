package dev.berth.testkit.reference;

import dev.berth.api.Action;
import dev.berth.api.ActionId;
import dev.berth.api.Difference;
import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Limit;
import dev.berth.api.LimitUse;
import dev.berth.api.PlacementRule;
import dev.berth.api.Plan;
import dev.berth.api.Reason;
import dev.berth.api.Reconciliation;
import dev.berth.api.Rejection;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Trigger;
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

  private final ReferencePolicy policy;
  private final long seed;
  private final Optional<Duration> watchdog;
  private final ReferenceCluster cluster;
  private final ReferencePlacement placement;
  private final CaseCoverage coverage = new CaseCoverage();
  private final Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);
  private OptionalLong lastPassAt = OptionalLong.empty();
  private long passes;
  private boolean goesOn; // the latest pass evicted instances or broke a group

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
    this.placement = new ReferencePlacement(cluster);
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
    if (event instanceof Event.Started report) {
      isFresh = cluster.canStart(report.attempt());
    } else if (event instanceof Event.Failed report) {
      isFresh = cluster.canFail(report.attempt());
    } else if (event instanceof Event.Completed report) {
      isFresh = cluster.canComplete(report.attempt());
    } else if (event instanceof Event.ActionRejected rejected) {
      isFresh = cluster.isOpen(rejected.action());
    }
    if (!isFresh) {
      coverage.count(Mark.STALE_REPORT);
      throw new StaleReportException(event + " is stale");
    }
  }

  private void noteBefore(Event<?> event) {
    if (event instanceof Event.OfAttempt<?> report && report.number().isPresent()) {
      coverage.count(Mark.ATTEMPT_REPORT);
    }
    if (event instanceof Event.Completed report
        && cluster.instance(report.instance()).orElseThrow().state() == InstanceState.PENDING) {
      coverage.count(Mark.COMPLETION_BEFORE_STOP);
    }
    if (event instanceof Event.Submitted submitted && submitted.history().isPresent()) {
      coverage.count(Mark.RETURN);
    }
  }

  private void noteAfter(Event<?> event, Object answer) {
    if (event instanceof Event.Started || event instanceof Event.StartedNow) {
      noteStart(((Event.OfInstance<?>) event).instance());
    } else if (answer instanceof Rejection rejection) {
      coverage.count(Mark.REJECTION);
      if (rejection.undone().size() > 1) {
        coverage.count(Mark.REJECTION_WITH_DEPENDENTS);
      }
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
    boolean hasBudget = started.request().job().filter(cluster.budgets()::containsKey).isPresent();
    if (hasBudget
        && !cluster.protects(started, List.of())
        && cluster.protects(started, List.of(started))) {
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

  private Set<Trigger> takeTriggers(long now) {
    if (watchdog.isPresent()
        && lastPassAt.isPresent()
        && now - lastPassAt.getAsLong() >= watchdog.get().toNanos()) {
      triggers.add(Trigger.WATCHDOG);
    }
    if (goesOn) {
      triggers.add(Trigger.WAKE_UP);
    }
    long last = lastPassAt.orElse(Long.MIN_VALUE);
    boolean isDeadline =
        cluster.drains().values().stream()
            .flatMapToLong(each -> each.deadline().stream())
            .anyMatch(at -> at > last && at <= now);
    boolean isDeparture =
        cluster.hosts().stream()
            .flatMap(
                host -> cluster.residents(host).stream().map(it -> cluster.departure(it, host)))
            .flatMapToLong(OptionalLong::stream)
            .anyMatch(at -> at > last && at <= now);
    if (isDeadline || isDeparture || !cluster.expiredBags(now).isEmpty()) {
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
    long pass = ++passes;
    Set<Trigger> why = takeTriggers(now);
    lastPassAt = OptionalLong.of(now);
    List<Action> actions = new ArrayList<>();
    cluster.settle();
    cancelExpired(pass, now, actions);
    List<ReferenceInstance> moved = new ArrayList<>(releaseGroups(pass, now, actions));
    moved.addAll(emptyDraining(pass, now, actions));
    moved.addAll(expelTainted(pass, now, actions));
    boolean evicted = actions.stream().anyMatch(Action.Evict.class::isInstance);
    Set<String> toStart = new HashSet<>(); // groups
    cluster.groups().stream()
        .filter(each -> each.onHosts().isEmpty())
        .forEach(each -> toStart.add(each.id()));

    // Victims and evicted instances of this pass are not in the queue: they wait for the next one.
    List<String> queue =
        without(cluster.instances(InstanceState.PENDING), moved).stream()
            .sorted(policy.queueOrder(now))
            .map(ReferenceInstance::id)
            .toList();
    Map<String, Reason> incomplete = new LinkedHashMap<>(); // why members of groups wait
    Set<String> tried = new HashSet<>(); // groups
    boolean waits = false; // whether a group before does
    for (String id : queue) { // of j; undoing makes other objects of the instances
      ReferenceInstance j = cluster.instance(id).orElseThrow();
      Optional<ReferenceGroup> group = cluster.groupOf(j);
      if (group.filter(each -> toStart.contains(each.id())).isEmpty()) {
        boolean broken = group.filter(ReferenceGroup::isBroken).isPresent();
        boolean placed = tryToPlace(j, pass, now, actions);
        if (placed && group.isPresent()) {
          coverage.count(broken ? Mark.GROUP_RESTORED : Mark.GROUP_EXTENDED);
        }
        if (placed && waits) {
          coverage.count(Mark.GROUP_OVERTAKEN);
        }
      } else if (tried.add(group.get().id())) {
        Optional<Reason> waiting = start(group.get().id(), queue, pass, now, actions);
        waits |= waiting.isPresent();
        waiting.ifPresent(
            it -> group.get().members().forEach(each -> incomplete.put(each.id(), it)));
      }
    }
    boolean breaks = cluster.groups().stream().anyMatch(this::isReleased);
    if (breaks) {
      coverage.count(Mark.GROUP_BROKEN_BY_PASS);
    }
    goesOn = evicted || breaks;

    tallyPass(
        queue.stream().map(each -> cluster.instance(each).orElseThrow()).toList(), actions, now);
    return new Plan(
        pass, now, why, actions, incomplete, List.of(), Map.of(), cluster.takeEndedBags());
  }

  private boolean tryToPlace(ReferenceInstance j, long pass, long now, List<Action> actions) {
    List<Option> feasible =
        cluster.hosts().stream()
            .flatMap(host -> checkFeasibility(j, host, pass, now).stream())
            .toList();
    Optional<Option> best = rank(feasible, j, pass, now);
    best.ifPresent(it -> carryOut(it, j, pass, now, actions));
    return best.isPresent();
  }

  // ---- Groups; the paper knows none

  /** Places the members of a group in queue order, or none; returns why none, or empty. */
  private Optional<Reason> start(
      String groupId, List<String> queue, long pass, long now, List<Action> actions) {
    int before = actions.size();
    for (String id : queue) {
      ReferenceInstance j = cluster.instance(id).orElseThrow();
      if (cluster.groupOf(j).filter(each -> each.id().equals(groupId)).isPresent()) {
        tryToPlace(j, pass, now, actions);
      }
    }
    ReferenceGroup group = cluster.group(groupId).orElseThrow();
    int found = group.onHosts().size();
    List<Action> taken = actions.subList(before, actions.size());
    boolean preempts = taken.stream().anyMatch(Action.Preempt.class::isInstance);
    if (found >= group.required()) {
      tallyStart(group, found, preempts);
      return Optional.empty();
    }
    coverage.count(found == 0 ? Mark.GROUP_WITHOUT_HOSTS : Mark.GROUP_INCOMPLETE);
    if (preempts) {
      coverage.count(Mark.GROUP_INCOMPLETE_WITH_VICTIMS);
    }
    if (!taken.isEmpty()) {
      List<ActionId> undone = new ArrayList<>();
      for (int i = before; i < actions.size(); i++) {
        undone.add(new ActionId(pass, i));
      }
      cluster.undo(undone);
      taken.clear();
    }
    return Optional.of(new Reason.GroupIncomplete(groupId, found, group.required(), false));
  }

  private void tallyStart(ReferenceGroup group, int found, boolean preempts) {
    if (found > 0) {
      coverage.count(Mark.GROUP_STARTED);
      if (found < group.members().size()) {
        coverage.count(Mark.GROUP_STARTED_IN_PART);
      }
      if (preempts) {
        coverage.count(Mark.GROUP_STARTED_BY_PREEMPTION);
      }
    }
  }

  /** Returns whether a group is broken and starts again, which the budgets of jobs allow. */
  private boolean isReleased(ReferenceGroup group) {
    if (!group.isBroken() || group.onLoss() != GroupSpec.OnLoss.RELEASE) {
      return false;
    }
    List<ReferenceInstance> left = group.onHosts();
    for (int i = 0; i < left.size(); i++) {
      if (cluster.protects(left.get(i), left.subList(0, i))) {
        coverage.count(Mark.RELEASE_HELD_BY_BUDGET);
        return false;
      }
    }
    return true;
  }

  /** Evicts what is left of broken groups that are to start again; returns those instances. */
  private List<ReferenceInstance> releaseGroups(long pass, long now, List<Action> actions) {
    List<ReferenceInstance> evicted = new ArrayList<>();
    for (ReferenceGroup group : cluster.groups()) {
      if (isReleased(group)) {
        coverage.count(Mark.GROUP_RELEASED);
        List<ReferenceInstance> left = group.onHosts();
        Reason why = new Reason.GroupBroken(group.id(), left.size(), group.required());
        for (ReferenceInstance each : left) {
          decide(new Action.Evict(each.id(), each.hostId().orElseThrow(), why), pass, now, actions);
        }
        evicted.addAll(left);
      }
    }
    return evicted;
  }

  /** Cancels bags whose time to live is over, without the policy. */
  private void cancelExpired(long pass, long now, List<Action> actions) {
    for (ReferenceBag each : cluster.expiredBags(now)) {
      Reason why = new Reason.Expired(each.id(), now - each.expiresAt().orElseThrow());
      List<String> left = each.members().stream().map(ReferenceInstance::id).toList();
      decide(new Action.Cancel(each.id(), left, why), pass, now, actions);
    }
  }

  private void decide(Action action, long pass, long now, List<Action> actions) {
    cluster.execute(new ActionId(pass, actions.size()), action, now);
    actions.add(action);
  }

  // ---- Draining hosts; the engine empties them before the policy runs

  /** Returns the instances that left a draining host. */
  private List<ReferenceInstance> emptyDraining(long pass, long now, List<Action> actions) {
    List<ReferenceInstance> moved = new ArrayList<>();
    Map<ReferenceInstance, HostSpec> expected = new LinkedHashMap<>(); // evicted ones
    cluster
        .drains()
        .forEach(
            (id, how) -> {
              HostSpec host = cluster.host(id).orElseThrow();
              boolean over = how.deadline().isPresent() && how.deadline().getAsLong() <= now;
              boolean acts =
                  over ? how.atDeadline() == Drain.AtDeadline.EVICT : how.mode() == Drain.Mode.MOVE;
              int before = moved.size();
              for (ReferenceInstance each : acts ? leaving(host, how, now) : leavingNone()) {
                if (cluster.protects(each, List.of())) {
                  coverage.count(Mark.DRAIN_HELD_BY_BUDGET);
                } else if (empty(host, how, over, each, expected, pass, now, actions)) {
                  moved.add(each);
                } else {
                  coverage.count(Mark.DRAIN_STUCK);
                }
              }
              if (moved.size() > before + 1) {
                coverage.count(Mark.DRAIN_OF_SEVERAL);
              }
            });
    return moved;
  }

  /**
   * Evicts instances that have stayed as long as the taints of their hosts allow, and returns them.
   * Instances that the budgets of their jobs protect stay.
   */
  private List<ReferenceInstance> expelTainted(long pass, long now, List<Action> actions) {
    List<ReferenceInstance> expelled = new ArrayList<>();
    List<HostSpec> hosts =
        cluster.hosts().stream().sorted(Comparator.comparing(HostSpec::id)).toList();
    for (HostSpec host : hosts) {
      for (ReferenceInstance each : List.copyOf(cluster.residents(host))) {
        cluster
            .expelling(each, host, now)
            .filter(taint -> mayBeExpelled(each))
            .ifPresent(
                taint -> {
                  Reason why = new Reason.Expelled(host.id(), taint);
                  decide(new Action.Evict(each.id(), host.id(), why), pass, now, actions);
                  coverage.count(Mark.EXPELLED_BY_TAINT);
                  expelled.add(each);
                });
      }
    }
    return expelled;
  }

  private boolean mayBeExpelled(ReferenceInstance instance) {
    if (cluster.protects(instance, List.of())) {
      coverage.count(Mark.TAINT_HELD_BY_BUDGET);
      return false;
    }
    return true;
  }

  private static List<ReferenceInstance> leavingNone() {
    return List.of();
  }

  private List<ReferenceInstance> leaving(HostSpec host, Drain how, long now) {
    Comparator<ReferenceInstance> byImportance =
        Comparator.comparingInt(each -> each.serviceClass().importance());
    Comparator<ReferenceInstance> order =
        switch (how.order()) {
          case LEAST_IMPORTANT_FIRST -> byImportance.reversed();
          case MOST_IMPORTANT_FIRST -> byImportance;
          case LONGEST_RUNNING_FIRST ->
              Comparator.<ReferenceInstance>comparingLong(each -> each.serviceTime(now)).reversed();
        };
    return cluster.residents(host).stream().sorted(order).toList(); // stable: else by admission
  }

  /** Moves one instance off a draining host; returns whether it left. */
  private boolean empty(
      HostSpec host,
      Drain how,
      boolean over,
      ReferenceInstance instance,
      Map<ReferenceInstance, HostSpec> expected,
      long pass,
      long now,
      List<Action> actions) {
    Optional<HostSpec> target =
        how.mode() == Drain.Mode.MOVE ? bestFit(instance, expected) : Optional.empty();
    Reason why = new Reason.HostDrained(host.id(), over);
    boolean migrates =
        instance.state() != InstanceState.STARTING
            && !how.restarted().contains(instance.serviceClass().name());
    if (target.isPresent() && migrates) {
      String to = target.get().id();
      decide(
          new Action.Migrate(
              instance.id(), host.id(), to, instance.granted(), instance.attempt() + 1),
          pass,
          now,
          actions);
      coverage.count(Mark.DRAINED_BY_MIGRATION);
      return true;
    }
    if (target.isEmpty() && !over) {
      return false;
    }
    decide(new Action.Evict(instance.id(), host.id(), why), pass, now, actions);
    target.ifPresent(to -> expected.put(instance, to));
    coverage.count(over ? Mark.DRAINED_AT_DEADLINE : Mark.DRAINED_BY_RESTART);
    return true;
  }

  /** Returns the host with the least left once an instance is there; of equals, the first by id. */
  private Optional<HostSpec> bestFit(
      ReferenceInstance instance, Map<ReferenceInstance, HostSpec> expected) {
    Map<HostSpec, Double> left = new LinkedHashMap<>();
    for (HostSpec host : cluster.hosts()) {
      List<ReferenceInstance> others = new ArrayList<>(cluster.residents(host));
      List<ReferenceInstance> coming =
          expected.keySet().stream().filter(each -> host.equals(expected.get(each))).toList();
      if (cluster.isOpen(host)
          && ReferenceCluster.constraintsHold(instance, host)
          && cluster.ofItsCluster(instance, host)
          && isNotRefused(instance, host)
          && addsUp(instance, coming, host)
          && isWithinLimits(instance, host)
          && others.stream().allMatch(each -> ReferenceCluster.mayShare(instance, each))
          && coming.stream().allMatch(each -> ReferenceCluster.mayShare(instance, each))
          && cluster.fit(sum(instance, coming, host), host, others)) {
        left.put(host, cluster.sharesLeft(sum(instance, coming, host), host));
      }
    }
    return left.keySet().stream()
        .min(Comparator.<HostSpec>comparingDouble(left::get).thenComparing(HostSpec::id));
  }

  /** Returns whether taints and rules allow a move; those that are expected are on no host yet. */
  private boolean isNotRefused(ReferenceInstance instance, HostSpec host) {
    Optional<Refusal> refusal = placement.refusal(instance, host, List.of());
    if (refusal.isPresent()) {
      coverage.count(Mark.DRAIN_REFUSED_BY_RULE);
    }
    return refusal.isEmpty();
  }

  private boolean isWithinLimits(ReferenceInstance instance, HostSpec host) {
    boolean within = cluster.limits().allowMove(instance, host);
    if (!within) {
      coverage.count(Mark.DRAIN_REFUSED_BY_LIMIT);
    }
    return within;
  }

  /** Returns whether less is needed, with those that are expected, than can be counted. */
  private boolean addsUp(
      ReferenceInstance instance, List<ReferenceInstance> coming, HostSpec host) {
    return cluster.dimensions().stream()
        .allMatch(
            each -> instance.granted().amount(each) <= Long.MAX_VALUE - amount(coming, each, host));
  }

  /** Returns the grant of an instance and the demands of others that are expected on a host. */
  private Resources sum(ReferenceInstance instance, List<ReferenceInstance> coming, HostSpec host) {
    Resources.Builder sum = Resources.builder();
    for (Dimension each : cluster.dimensions()) {
      sum.put(each, instance.granted().amount(each) + amount(coming, each, host));
    }
    return sum.build();
  }

  private static long amount(List<ReferenceInstance> coming, Dimension each, HostSpec host) {
    boolean shared = host.timeShared() && each.name().equals(Dimension.CPU.name());
    return shared ? 0 : coming.stream().mapToLong(it -> it.request().demand().amount(each)).sum();
  }

  private void carryOut(
      Option choice, ReferenceInstance j, long pass, long now, List<Action> actions) {
    String host = choice.host.id();
    tallyChoice(choice, j, now);
    for (ReferenceInstance k : choice.victims) {
      decide(new Action.Preempt(k.id(), host, j.id()), pass, now, actions);
    }
    decide(
        new Action.Place(
            j.id(),
            host,
            choice.victims.stream().map(ReferenceInstance::id).toList(),
            Optional.empty(),
            j.attempt() + 1),
        pass,
        now,
        actions);
  }

  // ---- Feasibility checking (section 3.3.1)

  /**
   * A host on which an instance can be placed.
   *
   * @param victims the victims, in the order in which they were taken; possibly empty
   */
  private record Option(HostSpec host, List<ReferenceInstance> victims) {}

  private Optional<Option> checkFeasibility(
      ReferenceInstance j, HostSpec host, long pass, long now) {
    List<ReferenceInstance> residents = cluster.residents(host);
    if (!cluster.isOpen(host, residents)) {
      boolean isWithdrawn = cluster.withdrawn().contains(host);
      coverage.count(isWithdrawn ? Mark.REFUSAL_BY_CORDON : Mark.REFUSAL_BY_OVER_CAPACITY);
      return Optional.empty();
    }
    if (!ReferenceCluster.constraintsHold(j, host)) {
      coverage.count(Mark.REFUSAL_BY_CONSTRAINT);
      return Optional.empty();
    }
    // Preemption does not help here.
    if (!residents.stream().allMatch(each -> ReferenceCluster.mayShare(j, each))) {
      coverage.count(Mark.REFUSAL_BY_ANTI_AFFINITY);
      return Optional.empty();
    }
    Optional<Refusal> refusal = placement.refusal(j, host, List.of());
    if (refusal.isPresent()) {
      coverage.count(markOf(refusal.get()));
      return Optional.empty();
    }
    List<ReferenceInstance> victims = new ArrayList<>();
    for (ReferenceInstance k : candidates(residents, pass, now)) {
      if (fits(j, host, residents, victims)) {
        break;
      }
      Verdict verdict = policy.judge(j, k, now);
      if (verdict.allowed() && cluster.protects(k, victims)) {
        coverage.count(Mark.REFUSAL_BY_BUDGET);
        if (!cluster.protects(k, List.of())) {
          coverage.count(Mark.REFUSAL_BY_SHARED_BUDGET);
        }
      } else if (verdict.allowed()) {
        victims.add(k);
      } else if (verdict == Verdict.OVER_LIMIT) {
        coverage.count(Mark.REFUSAL_BY_OVERHEAD_LIMIT);
      } else if (verdict == Verdict.AT_PREEMPTION_LIMIT) {
        coverage.count(Mark.REFUSAL_BY_PREEMPTION_LIMIT);
      } else if (verdict == Verdict.OVER_RESTART_SHARE) {
        coverage.count(Mark.REFUSAL_BY_RESTART_SHARE);
      } else if (verdict == Verdict.WITHIN_QUANTUM) {
        coverage.count(Mark.REFUSAL_BY_QUANTUM);
      }
    }
    if (!fits(j, host, residents, victims)) {
      if (cluster.fit(j, host, without(residents, victims))) {
        coverage.count(Mark.REFUSAL_BY_LIMIT);
      }
      if (cluster.fitWithoutForeignLoad(j, host, without(residents, victims))) {
        coverage.count(Mark.REFUSAL_BY_FOREIGN_LOAD);
      }
      return Optional.empty();
    }
    if (policy.minimizeVictims()) {
      spare(j, host, residents, victims);
    }
    if (placement.refusal(j, host, victims).isPresent()) { // a victim is what it must be near
      coverage.count(Mark.REFUSAL_BY_LOST_PEER);
      return Optional.empty();
    }
    return Optional.of(new Option(host, victims));
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

  /** Returns whether there is room, and limits allow it, once some have left. */
  private boolean fits(
      ReferenceInstance j,
      HostSpec host,
      List<ReferenceInstance> residents,
      List<ReferenceInstance> victims) {
    return cluster.fit(j, host, without(residents, victims))
        && cluster.limits().allow(j, host, victims);
  }

  /** Returns the victim candidates on a host, in the order in which they are considered. */
  private List<ReferenceInstance> candidates(
      List<ReferenceInstance> residents, long pass, long now) {
    return residents.stream()
        .filter(k -> k.currentStay().orElseThrow().pass() < pass)
        .filter(
            k ->
                k.state() == InstanceState.RUNNING
                    || (k.state() == InstanceState.STARTING && policy.preemptStarting()))
        .sorted(
            policy
                .victimOrder(now)
                .thenComparing(
                    Comparator.<ReferenceInstance>comparingLong(
                            k -> SeededTieBreaker.hash(seed, k.id()))
                        .reversed())
                .thenComparing(ReferenceInstance::id))
        .toList();
  }

  /** Spares unnecessary victims, from the last taken to the first. Not in the paper. */
  private void spare(
      ReferenceInstance j,
      HostSpec host,
      List<ReferenceInstance> residents,
      List<ReferenceInstance> victims) {
    for (int last = victims.size() - 1; last >= 0; last--) {
      List<ReferenceInstance> fewer = without(victims, List.of(victims.get(last)));
      if (fits(j, host, residents, fewer)) {
        victims.remove(last);
        coverage.count(Mark.VICTIM_SPARED);
      }
    }
  }

  private static List<ReferenceInstance> without(
      List<ReferenceInstance> all, List<ReferenceInstance> some) {
    return all.stream().filter(each -> !some.contains(each)).toList();
  }

  // ---- Ranking (section 3.3.2)

  private Optional<Option> rank(List<Option> feasible, ReferenceInstance j, long pass, long now) {
    List<Option> free = feasible.stream().filter(each -> each.victims.isEmpty()).toList();
    Comparator<Option> byTaints =
        Comparator.comparingLong(each -> ReferencePlacement.discouraging(j, each.host));
    Comparator<Option> byWorth = // greatest first
        Comparator.<Option>comparingLong(each -> placement.worth(j, each.host)).reversed();
    Comparator<Option> byWish = byTaints.thenComparing(byWorth);
    Map<String, Double> scores = new HashMap<>();
    ToDoubleFunction<Option> score =
        it -> scores.computeIfAbsent(it.host.id(), each -> score(it, j));
    Comparator<Option> byScore = // greatest first
        (a, b) -> compare(score.applyAsDouble(b), score.applyAsDouble(a));
    Comparator<Option> byWishAndScore = byWish.thenComparing(byScore);
    Comparator<Option> byCost = (a, b) -> compare(cost(a, now), cost(b, now)); // smallest first
    Comparator<Option> byMerit =
        free.isEmpty() ? byCost.thenComparing(byWishAndScore) : byWishAndScore;
    Comparator<Option> byChance =
        Comparator.<Option>comparingLong(
                each ->
                    SeededTieBreaker.toss(
                        seed, pass, j.id(), each.host.id(), cluster.hosts().size()))
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

  private List<Double> cost(Option option, long now) {
    return policy.preemptionCost(option.victims, cluster.serviceClasses(), now);
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

  // ---- Counting

  private void tallyChoice(Option choice, ReferenceInstance j, long now) {
    coverage.count(Mark.PLACEMENT);
    tallyRules(choice.host, j);
    tallyLimits(choice, j);
    if (cluster.dimensions().stream().anyMatch(each -> cluster.foreign(choice.host, each) > 0)) {
      coverage.count(Mark.PLACEMENT_BESIDE_FOREIGN_LOAD);
    }
    if (choice.victims.size() > 1) {
      coverage.count(Mark.PREEMPTION_OF_SEVERAL);
    }
    for (ReferenceInstance k : choice.victims) {
      switch (policy.judge(j, k, now)) {
        case RULE_A -> coverage.count(Mark.PREEMPTION_BY_RULE_A);
        case RULE_B -> coverage.count(Mark.PREEMPTION_BY_RULE_B);
        case RULE_C -> coverage.count(Mark.PREEMPTION_BY_RULE_C);
        case LOWER_PRIORITY -> coverage.count(Mark.PREEMPTION_BY_PRIORITY);
        case OVER_LIMIT, AT_PREEMPTION_LIMIT, OVER_RESTART_SHARE, WITHIN_QUANTUM, NO_RULE ->
            throw new IllegalStateException(k + " is no victim of " + j);
      }
      if (k.state() == InstanceState.STARTING) {
        coverage.count(Mark.PREEMPTION_OF_STARTING);
      }
      if (k.request().job().filter(cluster.budgets()::containsKey).isPresent()) {
        coverage.count(Mark.PREEMPTION_WITHIN_BUDGET);
      }
    }
  }

  private void tallyLimits(Option choice, ReferenceInstance j) {
    List<LimitUse> uses = j.request().placement().limits();
    if (uses.stream().anyMatch(each -> each.kind() == LimitUse.Kind.PER_INSTANCE)) {
      coverage.count(Mark.PLACEMENT_WITH_LIMIT_PER_INSTANCE);
    }
    if (uses.stream().anyMatch(each -> each.kind() == LimitUse.Kind.PER_HOST)) {
      coverage.count(Mark.PLACEMENT_WITH_LIMIT_PER_HOST);
    }
    if (!cluster.limits().allow(j, choice.host, List.of())) {
      coverage.count(Mark.LIMIT_GIVEN_BACK_BY_VICTIMS);
    }
  }

  private void tallyRules(HostSpec host, ReferenceInstance j) {
    if (!host.taints().isEmpty()) {
      coverage.count(
          ReferencePlacement.discouraging(j, host) > 0
              ? Mark.PLACEMENT_DESPITE_TAINT
              : Mark.PLACEMENT_BY_TOLERATION);
    }
    if (placement.isFirst(j)) {
      coverage.count(Mark.PLACEMENT_OF_FIRST_PEER);
    }
    for (PlacementRule each : j.request().placement().rules()) {
      coverage.count(
          each instanceof PlacementRule.Near
              ? Mark.PLACEMENT_NEAR
              : each instanceof PlacementRule.Apart ? Mark.PLACEMENT_APART : Mark.PLACEMENT_SPREAD);
    }
    if (!j.request().placement().preferences().isEmpty()) {
      coverage.count(Mark.PLACEMENT_WITH_PREFERENCE);
    }
  }

  private void tallyPass(List<ReferenceInstance> queue, List<Action> actions, long now) {
    coverage.count(Mark.PASS);
    if (cluster.limits().areExceeded()) {
      coverage.count(Mark.LIMIT_EXCEEDED);
    }
    if (actions.stream().anyMatch(Action.Place.class::isInstance)) {
      coverage.count(Mark.PASS_PLACING);
    }
    if (actions.stream().anyMatch(Action.Preempt.class::isInstance)) {
      coverage.count(Mark.PASS_PREEMPTING);
    }
    cluster.instances(InstanceState.PENDING).forEach(each -> coverage.count(Mark.LEFT_PENDING));
    cluster.budgets().keySet().stream()
        .filter(job -> !cluster.isWithinBudget(job))
        .forEach(job -> coverage.count(Mark.BUDGET_EXCEEDED));
    if (policy instanceof QosDriven qosDriven) {
      long alpha = qosDriven.expectedOverhead();
      for (int i = 1; i < queue.size(); i++) {
        if (queue.get(i - 1).qos(now, alpha) == queue.get(i).qos(now, alpha)) {
          coverage.count(Mark.TIE_IN_QUEUE);
        }
      }
    }
    for (HostSpec host : cluster.hosts()) {
      if (cluster.residents(host).stream()
          .anyMatch(each -> !ReferenceCluster.constraintsHold(each, host))) {
        coverage.count(Mark.CONSTRAINT_OUTLIVED);
      }
      List<ReferenceInstance> victims = candidates(cluster.residents(host), passes + 1, now);
      for (int i = 1; i < victims.size(); i++) {
        if (policy.victimOrder(now).compare(victims.get(i - 1), victims.get(i)) == 0) {
          coverage.count(Mark.TIE_AMONG_CANDIDATES);
        }
      }
    }
  }
}
