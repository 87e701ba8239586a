package dev.berth.testkit.reference;

import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Rejection;
import dev.berth.api.policy.Completion;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.Residency.Ending;
import java.math.BigInteger;
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
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cluster as a list of hosts and a list of instances with their histories. It is also a ledger
 * for checking the plans of a scheduler. It makes no decisions.
 *
 * <p>Expects valid events in order of time. For an invalid event it throws an {@link
 * IllegalArgumentException} and is unusable afterwards.
 */
public final class ReferenceCluster {

  private static final Optional<Object> ACCEPTED = Optional.of(Accepted.ACCEPTED);

  /** Events that are no part of the state, or that are noted as what they lead to. */
  private static final Set<Event.Kind> NOTED_OTHERWISE =
      EnumSet.of(
          Event.Kind.LOAD_REPORTED,
          Event.Kind.STARTED,
          Event.Kind.STARTED_NOW,
          Event.Kind.USAGE_REPORTED,
          Event.Kind.FAILED,
          Event.Kind.FAILED_NOW,
          Event.Kind.ACTION_REJECTED,
          Event.Kind.RECONCILED,
          Event.Kind.CANCELLED,
          Event.Kind.GROUP_CANCELLED);

  private static final Comparator<ReferenceInstance> BY_ADMISSION =
      Comparator.comparingLong(ReferenceInstance::admittedAt)
          .thenComparing(ReferenceInstance::number);

  private static final BigInteger LEAST_LEFT = BigInteger.valueOf(Long.MIN_VALUE);

  private final List<ServiceClass> serviceClasses;
  private final Map<Long, Long> units = new HashMap<>(); // of Q, by α
  private List<HostSpec> hosts = new ArrayList<>(); // in the order in which they joined
  private Set<String> cordoned = new LinkedHashSet<>(); // hosts
  private SortedMap<String, Drain> drains = new TreeMap<>(); // by host
  private Map<String, Resources> foreign = new HashMap<>(); // by host
  private List<ReferenceInstance> instances = new ArrayList<>(); // in order of admission,
  // those of one time as they came
  private Map<String, ReferencePool> pools = new LinkedHashMap<>(); // as first offered
  private Map<String, String> clusters = new HashMap<>(); // by host, starting or up
  private List<ReferenceBag> bags = new ArrayList<>(); // in order of submission
  private List<ReferenceGroup> groups = new ArrayList<>(); // in order of submission
  private List<BagReport> endedBags = new ArrayList<>(); // not taken yet
  private List<Completion> completions = new ArrayList<>(); // since the latest plan
  private Map<String, Integer> ended = new HashMap<>(); // last attempts, by instance
  private Set<String> cutShort = new HashSet<>(); // of those, the ones that did not complete
  private final Set<Dimension> dimensions = new LinkedHashSet<>(); // in the order first named
  private final ReferenceLimits limits = new ReferenceLimits(this);
  private final ReferenceBudgets budgets = new ReferenceBudgets(this);
  private final ReferenceTaints taints = new ReferenceTaints();
  private final OpenDecisions open = new OpenDecisions(this);
  private ReferenceLog journal = new ReferenceLog();
  private final boolean isReplay;
  private int admitted;
  private int bagged;
  private int grouped;

  /** An empty cluster. */
  public ReferenceCluster(Collection<? extends ServiceClass> serviceClasses) {
    this(serviceClasses, false);
  }

  /**
   * An empty cluster.
   *
   * @param isReplay whether what was undone meanwhile may have had the ids of instances and bags
   *     that were there later; of several, the latest is meant
   */
  private ReferenceCluster(Collection<? extends ServiceClass> serviceClasses, boolean isReplay) {
    this.isReplay = isReplay;
    this.serviceClasses =
        serviceClasses.stream()
            .<ServiceClass>map(each -> each)
            .sorted(
                Comparator.comparingInt(ServiceClass::importance).thenComparing(ServiceClass::name))
            .toList();
  }

  // ---- Events

