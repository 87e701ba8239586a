package dev.berth.policies.baselines;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import dev.berth.api.policy.SchedulingPass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The hosts and the pending requests of a pass, as numbers that a packing can change. */
final class PackingProblem {

  private final List<Host> hosts;
  private final List<Dimension> dimensions;
  private final Set<String> pendingJobs = new HashSet<>(); // only looked up, as all maps here
  private final Map<String, PackedJob> apart = new HashMap<>();
  private final Map<String, Optional<String>> clusters = new HashMap<>();
  private final Map<Place, HostSet> sets = new HashMap<>();
  private final Map<Equivalence, PackedGroup> groups = new LinkedHashMap<>();
  private final PackedHosts packed;

  private PackingProblem(SchedulingPass pass, List<Instance> pending) {
    hosts = new ArrayList<>(pass.openHosts());
    hosts.sort(Comparator.comparing(Host::id)); // the order of joining must not matter
    dimensions = dimensionsOf(pending);
    packed = new PackedHosts(hosts, dimensions);
    pass.bags().forEach((Bag each) -> clusters.put(each.id(), each.cluster()));
    findJobs(pending);
    pending.forEach(this::add);
  }

  /** Returns the problem that a pass has to solve. Costs O(instances + pending · hosts). */
  static PackingProblem of(SchedulingPass pass) {
    return new PackingProblem(pass, pass.pending());
  }

  PackedHosts hosts() {
    return packed;
  }

  /** Returns the groups in the order of the admission of their first requests. */
  List<PackedGroup> groups() {
    return List.copyOf(groups.values());
  }

  Host host(int number) {
    return hosts.get(number);
  }

  /** What decides which hosts a request may run on, apart from room and anti-affinity. */
  private record Place(List<Constraint> constraints, Optional<String> cluster) {

    boolean includes(Host host) {
      return (cluster.isEmpty() || cluster.equals(host.cluster()))
          && constraints.stream().allMatch(each -> each.holdsOn(host));
    }
  }

  /** What equivalent requests have in common: where one of them fits, every other does. */
  private record Equivalence(
      int importance, Resources demand, Place place, Optional<String> job, boolean apart) {}

  private static List<Dimension> dimensionsOf(List<Instance> pending) {
    Set<Dimension> demanded = new TreeSet<>();
    pending.forEach(each -> demanded.addAll(each.request().demand().dimensions()));
    return List.copyOf(demanded);
  }

  /** Finds the jobs with pending requests in which some instance refuses to share a host. */
  private void findJobs(List<Instance> pending) {
    for (Instance each : pending) {
      Request request = each.request();
      request.job().ifPresent(pendingJobs::add);
      if (request.antiAffinity()) {
        request.job().ifPresent(this::apartJob);
      }
    }
    for (int i = 0; i < hosts.size() && !pendingJobs.isEmpty(); i++) {
      for (Instance each : hosts.get(i).instances()) {
        noteResident(each.request(), i);
      }
    }
  }

  private void noteResident(Request request, int host) {
    if (request.job().isPresent() && pendingJobs.contains(request.job().get())) {
      apartJob(request.job().get()).holds(host, request.antiAffinity());
    }
  }

  private PackedJob apartJob(String name) {
    return apart.computeIfAbsent(name, its -> new PackedJob());
  }

  private void add(Instance instance) {
    Request request = instance.request();
    Optional<String> cluster =
        instance.bag().flatMap(bag -> clusters.getOrDefault(bag, Optional.empty()));
    Equivalence common =
        new Equivalence(
            instance.serviceClass().importance(),
            request.demand(),
            new Place(request.constraints(), cluster),
            request.job().filter(apart::containsKey),
            request.antiAffinity());
    groups.computeIfAbsent(common, this::group).add(instance);
  }

  private PackedGroup group(Equivalence common) {
    long[] demand = dimensions.stream().mapToLong(common.demand::amount).toArray();
    HostSet set = sets.get(common.place);
    if (set == null) {
      set = hostSet(common.place);
      sets.put(common.place, set);
    }
    @Nullable PackedJob job = common.job.isPresent() ? apart.get(common.job.get()) : null;
    return new PackedGroup(groups.size(), common.importance, demand, set, job, common.apart);
  }

  private HostSet hostSet(Place place) {
    int[] included =
        IntStream.range(0, hosts.size()).filter(i -> place.includes(hosts.get(i))).toArray();
    return new HostSet(sets.size(), included);
  }
}
