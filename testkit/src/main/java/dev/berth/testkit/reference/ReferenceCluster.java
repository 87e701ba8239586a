package dev.berth.testkit.reference;

import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.reference.Residency.Ending;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The cluster as a list of hosts and a list of instances with their histories. It is also a ledger
 * for checking the plans of a scheduler. It makes no decisions.
 *
 * <p>Expects valid events in order of time. For an invalid event it throws an {@link
 * IllegalArgumentException} and is unusable afterwards.
 */
public final class ReferenceCluster {

  private final List<ServiceClass> serviceClasses;
  private final Map<Long, Long> units = new HashMap<>(); // of Q, by α
  private final List<HostSpec> hosts = new ArrayList<>(); // in the order in which they joined
  private final List<ReferenceInstance> instances = new ArrayList<>(); // in order of admission
  private final Map<String, ReferencePool> pools = new LinkedHashMap<>(); // as first offered
  private final Map<String, String> clusters = new HashMap<>(); // by host, starting or up
  private final Map<String, ReferenceBag> bags = new LinkedHashMap<>(); // in order of submission
  private final List<BagReport> endedBags = new ArrayList<>(); // not taken yet
  private final Set<Dimension> dimensions = new LinkedHashSet<>(); // in the order first named

  /** An empty cluster. */
  public ReferenceCluster(Collection<? extends ServiceClass> serviceClasses) {
    this.serviceClasses =
        serviceClasses.stream()
            .<ServiceClass>map(each -> each)
            .sorted(
                Comparator.comparingInt(ServiceClass::importance).thenComparing(ServiceClass::name))
            .toList();
  }

  // ---- Events

  /** A provider offers hosts, or changes its offer. */
  public void offer(PoolSpec spec) {
    dimensions.addAll(spec.capacity().dimensions());
    pools.computeIfAbsent(spec.name(), name -> new ReferencePool(spec)).offer(spec);
  }

  /** A host joins, or a requested host is up. */
  public void addHost(HostSpec spec) {
    require(host(spec.id()).isEmpty(), "host " + spec.id() + " is present");
    require(!stopping().contains(spec.id()), "host " + spec.id() + " was released");
    poolOf(spec.id())
        .ifPresent(
            pool -> {
              pool.starting.remove(spec.id());
              pool.up.add(spec.id());
            });
    dimensions.addAll(spec.capacity().dimensions());
    hosts.add(spec);
  }

  /**
   * A host leaves; its instances are pending again, with their history. Or a requested host did not
   * start, or a released host is gone.
   */
  public void removeHost(String hostId, long now) {
    Optional<HostSpec> host = host(hostId);
    require(host.isPresent() || poolOf(hostId).isPresent(), "host " + hostId + " is absent");
    host.ifPresent(
        each -> {
          residents(each).forEach(resident -> resident.leaves(now, Ending.HOST_LEFT));
          hosts.remove(each);
        });
    poolOf(hostId).ifPresent(pool -> pool.remove(hostId));
    clusters.remove(hostId);
  }

  /** A bag of tasks is submitted; its instances are pending. */
  public void submit(BagSpec spec, long now) {
    require(bag(spec.id()).isEmpty(), "bag " + spec.id() + " has not ended");
    spec.requests().forEach(each -> submit(each, now));
    List<ReferenceInstance> members = spec.requests().stream().map(each -> get(each.id())).toList();
    bags.put(spec.id(), new ReferenceBag(spec, members, now));
  }

  /** A request is admitted; its instance is pending. */
  public void submit(Request request, long now) {
    require(instance(request.id()).isEmpty(), "instance " + request.id() + " is not done");
    ServiceClass serviceClass =
        serviceClasses.stream()
            .filter(each -> each.name().equals(request.serviceClass()))
            .findFirst()
            .orElseThrow();
    dimensions.addAll(request.demand().dimensions());
    instances.add(new ReferenceInstance(request, serviceClass, now, this::unitOfQos));
  }

  /** A starting instance is in service from now on. */
  public void started(String instanceId, long now) {
    get(instanceId).ready(now);
  }

  /** An instance on a host failed and is pending again. */
  public void failed(String instanceId, long now) {
    get(instanceId).leaves(now, Ending.FAILED);
  }

  /** An instance completes and is removed, and so is its bag with the last of its instances. */
  public InstanceReport completed(String instanceId, long now) {
    return done(instanceId, true, now);
  }

  /** An instance is done without completing and is removed, and so is its bag, as above. */
  public InstanceReport done(String instanceId, long now) {
    return done(instanceId, false, now);
  }

  private InstanceReport done(String instanceId, boolean complete, long now) {
    ReferenceInstance instance = get(instanceId);
    Optional<ReferenceBag> bag = bagOf(instance);
    instance.done(now);
    instances.remove(instance);
    bag.ifPresent(
        each -> {
          each.left(instance, complete);
          if (each.members().isEmpty()) {
            bags.remove(each.id());
            endedBags.add(each.report(List.of(), Optional.empty(), now));
          }
        });
    return instance.sli();
  }

