package dev.berth.kubernetes.binding;

import dev.berth.api.Backoff;
import dev.berth.core.Scheduler;
import dev.berth.core.decision.Decision;
import dev.berth.kubernetes.binding.InstanceBook.View;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.meaning.Refusal;
import dev.berth.runtime.LoopSettings;
import dev.berth.runtime.SchedulerLoop;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the pods of a cluster that name it: watches pods and nodes, has a {@link SchedulerLoop}
 * decide, binds pods and deletes victims.
 *
 * <p>It keeps nothing on disk. After a restart it adopts all bound pods with their histories, which
 * are in annotations of the pods and in a ConfigMap.
 *
 * <p>{@link ClusterMirror} sees what changes, {@link PodTracker} and {@link NodeHosts} inform the
 * loop of it, {@link KubernetesFleet} carries out what it decides, and {@link Survey} compares both
 * sides.
 *
 * <p>Safe for use by several threads. It has two threads of its own: that of the loop, and one that
 * looks at what has changed in the cluster.
 */
public final class PodScheduler implements AutoCloseable {

  /** The ConfigMap with the histories of instances without a pod. */
  static final String LEDGER = "berth-history";

  private static final Duration HOUSEKEEPING = Duration.ofSeconds(1);
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration UNRESPONSIVE = Duration.ofMinutes(1);
  private static final Duration BLIND = Duration.ofMinutes(5);
  private static final int LOADS = 5;

  /**
   * For how long a pod is held back whose binding is refused again and again. Meanwhile a
   * comparison can correct what the scheduler believes: it ignores pods that are being bound.
   */
  private static final Backoff UNPLACEABLE =
      new Backoff(Duration.ofMillis(200), 2, Duration.ofSeconds(10), 1);

  private final Part shared;
  private final Probe probe;
  private final Ledger ledger;
  private final PodExplanations explanations;
  private final BudgetFeed budgets;
  private final NodeHosts nodes;
  private final PodGroups groups;
  private final PodTracker tracker;
  private final SchedulerLoop loop;
  private boolean claimsChanged; // used by tasks of the binding alone
  private volatile long lastHousekeeping = System.nanoTime();
  private volatile long lastWatching = lastHousekeeping;

  /**
   * What tests and forecasts set.
   *
   * @param decisions sees each decision, in the thread of the loop
   * @param timeOfDay asked once, at the start
   * @param loop returns the settings of the loop, for those of the configuration
   * @param onlyLooks whether it may read no Secret. Then it believes the histories on pods
   */
  record Probe(
      Consumer<Decision> decisions,
      InstantSource timeOfDay,
      UnaryOperator<LoopSettings> loop,
      boolean onlyLooks) {
    static final Probe NONE =
        new Probe(decision -> {}, InstantSource.system(), UnaryOperator.identity(), false);
  }

  private PodScheduler(
      KubernetesClient client,
      Configuration configuration,
      String namespace,
      String identity,
      BooleanSupplier mayWrite,
      Probe probe)
      throws IOException {
    this.probe = probe;
    this.shared =
        new Part(client, configuration, mayWrite, identity, probe.timeOfDay(), new Changes());
    this.ledger =
        new Ledger(shared.calls, shared.json, namespace, LEDGER, configuration.replacementWait());
    this.explanations = new PodExplanations(shared);
    this.budgets = new BudgetFeed(shared);
    this.nodes = new NodeHosts(shared, this::hostWasRemoved);
    this.groups = new PodGroups(shared, new GroupSizes(shared.calls, shared.json), explanations);
    try {
      Histories histories =
          probe.onlyLooks()
              ? Histories.unchecked(shared)
              : Histories.sealed(
                  shared, loaded(() -> HistoryKey.load(shared.calls, shared.json, namespace)));
      this.tracker = new PodTracker(shared, histories, ledger, nodes, groups, explanations);
      Survey survey = new Survey(shared, histories, nodes);
      KubernetesFleet fleet =
          new KubernetesFleet(
              shared,
              new NodeRoom(shared.mirror),
              evictions(client, configuration),
              histories,
              ledger,
              survey,
              tracker);
      var unused = loaded(() -> ledger.load(shared.time.now()));
      shared.mirror.start(START);
      this.loop =
          SchedulerLoop.builder(fleet)
              .scheduler(this::scheduler)
              .settings(probe.loop().apply(configuration.loop()))
              .reconciler(survey)
              .clock(shared.time::now)
              .start();
    } catch (InterruptedException | ExecutionException | TimeoutException failed) {
      stopWatching();
      throw new IOException("The API server did not answer: " + failed.getMessage(), failed);
    } catch (IOException | RuntimeException failed) {
      stopWatching();
      throw failed;
    }
  }

