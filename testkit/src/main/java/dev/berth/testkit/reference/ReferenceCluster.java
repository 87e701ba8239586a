package dev.berth.testkit.reference;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Sli;
import dev.berth.api.Usage;
import dev.berth.testkit.event.Standing;
import dev.berth.testkit.reference.Stay.Ending;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The cluster as a list of hosts and a list of instances with their histories; also a ledger for
 * whoever wants to check somebody else's plans. It decides nothing.
 *
 * <p>Expects events that make sense, in order of time; of others it says so with an {@link
 * IllegalArgumentException} and is of no use afterwards.
 */
public final class ReferenceCluster {

  private final List<ServiceClass> serviceClasses;
  private final List<HostSpec> hosts = new ArrayList<>(); // in the order in which they joined
  private final List<ReferenceInstance> instances = new ArrayList<>(); // in order of admission
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

  /** A host joins. */
  public void addHost(HostSpec spec) {
    require(host(spec.id()).isEmpty(), "host " + spec.id() + " is present");
    dimensions.addAll(spec.capacity().dimensions());
    hosts.add(spec);
  }

  /** A host leaves; its instances are pending again, with their history. */
  public void removeHost(String hostId, long now) {
    HostSpec host = host(hostId).orElseThrow();
    residents(host).forEach(each -> each.leaves(now, Ending.HOST_LEFT));
    hosts.remove(host);
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
    instances.add(new ReferenceInstance(request, serviceClass, now));
  }

  /** A starting instance is in service from now on. */
  public void started(String instanceId, long now) {
    get(instanceId).ready(now);
  }

  /** An instance on a host failed and is pending again. */
  public void failed(String instanceId, long now) {
    get(instanceId).leaves(now, Ending.FAILED);
  }

  /** An instance is done and forgotten. */
  public Sli done(String instanceId, long now) {
    ReferenceInstance instance = get(instanceId);
    instance.done(now);
    instances.remove(instance);
    return instance.sli();
  }

  /** An instance on a host was measured to use so much. */
  public void used(String instanceId, Resources used, Resources shortfall, long now) {
    get(instanceId).used(new Usage(now, used, shortfall));
  }

  // ---- Actions of a pass

  /** A pass places a pending instance, with its demand. */
  public void place(String instanceId, String hostId, long pass, long now) {
    place(instanceId, hostId, get(instanceId).request().demand(), pass, now);
  }

  /** A pass places a pending instance. */
  public void place(String instanceId, String hostId, Resources grant, long pass, long now) {
    requirePresent(hostId);
    get(instanceId).placed(hostId, grant, pass, now);
  }

  /** A pass preempts an instance; it is pending again. */
  public void preempt(String instanceId, long now) {
    get(instanceId).leaves(now, Ending.PREEMPTED);
  }

  /** A pass grants an instance something else, where it is. */
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

  /** A pass resumes an instance that stands still; it is starting. */
  public void resume(String instanceId, Resources grant, long now) {
    get(instanceId).resumed(grant, now);
  }

  /** A pass moves an instance to another host; it is starting there. */
  public void migrate(String instanceId, String hostId, Resources grant, long pass, long now) {
    requirePresent(hostId);
    get(instanceId).migrated(hostId, grant, pass, now);
  }

  /** A pass turns down a pending instance; it is done and forgotten. */
  public void refuse(String instanceId, long now) {
    ReferenceInstance instance = get(instanceId);
    require(
        instance.state() == InstanceState.PENDING && instance.placements() == 0,
        instance + " is refused");
    done(instanceId, now);
  }

  // ---- What there is

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

  /** Returns how the instances stand that are not done, in order of admission. */
  public List<Standing> standings(long now) {
    return instances.stream().map(each -> each.standing(now)).toList();
  }

  /** Returns the instances on a host, suspended ones too, in order of admission. */
  public List<ReferenceInstance> residents(HostSpec host) {
    return instances.stream().filter(each -> each.isOn(host)).toList();
  }

  /** Returns the dimensions in the order in which hosts and requests first named them. */
  public List<Dimension> dimensions() {
    return List.copyOf(dimensions);
  }

  /** Returns how much of a dimension some instances hold together. */
  public static long held(List<ReferenceInstance> holders, Dimension dimension) {
    return holders.stream().mapToLong(each -> each.held(dimension)).sum();
  }

  /** Returns what nobody holds of a host. */
  public Resources free(String hostId) {
    HostSpec host = host(hostId).orElseThrow();
    Resources.Builder free = Resources.builder();
    for (Dimension each : host.capacity().dimensions()) {
      free.put(each, host.capacity().amount(each) - held(residents(host), each));
    }
    return free.build();
  }

  // ---- What may be where

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
    throw new IllegalArgumentException("no meaning is known of " + constraint.describe());
  }

  private static OptionalLong wholeNumber(Optional<String> text) {
    try {
      return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text.get()));
    } catch (NumberFormatException other) {
      return OptionalLong.empty();
    }
  }

  /**
   * Returns whether two instances may share a host: unless they are of one job and one of them
   * refuses.
   */
  public static boolean mayShare(ReferenceInstance one, ReferenceInstance other) {
    boolean sameJob =
        one.request().job().isPresent() && one.request().job().equals(other.request().job());
    return !sameJob || !(one.request().antiAffinity() || other.request().antiAffinity());
  }

  private ReferenceInstance get(String id) {
    return instance(id)
        .orElseThrow(() -> new IllegalArgumentException("no instance " + id + " is present."));
  }

  private void requirePresent(String hostId) {
    require(host(hostId).isPresent(), "host " + hostId + " is absent");
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(otherwise + ".");
    }
  }
}