  /**
   * Applies an event.
   *
   * @return the answer to the event; empty if it changes nothing
   */
  public Optional<Object> apply(Event<?> event, long now) {
    if (!NOTED_OTHERWISE.contains(event.kind())) {
      journal.note(it -> it.apply(event, now));
    }
    return switch (event.kind()) {
      case POOL_OFFERED -> offer(((Event.PoolOffered) event).pool());
      case LIMIT_SET -> accepted(limits.set((Event.LimitSet) event));
      case HOST_ADDED -> addHost(((Event.HostAdded) event).spec(), now);
      case HOST_REMOVED -> removeHost(((Event.HostRemoved) event).host(), now);
      case HOST_CHANGED -> accepted(changeHost(((Event.HostChanged) event).spec(), now));
      case FOREIGN_LOAD_REPORTED -> {
        Event.ForeignLoadReported load = (Event.ForeignLoadReported) event;
        yield accepted(foreignLoad(load.host(), load.foreign()));
      }
      case HOST_DRAINED -> {
        Event.HostDrained drained = (Event.HostDrained) event;
        String host = present(drained.host()).id();
        yield accepted(!drained.how().equals(drains.put(host, drained.how())));
      }
      case HOST_CORDONED ->
          accepted(cordoned.add(present(((Event.HostCordoned) event).host()).id()));
      case HOST_UNCORDONED -> accepted(uncordon(((Event.HostUncordoned) event).host()));
      case BUDGET_SET -> {
        Event.BudgetSet set = (Event.BudgetSet) event;
        yield accepted(budgets.set(set.job(), set.budget()));
      }
      case BUDGET_REMOVED -> accepted(budgets.remove(((Event.BudgetRemoved) event).job()));
      case SUBMITTED -> {
        Event.Submitted submitted = (Event.Submitted) event;
        waits(admit(submitted.request(), submitted.history().orElse(History.since(now)), now));
        yield ACCEPTED;
      }
      case BAG_SUBMITTED -> submit(((Event.BagSubmitted) event).bag(), now);
      case GROUP_SUBMITTED -> submit(((Event.GroupSubmitted) event).group(), now);
      case LOAD_REPORTED -> ACCEPTED; // it is not part of the state
      case STARTED -> {
        Event.Started started = (Event.Started) event;
        require(canStart(started.attempt()), started.attempt() + " cannot be ready");
        yield started(started.instance(), notBefore(started.attempt(), started.at(), now));
      }
      case STARTED_NOW -> started(((Event.StartedNow) event).instance(), now);
      case USAGE_REPORTED -> {
        Event.UsageReported usage = (Event.UsageReported) event;
        yield used(usage.instance(), new Usage(now, usage.used(), usage.shortfall()));
      }
      case FAILED -> {
        Event.Failed failed = (Event.Failed) event;
        require(canFail(failed.attempt()), failed.attempt() + " cannot have failed");
        yield failed(failed.instance(), notBefore(failed.attempt(), failed.at(), now), now);
      }
      case FAILED_NOW -> failed(((Event.FailedNow) event).instance(), now, now);
      case COMPLETED -> {
        Event.Completed done = (Event.Completed) event;
        require(canComplete(done.attempt()), done.attempt() + " cannot have completed");
        long at = notBefore(done.attempt(), done.at(), now);
        yield Optional.of(done(done.instance(), true, at, now));
      }
      case COMPLETED_NOW ->
          Optional.of(done(((Event.CompletedNow) event).instance(), true, now, now));
      case ACTION_REJECTED -> {
        Event.ActionRejected rejected = (Event.ActionRejected) event;
        yield Optional.of(rejected(rejected.action(), rejected.why(), now));
      }
      case ADOPTED -> {
        Event.Adopted adopted = (Event.Adopted) event;
        yield adopt(adopted.how(), adopted.seen(), now);
      }
      case RECONCILED -> Optional.of(reconcile((Event.Reconciled) event, now));
      case CANCELLED -> Optional.of(cancel(((Event.Cancelled) event).instance(), now));
      case BAG_CANCELLED -> {
        Event.BagCancelled cancelled = (Event.BagCancelled) event;
        getBag(cancelled.bag()).members().forEach(each -> open.end(each.number()));
        yield Optional.of(endBag(cancelled.bag(), cancelled.why(), now));
      }
      case GROUP_CANCELLED ->
          Optional.of(
              group(((Event.GroupCancelled) event).group()).orElseThrow().members().stream()
                  .map(each -> cancel(each.id(), now))
                  .toList());
    };
  }

  /** Returns why an event is invalid for this cluster, which stays as it is; empty if it is not. */
  public Optional<String> objection(Event<?> event, long now) {
    try {
      without(List.of()).apply(event, now);
      return Optional.empty();
    } catch (IllegalArgumentException invalid) {
      return Optional.of(String.valueOf(invalid.getMessage()));
    }
  }

  private static Optional<Object> accepted(boolean changed) {
    return changed ? ACCEPTED : Optional.empty();
  }

  /** A provider offers hosts, or changes its offer. */
  private Optional<Object> offer(PoolSpec spec) {
    dimensions.addAll(spec.capacity().dimensions());
    pools.computeIfAbsent(spec.name(), name -> new ReferencePool(spec)).offer(spec);
    return ACCEPTED;
  }

  /** A host joins, or a requested host is up. */
  private Optional<Object> addHost(HostSpec spec, long now) {
    require(host(spec.id()).isEmpty(), "host " + spec.id() + " is present");
    require(!stopping().contains(spec.id()), "host " + spec.id() + " was released");
    poolOf(spec.id())
        .ifPresent(
            pool -> {
              pool.starting.remove(spec.id());
              pool.up.add(spec.id());
            });
    dimensions.addAll(spec.capacity().dimensions());
    open.hostJoins(spec.id());
    hosts.add(spec);
    taints.note(spec, now);
    return ACCEPTED;
  }

