package dev.berth.kubernetes.lab;

import static java.util.Objects.requireNonNull;

import dev.berth.kubernetes.binding.ApiCalls.Answer;
import dev.berth.kubernetes.lab.ApiWriter.Request;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays the kubelets of nodes that exist in the API server alone.
 *
 * <ul>
 *   <li>A pod that is bound to one of its nodes runs, and becomes ready, fails or completes as its
 *       {@link PodFate} says.
 *   <li>A pod that does not fit beside those on the node fails with reason {@code OutOfcpu}, {@code
 *       OutOfmemory}, {@code OutOfpods} and so on, as with a real kubelet. Pods count until they
 *       are gone or have ended, terminating ones included.
 *   <li>A deleted pod stops being ready at once. It is gone after its {@link PodFate#stop} or its
 *       grace period, whichever is shorter.
 * </ul>
 *
 * <p>Only amounts decide whether a pod fits: selectors, taints and ports are not checked.
 * Containers never restart, whatever the restart policy. Nodes send no heartbeats, since no
 * controller here checks them.
 *
 * <p>It survives closed watches and an API server that is away: it lists again, and repeats its
 * writes. All draws depend on the seed, on namespaces and names of pods, and on how many pods had
 * that name before; times are those of the clock.
 *
 * <p>Safe for use by several threads. It has one thread of its own beside those of the client, and
 * sends up to eight requests at a time. It is made for up to 1,000 nodes and 10,000 pods.
 */
public final class FakeKubelet implements AutoCloseable {

  private static final String NOT_READY_TAINT = "node.kubernetes.io/not-ready";

  private final PodBehaviour behaviour;
  private final long seed;
  private final LabClient client;
  private final AtomicLong admitted = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();
  private final AtomicLong ready = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong stopped = new AtomicLong();

  // Only tasks of the loop touch these.
  private final Map<String, NodeState> nodes = new HashMap<>();
  private final Map<String, PodState> pods = new HashMap<>();
  private final Map<String, Integer> names = new HashMap<>(); // how many pods had a name

  private FakeKubelet(Config config, PodBehaviour behaviour, long seed) {
    this.behaviour = behaviour;
    this.seed = seed;
    this.client = LabClient.open(config, "berth-fake-kubelet", true, this::seen, this::gone);
  }

  /**
   * Connects to an API server. There are no nodes yet.
   *
   * @param config of a user that may list, watch and delete pods, and write nodes and the status of
   *     pods
   * @throws IllegalStateException if the server does not answer for a minute
   */
  public static FakeKubelet start(Config config, PodBehaviour behaviour, long seed) {
    return new FakeKubelet(
        requireNonNull(config, "config"), requireNonNull(behaviour, "behaviour"), seed);
  }

  /**
   * Registers nodes, and returns once they are ready for pods. A node that exists is taken over,
   * together with its pods: running pods keep running, and the others are admitted.
   *
   * @throws IllegalArgumentException if the kubelet has a node of such a name
   * @throws IllegalStateException if the server refuses a node, or does not answer for a minute
   */
  public void addNodes(Collection<FakeNode> added) {
    List<FakeNode> copy = List.copyOf(added);
    List<CompletableFuture<Void>> done = new ArrayList<>();
    copy.forEach(node -> done.add(new CompletableFuture<>()));
    client.loop.execute(
        () -> {
          Set<String> registered = new HashSet<>();
          for (int i = 0; i < copy.size(); i++) {
            FakeNode node = copy.get(i);
            if (nodes.containsKey(node.name())) {
              done.get(i)
                  .completeExceptionally(
                      new IllegalArgumentException(
                          "FakeKubelet.addNodes: there is a node %s already"
                              .formatted(node.name())));
              continue;
            }
            nodes.put(node.name(), new NodeState(node));
            registered.add(node.name());
            register(node, done.get(i));
          }
          // Running pods first: the others must fit beside them.
          client.pods().stream()
              .filter(pod -> registered.contains(pod.getSpec().getNodeName()))
              .sorted(Comparator.comparing(pod -> !isRunning(pod)))
              .forEach(this::seen);
        });
    LabClient.await(
        CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)), "register nodes");
  }

  /**
   * Changes whether a node is ready, with the condition and the taint that Kubernetes uses. Its
   * pods run as before.
   *
   * @throws IllegalArgumentException if the kubelet has no such node
   * @throws IllegalStateException if the server refuses it, or does not answer for a minute
   */
  public void setReady(String node, boolean isReady) {
    change("setReady", node, (state, done) -> writeReadiness(state.node, isReady, done));
  }

  /**
   * Lets a node crash, or resume: pods of a node that is silent stay as they are, and those that
   * are deleted stay terminating. The API server is not told.
   *
   * @throws IllegalArgumentException if the kubelet has no such node
   */
  public void setSilent(String node, boolean isSilent) {
    change(
        "setSilent",
        node,
        (state, done) -> {
          state.isSilent = isSilent;
          if (!isSilent) {
            List<Runnable> missed = List.copyOf(state.missed);
            state.missed.clear();
            missed.forEach(Runnable::run);
          }
          done.complete(null);
        });
  }

  /**
   * Deletes a node, and its pods without grace, as Kubernetes does some time after a machine has
   * vanished. Does nothing if there is no such node. It returns once the server has answered.
   *
   * @throws IllegalStateException if the server refuses it, or does not answer for a minute
   */
  public void removeNode(String node) {
    await(
        "delete node " + node,
        done -> {
          nodes.remove(node);
          client.send(
              Request.delete(node, "/api/v1/nodes/" + node, "{}"),
              answer -> complete(done, answer, 404));
          for (PodState pod : List.copyOf(pods.values())) {
            if (pod.node.node.name().equals(node)) {
              remove(pod);
            }
          }
        });
  }

  private void change(
      String method, String node, BiConsumer<NodeState, CompletableFuture<Void>> change) {
    await(
        "change node " + node,
        done -> {
          @Nullable NodeState state = nodes.get(node);
          if (state == null) {
            done.completeExceptionally(
                new IllegalArgumentException(
                    "FakeKubelet.%s: there is no node %s".formatted(method, node)));
          } else {
            change.accept(state, done);
          }
        });
  }

  /** Runs a task in the loop, and waits until what it began is done. */
  private void await(String what, Consumer<CompletableFuture<Void>> task) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    client.loop.execute(() -> task.accept(done));
    LabClient.await(done, what);
  }

  /** Returns what has happened so far. */
  public Counts counts() {
    return new Counts(
        admitted.get(), rejected.get(), ready.get(), failed.get(), completed.get(), stopped.get());
  }

  /**
   * What has happened to pods since the start.
   *
   * @param admitted pods that fitted
   * @param rejected pods that did not fit
   * @param ready pods that became ready
   * @param failed pods that failed after they were admitted
   * @param completed pods that ended after their run time
   * @param stopped pods that are gone after they were deleted
   */
  public record Counts(
      long admitted, long rejected, long ready, long failed, long completed, long stopped) {}

  /** Disconnects. Nodes and pods stay as they are. */
  @Override
  public void close() {
    client.close();
  }

  // Nodes.

  private void register(FakeNode node, CompletableFuture<Void> done) {
    Map<String, String> labels = new TreeMap<>(node.labels());
    labels.putIfAbsent("kubernetes.io/hostname", node.name());
    Node created =
        new NodeBuilder()
            .withNewMetadata()
            .withName(node.name())
            .withLabels(labels)
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .withNewStatus()
            .withCapacity(node.capacity())
            .withAllocatable(node.capacity())
            .withConditions(ready(true))
            .endStatus()
            .build();
    client.send(
        Request.post(node.name(), "/api/v1/nodes", client.json(created)),
        answer -> {
          if (answer.code() == 409) {
            String path = "/api/v1/nodes/" + node.name();
            String json = client.json(created);
            send(Request.patch(node.name(), path, json));
            send(Request.patch(node.name(), path + "/status", json));
          } else if (!answer.isSuccess()) {
            complete(done, answer);
            return;
          }
          writeReadiness(node, true, done);
        });
  }

  /**
   * Writes the condition, and all taints: admission gives each new node one that it is not ready.
   */
  private void writeReadiness(FakeNode node, boolean isReady, CompletableFuture<Void> done) {
    List<Taint> taints = new ArrayList<>(node.taints());
    if (!isReady) {
      taints.add(new TaintBuilder().withKey(NOT_READY_TAINT).withEffect("NoSchedule").build());
    }
    String path = "/api/v1/nodes/" + node.name();
    Node changed =
        new NodeBuilder().withNewStatus().withConditions(ready(isReady)).endStatus().build();
    send(Request.patch(node.name(), path + "/status", client.json(changed)));
    client.send(
        Request.merge(
            node.name(), path, "{\"spec\":{\"taints\":%s}}".formatted(client.json(taints))),
        answer -> complete(done, answer));
  }

  private static NodeCondition ready(boolean isReady) {
    return new NodeConditionBuilder()
        .withType("Ready")
        .withStatus(isReady ? "True" : "False")
        .withReason(isReady ? "KubeletReady" : "KubeletNotReady")
        .withLastHeartbeatTime(LabClient.now())
        .withLastTransitionTime(LabClient.now())
        .build();
  }

  private static void complete(CompletableFuture<Void> done, Answer answer, Integer... alsoFine) {
    if (answer.isSuccess() || List.of(alsoFine).contains(answer.code())) {
      done.complete(null);
    } else {
      done.completeExceptionally(new IllegalStateException(answer.code() + " " + answer.body()));
    }
  }

  // Pods.

  private void seen(Pod pod) {
    @Nullable NodeState node = nodes.get(pod.getSpec().getNodeName());
    if (node == null) {
      return;
    }
    boolean isTerminating = pod.getMetadata().getDeletionTimestamp() != null;
    @Nullable PodState state = pods.get(pod.getMetadata().getUid());
    if (state == null) {
      if (hasEnded(pod) && !isTerminating) {
        return;
      }
      state = new PodState(pod, node);
      pods.put(state.uid, state);
      begin(pod, state, isTerminating);
    }
    if (isTerminating) {
      stop(pod, state);
    }
  }

  private void gone(Pod pod) {
    @Nullable PodState state = pods.remove(pod.getMetadata().getUid());
    if (state != null) {
      state.cancel();
      state.free();
      if (state.stoppingSince != null) {
        stopped.incrementAndGet();
      }
    }
  }

  /** Learns of a pod. */
  private void begin(Pod pod, PodState state, boolean isTerminating) {
    if (isRunning(pod) || isTerminating) {
      adopt(pod, state);
    } else {
      state.node.run(
          () -> {
            if (pods.get(state.uid) == state && state.stoppingSince == null) {
              admit(pod, state);
            }
          });
    }
  }

  private void admit(Pod pod, PodState state) {
    Map<String, Long> requests = Amounts.requests(pod);
    Optional<String> lacking = state.node.lacking(requests);
    if (lacking.isPresent()) {
      String resource = lacking.get();
      rejected.incrementAndGet();
      fail(
          state,
          "OutOf" + resource,
          "Pod Node didn't have enough resource: %s, requested: %s, used: %s, capacity: %s"
              .formatted(
                  resource,
                  requests.get(resource),
                  state.node.used.getOrDefault(resource, 0L),
                  state.node.allocatable.getOrDefault(resource, 0L)));
      return;
    }
    PodFate fate;
    try {
      fate = fateOf(pod, state);
    } catch (RuntimeException e) {
      failed.incrementAndGet();
      fail(state, "NoFate", String.valueOf(e.getMessage()));
      return;
    }
    state.take(requests);
    state.fate = fate;
    admitted.incrementAndGet();
    if (fate.startup().isZero()) {
      started(pod, state);
    } else {
      write(state, status("Running", pod, false));
      state.schedule(fate.startup(), () -> started(pod, state));
    }
  }

  private void started(Pod pod, PodState state) {
    if (fate(state).fails()) {
      failed.incrementAndGet();
      fail(state, "Error", "The pod was drawn to fail.");
      return;
    }
    ready.incrementAndGet();
    write(state, status("Running", pod, true));
    fate(state).runTime().ifPresent(time -> state.schedule(time, () -> completed(pod, state)));
  }

  private void completed(Pod pod, PodState state) {
    completed.incrementAndGet();
    write(state, status("Succeeded", pod, false));
    state.free();
  }

  private void fail(PodState state, String reason, String message) {
    write(
        state,
        new PodStatusBuilder()
            .withPhase("Failed")
            .withReason(reason)
            .withMessage(message)
            .withConditions(condition("Ready", false), condition("ContainersReady", false))
            .build());
    state.free();
  }

  /** Takes over a pod that another kubelet has started. */
  private void adopt(Pod pod, PodState state) {
    state.take(Amounts.requests(pod));
    PodFate fate;
    try {
      fate = fateOf(pod, state);
    } catch (RuntimeException e) {
      fate = new PodFate(Duration.ZERO, false, Optional.empty(), Duration.ZERO);
    }
    state.fate = fate;
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      return;
    }
    Optional<Instant> readySince = readySince(pod);
    if (readySince.isEmpty()) {
      state.schedule(fate.startup(), () -> started(pod, state));
    } else if (fate.runTime().isPresent()) {
      Instant end = readySince.get().plus(fate.runTime().get());
      Duration rest = Duration.between(Instant.now(), end);
      state.schedule(rest.isNegative() ? Duration.ZERO : rest, () -> completed(pod, state));
    }
  }

  private void stop(Pod pod, PodState state) {
    @Nullable Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
    Duration longest = Duration.ofSeconds(grace == null ? 0 : grace);
    @Nullable Instant since = state.stoppingSince;
    if (since == null) {
      since = Instant.now();
      state.stoppingSince = since;
      state.node.run(
          () -> {
            if (!hasEnded(pod) && pods.containsKey(state.uid)) {
              write(
                  state,
                  new PodStatusBuilder()
                      .withConditions(
                          condition("Ready", false), condition("ContainersReady", false))
                      .build());
            }
          });
    } else if (longest.compareTo(state.grace) >= 0) {
      return;
    }
    // The grace period may be shortened by another deletion.
    state.grace = longest;
    @Nullable PodFate fate = state.fate;
    Duration stop = fate == null ? Duration.ZERO : fate.stop();
    Duration wait = stop.compareTo(longest) < 0 ? stop : longest;
    Duration rest = wait.minus(Duration.between(since, Instant.now()));
    state.schedule(rest.isNegative() ? Duration.ZERO : rest, () -> remove(state));
  }

  private void remove(PodState state) {
    state.free(); // all containers have stopped, even if the API server does not learn it at once
    DeleteOptions options =
        new DeleteOptionsBuilder()
            .withGracePeriodSeconds(0L)
            .withNewPreconditions()
            .withUid(state.uid)
            .endPreconditions()
            .build();
    client.send(
        Request.delete(state.uid, state.path(), client.json(options)),
        answer -> {
          // A change of the pod at the same moment may win; the pod is to go nevertheless.
          if (!answer.isSuccess() && pods.get(state.uid) == state) {
            state.schedule(Duration.ofMillis(200), () -> remove(state));
          }
        });
  }

  private PodFate fateOf(Pod pod, PodState state) {
    String key = state.namespace + "/" + state.name;
    return behaviour.fateOf(
        pod, LabClient.random(seed, state.ordinal == 0 ? key : key + "#" + state.ordinal));
  }

  private static PodFate fate(PodState state) {
    return requireNonNull(state.fate, "an admitted pod has a fate");
  }

  /** The server refuses the write if another pod has the name by now. */
  private void write(PodState state, PodStatus status) {
    Pod patch =
        new PodBuilder()
            .withNewMetadata()
            .withUid(state.uid)
            .endMetadata()
            .withStatus(status)
            .build();
    send(Request.patch(state.uid, state.path() + "/status", client.json(patch)));
  }

  /** Sends a request to which any answer is fine: what it is about may be gone by now. */
  private void send(Request request) {
    client.send(request, answer -> {});
  }

  private static PodStatus status(String phase, Pod pod, boolean isReady) {
    List<ContainerStatus> containers = new ArrayList<>();
    String now = LabClient.now();
    pod.getSpec()
        .getContainers()
        .forEach(
            container -> {
              ContainerStatusBuilder status =
                  new ContainerStatusBuilder()
                      .withName(container.getName())
                      .withImage(container.getImage())
                      .withImageID("")
                      .withReady(isReady)
                      .withRestartCount(0);
              containers.add(
                  phase.equals("Running")
                      ? status.withNewState().withNewRunning(now).endState().build()
                      : status
                          .withNewState()
                          .withNewTerminated()
                          .withExitCode(0)
                          .withFinishedAt(now)
                          .withReason("Completed")
                          .endTerminated()
                          .endState()
                          .build());
            });
    return new PodStatusBuilder()
        .withPhase(phase)
        .withContainerStatuses(containers)
        .withConditions(
            condition("Initialized", true),
            condition("ContainersReady", isReady),
            condition("Ready", isReady))
        .build();
  }

  private static PodCondition condition(String type, boolean isTrue) {
    return new PodConditionBuilder()
        .withType(type)
        .withStatus(isTrue ? "True" : "False")
        .withLastTransitionTime(LabClient.now())
        .build();
  }

  private static boolean isRunning(Pod pod) {
    return "Running".equals(pod.getStatus().getPhase());
  }

  private static boolean hasEnded(Pod pod) {
    String phase = pod.getStatus().getPhase();
    return "Failed".equals(phase) || "Succeeded".equals(phase);
  }

  private static Optional<Instant> readySince(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .filter(condition -> condition.getStatus().equals("True"))
        .map(condition -> Instant.parse(condition.getLastTransitionTime()))
        .findFirst();
  }

  private static final class NodeState {
    final FakeNode node;
    final Map<String, Long> allocatable;
    final Map<String, Long> used = new HashMap<>();
    final List<Runnable> missed = new ArrayList<>();
    boolean isSilent;

    NodeState(FakeNode node) {
      this.node = node;
      this.allocatable = Amounts.of(node.capacity());
    }

    /** Runs a task, or keeps it until the node speaks again. */
    void run(Runnable task) {
      if (isSilent) {
        missed.add(task);
      } else {
        task.run();
      }
    }

    /** Returns the first resource of which the node has too little left. */
    Optional<String> lacking(Map<String, Long> requests) {
      for (Map.Entry<String, Long> request : requests.entrySet()) {
        String name = request.getKey();
        long free = allocatable.getOrDefault(name, 0L) - used.getOrDefault(name, 0L);
        if (request.getValue() > free && request.getValue() > 0) {
          return Optional.of(name);
        }
      }
      return Optional.empty();
    }
  }

  private final class PodState {
    final String uid;
    final String namespace;
    final String name;
    final NodeState node;
    Map<String, Long> taken = new LinkedHashMap<>();
    Duration grace = Duration.ZERO;
    final int ordinal; // among the pods of that name so far
    @Nullable PodFate fate;
    @Nullable Instant stoppingSince;
    private @Nullable Future<?> next;

    PodState(Pod pod, NodeState node) {
      this.uid = pod.getMetadata().getUid();
      this.namespace = pod.getMetadata().getNamespace();
      this.name = pod.getMetadata().getName();
      this.node = node;
      this.ordinal = names.merge(namespace + "/" + name, 1, Integer::sum) - 1;
    }

    String path() {
      return "/api/v1/namespaces/%s/pods/%s".formatted(namespace, name);
    }

    void take(Map<String, Long> amounts) {
      taken = amounts;
      taken.forEach((resource, amount) -> node.used.merge(resource, amount, Long::sum));
    }

    void free() {
      taken.forEach((resource, amount) -> node.used.merge(resource, -amount, Long::sum));
      taken = Map.of();
    }

    /** Replaces what is to happen next. */
    void schedule(Duration delay, Runnable task) {
      cancel();
      next = client.loop.schedule(delay, () -> node.run(task));
    }

    void cancel() {
      if (next != null) {
        next.cancel(false);
        next = null;
      }
    }
  }
}
