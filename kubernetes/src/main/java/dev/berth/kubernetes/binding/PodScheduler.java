package dev.berth.kubernetes.binding;

import dev.berth.api.Action;
import dev.berth.api.Adoption;
import dev.berth.api.Attempt;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Observation;
import dev.berth.api.ObservedHost;
import dev.berth.api.ObservedInstance;
import dev.berth.api.Reconciler;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.Scheduler;
import dev.berth.core.decision.Decision;
import dev.berth.kubernetes.binding.InstanceBook.View;
import dev.berth.kubernetes.binding.InstanceBook.Where;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.config.ForeignPods;
import dev.berth.kubernetes.meaning.Budgets;
import dev.berth.kubernetes.meaning.ForeignLoad;
import dev.berth.kubernetes.meaning.NodeMeaning;
import dev.berth.kubernetes.meaning.Owner;
import dev.berth.kubernetes.meaning.PodBudget;
import dev.berth.kubernetes.meaning.PodMeaning;
import dev.berth.kubernetes.meaning.PodState;
import dev.berth.kubernetes.meaning.Refusal;
import dev.berth.kubernetes.meaning.Selectors;
import dev.berth.kubernetes.tasks.TaskThread;
import dev.berth.runtime.LoopOverloadedException;
import dev.berth.runtime.LoopStoppedException;
import dev.berth.runtime.SchedulerLoop;
import dev.berth.runtime.input.Input;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedules the pods of a cluster that name it: watches pods and nodes, has a {@link SchedulerLoop}
 * decide, binds pods and deletes victims.
 *
 * <p>It keeps nothing on disk. After a restart it adopts all bound pods with their histories, which
 * are in annotations of the pods and in a ConfigMap.
 *
 * <p>Safe for use by several threads. It has two threads of its own: that of the loop, and one that
 * looks at what has changed in the cluster.
 */
public final class PodScheduler implements AutoCloseable {

  /** The ConfigMap with the histories of instances without a pod. */
  static final String LEDGER = "berth-history";

  private static final Logger LOG = LoggerFactory.getLogger(PodScheduler.class);
  private static final Duration NEXT_POD = Duration.ofSeconds(10);
  private static final Duration ANSWERED = Duration.ofSeconds(3);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration HOUSEKEEPING = Duration.ofSeconds(1);
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration UNRESPONSIVE = Duration.ofMinutes(1);
  private static final Duration BLIND = Duration.ofMinutes(5);
  private static final Duration GROUPS_EVERY = Duration.ofSeconds(3);
  private static final Duration SAID_EVERY = Duration.ofSeconds(10);
  private static final int EXPLAINED_AT_ONCE = 50;
  private static final int REQUESTS_UNDER_WAY = 32;
  private static final int REQUEST_SECONDS = 5;

  private final Configuration configuration;
  private final ClusterMirror mirror;
  private final TaskThread tasks = new TaskThread("berth-binding");
  private final InstanceBook book = new InstanceBook();
  private final ApiCalls calls;
  private final Ledger ledger;
  private final PodNotes notes;
  private final Consumer<Decision> watcher;
  private final SchedulerLoop loop;
  private volatile int refusedPods;
  private volatile long lastHousekeeping = System.nanoTime();
  private volatile long lastWatching = lastHousekeeping;

  /** Completes once the loop may be used by its own actions. */
  private final CompletableFuture<SchedulerLoop> ready = new CompletableFuture<>();

  private final long wallOffset; // from the monotonic clock to the time of day, at the start

  // Only tasks of the binding use these.
  private final Map<String, HostSpec> hosts = new HashMap<>();
  private final Set<String> cordoned = new HashSet<>();
  private final Map<String, String> nodes = new HashMap<>(); // of pods, by UID
  private final Map<String, List<Refusal>> refused = new HashMap<>(); // by UID
  private final Map<String, Long> explainedAt = new HashMap<>(); // by UID
  private Map<String, DisruptionBudget> budgets = new TreeMap<>();
  private boolean budgetsChanged = true;
  private boolean claimsChanged;
  private final PodGroups groups;
  private final Map<String, Long> groupLookedAt = new HashMap<>();
  private boolean wantsComparison;

  /** What an observation found that may be adopted, by instance. Read by the loop. */
  private final Map<String, Adoptable> adoptable = new ConcurrentHashMap<>();

  private record Adoptable(PodRef pod, String host, Adoption how, Optional<Owner> owner) {}