  /**
   * A host leaves; its instances are pending again, with their history. Or a requested host did not
   * start, or a released host is gone.
   */
  private Optional<Object> removeHost(String hostId, long now) {
    Optional<HostSpec> host = host(hostId);
    require(host.isPresent() || poolOf(hostId).isPresent(), "host " + hostId + " is absent");
    host.ifPresent(
        each -> {
          residents(each).forEach(resident -> leaves(resident, Ending.HOST_LEFT, now));
          hosts.remove(each);
        });
    open.hostLeaves(hostId);
    poolOf(hostId).ifPresent(pool -> pool.remove(hostId));
    forget(hostId);
    return ACCEPTED;
  }

  private void leaves(ReferenceInstance instance, Ending why, long now) {
    instance.leaves(now, why);
    open.end(instance.number());
  }

  private void forget(String hostId) {
    clusters.remove(hostId);
    cordoned.remove(hostId);
    drains.remove(hostId);
    foreign.remove(hostId);
    taints.forget(hostId);
  }

  /**
   * A host that is up changes its capacity, its attributes or its taints; its instances stay.
   * Returns whether anything differs.
   */
  private boolean changeHost(HostSpec spec, long now) {
    HostSpec before = present(spec.id());
    require(before.timeShared() == spec.timeShared(), "host " + spec.id() + " shares its CPU");
    dimensions.addAll(spec.capacity().dimensions());
    hosts.set(hosts.indexOf(before), spec);
    taints.note(spec, now);
    return !before.equals(spec);
  }

  /** A host reports what others hold on it. Returns whether anything differs. */
  private boolean foreignLoad(String hostId, Resources load) {
    present(hostId);
    dimensions.addAll(load.dimensions());
    return !load.equals(Optional.ofNullable(foreign.put(hostId, load)).orElse(Resources.none()));
  }

  /** A host is no longer cordoned or drained. Returns whether it was. */
  private boolean uncordon(String hostId) {
    present(hostId);
    boolean wasCordoned = cordoned.remove(hostId);
    return drains.remove(hostId) != null || wasCordoned;
  }

  /** A bag of tasks is submitted; its instances are pending. */
  private Optional<Object> submit(BagSpec spec, long now) {
    require(isReplay || bag(spec.id()).isEmpty(), "bag " + spec.id() + " has not ended");
    bags.add(new ReferenceBag(spec, admit(spec.requests(), now), now, bagged++));
    return ACCEPTED;
  }

  /** A group is submitted; its instances are pending. */
  private Optional<Object> submit(GroupSpec spec, long now) {
    require(isReplay || group(spec.id()).isEmpty(), "group " + spec.id() + " has not ended");
    groups.add(new ReferenceGroup(spec, admit(spec.members(), now), grouped++));
    return ACCEPTED;
  }

  private List<ReferenceInstance> admit(List<Request> requests, long now) {
    requests.forEach(each -> waits(admit(each, History.since(now), now)));
    return requests.stream().map(each -> get(each.id())).toList();
  }

  private ReferenceInstance admit(Request request, History history, long now) {
    require(
        isReplay || instance(request.id()).isEmpty(), "instance " + request.id() + " is not done");
    ServiceClass serviceClass =
        serviceClasses.stream()
            .filter(each -> each.name().equals(request.serviceClass()))
            .findFirst()
            .orElseThrow();
    dimensions.addAll(request.demand().dimensions());
    ReferenceInstance instance =
        new ReferenceInstance(
            request,
            serviceClass,
            history,
            Math.max(history.attempt(), ended.getOrDefault(request.id(), 0)),
            now,
            this::unitOfQos,
            admitted++);
    instances.add(instance);
    instances.sort(BY_ADMISSION);
    return instance;
  }

  /** A new instance waits for those that it is to start after. */
  private void waits(ReferenceInstance instance) {
    List<String> others =
        instance.request().after().stream().filter(each -> instance(each).isPresent()).toList();
    for (String each : instance.request().after()) {
      boolean completed = ended.containsKey(each) && !cutShort.contains(each);
      require(isReplay || others.contains(each) || completed, each + " cannot complete");
      require(!waitsFor(each, instance.id()), each + " waits for " + instance);
    }
    instance.waits(others);
  }

  /** Returns whether an instance waits for another one, by way of whatever others. */
  public boolean waitsFor(String instanceId, String other) {
    return instance(instanceId).stream()
        .flatMap(each -> each.waitsFor().stream())
        .anyMatch(each -> each.equals(other) || waitsFor(each, other));
  }

  /** A starting instance is in service since then. */
  Optional<Object> started(String instanceId, long at) {
    journal.note(it -> it.started(instanceId, at));
    get(instanceId).ready(at);
    open.confirm(get(instanceId).number());
    return ACCEPTED;
  }