  /** Reads something, some times if the API server does not answer well. */
  private static <T> T loaded(Supplier<CompletableFuture<T>> reading)
      throws InterruptedException, ExecutionException {
    for (int tries = 1; ; tries++) {
      try {
        return reading.get().get(); // it ends by itself after the time of a request
      } catch (ExecutionException failed) {
        if (tries == LOADS) {
          throw failed;
        }
        TimeUnit.NANOSECONDS.sleep(LoopPort.RETRY.toNanos());
      }
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
    Configuration configuration = shared.configuration;
    return Scheduler.builder()
        .registry(configuration.policies())
        .policy(configuration.policy(), configuration.policyConfig())
        .serviceClasses(configuration.serviceClasses())
        .instanceBackoff(UNPLACEABLE)
        .onDecision(this::decided);
  }

  /**
   * Starts to schedule. Returns once the cluster was listed and what runs was adopted.
   *
   * @param client not closed by this. Its configuration should have HTTP/2 disabled, so that a lost
   *     connection delays only its own request, and allow at least 40 requests at once
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
    return start(client, configuration, namespace, identity, mayWrite, Probe.NONE);
  }

  /** As the other one, for tests and forecasts. */
  static PodScheduler start(
      KubernetesClient client,
      Configuration configuration,
      String namespace,
      String identity,
      BooleanSupplier mayWrite,
      Probe probe)
      throws IOException {
    PodScheduler scheduler =
        new PodScheduler(client, configuration, namespace, identity, mayWrite, probe);
    try {
      scheduler.loop.reconcile().get(START.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException failed) {
      String why = scheduler.shared.loop.uncompared(Duration.ZERO).orElse("" + failed.getMessage());
      scheduler.close();
      throw new IOException("The cluster could not be compared " + why, failed);
    }
    scheduler.shared.loop.open(scheduler.loop);
    scheduler.shared.tasks.execute(scheduler.shared.mirror::begin);
    var unused = scheduler.shared.tasks.repeat(HOUSEKEEPING, scheduler::keepHouse);
    return scheduler;
  }

  /** Returns the loop, for its status and its metrics. */
  public SchedulerLoop loop() {
    return loop;
  }

  /** Returns the number of requests to the API server so far, without watches. */
  public long requests() {
    return shared.calls.sent();
  }

  /** Returns the number of requests that the API server has not answered yet. */
  public int requestsUnderWay() {
    return shared.calls.underWay();
  }

  /** Returns the number of histories that wait for a pod. */
  public int histories() {
    return ledger.size();
  }

  /** Returns the number of pods that are refused. */
  public int refusedPods() {
    return explanations.refusedPods();
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

  /**
   * Returns why it is not ready although it is alive: it could not compare itself with the cluster
   * for a minute, so that nothing is scheduled; empty if it is ready.
   */
  public Optional<String> unready() {
    return shared
        .loop
        .uncompared(UNRESPONSIVE)
        .map(why -> "the cluster could not be compared " + why);
  }

  /** Calls something in the thread of the binding, once it has looked at all changes so far. */
  <T> CompletableFuture<T> afterChanges(Function<Seen, T> question) {
    return CompletableFuture.runAsync(() -> {}, shared.tasks) // what is to be looked at is known
        .thenRunAsync(() -> {}, shared.tasks) // and was looked at
        .thenApplyAsync(
            looked ->
                question.apply(new Seen(shared.book.all(), explanations.refused(), shared.mirror)),
            shared.tasks);
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
    shared.mirror.close();
    shared.tasks.close();
  }

  private void hostWasRemoved(String name) {
    tracker.loseAllOn(name);
  }

  // ---- Tasks of the binding

  private final class Changes implements ClusterMirror.Listener {
    @Override
    public void podChanged(PodRef ref, @Nullable Pod pod) {
      budgets.changed();
      if (pod == null) {
        tracker.look(ref, pod);
      } else {
        shared.notes.guard(pod, shared.time.now(), () -> tracker.look(ref, pod));
      }
    }

    @Override
    public void nodeChanged(String name) {
      nodes.look(name);
    }

    @Override
    public void budgetsChanged() {
      budgets.changed();
    }

    @Override
    public void claimsChanged() {
      claimsChanged = true;
    }
  }

  private void keepHouse() {
    lastHousekeeping = System.nanoTime();
    if (shared.mirror.isWatching()) {
      lastWatching = lastHousekeeping;
    }
    // Each is a task of its own: one that fails does not keep the others back.
    List.<Runnable>of(
            ledger::write,
            budgets::send,
            this::lookAgain,
            () -> groups.look(tracker),
            explanations::explain,
            () ->
                shared.loop.compareIfWanted(
                    shared.configuration.loop().reconcileEvery(), tracker::compared))
        .forEach(shared.tasks::execute);
  }

  private void lookAgain() {
    if (nodes.hasNewResources() || claimsChanged) { // the first forgets what it says
      claimsChanged = false;
      explanations.lookAgain();
    }
  }

  // ---- In the thread of the loop

  private void decided(Decision decision) {
    probe.decisions().accept(decision);
    if (!decision.victims().isEmpty()) { // it waits for them
      shared.tasks.execute(
          () ->
              shared
                  .book
                  .ofInstance(decision.instance())
                  .map(View::pod)
                  .flatMap(shared.mirror::pod)
                  .ifPresent(pod -> shared.notes.nominate(pod, decision.host())));
    }
  }
}