  private PodScheduler(
      KubernetesClient client,
      Configuration configuration,
      String namespace,
      String identity,
      BooleanSupplier mayWrite,
      Consumer<Decision> watcher)
      throws IOException {
    this.configuration = configuration;
    this.watcher = watcher;
    this.wallOffset = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
    this.calls = new ApiCalls(client, mayWrite, REQUESTS_UNDER_WAY, REQUEST_SECONDS);
    this.ledger =
        new Ledger(
            calls,
            client.getKubernetesSerialization(),
            namespace,
            LEDGER,
            configuration.replacementWait());
    this.groups = new PodGroups(calls, client.getKubernetesSerialization());
    this.notes =
        new PodNotes(
            calls, client.getKubernetesSerialization(), configuration.schedulerName(), identity);
    this.mirror = new ClusterMirror(client, tasks, new Changes());
    KubernetesFleet fleet =
        new KubernetesFleet(
            calls,
            client.getKubernetesSerialization(),
            book,
            new NodeRoom(mirror),
            evictions(client, configuration),
            new Around());
    try {
      ledger.load(now()).get(START.toSeconds(), TimeUnit.SECONDS);
      mirror.start(START);
      this.loop =
          SchedulerLoop.builder(fleet)
              .scheduler(this::scheduler)
              .settings(configuration.loop())
              .reconciler(new Adopting())
              .clock(this::now)
              .start();
    } catch (InterruptedException | ExecutionException | TimeoutException failed) {
      stopWatching();
      throw new IOException("The API server did not answer: " + failed.getMessage(), failed);
    } catch (IOException | RuntimeException failed) {
      stopWatching();
      throw failed;
    }
  }

  /** Returns by which version of the API victims are evicted; empty to delete them. */
  private static Optional<String> evictions(KubernetesClient client, Configuration configuration) {
    if (!configuration.strictBudgets()) {
      return Optional.empty();
    }
    APIResourceList known = client.getApiResources("v1");
    return Optional.of(
        known == null
            ? "policy/v1"
            : known.getResources().stream()
                .filter(each -> each.getName().equals("pods/eviction"))
                .map(each -> each.getGroup() + "/" + each.getVersion())
                .findFirst()
                .orElse("policy/v1"));
  }

  private Scheduler.Builder scheduler() {
    return Scheduler.builder()
        .registry(configuration.policies())
        .policy(configuration.policy(), configuration.policyConfig())
        .serviceClasses(configuration.serviceClasses())
        .onDecision(this::decided);
  }

  /**
   * Starts to schedule. Returns once the cluster was listed and what runs was adopted.
   *
   * @param client not closed by this. Disable HTTP/2 in its configuration: the client of the JDK
   *     may let requests hang for ever if the connection that they share is lost
   * @param namespace the namespace of its own ConfigMap
   * @param identity the name of this process in events
   * @param mayWrite asked before each change: whether this process is still the leader
   * @throws IOException if the API server does not answer
   */
  public static PodScheduler start(
      KubernetesClient client,
      Configuration configuration,
      String namespace,
      String identity,
      BooleanSupplier mayWrite)
      throws IOException {
    return start(client, configuration, namespace, identity, mayWrite, decision -> {});
  }