  /** An instance on a host failed and is pending again. */
  private Optional<Object> failed(String instanceId, long at, long now) {
    journal.note(it -> it.failed(instanceId, at, now));
    ReferenceInstance instance = get(instanceId);
    boolean counts =
        instance.state() == InstanceState.STARTING
            || (instance.state() == InstanceState.RUNNING && !instance.isForgiven(at));
    leaves(instance, Ending.FAILED, at);
    if (counts) {
      instance.countFailure();
    }
    return Optional.of(giveUp(instance, now) ? Accepted.GAVE_UP : Accepted.ACCEPTED);
  }

  /** An instance is not where it was believed, which says nothing of why. */
  void missed(String instanceId, long now) {
    journal.note(it -> it.missed(instanceId, now));
    leaves(get(instanceId), Ending.FAILED, now);
  }

  /** Ends an instance that has failed too often; returns whether it has. */
  private boolean giveUp(ReferenceInstance instance, long now) {
    boolean ends = instance.failures() > instance.request().maxFailures().orElse(Integer.MAX_VALUE);
    if (ends) {
      open.end(instance.number());
      done(instance.id(), false, now, now);
    }
    return ends;
  }

  /** An instance on a host reports its usage. */
  private Optional<Object> used(String instanceId, Usage usage) {
    // The report counts no more once the start that it was about is undone.
    journal.note(
        it -> {
          if (it.get(instanceId).state().isOnHost()) {
            it.used(instanceId, usage);
          }
        });
    get(instanceId).used(usage);
    return ACCEPTED;
  }

  /** An instance is done without completing and is removed, and so is its bag with the last. */
  private InstanceReport cancel(String instanceId, long now) {
    journal.note(it -> it.cancel(instanceId, now));
    open.end(get(instanceId).number());
    return done(instanceId, false, now, now);
  }

  private InstanceReport done(String instanceId, boolean complete, long at, long now) {
    ReferenceInstance instance = get(instanceId);
    Optional<ReferenceBag> bag = bagOf(instance);
    if (complete) {
      open.end(instance.number());
      boolean repeats =
          instance.request().losesProgress() && instance.state() == InstanceState.RUNNING;
      completions.add(
          new Completion(
              instance.request(),
              instance.serviceClass(),
              repeats ? at - instance.stateSince() : instance.serviceTime(at)));
    }
    instance.done(at);
    instances.remove(instance);
    hasEnded(instance, complete);
    if (complete) {
      instances.forEach(each -> each.hasCompleted(instanceId, now));
      instances.sort(BY_ADMISSION);
    }
    bag.ifPresent(
        each -> {
          each.left(instance, complete);
          if (each.members().isEmpty()) {
            bags.remove(each);
            endedBags.add(each.report(List.of(), Optional.empty(), now));
          }
        });
    groupOf(instance)
        .ifPresent(
            each -> {
              each.left(instance, complete);
              if (each.members().isEmpty()) {
                groups.remove(each);
              }
            });
    return instance.sli();
  }

  // ---- Reports about attempts

  /** Returns whether an attempt may be ready: it is the latest, and its instance is starting. */
  public boolean canStart(Attempt attempt) {
    return latest(attempt).filter(each -> each.state() == InstanceState.STARTING).isPresent();
  }

  /** Returns whether an attempt may have failed: it is the latest, and its instance on a host. */
  public boolean canFail(Attempt attempt) {
    return latest(attempt).filter(each -> each.state().isOnHost()).isPresent();
  }

  /** Returns whether an attempt may have completed: it is the latest, and its instance not done. */
  public boolean canComplete(Attempt attempt) {
    return latest(attempt).isPresent();
  }

  private Optional<ReferenceInstance> latest(Attempt attempt) {
    return instance(attempt.instance()).filter(each -> each.presentAttempt() == attempt.number());
  }

  /** Returns when something happened to an attempt: not before its present state began. */
  private long notBefore(Attempt attempt, OptionalLong at, long now) {
    return Math.max(at.orElse(now), get(attempt.instance()).stateSince());
  }

  // ---- Reconciliation

  /** Returns whether an attempt is of an instance that has ended, whose id another one has. */
  boolean isOfEarlierLife(String instanceId, OptionalInt attempt) {
    return attempt.orElse(Integer.MAX_VALUE) <= ended.getOrDefault(instanceId, -1);
  }

  /** Returns whether what a fleet has is left of an instance that has ended without completing. */
  boolean isLeftOfCancelled(ObservedInstance seen) {
    return cutShort.contains(seen.id())
        && seen.attempt().orElse(0) <= ended.getOrDefault(seen.id(), -1);
  }

  private void hasEnded(ReferenceInstance instance, boolean complete) {
    ended.put(instance.id(), instance.attempt());
    if (complete) {
      cutShort.remove(instance.id());
    } else {
      cutShort.add(instance.id());
    }
  }

