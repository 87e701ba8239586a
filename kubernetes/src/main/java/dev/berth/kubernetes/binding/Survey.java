package dev.berth.kubernetes.binding;

import dev.berth.api.Dimension;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.kubernetes.binding.InstanceBook.View;
import dev.berth.kubernetes.binding.InstanceBook.Where;
import dev.berth.kubernetes.meaning.Owner;
import dev.berth.kubernetes.meaning.PodMeaning;
import dev.berth.kubernetes.meaning.PodState;
import dev.berth.kubernetes.meaning.PodTimes;
import dev.berth.kubernetes.meaning.Refusal;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a comparison of the scheduler with the cluster sees: hosts, and pods that run. The scheduler
 * adopts bound pods that it does not have, with the histories in their annotations, and lets go of
 * instances whose pods are gone.
 *
 * <p>A task of the binding observes; the thread of the loop adopts.
 */
final class Survey extends Part implements Reconciler {

  /** Less than 2^63, with room for what a node is allowed to hold beside it. */
  private static final long MOST_HELD = 1L << 62;

  private final NodeHosts nodes;
  private final Histories histories;

  /** What the latest observation found that may be adopted, by instance. */
  private final Map<String, Adoptable> adoptable = new ConcurrentHashMap<>();

  private record Adoptable(PodRef pod, String host, Adoption how, Optional<Owner> owner) {}

  Survey(Part shared, Histories histories, NodeHosts nodes) {
    super(shared);
    this.histories = histories;
    this.nodes = nodes;
  }

  /** Looks at the whole cluster. */
  Observation observe() {
    // First, since resources of pods must be those of nodes.
    List<ObservedHost> hosts = new ArrayList<>();
    for (HostSpec each : nodes.observe()) {
      hosts.add(new ObservedHost(each, Resources.none()));
    }
    Sight sight = new Sight();
    adoptable.clear();
    List<Pod> unknown = new ArrayList<>();
    for (Pod pod : mirror.pods()) {
      if (PodState.of(pod, configuration.schedulerName()) == PodState.BOUND) {
        Optional<View> known = book.ofPod(pod.getMetadata().getUid());
        if (known.isPresent()) {
          known(pod, known.get(), sight);
        } else {
          unknown.add(pod);
        }
      }
    }
    // Of two pods that claim to be the same instance, the one that was there first may be it.
    unknown.sort(
        Comparator.comparingLong(PodTimes::created)
            .thenComparing(each -> each.getMetadata().getUid()));
    for (Pod pod : unknown) {
      notes.guard(pod, time.now(), () -> unknown(pod, sight));
    }
    for (View view : book.all()) {
      if (view.where() == Where.LEAVING || view.pod() == null || isShownLate(view)) {
        sight.underWay.add(view.instance());
      }
    }
    sight.instances.values().removeIf(each -> !nodes.has(each.host()));
    return new Observation(hosts, List.copyOf(sight.instances.values()), sight.underWay);
  }

  /** What a look at the cluster has found so far. */
  private static final class Sight {
    final Map<String, ObservedInstance> instances = new LinkedHashMap<>(); // by id
    final Set<String> underWay = new HashSet<>();
    private final Map<String, Map<Dimension, Long>> held = new HashMap<>(); // by host

    /**
     * Counts what a pod holds on a node; not if the node would hold more than can be counted, as it
     * does when users name a node in pods that no node can hold.
     */
    boolean holds(String node, Resources demand) {
      Map<Dimension, Long> sums = held.computeIfAbsent(node, name -> new HashMap<>());
      for (Dimension each : demand.dimensions()) {
        if (sums.getOrDefault(each, 0L) > MOST_HELD - demand.amount(each)) {
          return false;
        }
      }
      demand.dimensions().forEach(each -> sums.merge(each, demand.amount(each), Long::sum));
      return true;
    }
  }

  /** Returns whether a pod is bound, but the list of pods is older than that. */
  private boolean isShownLate(View view) {
    return view.where() == Where.BOUND
        && Optional.ofNullable(view.pod())
            .flatMap(mirror::pod)
            .filter(pod -> PodState.nodeOf(pod).isEmpty())
            .isPresent();
  }