  /** As the other one, with something that sees each decision, in the thread of the loop. */
  static PodScheduler start(
      KubernetesClient client,
      Configuration configuration,
      String namespace,
      String identity,
      BooleanSupplier mayWrite,
      Consumer<Decision> watcher)
      throws IOException {
    PodScheduler scheduler =
        new PodScheduler(client, configuration, namespace, identity, mayWrite, watcher);
    try {
      scheduler.loop.reconcile().get(START.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException failed) {
      scheduler.close();
      throw new IOException("The cluster could not be compared: " + failed.getMessage(), failed);
    }
    scheduler.ready.complete(scheduler.loop);
    scheduler.tasks.execute(scheduler.mirror::begin);
    var unused = scheduler.tasks.repeat(HOUSEKEEPING, scheduler::keepHouse);
    return scheduler;
  }

  /** Returns the loop, for its status and its metrics. */
  public SchedulerLoop loop() {
    return loop;
  }

  /** Returns the number of requests to the API server so far, without watches. */
  public long requests() {
    return calls.sent();
  }

  /** Returns the number of requests that the API server has not answered yet. */
  public int requestsUnderWay() {
    return calls.underWay();
  }

  /** Returns the number of histories that wait for a pod. */
  public int histories() {
    return ledger.size();
  }

  /** Returns the number of pods that are refused, as of the last second. */
  public int refusedPods() {
    return refusedPods;
  }

  /**
   * Returns whether it works: its loop runs, its own thread did something in the last minute, and
   * all watches were open at some time in the last five minutes. If not, start another one: a
   * request to the API server may hang for ever.
   */
  public boolean isAlive() {
    long now = System.nanoTime();
    return loop.isRunning()
        && now - lastHousekeeping < UNRESPONSIVE.toNanos()
        && now - lastWatching < BLIND.toNanos();
  }

  /** Calls something in the thread of the binding, once it has looked at all changes so far. */
  <T> CompletableFuture<T> afterChanges(Function<Seen, T> question) {
    return CompletableFuture.runAsync(() -> {}, tasks) // what is to be looked at is known
        .thenCompose(begun -> CompletableFuture.runAsync(() -> {}, tasks)) // and was looked at
        .thenCompose(
            looked ->
                CompletableFuture.supplyAsync(
                    () -> question.apply(new Seen(book.all(), Map.copyOf(refused), mirror)),
                    tasks));
  }

  /**
   * What the binding knows.
   *
   * @param instances the instances and their pods
   * @param refused why pods are refused, by UID
   * @param cluster what the API server says
   */
  record Seen(List<View> instances, Map<String, List<Refusal>> refused, ClusterMirror cluster) {}

  /** Stops at once. What was begun is found by the next scheduler. */
  @Override
  public void close() {
    loop.close();
    stopWatching();
  }

  private void stopWatching() {
    mirror.close();
    tasks.close();
  }

  /** Returns the time of the scheduler: that of day at the start, and monotonic from then on. */
  private long now() {
    return wallOffset + System.nanoTime();
  }

  // ---- What changes in the cluster: tasks of the binding

  private final class Changes implements ClusterMirror.Listener {
    @Override
    public void podChanged(PodRef ref, @Nullable Pod pod) {
      lookAt(ref, pod);
    }

    @Override
    public void nodeChanged(String name) {
      lookAtNode(name);
    }

    @Override
    public void budgetsChanged() {
      budgetsChanged = true;
    }

    @Override
    public void claimsChanged() {
      claimsChanged = true;
    }
  }

  private void lookAt(PodRef ref, @Nullable Pod pod) {
    budgetsChanged = true;
    if (pod == null) {
      groups.remove(ref.uid());
      ended(ref);
      Optional.ofNullable(nodes.remove(ref.uid())).ifPresent(this::lookAtNode);
      return;
    }
    Optional<String> node = PodState.nodeOf(pod);
    node.ifPresent(name -> nodes.put(ref.uid(), name));
    switch (PodState.of(pod, configuration.schedulerName())) {
      case WAITING -> waiting(ref, pod);
      case BOUND -> bound(ref, pod);
      case ENDING -> ending(ref);
      case FINISHED -> finished(ref, pod);
      case GATED, FOREIGN_BOUND, FOREIGN_WAITING -> {}
    }
    node.ifPresent(this::lookAtNode);
  }

  private void waiting(PodRef ref, Pod pod) {
    if (book.ofPod(ref.uid()).isPresent() || groups.has(ref.uid())) {
      return;
    }
    String instance = ref.key() + "/" + ref.uid();
    PodMeaning meaning = PodMeaning.of(instance, pod, configuration.podRules(), mirror.claims());
    if (meaning instanceof PodMeaning.Refused no) {
      refuse(ref, pod, no.reasons());
      return;
    }
    PodMeaning.Understood yes = (PodMeaning.Understood) meaning;
    refused.remove(ref.uid());
    if (!yes.leftOut().isEmpty()) {
      notes.event(pod, "Normal", "WishLeftOut", Refusal.describe(yes.leftOut()), now());
    }
    Optional<Owner> owner = Owner.of(pod);
    Request request = yes.request();
    Optional<View> continued =
        owner.flatMap(each -> book.continueWith(ref, each, request, this::isEnding));
    if (continued.isPresent()) {
      annotate(ref, continued.get().instance());
    } else if (yes.group().isPresent()) {
      groups.add(yes.group().get(), new PodGroups.Member(ref, instance, request, owner));
    } else {
      submit(new PodGroups.Member(ref, instance, request, owner), pod);
    }
  }

  /** Submits a pod, with the history of the one that it replaces if there is one. */
  private void submit(PodGroups.Member member, Pod pod) {
    PodRef ref = member.pod();
    String instance = member.instance();
    Request request = member.request();
    Optional<Owner> owner = member.owner();
    book.enter(instance, ref, request, owner);
    Optional<Placed> written = Placed.of(pod);
    Optional<SavedHistories.Kept> kept =
        owner
            .filter(each -> written.isEmpty())
            .flatMap(
                each ->
                    ledger.take(each, request.serviceClass(), request.demand().toString(), now()));
    History history =
        written
            .map(Placed::history)
            .or(() -> kept.map(SavedHistories.Kept::history))
            .orElseGet(() -> History.since(created(pod)));
    var unused =
        loop.submit(new Input.Submit(request, Optional.of(bounded(history))))
            .whenCompleteAsync(
                (accepted, failure) -> submitted(ref, instance, kept, failure), tasks);
  }

  private boolean isEnding(PodRef ref) {
    return mirror
        .pod(ref)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .isEmpty();
  }

  private void submitted(
      PodRef ref,
      String instance,
      Optional<SavedHistories.Kept> kept,
      @Nullable Throwable failure) {
    if (failure == null) {
      if (kept.isPresent()) {
        annotate(ref, instance);
      }
      return;
    }
    book.forget(instance);
    kept.ifPresent(ledger::putBack);
    if (!isStopped(failure)) {
      if (!isOverload(failure)) {
        LOG.warn("Pod {} was not accepted: {}", ref.key(), cause(failure).getMessage());
      }
      mirror.lookLater(ref, RETRY);
    }
  }

  private void refuse(PodRef ref, Pod pod, List<Refusal> reasons) {
    if (!reasons.equals(refused.put(ref.uid(), reasons))) {
      notes.waits(pod, "Unschedulable", Refusal.describe(reasons), now());
    }
  }

  /** Writes the history of a pod's instance on it, so that a restart finds it. */
  private void annotate(PodRef ref, String instance) {
    var unused =
        historyOf(instance)
            .thenCompose(
                history ->
                    calls.patch(
                        // There, so that no right to change pods as such is needed.
                        ref.path() + "/status",
                        ApiCalls.MERGE,
                        mirror.annotation(ref, instance, history)))
            .whenCompleteAsync(
                (answer, failure) -> {
                  if (answer != null && answer.isSuccess()) {
                    ledger.forget(instance);
                  } else {
                    LOG.debug("Pod {} was not annotated: {}", ref.key(), answer, failure);
                  }
                },
                tasks);
  }

  private void bound(PodRef ref, Pod pod) {
    Optional<View> found = book.ofPod(ref.uid());
    if (found.isEmpty()) {
      wantsComparison = true; // some other has bound it, or it was created on its node
      return;
    }
    View view = found.get();
    String node = PodState.nodeOf(pod).orElseThrow();
    if (view.where() == Where.PENDING) { // the answer to its binding is still to come, or was lost
      var unused = tasks.schedule(ANSWERED, () -> takeOver(ref));
    } else if (!node.equals(view.host())) {
      wantsComparison = true;
    } else if (view.where() == Where.BOUND && isReady(pod) && book.started(view.instance())) {
      Input<?> started =
          view.attempt() > 0
              ? new Input.Started(
                  new Attempt(view.instance(), view.attempt()), OptionalLong.empty())
              : new Input.StartedNow(view.instance());
      var unused =
          loop.submit(started)
              .whenCompleteAsync(
                  (accepted, failure) -> {
                    if (failure != null && isOverload(failure)) {
                      book.notStarted(view.instance());
                      mirror.lookLater(ref, RETRY);
                    } else if (failure != null && !isStopped(failure)) {
                      LOG.debug("The start of {} was refused", ref.key(), failure);
                    }
                  },
                  tasks);
    }
  }

  /** A pod is bound, but not by an action of the scheduler of which it knows. */
  private void takeOver(PodRef ref) {
    Optional<String> node = mirror.pod(ref).flatMap(PodState::nodeOf);
    Optional<View> view = book.ofPod(ref.uid());
    if (node.isPresent() && view.isPresent() && view.get().where() == Where.PENDING) {
      book.foundOn(view.get().instance(), ref, node.get());
      lookAtNode(node.get());
      wantsComparison = true;
    }
  }

  /** A pod is being deleted: by the scheduler, or by another. */
  private void ending(PodRef ref) {
    groups.remove(ref.uid());
    book.ofPod(ref.uid())
        .filter(view -> ref.equals(view.pod()) && view.where() != Where.LEAVING)
        .ifPresent(this::lose);
    forgetNotes(ref);
  }

  private void finished(PodRef ref, Pod pod) {
    Optional<View> found = book.ofPod(ref.uid());
    if (found.isEmpty()) {
      return;
    }
    View view = found.get();
    if (!ref.equals(view.pod()) || view.where() == Where.LEAVING) {
      ended(ref);
    } else if ("Succeeded".equals(pod.getStatus().getPhase())) {
      book.forget(view.instance());
      Input<?> completed =
          view.attempt() > 0
              ? new Input.Completed(
                  new Attempt(view.instance(), view.attempt()),
                  Optional.empty(),
                  OptionalLong.empty())
              : new Input.CompletedNow(view.instance(), Optional.empty());
      var unused =
          loop.submit(completed)
              .whenComplete(
                  (report, failure) -> {
                    if (failure != null && !isStopped(failure)) {
                      cancel(view.instance()); // it was never reported to run
                    }
                  });
    } else {
      lose(view);
    }
  }

  /** A pod is gone. */
  private void ended(PodRef ref) {
    forgetNotes(ref);
    Optional<View> before = book.ofPod(ref.uid());
    boolean wasLeaving =
        before
            .filter(
                view ->
                    view.pod() == null || (view.where() == Where.LEAVING && ref.equals(view.pod())))
            .isPresent();
    Optional<View> left = book.ended(ref.uid(), now());
    if (left.isEmpty()) {
      return;
    }
    View view = left.get();
    if (wasLeaving && view.owner().isPresent()) {
      var unused = tasks.schedule(NEXT_POD, () -> abandon(view.instance()));
    } else {
      lose(view);
    }
  }

  /** No pod has continued an instance: its history is kept for one that may come later. */
  private void abandon(String instance) {
    book.ofInstance(instance).filter(view -> view.pod() == null).ifPresent(this::lose);
  }

  /** Ends an instance, and keeps its history for another pod of its owner. */
  private void lose(View view) {
    String instance = view.instance();
    if (book.dropPod(instance, now())) {
      return; // the room of its earlier pod is promised, so its preemption must stay
    }
    book.forget(instance);
    PodRef pod = view.pod();
    String host = pod == null ? null : nodes.get(pod.uid());
    if (host != null) {
      lookAtNode(host); // what the pod still holds counts before the instance gives it back
    }
    if (view.owner().isPresent()) {
      var unused =
          historyOf(instance)
              .thenAccept(
                  history -> {
                    var unusedAnswer = ledger.keep(view, history, now());
                  });
    }
    cancel(instance);
  }

  private void cancel(String instance) {
    var unused =
        loop.cancel(instance)
            .whenComplete(
                (report, failure) -> {
                  if (failure != null && isOverload(failure)) {
                    var unusedTask = tasks.schedule(RETRY, () -> cancel(instance));
                  }
                });
  }

  private void forgetNotes(PodRef ref) {
    refused.remove(ref.uid());
    explainedAt.remove(ref.uid());
  }

  private CompletableFuture<History> historyOf(String instance) {
    return ready.thenCompose(
        running ->
            running.ask(
                scheduler ->
                    History.of(
                        scheduler
                            .instance(instance)
                            .orElseThrow(() -> new InstanceBook.GoneException(instance)),
                        Math.max(now(), scheduler.now()))));
  }

  /** A history that begins in the future, as by a clock that differs, begins now. */
  private History bounded(History history) {
    long now = now();
    if (history.admittedAt() > now) {
      return History.since(now);
    }
    long life = now - history.admittedAt();
    boolean fits =
        history.served().plus(history.restartOverhead()).compareTo(Duration.ofNanos(life)) <= 0;
    return fits ? history : History.since(history.admittedAt());
  }

  private static long created(Pod pod) {
    return nanos(pod.getMetadata().getCreationTimestamp()).orElse(0);
  }

  private static OptionalLong nanos(@Nullable String timestamp) {
    if (timestamp == null) {
      return OptionalLong.empty();
    }
    try {
      Instant instant = Instant.parse(timestamp);
      return OptionalLong.of(
          TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano());
    } catch (DateTimeParseException malformed) {
      return OptionalLong.empty();
    }
  }

  private static boolean isReady(Pod pod) {
    return condition(pod, "Ready").filter(each -> "True".equals(each.getStatus())).isPresent();
  }

  private static Optional<PodCondition> condition(Pod pod, String type) {
    return pod.getStatus() == null || pod.getStatus().getConditions() == null
        ? Optional.empty()
        : pod.getStatus().getConditions().stream()
            .filter(each -> type.equals(each.getType()))
            .findFirst();
  }

  // ---- Nodes

  private void lookAtNode(String name) {
    Optional<NodeMeaning.Understood> meant = meaningOf(name);
    if (meant.isEmpty()) {
      if (hosts.remove(name) != null) {
        cordoned.remove(name);
        submit(new Input.RemoveHost(name), name);
        loseAllOn(name);
      }
      return;
    }
    HostSpec spec = meant.get().host();
    HostSpec before = hosts.put(name, spec);
    if (before == null) {
      submit(new Input.AddHost(spec), name);
      mirror.podsOn(name).forEach(each -> mirror.look(PodRef.of(each)));
    } else if (!before.equals(spec)) {
      submit(new Input.ChangeHost(spec), name);
    }
    warnOfForeignPods(name);
    boolean closed = meant.get().cordoned() || !meant.get().ready() || isCrowded(name);
    if (closed && cordoned.add(name)) {
      submit(new Input.Cordon(name), name);
    } else if (!closed && cordoned.remove(name)) {
      submit(new Input.Uncordon(name), name);
    }
  }

  private void submit(Input<?> input, String node) {
    var unused =
        loop.submit(input)
            .whenCompleteAsync(
                (accepted, failure) -> {
                  if (failure != null && !isStopped(failure)) {
                    LOG.debug("{} was refused", input, failure);
                    hosts.remove(node); // look at it anew
                    cordoned.remove(node);
                    wantsComparison = true;
                  }
                },
                tasks);
  }

  private Optional<NodeMeaning.Understood> meaningOf(String name) {
    Optional<Node> node = mirror.node(name).filter(this::isOurs);
    if (node.isEmpty()) {
      return Optional.empty();
    }
    List<Pod> foreign =
        mirror.podsOn(name).stream()
            .filter(each -> !book.isCounted(each.getMetadata().getUid()))
            .filter(each -> !isBeingBound(each))
            .toList();
    NodeMeaning meaning = NodeMeaning.of(node.get(), ForeignLoad.of(foreign));
    if (meaning instanceof NodeMeaning.Refused no) {
      LOG.warn("Node {} is not used: {}", name, Refusal.describe(no.reasons()));
      return Optional.empty();
    }
    return Optional.of((NodeMeaning.Understood) meaning);
  }

  /** The answer to its binding is still to come, so the scheduler counts it already. */
  private boolean isBeingBound(Pod pod) {
    return book.ofPod(pod.getMetadata().getUid())
        .filter(view -> PodRef.of(pod).equals(view.pod()) && view.where() == Where.PENDING)
        .isPresent();
  }

  private boolean isOurs(Node node) {
    return Selectors.matches(
        configuration.nodes(),
        node.getMetadata().getLabels() == null ? Map.of() : node.getMetadata().getLabels());
  }

  private boolean isCrowded(String name) {
    return configuration.foreignPods() == ForeignPods.CLOSE && !foreignPodsOn(name).isEmpty();
  }

  /** Returns the pods on a node that another scheduler has placed there. */
  private List<Pod> foreignPodsOn(String name) {
    return mirror.podsOn(name).stream()
        .filter(
            each ->
                PodState.of(each, configuration.schedulerName()) == PodState.FOREIGN_BOUND
                    && !PodState.belongsToNode(each))
        .toList();
  }

  private void warnOfForeignPods(String name) {
    if (configuration.foreignPods() != ForeignPods.COUNT) {
      for (Pod each : foreignPodsOn(name)) {
        String text =
            "Pod %s is on node %s, which scheduler %s manages."
                .formatted(PodRef.of(each).key(), name, configuration.schedulerName());
        if (notes.event(each, "Warning", "ForeignPod", text, now())) {
          LOG.warn(text);
        }
      }
    }
  }

  private void loseAllOn(String node) {
    book.all().stream()
        .filter(view -> node.equals(view.host()) && view.where() == Where.BOUND)
        .forEach(this::lose);
  }

  // ---- From time to time

  private void keepHouse() {
    lastHousekeeping = System.nanoTime();
    if (mirror.isWatching()) {
      lastWatching = lastHousekeeping;
    }
    refusedPods = refused.size();
    ledger.write();
    divideBudgets();
    lookAtRefused();
    lookAtGroups();
    explain();
    if (wantsComparison) {
      wantsComparison = false;
      var unused = loop.reconcile().thenRunAsync(this::compared, tasks);
    }
  }

  /** A pod may have been refused only because its claim was not bound yet. */
  private void lookAtRefused() {
    if (claimsChanged) {
      claimsChanged = false;
      mirror.pods().stream()
          .filter(each -> refused.containsKey(each.getMetadata().getUid()))
          .forEach(each -> mirror.look(PodRef.of(each)));
    }
  }

  private void lookAtGroups() {
    long now = now();
    for (String each : groups.groups()) {
      if (now - groupLookedAt.getOrDefault(each, 0L) > GROUPS_EVERY.toNanos()) {
        groupLookedAt.put(each, now);
        var unused =
            groups.minimum(each).thenAcceptAsync(minimum -> lookAtGroup(each, minimum), tasks);
      }
    }
    groupLookedAt.keySet().retainAll(groups.groups());
  }

  /** Submits the pods of a group once enough are there, or says what they wait for. */
  private void lookAtGroup(String group, OptionalInt minimum) {
    List<PodGroups.Member> members = groups.members(group);
    long needed = minimum.orElse(0) - running(group);
    if (minimum.isEmpty() || members.size() < needed) {
      String why =
          minimum.isEmpty()
              ? "there is no PodGroup %s of scheduling.x-k8s.io.".formatted(group)
              : "group %s has %s of %s pods that must start together."
                  .formatted(group, members.size() + running(group), minimum.getAsInt());
      members.forEach(each -> say(each.pod(), why));
    } else if (needed <= 0) { // it has started: the others are single pods
      for (PodGroups.Member each : members) {
        groups.remove(each.pod().uid());
        mirror.pod(each.pod()).ifPresent(pod -> submit(each, pod));
      }
    } else if (!members.isEmpty()) {
      PodGroups.Formed formed = groups.form(group, (int) needed);
      formed
          .members()
          .forEach(each -> book.enter(each.instance(), each.pod(), each.request(), each.owner()));
      var unused =
          loop.submit(new Input.SubmitGroup(formed.spec()))
              .whenCompleteAsync(
                  (accepted, failure) ->
                      formed
                          .members()
                          .forEach(
                              each ->
                                  submitted(
                                      each.pod(), each.instance(), Optional.empty(), failure)),
                  tasks);
    }
  }

  /** Returns how many pods of a group are on nodes. */
  private long running(String group) {
    return mirror.pods().stream()
        .filter(each -> PodState.of(each, configuration.schedulerName()) == PodState.BOUND)
        .filter(
            each ->
                each.getMetadata().getLabels() != null
                    && group.equals(
                        each.getMetadata().getNamespace()
                            + "/"
                            + each.getMetadata().getLabels().get(PodMeaning.GROUP_LABEL)))
        .count();
  }

  /** After a comparison the scheduler counts what it has adopted or found elsewhere. */
  private void compared() {
    for (View view : book.uncounted()) {
      String host = view.host();
      if (host != null && !hosts.containsKey(host)) {
        lose(view); // its node is gone, so it can only be deleted
      } else if (host != null) {
        var unused =
            isOn(view.instance(), host)
                .thenAcceptAsync(
                    isThere -> {
                      if (isThere) {
                        book.counted(view.instance(), host);
                      }
                    },
                    tasks);
      }
    }
    var unused =
        loop.ask(scheduler -> true)
            .thenRunAsync(
                () -> mirror.nodes().forEach(each -> lookAtNode(each.getMetadata().getName())),
                tasks);
  }

  /** Returns whether the scheduler has an instance on a host. */
  private CompletableFuture<Boolean> isOn(String instance, String host) {
    return loop.ask(
        scheduler ->
            scheduler
                .instance(instance)
                .flatMap(Instance::host)
                .filter(each -> each.id().equals(host))
                .isPresent());
  }

  private void divideBudgets() {
    if (!budgetsChanged || (mirror.budgets().isEmpty() && budgets.isEmpty())) {
      return;
    }
    budgetsChanged = false;
    List<Budgets.Member> members = new ArrayList<>();
    for (Pod each : mirror.pods()) {
      PodState state = PodState.of(each, configuration.schedulerName());
      if (book.ofPod(each.getMetadata().getUid()).isPresent()) {
        members.add(Budgets.Member.ours(each));
      } else if (state != PodState.FINISHED) {
        members.add(Budgets.Member.foreign(each));
      }
    }
    List<PodBudget> given = mirror.budgets();
    Map<String, DisruptionBudget> next = new TreeMap<>(Budgets.of(given, members).byJob());
    next.forEach(
        (job, budget) -> {
          if (!budget.equals(budgets.get(job))) {
            var unused = loop.submit(new Input.SetBudget(job, budget));
          }
        });
    for (String job : budgets.keySet()) {
      if (!next.containsKey(job)) {
        var unused = loop.submit(new Input.RemoveBudget(job));
      }
    }
    budgets = next;
  }

  /** Says on some pods why they wait; on those for which it was said longest ago first. */
  private void explain() {
    long now = now();
    int left = EXPLAINED_AT_ONCE;
    for (View view : book.all()) {
      PodRef pod = view.pod();
      if (left > 0
          && pod != null
          && view.where() == Where.PENDING
          && now - explainedAt.getOrDefault(pod.uid(), 0L) > SAID_EVERY.toNanos()) {
        left--;
        explainedAt.put(pod.uid(), now);
        var unused =
            loop.ask(scheduler -> why(scheduler, view.instance()))
                .thenAcceptAsync(why -> why.ifPresent(text -> say(pod, text)), tasks);
      }
    }
  }

  private Optional<String> why(Scheduler scheduler, String instance) {
    return scheduler
        .instance(instance)
        .filter(each -> each.state() == InstanceState.PENDING)
        .map(each -> scheduler.explain().whyPending(instance, scheduler.now()).describe());
  }

  private void say(PodRef ref, String why) {
    mirror.pod(ref).ifPresent(pod -> notes.waits(pod, "Unschedulable", why, now()));
  }

  // ---- In the thread of the loop

  private void decided(Decision decision) {
    watcher.accept(decision);
    if (!decision.victims().isEmpty()) { // it waits for them
      tasks.execute(
          () ->
              book.ofInstance(decision.instance())
                  .map(View::pod)
                  .flatMap(mirror::pod)
                  .ifPresent(pod -> notes.nominate(pod, decision.host())));
    }
  }

  private final class Around implements KubernetesFleet.Surroundings {
    @Override
    public CompletableFuture<History> historyOf(String instance) {
      return PodScheduler.this.historyOf(instance);
    }

    @Override
    public CompletableFuture<Void> keep(View instance, History history) {
      return ledger.keep(instance, history, PodScheduler.this.now());
    }

    @Override
    public CompletableFuture<Observation> observe() {
      return CompletableFuture.supplyAsync(PodScheduler.this::observe, tasks);
    }

    @Override
    public void lookAt(PodRef pod) {
      mirror.look(pod);
    }

    @Override
    public void stays(String instance, PodRef pod) {
      tasks.execute(
          () -> {
            if (!isEnding(pod)) {
              book.stays(instance);
              ledger.forget(instance);
              mirror.look(pod);
            }
          });
    }

    @Override
    public void verify(Action.Place place, PodRef pod) {
      var unused =
          isOn(place.instance(), place.host())
              .thenAcceptAsync(
                  isThere -> {
                    if (!isThere) { // its host was removed while the request was under way
                      book.foundOn(place.instance(), pod, place.host());
                      wantsComparison = true;
                      lookAtNode(place.host());
                    }
                  },
                  tasks);
    }

    @Override
    public void isElsewhere() {
      tasks.execute(() -> wantsComparison = true);
    }

    @Override
    public long now() {
      return PodScheduler.this.now();
    }
  }

  private Observation observe() {
    List<ObservedHost> seen = new ArrayList<>();
    List<ObservedInstance> instances = new ArrayList<>();
    Set<String> underWay = new HashSet<>();
    adoptable.clear();
    for (Pod pod : mirror.pods()) {
      if (PodState.of(pod, configuration.schedulerName()) == PodState.BOUND) {
        observed(pod, underWay).ifPresent(instances::add);
      }
    }
    for (View view : book.all()) {
      if (view.where() == Where.LEAVING || view.pod() == null) {
        underWay.add(view.instance());
      }
    }
    // The scheduler knows hosts from inputs alone, so that both paths cannot disagree. Only at the
    // start, when there can be no input, an observation has the hosts first.
    Set<String> names = new TreeSet<>(hosts.keySet());
    mirror.nodes().forEach(each -> names.add(each.getMetadata().getName()));
    for (String name : names) {
      if (ready.isDone()) {
        lookAtNode(name);
      } else {
        meaningOf(name).ifPresent(meant -> hosts.put(name, meant.host()));
      }
    }
    for (HostSpec each : hosts.values()) {
      seen.add(new ObservedHost(each, Resources.none()));
    }
    instances.removeIf(each -> !hosts.containsKey(each.host()));
    return new Observation(seen, instances, underWay);
  }

  private Optional<ObservedInstance> observed(Pod pod, Set<String> underWay) {
    PodRef ref = PodRef.of(pod);
    String node = PodState.nodeOf(pod).orElseThrow();
    InstanceState state = isReady(pod) ? InstanceState.RUNNING : InstanceState.STARTING;
    Optional<View> known = book.ofPod(ref.uid());
    if (known.isPresent()) {
      if (known.get().where() == Where.PENDING) {
        underWay.add(known.get().instance()); // its binding is under way
        return Optional.empty();
      }
      return Optional.of(new ObservedInstance(known.get().instance(), node, state));
    }
    Optional<Placed> placed = Placed.of(pod);
    String instance = placed.map(Placed::instance).orElse(ref.key() + "/" + ref.uid());
    PodMeaning meaning = PodMeaning.of(instance, pod, configuration.podRules(), mirror.claims());
    if (!(meaning instanceof PodMeaning.Understood understood)) {
      return Optional.empty(); // it is foreign load
    }
    Request request = understood.request();
    long now = now();
    long boundAt = Math.min(now, since(pod, "PodScheduled").orElse(created(pod)));
    long since =
        Math.min(
            now,
            state == InstanceState.RUNNING
                ? Math.max(boundAt, since(pod, "Ready").orElse(boundAt))
                : boundAt);
    History history = placed.map(Placed::history).orElse(History.since(created(pod)));
    if (state == InstanceState.RUNNING && history.restarting()) {
      history =
          history.restartOverhead(
              history.restartOverhead().plus(Duration.ofNanos(since - boundAt)));
    }
    if (history.admittedAt() > since
        || history.served().plus(history.restartOverhead()).toNanos()
            > since - history.admittedAt()) {
      history = History.since(Math.min(created(pod), since));
    }
    adoptable.put(
        instance, new Adoptable(ref, node, new Adoption(request, history), Owner.of(pod)));
    return Optional.of(new ObservedInstance(instance, node, state).since(since));
  }

  private static OptionalLong since(Pod pod, String type) {
    return condition(pod, type)
        .map(each -> nanos(each.getLastTransitionTime()))
        .orElse(OptionalLong.empty());
  }

  /** Adopts what runs, and lets go of what is gone. */
  private final class Adopting implements Reconciler {
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

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private static boolean isOverload(Throwable failure) {
    return cause(failure) instanceof LoopOverloadedException;
  }

  private static boolean isStopped(Throwable failure) {
    return cause(failure) instanceof LoopStoppedException;
  }
}