  /** A fleet reports all that it has. Corrects what is believed wrongly, and returns it. */
  private Reconciliation reconcile(Event.Reconciled fleet, long now) {
    return new LedgerCorrections(this, fleet, now).apply();
  }

  /** A fleet reports an instance on a host, in a state since a time. */
  void correct(String instanceId, String hostId, InstanceState seen, OptionalInt attempt, long at) {
    journal.note(it -> it.correct(instanceId, hostId, seen, attempt, at));
    get(instanceId).observed(present(hostId), seen, attempt, at);
    open.end(get(instanceId).number());
  }

  /** An instance that is on a host already is adopted. */
  private Optional<Object> adopt(Adoption how, ObservedInstance seen, long now) {
    HostSpec host = present(seen.host());
    admit(how.request(), how.history(), now)
        .adopted(host, seen.state(), seen.attempt(), seen.since().orElse(now));
    ended.remove(seen.id());
    cutShort.remove(seen.id());
    return ACCEPTED;
  }

  /** All instances of a bag are done and removed. */
  private BagReport endBag(String bagId, Reason why, long now) {
    ReferenceBag bag = getBag(bagId);
    List<InstanceReport> cancelledWithBag = new ArrayList<>();
    for (ReferenceInstance each : bag.members()) {
      each.done(now);
      instances.remove(each);
      hasEnded(each, false);
      cancelledWithBag.add(each.sli());
    }
    bags.remove(bag);
    BagReport report = bag.report(cancelledWithBag, Optional.of(why), now);
    endedBags.add(report);
    return report;
  }

  /** Returns the reports of bags that ended since the last call, in that order. */
  public List<BagReport> takeEndedBags() {
    journal.note(ReferenceCluster::takeEndedBags);
    List<BagReport> taken = List.copyOf(endedBags);
    endedBags.clear();
    return taken;
  }

  /** Returns the instances that completed since the latest plan, in that order. */
  public List<Completion> completions() {
    return List.copyOf(completions);
  }

  // ---- Actions of a pass

  /**
   * A plan comes into effect: settles what could be undone until then, and forgets completions,
   * which were reported to its policy.
   */
  public void settle() {
    open.settle();
    forgetCompletions();
  }

  private void forgetCompletions() {
    journal.note(ReferenceCluster::forgetCompletions);
    completions.clear();
  }

  /** An action of a plan comes into effect; it can be undone. */
  public void execute(ActionId id, Action action, long now) {
    Decision decision = open.decide(id, action);
    List<Integer> subjects = decision.formers().stream().map(Decision.Former::number).toList();
    journal.note(id, action, subjects, it -> it.execute(id, action, now));
    if (action instanceof Action.OnInstance it) {
      act(it, get(it.instance()), id.pass(), now);
    } else if (action instanceof Action.Provision it) {
      provision(it);
    } else if (action instanceof Action.Release it) {
      release(it.host());
    } else if (action instanceof Action.Assign it) {
      getBag(it.bag()).assign(it.cluster(), it.expiresAt(), now);
    } else if (action instanceof Action.Cancel it) {
      endBag(it.bag(), it.why(), now);
    }
    open.add(decision);
  }

  private void act(Action.OnInstance action, ReferenceInstance instance, long pass, long now) {
    if (action instanceof Action.Place it) {
      Resources grant = it.grant().orElse(instance.request().demand());
      instance.placed(present(it.host()), grant, pass, now);
    } else if (action instanceof Action.Preempt) {
      instance.leaves(now, Ending.PREEMPTED);
    } else if (action instanceof Action.Evict) {
      instance.leaves(now, Ending.EVICTED);
    } else if (action instanceof Action.Resize it) {
      instance.resized(it.grant());
    } else if (action instanceof Action.Pause) {
      instance.paused(now);
    } else if (action instanceof Action.Suspend) {
      instance.suspended(now);
    } else if (action instanceof Action.Resume it) {
      instance.resumed(it.grant(), now);
    } else if (action instanceof Action.Migrate it) {
      instance.migrated(present(it.host()), it.grant(), pass, now);
    } else if (action instanceof Action.Reject) {
      require(
          instance.state() == InstanceState.PENDING && instance.placements() == 0,
          instance + " is refused");
      done(instance.id(), false, now, now);
    } else if (action instanceof Action.Stop) {
      require(instance.state() == InstanceState.RUNNING, instance + " is stopped");
      done(instance.id(), false, now, now);
    }
  }

  /** Requests hosts from a pool, for a cluster or none; they are starting. */
  private void provision(Action.Provision action) {
    for (String each : action.hosts()) {
      require(host(each).isEmpty() && poolOf(each).isEmpty(), "host " + each + " is there");
      Optional.ofNullable(pools.get(action.pool())).orElseThrow().starting.add(each);
      action.cluster().ifPresent(name -> clusters.put(each, name));
    }
  }

