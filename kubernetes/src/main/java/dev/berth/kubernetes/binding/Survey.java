package dev.berth.kubernetes.binding;

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
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
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

  private final NodeHosts nodes;

  /** What the latest observation found that may be adopted, by instance. */
  private final Map<String, Adoptable> adoptable = new ConcurrentHashMap<>();

  private record Adoptable(PodRef pod, String host, Adoption how, Optional<Owner> owner) {}

  Survey(Part shared, NodeHosts nodes) {
    super(shared);
    this.nodes = nodes;
  }

  /** Looks at the whole cluster. */
  Observation observe() {
    List<ObservedInstance> instances = new ArrayList<>();
    Set<String> underWay = new HashSet<>();
    adoptable.clear();
    for (Pod pod : mirror.pods()) {
      if (PodState.of(pod, configuration.schedulerName()) == PodState.BOUND) {
        observed(pod, underWay).ifPresent(instances::add);
      }
    }
    for (View view : book.all()) {
      if (view.where() == Where.LEAVING || view.pod() == null || isShownLate(view)) {
        underWay.add(view.instance());
      }
    }
    List<ObservedHost> hosts = new ArrayList<>();
    for (HostSpec each : nodes.observe()) {
      hosts.add(new ObservedHost(each, Resources.none()));
    }
    instances.removeIf(each -> !nodes.has(each.host()));
    return new Observation(hosts, instances, underWay);
  }

  /** Returns whether a pod is bound, but the list of pods is older than that. */
  private boolean isShownLate(View view) {
    return view.where() == Where.BOUND
        && Optional.ofNullable(view.pod())
            .flatMap(mirror::pod)
            .filter(pod -> PodState.nodeOf(pod).isEmpty())
            .isPresent();
  }

  private Optional<ObservedInstance> observed(Pod pod, Set<String> underWay) {
    PodRef ref = PodRef.of(pod);
    String node = PodState.nodeOf(pod).orElseThrow();
    InstanceState state = PodTimes.isReady(pod) ? InstanceState.RUNNING : InstanceState.STARTING;
    Optional<View> known = book.ofPod(ref.uid());
    if (known.isPresent()) {
      if (known.get().where() == Where.PENDING) {
        underWay.add(known.get().instance()); // its binding is under way
        return Optional.empty();
      }
      return Optional.of(new ObservedInstance(known.get().instance(), node, state));
    }
    Optional<Placed> placed = Placed.of(pod);
    String instance = placed.map(Placed::instance).orElse(ref.instance());
    PodMeaning meaning = PodMeaning.of(instance, pod, configuration.podRules(), mirror.claims());
    if (!(meaning instanceof PodMeaning.Understood understood)) {
      return Optional.empty(); // it is foreign load
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
    return Optional.of(new ObservedInstance(instance, node, state).since(since));
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
    boolean fits =
        history.admittedAt() <= since
            && history.served().plus(history.restartOverhead()).toNanos()
                <= since - history.admittedAt();
    return fits ? history : History.since(Math.min(PodTimes.created(pod), since));
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
