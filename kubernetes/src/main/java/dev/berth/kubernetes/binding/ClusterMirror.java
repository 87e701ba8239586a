package dev.berth.kubernetes.binding;

import dev.berth.kubernetes.meaning.Claims;
import dev.berth.kubernetes.meaning.PodBudget;
import dev.berth.kubernetes.meaning.PodState;
import dev.berth.kubernetes.tasks.TaskThread;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the API server says there is. Watches are repeated, and all is listed again where they have
 * missed something. A change only says what to look at: a task of the binding then sees the latest
 * state, however many changes there were.
 */
final class ClusterMirror implements NodeRoom.Cluster, AutoCloseable {

  private static final String ON_NODE = "node";

  private final KubernetesClient client;
  private final TaskThread tasks;
  private final Listener listener;
  private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
  private final SharedIndexInformer<Pod> pods;
  private final SharedIndexInformer<Node> nodes;
  private final SharedIndexInformer<PersistentVolumeClaim> claims;
  private final SharedIndexInformer<PersistentVolume> volumes;
  private Supplier<List<PodBudget>> budgets = List::of; // until it is known where they are

  private final Map<String, PodRef> dirtyPods = new LinkedHashMap<>(); // by UID
  private final LinkedHashSet<String> dirtyNodes = new LinkedHashSet<>();
  private boolean isAwake;
  private boolean isActive;

  /** Who looks at what has changed, in tasks of the binding. */
  interface Listener {
    /**
     * A pod may have changed.
     *
     * @param pod the pod; null if it is gone
     */
    void podChanged(PodRef ref, @Nullable Pod pod);

    /** A node, or a pod on it, may have changed. */
    void nodeChanged(String name);

    /** A disruption budget may have changed. */
    void budgetsChanged();

    /** A claim or a volume may have changed. */
    void claimsChanged();
  }

  ClusterMirror(KubernetesClient client, TaskThread tasks, Listener listener) {
    this.client = client;
    this.tasks = tasks;
    this.listener = listener;
    this.pods = added(client.pods().inAnyNamespace().runnableInformer(0));
    this.nodes = added(client.nodes().runnableInformer(0));
    this.claims = added(client.persistentVolumeClaims().inAnyNamespace().runnableInformer(0));
    this.volumes = added(client.persistentVolumes().runnableInformer(0));
    pods.addIndexers(Map.of(ON_NODE, pod -> PodState.nodeOf(pod).stream().toList()));
    pods.addEventHandler(
        new Handler<>(
            (before, now) -> {
              // A name may have passed to another pod while nothing was watched.
              if (before != null) {
                look(PodRef.of(before));
              }
              if (now != null) {
                look(PodRef.of(now));
              }
            }));
    claims.addEventHandler(new Handler<>((before, now) -> tasks.execute(listener::claimsChanged)));
    volumes.addEventHandler(new Handler<>((before, now) -> tasks.execute(listener::claimsChanged)));
    nodes.addEventHandler(
        new Handler<>(
            (before, now) -> {
              HasMetadata any = now != null ? now : before;
              if (any != null) {
                lookAtNode(any.getMetadata().getName());
              }
            }));
  }

  private <T extends HasMetadata> SharedIndexInformer<T> added(SharedIndexInformer<T> informer) {
    informers.add(informer);
    return informer;
  }

  /** Reports each change alike. */
  private record Handler<T extends HasMetadata>(Change<T> change)
      implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T added) {
      change.seen(null, added);
    }

    @Override
    public void onUpdate(T before, T now) {
      change.seen(before, now);
    }

    @Override
    public void onDelete(T deleted, boolean isLate) {
      change.seen(deleted, null);
    }
  }

  private interface Change<T> {
    void seen(@Nullable T before, @Nullable T now);
  }

  /** Lists everything, and watches from then on. */
  void start(Duration longest) throws InterruptedException, ExecutionException, TimeoutException {
    budgets =
        client.supports(io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget.class)
            ? budgets(client.policy().v1().podDisruptionBudget().inAnyNamespace(), PodBudget::of)
            : budgets(
                client.policy().v1beta1().podDisruptionBudget().inAnyNamespace(), PodBudget::of);
    for (SharedIndexInformer<?> each : informers) {
      // A watch that fails is repeated for ever; only a close ends it.
      each.exceptionHandler((isStarted, failure) -> true);
      each.start().toCompletableFuture().get(longest.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::close);
  }

  /** Returns whether all watches are open, so that changes are seen. */
  boolean isWatching() {
    return informers.stream().allMatch(SharedIndexInformer::isWatching);
  }

  // ---- What there is

  @Override
  public Optional<Pod> pod(PodRef ref) {
    Pod there = pods.getIndexer().getByKey(ref.key());
    return Optional.ofNullable(there).filter(pod -> ref.uid().equals(pod.getMetadata().getUid()));
  }

  Collection<Pod> pods() {
    return pods.getIndexer().list();
  }

  /** Returns the pods that are bound to a node, even if they have finished. */
  @Override
  public List<Pod> podsOn(String node) {
    return pods.getIndexer().byIndex(ON_NODE, node);
  }

  @Override
  public Optional<Node> node(String name) {
    return Optional.ofNullable(nodes.getIndexer().getByKey(name));
  }

  Collection<Node> nodes() {
    return nodes.getIndexer().list();
  }

  List<PodBudget> budgets() {
    return budgets.get();
  }

  private <T extends HasMetadata> Supplier<List<PodBudget>> budgets(
      Informable<T> all, Function<T, PodBudget> read) {
    SharedIndexInformer<T> informer = added(all.runnableInformer(0));
    informer.addEventHandler(
        new Handler<>((before, now) -> tasks.execute(listener::budgetsChanged)));
    return () -> informer.getIndexer().list().stream().map(read).toList();
  }

  Claims claims() {
    return (namespace, name) -> {
      PersistentVolumeClaim claim = claims.getIndexer().getByKey(namespace + "/" + name);
      String volume =
          claim == null || claim.getSpec() == null ? null : claim.getSpec().getVolumeName();
      return volume == null
          ? Optional.empty()
          : Optional.ofNullable(volumes.getIndexer().getByKey(volume));
    };
  }

  // ---- What to look at

  /** Has everything looked at, and all changes from now on. */
  void begin() {
    synchronized (dirtyPods) {
      isActive = true;
    }
    nodes().forEach(each -> lookAtNode(each.getMetadata().getName()));
    pods().forEach(each -> look(PodRef.of(each)));
  }

  /** Has a pod looked at soon. */
  void look(PodRef ref) {
    synchronized (dirtyPods) {
      dirtyPods.putIfAbsent(ref.uid(), ref);
      wake();
    }
  }

  /** Has a pod looked at after a delay. */
  void lookLater(PodRef ref, Duration delay) {
    var unused = tasks.schedule(delay, () -> look(ref));
  }

  private void lookAtNode(String name) {
    synchronized (dirtyPods) {
      dirtyNodes.add(name);
      wake();
    }
  }

  private void wake() {
    if (isActive && !isAwake) {
      isAwake = true;
      tasks.execute(this::lookAtDirty);
    }
  }

  private void lookAtDirty() {
    List<String> changedNodes;
    List<PodRef> changedPods;
    synchronized (dirtyPods) {
      isAwake = false;
      changedNodes = List.copyOf(dirtyNodes);
      dirtyNodes.clear();
      changedPods = List.copyOf(dirtyPods.values());
      dirtyPods.clear();
    }
    changedNodes.forEach(listener::nodeChanged);
    changedPods.forEach(each -> listener.podChanged(each, pod(each).orElse(null)));
  }
}