  /** Releases a host of a pool that is starting, or up and empty. */
  private void release(String hostId) {
    ReferencePool pool = poolOf(hostId).orElseThrow();
    require(!pool.stopping.contains(hostId), "host " + hostId + " was released");
    host(hostId)
        .ifPresent(
            each -> {
              require(residents(each).isEmpty(), "host " + hostId + " is not empty");
              hosts.remove(each);
            });
    pool.remove(hostId);
    pool.stopping.add(hostId);
    forget(hostId);
  }

  /** Returns the actions of all plans that were not undone, the earliest first. */
  public List<ActionId> actions() {
    return journal.actions();
  }

  /** Returns an action that was not undone; empty if there is none of that id. */
  public Optional<Action> action(ActionId id) {
    return journal.action(id);
  }

  /** Returns whether an action can be undone, as {@code Scheduler.rejected} defines it. */
  public boolean isOpen(ActionId id) {
    return open.find(id).filter(open::canBeUndone).isPresent();
  }

  /** Returns whether nothing has confirmed or replaced an action for good. */
  public boolean isPending(ActionId id) {
    return open.find(id).isPresent();
  }

  /** Returns the open actions on the same instance that are later than an open action. */
  public List<ActionId> laterOnItsInstance(ActionId id) {
    Decision action = open.find(id).orElseThrow();
    return action.subject().stream()
        .flatMap(each -> open.of(each).stream())
        .filter(each -> each.isLaterThan(action))
        .map(Decision::id)
        .toList();
  }

  /**
   * Returns whether an action may be rejected as far as numbers go: no host would hold more than
   * can be counted.
   */
  public boolean canReject(ActionId id) {
    if (!isOpen(id)) {
      return true; // in vain
    }
    List<Decision> undone = DependentActions.of(open.find(id).orElseThrow(), this, open);
    ReferenceCluster after = without(undone.stream().map(Decision::id).toList());
    return after.hosts.stream()
        .allMatch(
            host ->
                after.dimensions.stream()
                    .map(each -> after.exactlyLeft(host, after.residents(host), each))
                    .allMatch(left -> left.compareTo(LEAST_LEFT) > 0));
  }

  /** A fleet could not carry out an open action. Undoes it and what depends on it. */
  private Rejection rejected(ActionId id, String why, long now) {
    require(isOpen(id), id + " is not open");
    Decision root = open.find(id).orElseThrow();
    List<Decision> undone = DependentActions.of(root, this, open);
    undo(undone.stream().map(Decision::id).toList());
    if (root.action() instanceof Action.Stop stop) {
      runsOn(stop.instance(), now);
    }
    return new Rejection(
        id,
        why,
        undone.stream().map(it -> new Rejection.Undone(it.id(), it.action())).toList(),
        countsRejected(root.action(), now));
  }

  /** An instance could not be stopped, and runs on for a time. */
  private void runsOn(String instanceId, long now) {
    journal.note(it -> it.runsOn(instanceId, now));
    get(instanceId).stopAfter(now + Action.Stop.AGAIN_AFTER.toNanos());
  }

  /**
   * Counts a rejected action that was to place an instance as a failure of the instance. Returns
   * whether the instance is given up.
   */
  public boolean countsRejected(Action action, long now) {
    if (!(action instanceof Action.Place place)) {
      return false;
    }
    journal.note(it -> it.countsRejected(action, now));
    get(place.instance()).countFailure();
    return giveUp(get(place.instance()), now);
  }

  /** Undoes open actions: all is as if they had never been decided. */
  public void undo(Collection<ActionId> undone) {
    ReferenceCluster again = without(undone);
    hosts = again.hosts;
    cordoned = again.cordoned;
    drains = again.drains;
    foreign = again.foreign;
    instances = again.instances;
    pools = again.pools;
    clusters = again.clusters;
    bags = again.bags;
    groups = again.groups;
    endedBags = again.endedBags;
    completions = again.completions;
    ended = again.ended;
    cutShort = again.cutShort;
    limits.become(again.limits);
    taints.become(again.taints);
    budgets.become(again.budgets);
    journal = again.journal;
    open.undo(undone, again.open);
  }

  /** Returns a cluster to which all happened but some actions. */
  ReferenceCluster without(Collection<ActionId> undone) {
    ReferenceCluster again = new ReferenceCluster(serviceClasses, true);
    journal.replay(undone, again);
    return again;
  }

  /** Returns the dimensions in which a host holds more than its capacity. */
  List<Dimension> scarce(String hostId) {
    HostSpec host = present(hostId);
    return dimensions.stream()
        .filter(each -> exactlyLeft(host, residents(host), each).signum() < 0)
        .toList();
  }

  // ---- Lookups

  /** Returns the disruption budgets. */
  public ReferenceBudgets budgets() {
    return budgets;
  }

  /** Returns what the taints of hosts ask of instances. */
  public ReferenceTaints taints() {
    return taints;
  }

  /** Returns the counted limits. */
  public ReferenceLimits limits() {
    return limits;
  }