  /** A bag is cancelled; all its instances are done and removed. */
  public BagReport cancelBag(String bagId, Reason why, long now) {
    ReferenceBag bag = getBag(bagId);
    List<InstanceReport> cancelledWithBag = new ArrayList<>();
    for (ReferenceInstance each : bag.members()) {
      each.done(now);
      instances.remove(each);
      cancelledWithBag.add(each.sli());
    }
    bags.remove(bagId);
    BagReport report = bag.report(cancelledWithBag, Optional.of(why), now);
    endedBags.add(report);
    return report;
  }

  /** Returns the reports of bags that ended since the last call, in that order. */
  public List<BagReport> takeEndedBags() {
    List<BagReport> taken = List.copyOf(endedBags);
    endedBags.clear();
    return taken;
  }

  /** An instance on a host reports its usage. */
  public void usageReported(String instanceId, Resources used, Resources shortfall, long now) {
    get(instanceId).used(new Usage(now, used, shortfall));
  }

  // ---- Actions of a pass

  /** A pass places a pending instance, with its demand. */
  public void place(String instanceId, String hostId, long pass, long now) {
    place(instanceId, hostId, get(instanceId).request().demand(), pass, now);
  }

  /** A pass places a pending instance. */
  public void place(String instanceId, String hostId, Resources grant, long pass, long now) {
    get(instanceId).placed(present(hostId), grant, pass, now);
  }

  /** A pass preempts an instance; it is pending again. */
  public void preempt(String instanceId, long now) {
    get(instanceId).leaves(now, Ending.PREEMPTED);
  }

  /** A pass resizes an instance on its host. */
  public void resize(String instanceId, Resources grant) {
    get(instanceId).resized(grant);
  }

  /** A pass pauses a running instance. */
  public void pause(String instanceId, long now) {
    get(instanceId).paused(now);
  }

  /** A pass suspends a running or paused instance. */
  public void suspend(String instanceId, long now) {
    get(instanceId).suspended(now);
  }

  /** A pass resumes a paused or suspended instance; it is starting. */
  public void resume(String instanceId, Resources grant, long now) {
    get(instanceId).resumed(grant, now);
  }

  /** A pass moves an instance to another host; it is starting there. */
  public void migrate(String instanceId, String hostId, Resources grant, long pass, long now) {
    get(instanceId).migrated(present(hostId), grant, pass, now);
  }

  /** A pass rejects a pending instance; it is done and removed. */
  public void reject(String instanceId, long now) {
    ReferenceInstance instance = get(instanceId);
    require(
        instance.state() == InstanceState.PENDING && instance.placements() == 0,
        instance + " is refused");
    done(instanceId, now);
  }

  /** A pass requests hosts from a pool, for a cluster or none; they are starting. */
  public void provision(String pool, List<String> hostIds, Optional<String> cluster) {
    for (String each : hostIds) {
      require(host(each).isEmpty() && poolOf(each).isEmpty(), "host " + each + " is there");
      Optional.ofNullable(pools.get(pool)).orElseThrow().starting.add(each);
      cluster.ifPresent(name -> clusters.put(each, name));
    }
  }

  /** A pass releases a host of a pool that is starting, or up and empty. */
  public void release(String hostId) {
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
    clusters.remove(hostId);
  }

  /**
   * A pass assigns a bag to a cluster.
   *
   * @param expiresAt when it is cancelled; an earlier end of its time to live prevails
   */
  public void assign(String bagId, String cluster, OptionalLong expiresAt, long now) {
    getBag(bagId).assign(cluster, expiresAt, now);
  }

  // ---- Lookups

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
    return List.copyOf(bags.values());
  }

  /** Returns the bag with that id; empty if it has ended. */
  public Optional<ReferenceBag> bag(String id) {
    return Optional.ofNullable(bags.get(id));
  }

  /** Returns the bag that an instance belongs to, or empty. */
  public Optional<ReferenceBag> bagOf(ReferenceInstance instance) {
    return bags.values().stream().filter(each -> each.members().contains(instance)).findFirst();
  }

  /** Returns the bags whose time to live is over, in order of submission. */
  public List<ReferenceBag> expiredBags(long now) {
    return bags.values().stream().filter(each -> each.expired(now)).toList();
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
    return instances.stream().filter(each -> each.id().equals(id)).findFirst();
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
      free.put(each, host.capacity().amount(each) - held(residents(host), each));
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

  /** Returns whether a grant fits into a host beside what others hold, in every dimension. */
  public boolean fit(Resources grant, HostSpec host, List<ReferenceInstance> others) {
    return dimensions.stream()
        .allMatch(
            dimension ->
                grant.amount(dimension)
                    <= host.capacity().amount(dimension) - held(others, dimension));
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

  private static boolean holds(Constraint constraint, Map<String, String> attributes) {
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
   * anti-affinity.
   */
  public static boolean mayShare(ReferenceInstance one, ReferenceInstance other) {
    boolean sameJob =
        one.request().job().isPresent() && one.request().job().equals(other.request().job());
    return !sameJob || !(one.request().antiAffinity() || other.request().antiAffinity());
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
