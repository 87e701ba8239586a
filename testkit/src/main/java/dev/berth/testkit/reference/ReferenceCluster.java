package dev.berth.testkit.reference;

import dev.berth.api.Action;
import dev.berth.api.ActionId;
import dev.berth.api.Adoption;
import dev.berth.api.Attempt;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Domain;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.ObservedInstance;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Reconciliation;
import dev.berth.api.Rejection;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.Usage;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.Residency.Ending;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
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
import java.util.stream.Stream;

/**
 * The cluster as a list of hosts and a list of instances with their histories. It is also a ledger
 * for checking the plans of a scheduler. It makes no decisions.
 *
 * <p>Expects valid events in order of time. For an invalid event it throws an {@link
 * IllegalArgumentException} and is unusable afterwards.
 */
public final class ReferenceCluster {

  private static final Optional<Object> ACCEPTED = Optional.of(Accepted.ACCEPTED);
  private static final BigInteger LEAST_LEFT = BigInteger.valueOf(Long.MIN_VALUE);

  private final List<ServiceClass> serviceClasses;
  private final Map<Long, Long> units = new HashMap<>(); // of Q, by α
  private final List<HostSpec> hosts = new ArrayList<>(); // in the order in which they joined
  private final Set<String> cordoned = new LinkedHashSet<>(); // hosts
  private final SortedMap<String, Drain> drains = new TreeMap<>(); // by host
  private final Map<String, Resources> foreign = new HashMap<>(); // by host
  private final Map<String, Map<Taint, Long>> taintedSince = new HashMap<>(); // by host
  private final Map<String, DisruptionBudget> budgets = new TreeMap<>(); // in order of job
  private final List<ReferenceInstance> instances = new ArrayList<>(); // in order of admission,
  // those of one time as they came
  private final Map<String, ReferencePool> pools = new LinkedHashMap<>(); // as first offered
  private final Map<String, String> clusters = new HashMap<>(); // by host, starting or up
  private final List<ReferenceBag> bags = new ArrayList<>(); // in order of submission
  private final List<ReferenceGroup> groups = new ArrayList<>(); // in order of submission
  private final List<BagReport> endedBags = new ArrayList<>(); // not taken yet
  private final Set<Dimension> dimensions = new LinkedHashSet<>(); // in the order first named
  private final Map<String, Decision.Identity> visits = new HashMap<>(); // of hosts up or stopping
  private final ReferenceLimits limits = new ReferenceLimits(this);
  private final ReferenceLog journal = new ReferenceLog();
  private final OpenDecisions open = new OpenDecisions();
  private final boolean isReplay;
  private int joined;
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
    return switch (event.kind()) {
      case POOL_OFFERED -> {
        offer(((Event.PoolOffered) event).pool());
        yield ACCEPTED;
      }
      case LIMIT_SET -> {
        Event.LimitSet set = (Event.LimitSet) event;
        yield accepted(setLimit(set.limit(), set.amount()));
      }
      case HOST_ADDED -> {
        addHost(((Event.HostAdded) event).spec(), now);
        yield ACCEPTED;
      }
      case HOST_REMOVED -> {
        removeHost(((Event.HostRemoved) event).host(), now);
        yield ACCEPTED;
      }
      case HOST_CHANGED -> accepted(changeHost(((Event.HostChanged) event).spec(), now));
      case FOREIGN_LOAD_REPORTED -> {
        Event.ForeignLoadReported load = (Event.ForeignLoadReported) event;
        yield accepted(foreignLoad(load.host(), load.foreign()));
      }
      case HOST_DRAINED -> {
        Event.HostDrained drained = (Event.HostDrained) event;
        yield accepted(drain(drained.host(), drained.how()));
      }
      case HOST_CORDONED -> accepted(cordon(((Event.HostCordoned) event).host()));
      case HOST_UNCORDONED -> accepted(uncordon(((Event.HostUncordoned) event).host()));
      case BUDGET_SET -> {
        Event.BudgetSet set = (Event.BudgetSet) event;
        yield accepted(setBudget(set.job(), set.budget()));
      }
      case BUDGET_REMOVED -> accepted(removeBudget(((Event.BudgetRemoved) event).job()));
      case SUBMITTED -> {
        Event.Submitted submitted = (Event.Submitted) event;
        submit(submitted.request(), submitted.history().orElse(History.since(now)), now);
        yield ACCEPTED;
      }
      case BAG_SUBMITTED -> {
        submit(((Event.BagSubmitted) event).bag(), now);
        yield ACCEPTED;
      }
      case GROUP_SUBMITTED -> {
        submit(((Event.GroupSubmitted) event).group(), now);
        yield ACCEPTED;
      }
      case LOAD_REPORTED -> ACCEPTED; // it is not part of the state
      case STARTED -> {
        Event.Started started = (Event.Started) event;
        started(started.attempt(), started.at().orElse(now));
        yield ACCEPTED;
      }
      case STARTED_NOW -> {
        started(((Event.StartedNow) event).instance(), now);
        yield ACCEPTED;
      }
      case USAGE_REPORTED -> {
        Event.UsageReported usage = (Event.UsageReported) event;
        usageReported(usage.instance(), usage.used(), usage.shortfall(), now);
        yield ACCEPTED;
      }
      case FAILED -> {
        Event.Failed failed = (Event.Failed) event;
        failed(failed.attempt(), failed.at().orElse(now));
        yield ACCEPTED;
      }
      case FAILED_NOW -> {
        failed(((Event.FailedNow) event).instance(), now);
        yield ACCEPTED;
      }
      case COMPLETED -> {
        Event.Completed done = (Event.Completed) event;
        yield Optional.of(completed(done.attempt(), done.at().orElse(now), now));
      }
      case COMPLETED_NOW -> Optional.of(completed(((Event.CompletedNow) event).instance(), now));
      case ACTION_REJECTED -> {
        Event.ActionRejected rejected = (Event.ActionRejected) event;
        yield Optional.of(rejected(rejected.action(), rejected.why()));
      }
      case ADOPTED -> {
        Event.Adopted adopted = (Event.Adopted) event;
        adopt(adopted.how(), adopted.seen(), now);
        yield ACCEPTED;
      }
      case RECONCILED -> Optional.of(reconcile((Event.Reconciled) event, now));
      case CANCELLED -> Optional.of(done(((Event.Cancelled) event).instance(), now));
      case BAG_CANCELLED -> {
        Event.BagCancelled cancelled = (Event.BagCancelled) event;
        yield Optional.of(cancelBag(cancelled.bag(), cancelled.why(), now));
      }
      case GROUP_CANCELLED -> Optional.of(cancelGroup(((Event.GroupCancelled) event).group(), now));
    };
  }

  private static Optional<Object> accepted(boolean changed) {
    return changed ? ACCEPTED : Optional.empty();
  }

  /** A provider offers hosts, or changes its offer. */
  public void offer(PoolSpec spec) {
    journal.note(it -> it.offer(spec));
    dimensions.addAll(spec.capacity().dimensions());
    pools.computeIfAbsent(spec.name(), name -> new ReferencePool(spec)).offer(spec);
  }

  /** There is so much of a counted limit. Returns whether that is anything else than before. */
  public boolean setLimit(String name, long amount) {
    journal.note(it -> it.setLimit(name, amount));
    return limits.set(name, amount);
  }

  /** A host joins at time zero, or a requested host is up. */
  public void addHost(HostSpec spec) {
    addHost(spec, 0);
  }

  /** A host joins, or a requested host is up. */
  public void addHost(HostSpec spec, long now) {
    journal.note(it -> it.addHost(spec, now));
    require(host(spec.id()).isEmpty(), "host " + spec.id() + " is present");
    require(!stopping().contains(spec.id()), "host " + spec.id() + " was released");
    poolOf(spec.id())
        .ifPresent(
            pool -> {
              pool.starting.remove(spec.id());
              pool.up.add(spec.id());
            });
    dimensions.addAll(spec.capacity().dimensions());
    open.closeProvision(spec.id());
    visits.put(spec.id(), new Decision.Identity(spec.id(), joined++));
    hosts.add(spec);
    noteTaints(spec, now);
  }

  /** Notes since when a host has its taints: one that it had already, whatever its grace, stays. */
  private void noteTaints(HostSpec spec, long now) {
    Map<Taint, Long> before = taintedSince.getOrDefault(spec.id(), Map.of());
    Map<Taint, Long> since = new HashMap<>();
    for (Taint each : spec.taints()) {
      since.put(
          each,
          before.keySet().stream()
              .filter(it -> it.key().equals(each.key()))
              .filter(it -> it.value().equals(each.value()))
              .filter(it -> it.effect() == each.effect())
              .findFirst()
              .map(before::get)
              .orElse(now));
    }
    taintedSince.put(spec.id(), since);
  }

  /** Returns when an instance must leave its host for a taint; empty if it may stay. */
  private OptionalLong departure(ReferenceInstance instance, HostSpec host, Taint taint) {
    long since = taintedSince.getOrDefault(host.id(), Map.of()).getOrDefault(taint, 0L);
    return ReferencePlacement.mustLeaveAt(instance, taint, since);
  }

  /** Returns when an instance must leave its host for the first of its taints; or empty. */
  OptionalLong departure(ReferenceInstance instance, HostSpec host) {
    return host.taints().stream()
        .flatMapToLong(each -> departure(instance, host, each).stream())
        .min();
  }

  /** Returns the first taint of a host for which an instance must have left it by now; or empty. */
  public Optional<Taint> expelling(ReferenceInstance instance, HostSpec host, long now) {
    return host.taints().stream()
        .filter(each -> departure(instance, host, each).stream().anyMatch(at -> at <= now))
        .findFirst();
  }

  /**
   * A host leaves; its instances are pending again, with their history. Or a requested host did not
   * start, or a released host is gone.
   */
  public void removeHost(String hostId, long now) {
    journal.note(it -> it.removeHost(hostId, now));
    Optional<HostSpec> host = host(hostId);
    require(host.isPresent() || poolOf(hostId).isPresent(), "host " + hostId + " is absent");
    host.ifPresent(
        each -> {
          residents(each).forEach(resident -> strand(resident, now));
          hosts.remove(each);
        });
    open.closeProvision(hostId);
    open.closeRelease(hostId);
    visits.remove(hostId);
    poolOf(hostId).ifPresent(pool -> pool.remove(hostId));
    forget(hostId);
  }

  private void strand(ReferenceInstance resident, long now) {
    resident.leaves(now, Ending.HOST_LEFT);
    open.end(resident.number());
  }

  private void forget(String hostId) {
    clusters.remove(hostId);
    cordoned.remove(hostId);
    drains.remove(hostId);
    foreign.remove(hostId);
    taintedSince.remove(hostId);
  }

  /** A host that is up changes at time zero. Returns whether anything differs. */
  public boolean changeHost(HostSpec spec) {
    return changeHost(spec, 0);
  }

  /**
   * A host that is up changes its capacity, its attributes or its taints; its instances stay.
   * Returns whether anything differs.
   */
  public boolean changeHost(HostSpec spec, long now) {
    journal.note(it -> it.changeHost(spec, now));
    HostSpec before = present(spec.id());
    require(before.timeShared() == spec.timeShared(), "host " + spec.id() + " shares its CPU");
    dimensions.addAll(spec.capacity().dimensions());
    hosts.set(hosts.indexOf(before), spec);
    noteTaints(spec, now);
    return !before.equals(spec);
  }

  /** A host reports what others hold on it. Returns whether anything differs. */
  public boolean foreignLoad(String hostId, Resources load) {
    journal.note(it -> it.foreignLoad(hostId, load));
    present(hostId);
    dimensions.addAll(load.dimensions());
    return !load.equals(Optional.ofNullable(foreign.put(hostId, load)).orElse(Resources.none()));
  }

  /** A host takes no more instances. Returns whether it was not cordoned before. */
  public boolean cordon(String hostId) {
    journal.note(it -> it.cordon(hostId));
    present(hostId);
    return cordoned.add(hostId);
  }

  /** A host is no longer cordoned or drained. Returns whether it was. */
  public boolean uncordon(String hostId) {
    journal.note(it -> it.uncordon(hostId));
    present(hostId);
    boolean wasCordoned = cordoned.remove(hostId);
    return drains.remove(hostId) != null || wasCordoned;
  }

  /** A host takes no more instances and is emptied. Returns whether anything differs. */
  public boolean drain(String hostId, Drain how) {
    journal.note(it -> it.drain(hostId, how));
    present(hostId);
    return !how.equals(drains.put(hostId, how));
  }

  /** A job has a disruption budget from now on. Returns whether anything differs. */
  public boolean setBudget(String job, DisruptionBudget budget) {
    journal.note(it -> it.setBudget(job, budget));
    return !budget.equals(budgets.put(job, budget));
  }

  /** A job has no disruption budget any more. Returns whether it had one. */
  public boolean removeBudget(String job) {
    journal.note(it -> it.removeBudget(job));
    return budgets.remove(job) != null;
  }

  /** A bag of tasks is submitted; its instances are pending. */
  public void submit(BagSpec spec, long now) {
    journal.note(it -> it.submit(spec, now));
    require(isReplay || bag(spec.id()).isEmpty(), "bag " + spec.id() + " has not ended");
    spec.requests().forEach(each -> admit(each, History.since(now), now));
    List<ReferenceInstance> members = spec.requests().stream().map(each -> get(each.id())).toList();
    bags.add(new ReferenceBag(spec, members, now, bagged++));
  }

  /** A group is submitted; its instances are pending. */
  public void submit(GroupSpec spec, long now) {
    journal.note(it -> it.submit(spec, now));
    require(isReplay || group(spec.id()).isEmpty(), "group " + spec.id() + " has not ended");
    spec.members().forEach(each -> admit(each, History.since(now), now));
    List<ReferenceInstance> members = spec.members().stream().map(each -> get(each.id())).toList();
    groups.add(new ReferenceGroup(spec, members, grouped++));
  }

  /** A group is cancelled; all its instances are done and removed. */
  public List<InstanceReport> cancelGroup(String groupId, long now) {
    List<InstanceReport> reports = new ArrayList<>();
    for (ReferenceInstance each : group(groupId).orElseThrow().members()) {
      reports.add(done(each.id(), now));
    }
    return reports;
  }

  /** A request is admitted; its instance is pending. */
  public void submit(Request request, long now) {
    journal.note(it -> it.submit(request, now));
    admit(request, History.since(now), now);
  }

  /** A request is admitted that continues a history; its instance is pending. */
  public void submit(Request request, History history, long now) {
    journal.note(it -> it.submit(request, history, now));
    admit(request, history, now);
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
        new ReferenceInstance(request, serviceClass, history, now, this::unitOfQos, admitted++);
    int earlier = instances.size();
    while (earlier > 0 && instances.get(earlier - 1).admittedAt() > instance.admittedAt()) {
      earlier--;
    }
    instances.add(earlier, instance);
    return instance;
  }

  /** A starting instance is in service from now on. */
  public void started(String instanceId, long now) {
    journal.note(it -> it.started(instanceId, now));
    get(instanceId).ready(now);
    open.confirm(get(instanceId).number());
  }

  /** An instance on a host failed and is pending again. */
  public void failed(String instanceId, long now) {
    journal.note(it -> it.failed(instanceId, now));
    get(instanceId).leaves(now, Ending.FAILED);
    open.end(get(instanceId).number());
  }

  /** An instance completes and is removed, and so is its bag with the last of its instances. */
  public InstanceReport completed(String instanceId, long now) {
    journal.note(it -> it.completed(instanceId, now));
    return done(instanceId, true, now, now);
  }

  /** An instance is done without completing and is removed, and so is its bag, as above. */
  public InstanceReport done(String instanceId, long now) {
    journal.note(it -> it.done(instanceId, now));
    open.end(get(instanceId).number());
    return done(instanceId, false, now, now);
  }

  private InstanceReport done(String instanceId, boolean complete, long at, long now) {
    ReferenceInstance instance = get(instanceId);
    Optional<ReferenceBag> bag = bagOf(instance);
    instance.done(at);
    instances.remove(instance);
    if (complete) {
      open.end(instance.number());
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

  /** An attempt has been in service since a time, but not since before it began. */
  public void started(Attempt attempt, long at) {
    require(canStart(attempt), attempt + " cannot be ready");
    started(attempt.instance(), Math.max(at, get(attempt.instance()).stateSince()));
  }

  /** An attempt failed at a time, but not before its present state began. */
  public void failed(Attempt attempt, long at) {
    require(canFail(attempt), attempt + " cannot have failed");
    failed(attempt.instance(), Math.max(at, get(attempt.instance()).stateSince()));
  }

  /** An attempt completed at a time, but not before its present state began. */
  public InstanceReport completed(Attempt attempt, long at, long now) {
    journal.note(it -> it.completed(attempt, at, now));
    require(canComplete(attempt), attempt + " cannot have completed");
    String id = attempt.instance();
    return done(id, true, Math.max(at, get(id).stateSince()), now);
  }

  // ---- Reconciliation

  /** A fleet reports all that it has. Corrects what is believed wrongly, and returns it. */
  public Reconciliation reconcile(Event.Reconciled fleet, long now) {
    return new LedgerCorrections(this, fleet, now).apply();
  }

  /** A fleet reports an instance on a host, in a state since a time. */
  void correct(String instanceId, String hostId, InstanceState seen, OptionalInt attempt, long at) {
    journal.note(it -> it.correct(instanceId, hostId, seen, attempt, at));
    get(instanceId).observed(present(hostId), seen, attempt, at);
    open.end(get(instanceId).number());
  }

  /** An instance that is on a host already is adopted. */
  public void adopt(Adoption how, ObservedInstance seen, long now) {
    journal.note(it -> it.adopt(how, seen, now));
    HostSpec host = present(seen.host());
    admit(how.request(), how.history(), now)
        .adopted(host, seen.state(), seen.attempt(), seen.since().orElse(now));
  }

  /** A bag is cancelled; all its instances are done and removed. */
  public BagReport cancelBag(String bagId, Reason why, long now) {
    journal.note(it -> it.cancelBag(bagId, why, now));
    getBag(bagId).members().forEach(each -> open.end(each.number()));
    return endBag(bagId, why, now);
  }

  private BagReport endBag(String bagId, Reason why, long now) {
    ReferenceBag bag = getBag(bagId);
    List<InstanceReport> cancelledWithBag = new ArrayList<>();
    for (ReferenceInstance each : bag.members()) {
      each.done(now);
      instances.remove(each);
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

  /** An instance on a host reports its usage. */
  public void usageReported(String instanceId, Resources used, Resources shortfall, long now) {
    Usage usage = new Usage(now, used, shortfall);
    journal.note(it -> it.usedIfOnHost(instanceId, usage));
    get(instanceId).used(usage);
  }

  /** The report counts no more once the start that it was about is undone. */
  private void usedIfOnHost(String instanceId, Usage usage) {
    if (get(instanceId).state().isOnHost()) {
      usageReported(instanceId, usage.used(), usage.shortfall(), usage.at());
    }
  }

  // ---- Actions of a pass

  /** A pass places a pending instance, with its demand. */
  public void place(String instanceId, String hostId, long pass, long now) {
    place(instanceId, hostId, get(instanceId).request().demand(), pass, now);
  }

  /** A pass places a pending instance. */
  public void place(String instanceId, String hostId, Resources grant, long pass, long now) {
    journal.note(it -> it.place(instanceId, hostId, grant, pass, now));
    get(instanceId).placed(present(hostId), grant, pass, now);
  }

  /** A pass preempts an instance; it is pending again. */
  public void preempt(String instanceId, long now) {
    journal.note(it -> it.preempt(instanceId, now));
    get(instanceId).leaves(now, Ending.PREEMPTED);
  }

  /** A pass evicts an instance from its host; it is pending again. */
  public void evict(String instanceId, long now) {
    journal.note(it -> it.evict(instanceId, now));
    get(instanceId).leaves(now, Ending.EVICTED);
  }

  /** A pass resizes an instance on its host. */
  public void resize(String instanceId, Resources grant) {
    journal.note(it -> it.resize(instanceId, grant));
    get(instanceId).resized(grant);
  }

  /** A pass pauses a running instance. */
  public void pause(String instanceId, long now) {
    journal.note(it -> it.pause(instanceId, now));
    get(instanceId).paused(now);
  }

  /** A pass suspends a running or paused instance. */
  public void suspend(String instanceId, long now) {
    journal.note(it -> it.suspend(instanceId, now));
    get(instanceId).suspended(now);
  }

  /** A pass resumes a paused or suspended instance; it is starting. */
  public void resume(String instanceId, Resources grant, long now) {
    journal.note(it -> it.resume(instanceId, grant, now));
    get(instanceId).resumed(grant, now);
  }

  /** A pass moves an instance to another host; it is starting there. */
  public void migrate(String instanceId, String hostId, Resources grant, long pass, long now) {
    journal.note(it -> it.migrate(instanceId, hostId, grant, pass, now));
    get(instanceId).migrated(present(hostId), grant, pass, now);
  }

  /** A pass rejects a pending instance; it is done and removed. */
  public void reject(String instanceId, long now) {
    journal.note(it -> it.reject(instanceId, now));
    ReferenceInstance instance = get(instanceId);
    require(
        instance.state() == InstanceState.PENDING && instance.placements() == 0,
        instance + " is refused");
    done(instanceId, false, now, now);
  }

  /** A pass requests hosts from a pool, for a cluster or none; they are starting. */
  public void provision(String pool, List<String> hostIds, Optional<String> cluster) {
    journal.note(it -> it.provision(pool, hostIds, cluster));
    for (String each : hostIds) {
      require(host(each).isEmpty() && poolOf(each).isEmpty(), "host " + each + " is there");
      Optional.ofNullable(pools.get(pool)).orElseThrow().starting.add(each);
      cluster.ifPresent(name -> clusters.put(each, name));
    }
  }

  /** A pass releases a host of a pool that is starting, or up and empty. */
  public void release(String hostId) {
    journal.note(it -> it.release(hostId));
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

  /**
   * A pass assigns a bag to a cluster.
   *
   * @param expiresAt when it is cancelled; an earlier end of its time to live prevails
   */
  public void assign(String bagId, String cluster, OptionalLong expiresAt, long now) {
    journal.note(it -> it.assign(bagId, cluster, expiresAt, now));
    getBag(bagId).assign(cluster, expiresAt, now);
  }

  // ---- Actions that can be undone

  /** A plan comes into effect: settles what could be undone until then. */
  public void settle() {
    open.settle();
  }

  /** An action of a plan comes into effect; it can be undone. */
  public void execute(ActionId id, Action action, long now) {
    Decision decision = decision(id, action);
    List<Integer> subjects = decision.formers().stream().map(Decision.Former::number).toList();
    journal.note(
        id, action, subjects, it -> it.execute(id, action, now), () -> apply(id, action, now));
    open.add(decision);
  }

  private void apply(ActionId id, Action action, long now) {
    long pass = id.pass();
    if (action instanceof Action.Place it) {
      Resources demand = get(it.instance()).request().demand();
      place(it.instance(), it.host(), it.grant().orElse(demand), pass, now);
    } else if (action instanceof Action.Preempt it) {
      preempt(it.instance(), now);
    } else if (action instanceof Action.Evict it) {
      evict(it.instance(), now);
    } else if (action instanceof Action.Resize it) {
      resize(it.instance(), it.grant());
    } else if (action instanceof Action.Pause it) {
      pause(it.instance(), now);
    } else if (action instanceof Action.Suspend it) {
      suspend(it.instance(), now);
    } else if (action instanceof Action.Resume it) {
      resume(it.instance(), it.grant(), now);
    } else if (action instanceof Action.Migrate it) {
      migrate(it.instance(), it.host(), it.grant(), pass, now);
    } else if (action instanceof Action.Reject it) {
      reject(it.instance(), now);
    } else if (action instanceof Action.Provision it) {
      provision(it.pool(), it.hosts(), it.cluster());
    } else if (action instanceof Action.Release it) {
      release(it.host());
    } else if (action instanceof Action.Assign it) {
      assign(it.bag(), it.cluster(), it.expiresAt(), now);
    } else if (action instanceof Action.Cancel it) {
      endBag(it.bag(), it.why(), now);
    }
  }

  private Decision decision(ActionId id, Action action) {
    if (action instanceof Action.OnInstance it) {
      ReferenceInstance instance = get(it.instance());
      Optional<Decision.Identity> bag = bagOf(instance).map(ReferenceBag::identity);
      Optional<Decision.Identity> group = groupOf(instance).map(ReferenceGroup::identity);
      return new Decision(id, action, List.of(former(instance)), bag, Optional.empty(), group);
    } else if (action instanceof Action.Cancel it) {
      ReferenceBag bag = getBag(it.bag());
      List<Decision.Former> members = bag.members().stream().map(this::former).toList();
      return new Decision(id, action, members, Optional.of(bag.identity()), Optional.empty());
    } else if (action instanceof Action.Assign it) {
      ReferenceBag bag = getBag(it.bag());
      return new Decision(id, action, List.of(), Optional.of(bag.identity()), bag.cluster());
    }
    return new Decision(id, action, List.of(), Optional.empty(), Optional.empty());
  }

  private Decision.Former former(ReferenceInstance instance) {
    Map<Dimension, Long> held = new HashMap<>();
    dimensions.forEach(each -> held.put(each, instance.held(each)));
    return new Decision.Former(
        instance.id(), instance.number(), instance.hostId().flatMap(this::visit), held);
  }

  private Optional<Decision.Identity> visit(String hostId) {
    return Optional.ofNullable(visits.get(hostId));
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
    return open.find(id).filter(this::canBeUndone).isPresent();
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
  public Rejection rejected(ActionId id, String why) {
    require(isOpen(id), id + " is not open");
    List<Decision> undone = DependentActions.of(open.find(id).orElseThrow(), this, open);
    undo(undone.stream().map(Decision::id).toList());
    return new Rejection(
        id, why, undone.stream().map(it -> new Rejection.Undone(it.id(), it.action())).toList());
  }

  /** Undoes open actions: all is as if they had never been decided. */
  public void undo(Collection<ActionId> undone) {
    ReferenceCluster again = without(undone);
    hosts.clear();
    hosts.addAll(again.hosts);
    cordoned.clear();
    cordoned.addAll(again.cordoned);
    replace(drains, again.drains);
    replace(foreign, again.foreign);
    limits.become(again.limits);
    replace(taintedSince, again.taintedSince);
    replace(budgets, again.budgets);
    instances.clear();
    instances.addAll(again.instances);
    replace(pools, again.pools);
    replace(clusters, again.clusters);
    bags.clear();
    bags.addAll(again.bags);
    groups.clear();
    groups.addAll(again.groups);
    endedBags.clear();
    endedBags.addAll(again.endedBags);
    replace(visits, again.visits);
    journal.become(again.journal);
    open.remove(undone);
  }

  private static <V> void replace(Map<String, V> all, Map<String, V> by) {
    all.clear();
    all.putAll(by);
  }

  /** Returns a cluster to which all happened but some actions. */
  ReferenceCluster without(Collection<ActionId> undone) {
    ReferenceCluster again = new ReferenceCluster(serviceClasses, true);
    journal.replay(undone, again);
    return again;
  }

  boolean canBeUndone(Decision decision) {
    Action action = decision.action();
    if (action instanceof Action.Cancel cancel) {
      return bag(cancel.bag()).isEmpty()
          && decision.formers().stream()
              .allMatch(each -> instance(each.instance()).isEmpty() && canReturn(each));
    } else if (action instanceof Action.Assign assign) {
      return bag(assign.bag()).map(ReferenceBag::identity).equals(decision.bag());
    } else if (action instanceof Action.Reject reject) {
      return instance(reject.instance()).isEmpty()
          && decision
              .bag()
              .flatMap(each -> bag(each.id()))
              .map(ReferenceBag::identity)
              .filter(present -> !decision.bag().equals(Optional.of(present)))
              .isEmpty()
          && decision
              .group()
              .flatMap(each -> group(each.id()))
              .map(ReferenceGroup::identity)
              .filter(present -> !decision.group().equals(Optional.of(present)))
              .isEmpty();
    } else if (action instanceof Action.OnInstance it) {
      Decision.Former former = decision.formers().get(0);
      boolean isReplaced =
          decision.isUnconfirmed() && open.of(former).stream().anyMatch(decision::isBefore);
      return instance(it.instance()).filter(each -> each.number() == former.number()).isPresent()
          && !isReplaced
          && canReturn(former);
    }
    return true;
  }

  private boolean canReturn(Decision.Former former) {
    return former.home().isEmpty()
        || former.home().filter(this::isUp).isPresent()
        || former
            .home()
            .filter(each -> visit(each.id()).equals(former.home()))
            .flatMap(each -> open.releaseOf(each.id()))
            .isPresent();
  }

  /** Returns whether a host has not left since. */
  boolean isUp(Decision.Identity visit) {
    return host(visit.id()).isPresent() && visit(visit.id()).equals(Optional.of(visit));
  }

  /** Returns the dimensions in which a host holds more than its capacity. */
  List<Dimension> scarce(String hostId) {
    HostSpec host = present(hostId);
    return dimensions.stream()
        .filter(each -> exactlyLeft(host, residents(host), each).signum() < 0)
        .toList();
  }

  // ---- Lookups

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

  /** Returns whether all placement constraints of an instance hold on a host. */
  public static boolean constraintsHold(ReferenceInstance instance, HostSpec host) {
    return instance.request().constraints().stream()
        .allMatch(each -> holds(each, host.attributes()));
  }

  /**
   * Returns whether a host belongs to the cluster of an instance's bag; true if it has no bag or
   * the bag is not assigned.
   */
  public boolean ofItsCluster(ReferenceInstance instance, HostSpec host) {
    Optional<String> cluster = bagOf(instance).flatMap(ReferenceBag::cluster);
    return cluster.isEmpty() || cluster.equals(clusterOf(host.id()));
  }

  static boolean holds(Constraint constraint, Map<String, String> attributes) {
    Optional<String> value = Optional.ofNullable(attributes.get(constraint.attribute()));
    if (constraint instanceof Constraint.Equal equal) {
      return value.equals(Optional.of(equal.value()));
    } else if (constraint instanceof Constraint.NotEqual notEqual) {
      return !value.equals(Optional.of(notEqual.value()));
    } else if (constraint instanceof Constraint.LessThan lessThan) {
      OptionalLong number = wholeNumber(value);
      return number.isPresent() && number.getAsLong() < lessThan.bound();
    } else if (constraint instanceof Constraint.GreaterThan greaterThan) {
      OptionalLong number = wholeNumber(value);
      return number.isPresent() && number.getAsLong() > greaterThan.bound();
    } else if (constraint instanceof Constraint.In in) {
      return value.isPresent() && in.values().contains(value.get());
    } else if (constraint instanceof Constraint.Exists) {
      return value.isPresent();
    }
    throw new IllegalArgumentException("unknown constraint: " + constraint.describe());
  }

  private static OptionalLong wholeNumber(Optional<String> text) {
    Optional<String> digits = text.filter(each -> each.matches("-?[0-9]{1,19}"));
    try {
      return digits.isEmpty()
          ? OptionalLong.empty()
          : OptionalLong.of(Long.parseLong(digits.get()));
    } catch (NumberFormatException tooLarge) {
      return OptionalLong.empty();
    }
  }

  /**
   * Returns whether two instances may share a host: not if they are of one job and one of them has
   * anti-affinity, or the rule that says the same.
   */
  public static boolean mayShare(ReferenceInstance one, ReferenceInstance other) {
    boolean sameJob =
        one.request().job().isPresent() && one.request().job().equals(other.request().job());
    return !sameJob || !(hasAntiAffinity(one.request()) || hasAntiAffinity(other.request()));
  }

  private static boolean hasAntiAffinity(Request request) {
    return request.antiAffinity()
        || request.job().stream()
            .map(job -> new PlacementRule.Apart(Peers.ofJob(job), Domain.HOST))
            .anyMatch(request.placement().rules()::contains);
  }

  // ---- Disruption budgets

  /** Returns the disruption budgets by job, in order of job. */
  public Map<String, DisruptionBudget> budgets() {
    return new TreeMap<>(budgets);
  }

  /** Returns how many members of a job are up: how many are running. */
  public int up(String job) {
    return (int) members(job).filter(each -> each.state() == InstanceState.RUNNING).count();
  }

  /** Returns how many members of a job are down: how many are not done and not running. */
  public int down(String job) {
    return (int) members(job).filter(each -> each.state() != InstanceState.RUNNING).count();
  }

  private Stream<ReferenceInstance> members(String job) {
    return instances.stream().filter(each -> each.request().job().equals(Optional.of(job)));
  }

  /** Returns whether the present state of a job is within its budget, if it has one. */
  public boolean isWithinBudget(String job) {
    DisruptionBudget budget = budgets.get(job);
    return budget == null
        || switch (budget.limit()) {
          case MAX_DOWN -> down(job) <= budget.members();
          case MIN_UP -> up(job) >= budget.members();
        };
  }

  /**
   * Returns whether the budget of its job protects an instance.
   *
   * @param leaving instances that are taken down together with it
   */
  public boolean protects(ReferenceInstance instance, List<ReferenceInstance> leaving) {
    Optional<String> job = instance.request().job();
    if (instance.state() != InstanceState.RUNNING || job.filter(budgets::containsKey).isEmpty()) {
      return false;
    }
    int more =
        1
            + (int)
                leaving.stream()
                    .filter(each -> each.state() == InstanceState.RUNNING)
                    .filter(each -> each.request().job().equals(job))
                    .count();
    DisruptionBudget budget = Optional.ofNullable(budgets.get(job.get())).orElseThrow();
    return switch (budget.limit()) {
      case MAX_DOWN -> down(job.get()) + more > budget.members();
      case MIN_UP -> up(job.get()) - more < budget.members();
    };
  }

  private long unitOfQos(long alpha) {
    return units.computeIfAbsent(alpha, each -> Metrics.unitOfQos(serviceClasses, each));
  }

  private ReferenceInstance get(String id) {
    return instance(id)
        .orElseThrow(() -> new IllegalArgumentException("no instance " + id + " is present."));
  }

  private ReferenceBag getBag(String id) {
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