  /** Returns the service classes by rank: most important first, equally important ones by name. */
  public List<ServiceClass> serviceClasses() {
    return serviceClasses;
  }

  /** Returns the hosts in the order in which they joined. */
  public List<HostSpec> hosts() {
    return List.copyOf(hosts);
  }

  /** Returns the host with that id, or empty. */
  public Optional<HostSpec> host(String id) {
    return hosts.stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** Returns the drains by the ids of their hosts, in order of these. */
  public SortedMap<String, Drain> drains() {
    return new TreeMap<>(drains);
  }

  /** Returns the hosts that are cordoned or drained, in the order in which they joined. */
  public List<HostSpec> withdrawn() {
    return hosts.stream()
        .filter(each -> cordoned.contains(each.id()) || drains.containsKey(each.id()))
        .toList();
  }

  /** Returns whether a host takes instances: it is not withdrawn, and not over its capacity. */
  public boolean isOpen(HostSpec host) {
    return isOpen(host, residents(host));
  }

  /** Returns the same, given the instances on the host. */
  boolean isOpen(HostSpec host, List<ReferenceInstance> residents) {
    return !withdrawn().contains(host)
        && dimensions.stream().allMatch(each -> left(host, residents, each) >= 0);
  }

  /** Returns what others hold on a host. */
  public Resources foreign(String hostId) {
    return foreign.getOrDefault(hostId, Resources.none());
  }

  /** Returns what others hold of a dimension; nothing of a CPU that is shared with them. */
  public long foreign(HostSpec host, Dimension dimension) {
    boolean shared = host.timeShared() && dimension.name().equals(Dimension.CPU.name());
    return shared ? 0 : foreign.getOrDefault(host.id(), Resources.none()).amount(dimension);
  }

  /** Returns what is left of a dimension beside some instances; negative if they hold too much. */
  private long left(HostSpec host, List<ReferenceInstance> holders, Dimension dimension) {
    return exactlyLeft(host, holders, dimension).longValueExact();
  }

  private BigInteger exactlyLeft(
      HostSpec host, List<ReferenceInstance> holders, Dimension dimension) {
    BigInteger left = BigInteger.valueOf(host.capacity().amount(dimension));
    left = left.subtract(BigInteger.valueOf(foreign(host, dimension)));
    for (ReferenceInstance each : holders) {
      left = left.subtract(BigInteger.valueOf(each.held(dimension)));
    }
    return left;
  }

  /** Returns whether foreign load on a host is no more than a scheduler must accept. */
  public boolean canHold(HostSpec host, Resources load) {
    return dimensions.stream().allMatch(each -> isNumber(host, host.capacity(), load, each));
  }

  /** Returns whether a host may have a capacity as far as its numbers go. */
  public boolean canBecome(HostSpec spec) {
    Resources load = foreign.getOrDefault(spec.id(), Resources.none());
    return dimensions.stream().allMatch(each -> isNumber(spec, spec.capacity(), load, each));
  }

  private boolean isNumber(HostSpec host, Resources capacity, Resources load, Dimension dimension) {
    long usable = capacity.amount(dimension) - load.amount(dimension);
    return usable > Long.MIN_VALUE + held(residents(host), dimension);
  }

  /** Returns the pools in the order in which they were first offered. */
  public List<ReferencePool> pools() {
    return List.copyOf(pools.values());
  }

  /** Returns the pool of that name, or empty. */
  public Optional<ReferencePool> pool(String name) {
    return Optional.ofNullable(pools.get(name));
  }

  /** Returns the pool of a host that is starting, up or stopping; or empty. */
  public Optional<ReferencePool> poolOf(String hostId) {
    return pools.values().stream().filter(each -> each.has(hostId)).findFirst();
  }

  /** Returns the ids of requested hosts that are not up, pool by pool. */
  public List<String> starting() {
    return pools.values().stream().flatMap(each -> each.starting.stream()).toList();
  }

  /** Returns the ids of released hosts that are not gone, pool by pool. */
  public List<String> stopping() {
    return pools.values().stream().flatMap(each -> each.stopping.stream()).toList();
  }

  /** Returns the cluster that a starting or running host was requested for; or empty. */
  public Optional<String> clusterOf(String hostId) {
    return Optional.ofNullable(clusters.get(hostId));
  }

  /** Returns the bags that have not ended, in order of submission. */
  public List<ReferenceBag> bags() {
    return List.copyOf(bags);
  }

  /** Returns the groups that have not ended, in order of submission. */
  public List<ReferenceGroup> groups() {
    return List.copyOf(groups);
  }

  /** Returns the group with that id; empty if it has ended. */
  public Optional<ReferenceGroup> group(String id) {
    return groups.stream().filter(each -> each.id().equals(id)).reduce((one, later) -> later);
  }

  /** Returns the group that an instance belongs to, or empty. */
  public Optional<ReferenceGroup> groupOf(ReferenceInstance instance) {
    return groups.stream().filter(each -> each.members().contains(instance)).findFirst();
  }

  /** Returns the bag with that id; empty if it has ended. */
  public Optional<ReferenceBag> bag(String id) {
    return bags.stream().filter(each -> each.id().equals(id)).reduce((one, later) -> later);
  }

  /** Returns the bag that an instance belongs to, or empty. */
  public Optional<ReferenceBag> bagOf(ReferenceInstance instance) {
    return bags.stream().filter(each -> each.members().contains(instance)).findFirst();
  }

  /** Returns the bags whose time to live is over, in order of submission. */
  public List<ReferenceBag> expiredBags(long now) {
    return bags.stream().filter(each -> each.expired(now)).toList();
  }

  /** Returns the instances that are not done, in order of admission. */
  public List<ReferenceInstance> instances() {
    return List.copyOf(instances);
  }

  /** Returns the instances in one state, in order of admission. */
  public List<ReferenceInstance> instances(InstanceState state) {
    return instances.stream().filter(each -> each.state() == state).toList();
  }

  /** Returns the instance with that id, or empty. */
  public Optional<ReferenceInstance> instance(String id) {
    return instances.stream()
        .filter(each -> each.id().equals(id))
        .max(Comparator.comparingInt(ReferenceInstance::number));
  }

  /** Returns snapshots of the instances that are not done, in order of admission. */
  public List<InstanceSnapshot> snapshots(long now) {
    return instances.stream().map(each -> each.standing(now)).toList();
  }

  /** Returns the instances on a host, suspended ones too, in order of admission. */
  public List<ReferenceInstance> residents(HostSpec host) {
    return instances.stream().filter(each -> each.isOn(host)).toList();
  }

  /** Returns the dimensions in the order in which hosts, pools and requests first named them. */
  public List<Dimension> dimensions() {
    return List.copyOf(dimensions);
  }

  /** Returns how much of a dimension some instances hold together. */
  public static long held(List<ReferenceInstance> holders, Dimension dimension) {
    return holders.stream().mapToLong(each -> each.held(dimension)).sum();
  }

  /** Returns the free capacity of a host. */
  public Resources free(String hostId) {
    HostSpec host = host(hostId).orElseThrow();
    Resources.Builder free = Resources.builder();
    for (Dimension each : host.capacity().dimensions()) {
      free.put(each, Math.max(0, left(host, residents(host), each)));
    }
    return free.build();
  }

  // ---- Feasibility

  /**
   * Returns whether an instance, with its demand, and others fit together into a host, in every
   * dimension.
   */
  public boolean fit(ReferenceInstance instance, HostSpec host, List<ReferenceInstance> others) {
    return fit(instance.request().demand(), host, others);
  }

  /**
   * Returns whether a grant fits into a host beside foreign load and what others hold, in every
   * dimension.
   */
  public boolean fit(Resources grant, HostSpec host, List<ReferenceInstance> others) {
    return dimensions.stream()
        .allMatch(dimension -> grant.amount(dimension) <= left(host, others, dimension));
  }

  /** Returns whether an instance and others would fit if there were no foreign load. */
  boolean fitWithoutForeignLoad(
      ReferenceInstance instance, HostSpec host, List<ReferenceInstance> others) {
    return dimensions.stream()
        .allMatch(
            each ->
                instance.request().demand().amount(each)
                    <= host.capacity().amount(each) - held(others, each));
  }

  /** Returns the sum of the free shares of a host once it holds a grant, too. */
  double sharesLeft(Resources grant, HostSpec host) {
    double sum = 0;
    for (Dimension each : dimensions) {
      long capacity = host.capacity().amount(each);
      if (capacity > 0) {
        sum += (double) (left(host, residents(host), each) - grant.amount(each)) / capacity;
      }
    }
    return sum;
  }

  /**
   * Returns whether a host belongs to the cluster of an instance's bag; true if it has no bag or
   * the bag is not assigned.
   */
  public boolean ofItsCluster(ReferenceInstance instance, HostSpec host) {
    Optional<String> cluster = bagOf(instance).flatMap(ReferenceBag::cluster);
    return cluster.isEmpty() || cluster.equals(clusterOf(host.id()));
  }

  private long unitOfQos(long alpha) {
    return units.computeIfAbsent(alpha, each -> Metrics.unitOfQos(serviceClasses, each));
  }

  ReferenceInstance get(String id) {
    return instance(id)
        .orElseThrow(() -> new IllegalArgumentException("no instance " + id + " is present."));
  }

  ReferenceBag getBag(String id) {
    return bag(id).orElseThrow(() -> new IllegalArgumentException("no bag " + id + " is present."));
  }

  private HostSpec present(String hostId) {
    return host(hostId)
        .orElseThrow(() -> new IllegalArgumentException("host " + hostId + " is absent."));
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(otherwise + ".");
    }
  }
}