  private static InstanceState stateOf(Pod pod) {
    return PodTimes.isReady(pod) ? InstanceState.RUNNING : InstanceState.STARTING;
  }

  private void known(Pod pod, View view, Sight sight) {
    String node = PodState.nodeOf(pod).orElseThrow();
    if (view.where() == Where.PENDING || !sight.holds(node, view.request().demand())) {
      sight.underWay.add(view.instance()); // its binding is under way, or not to be believed
    } else {
      sight.instances.put(
          view.instance(), new ObservedInstance(view.instance(), node, stateOf(pod)));
    }
  }

  /** Looks at a pod that the scheduler does not have. It stays foreign load unless it is found. */
  private void unknown(Pod pod, Sight sight) {
    PodRef ref = PodRef.of(pod);
    String node = PodState.nodeOf(pod).orElseThrow();
    InstanceState state = stateOf(pod);
    Optional<Placed> placed = histories.of(pod);
    if (placed.isPresent() && isTaken(placed.get().instance(), sight.instances)) {
      histories.ignore(pod, "another pod is its instance.");
      placed = Optional.empty();
    }
    String instance = placed.map(Placed::instance).orElse(ref.instance());
    PodMeaning meaning = PodMeaning.of(instance, pod, configuration.podRules(), mirror.claims());
    if (!(meaning instanceof PodMeaning.Understood understood)) {
      return;
    }
    Resources demand = understood.request().demand();
    Optional<String> why =
        nodes
            .lack(demand)
            .map(Refusal::describe)
            .or(
                () ->
                    isTaken(instance, sight.instances)
                        ? Optional.of("another pod is its instance.")
                        : Optional.empty())
            .or(
                () ->
                    sight.holds(node, demand)
                        ? Optional.empty()
                        : Optional.of("its node would hold more than can be counted."));
    if (why.isPresent()) {
      notes.leaveOut(pod, why.get(), time.now());
      return;
    }
    long now = time.now();
    long boundAt =
        Math.min(now, PodTimes.changed(pod, "PodScheduled").orElse(PodTimes.created(pod)));
    long since =
        Math.min(
            now,
            state == InstanceState.RUNNING
                ? Math.max(boundAt, PodTimes.changed(pod, "Ready").orElse(boundAt))
                : boundAt);
    History history = history(pod, placed.map(Placed::history), state, boundAt, since);
    adoptable.put(
        instance,
        new Adoptable(ref, node, new Adoption(understood.request(), history), Owner.of(pod)));
    sight.instances.put(instance, new ObservedInstance(instance, node, state).since(since));
  }

  private boolean isTaken(String instance, Map<String, ObservedInstance> seen) {
    return seen.containsKey(instance) || book.ofInstance(instance).isPresent();
  }

  /** Returns a history that ends when the pod came into its present state. */
  private static History history(
      Pod pod, Optional<History> written, InstanceState state, long boundAt, long since) {
    History history = written.orElse(History.since(PodTimes.created(pod)));
    if (state == InstanceState.RUNNING && history.restarting()) {
      history =
          history.restartOverhead(
              history.restartOverhead().plus(Duration.ofNanos(since - boundAt)));
    }
    return Histories.fits(history, since) ? history : Histories.anew(pod, since);
  }

  @Override
  public Optional<Adoption> adopt(ObservedInstance unknown) {
    Adoptable found = adoptable.get(unknown.id());
    if (found == null) {
      return Optional.empty();
    }
    book.enter(unknown.id(), found.pod(), found.how().request(), found.owner());
    book.bound(unknown.id(), found.pod(), found.host(), 0);
    if (unknown.state() == InstanceState.RUNNING) {
      book.started(unknown.id());
    }
    return Optional.of(found.how());
  }

  @Override
  public boolean hasEnded(Instance gone) {
    return book.ofInstance(gone.id()).isEmpty();
  }
}
