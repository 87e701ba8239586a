package dev.berth.policies.baselines;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Packs hosts tightly. Equivalent requests are placed together, first those with the fewest places
 * per request, each on the host with the least capacity left.
 *
 * <p>A pass costs O(equivalence classes · hosts).
 */
final class BinPacking implements Policy {

  private final Duration watchdog;

  BinPacking(Duration watchdog) {
    this.watchdog = watchdog;
  }

  @Override
  public Optional<Duration> watchdog() {
    return Optional.of(watchdog);
  }

  @Override
  public void schedule(SchedulingPass pass) {
    List<Host> hosts = new ArrayList<>(pass.hosts());
    hosts.sort(
        Comparator.comparing(Host::id)); // ties are broken by id, not by the order of joining
    Map<EquivalentRequests, Group> groups = new LinkedHashMap<>();
    Map<List<Constraint>, List<Host>> matching = new HashMap<>();
    for (Instance each : pass.pending()) {
      EquivalentRequests requests = EquivalentRequests.of(each);
      List<Host> matched =
          matching.computeIfAbsent(
              requests.constraints, constraints -> matching(hosts, constraints));
      groups.computeIfAbsent(requests, its -> new Group(its, matched)).members.add(each);
    }
    List<Group> order = new ArrayList<>(groups.values());
    order.forEach(Group::countPlaces);
    order.sort(
        Comparator.<Group>comparingInt(each -> each.requests.importance)
            .thenComparingDouble(each -> each.places)); // stable: then by admission
    order.forEach(each -> each.place(pass));
  }

  private static List<Host> matching(List<Host> hosts, List<Constraint> constraints) {
    return hosts.stream()
        .filter(host -> constraints.stream().allMatch(each -> each.holdsOn(host)))
        .toList();
  }

  /** What equivalent requests have in common: where one of them fits, every other does. */
  private record EquivalentRequests(
      int importance, Resources demand, List<Constraint> constraints, Optional<String> apart) {

    static EquivalentRequests of(Instance instance) {
      Request request = instance.request();
      return new EquivalentRequests(
          instance.serviceClass().importance(),
          request.demand(),
          request.constraints(),
          request.antiAffinity() ? request.job() : Optional.empty());
    }

    /** Returns how many of these requests fit on the empty host. */
    double placesOn(Host host) {
      double places = Double.POSITIVE_INFINITY;
      for (Dimension each : demand.dimensions()) {
        long whole = host.capacity().amount(each) / demand.amount(each);
        places = Math.min(places, (double) whole);
      }
      return apart.isPresent() ? Math.min(1, places) : places;
    }

    /** Returns the shares that a host would have left, summed over the demanded dimensions. */
    double left(Host host) {
      double left = 0;
      for (Dimension each : demand.dimensions()) {
        left += ((double) host.free(each) - demand.amount(each)) / host.capacity().amount(each);
      }
      return left;
    }

    boolean fits(Host host) {
      for (Dimension each : demand.dimensions()) {
        if (demand.amount(each) > host.free(each)) {
          return false;
        }
      }
      return true;
    }
  }

  private record Candidate(Host host, double left) {}

  /** The pending requests of one class. */
  private static final class Group {

    private final EquivalentRequests requests;
    private final List<Host> matching;
    private final Deque<Instance> members = new ArrayDeque<>();
    private double places; // for each member

    Group(EquivalentRequests requests, List<Host> matching) {
      this.requests = requests;
      this.matching = matching;
    }

    void countPlaces() {
      places = matching.stream().mapToDouble(requests::placesOn).sum() / members.size();
    }

    void place(SchedulingPass pass) {
      for (Candidate each : candidates()) {
        if (members.isEmpty()) {
          return;
        }
        fill(each.host, pass);
      }
    }

    /**
     * An instance that anti-affinity keeps off the host does not keep off instances of other jobs.
     */
    private void fill(Host host, SchedulingPass pass) {
      Set<Optional<String>> jobs =
          new HashSet<>(); // jobs whose instances are kept off; only looked up
      Deque<Instance> keptAway = new ArrayDeque<>(); // the latest first
      boolean room = true;
      while (room && !members.isEmpty() && requests.fits(host)) {
        Instance next = members.removeFirst();
        Optional<String> job = next.request().job();
        boolean placed = !jobs.contains(job) && pass.place(next, host).accepted();
        if (!placed) {
          keptAway.addFirst(next);
          jobs.add(job);
        }
        room = requests.apart.isEmpty() && (placed || job.isPresent());
      }
      keptAway.forEach(members::addFirst);
    }

    private List<Candidate> candidates() {
      List<Candidate> candidates = new ArrayList<>();
      for (Host host : matching) {
        if (requests.fits(host)) {
          candidates.add(new Candidate(host, requests.left(host)));
        }
      }
      candidates.sort(Comparator.comparingDouble(Candidate::left)); // stable: then by id
      return candidates;
    }
  }
}
