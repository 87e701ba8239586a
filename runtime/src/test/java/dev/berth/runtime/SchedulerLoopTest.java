package dev.berth.runtime;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.runtime.journal.FileJournal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loop that owns a scheduler, with its thread, a fleet and a journal. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SchedulerLoopTest {

  private static final ServiceClass GOLD = ServiceClass.builder("gold").build();

  /** A fleet that starts all instances that are placed. */
  private static final class Machines implements Fleet {
    private final Map<String, HostSpec> hosts = new LinkedHashMap<>();
    private final Map<String, ObservedInstance> instances = new LinkedHashMap<>();
    private final List<String> calls = new ArrayList<>();
    private final ConcurrentLinkedQueue<RuntimeException> failures = new ConcurrentLinkedQueue<>();

    @Override
    public synchronized CompletionStage<?> carryOut(ActionId id, Action action) {
      calls.add(action.describe());
      RuntimeException failure = failures.poll();
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      if (action instanceof Action.Place place) {
        instances.put(
            place.instance(),
            new ObservedInstance(place.instance(), place.host(), InstanceState.STARTING)
                .inAttempt(place.attempt()));
      }
      return CompletableFuture.completedFuture("done");
    }

    @Override
    public synchronized void takeBack(ActionId id, Action action) {
      calls.add("take back: " + action.describe());
    }

    @Override
    public synchronized CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
      calls.add("stop " + instance + " on " + host);
      instances.remove(instance);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletionStage<Observation> observe() {
      return CompletableFuture.completedFuture(
          new Observation(
              hosts.values().stream().map(ObservedHost::new).toList(),
              List.copyOf(instances.values())));
    }

    synchronized List<String> calls() {
      return List.copyOf(calls);
    }
  }

  private final Machines machines = new Machines();

  private static Scheduler.Builder scheduler() {
    Policy firstHost =
        new Policy() {
          @Override
          public void schedule(dev.berth.api.policy.SchedulingPass pass) {
            for (Instance each : pass.pending()) {
              pass.hosts().stream()
                  .filter(host -> pass.obstacle(each, host, List.of()).isEmpty())
                  .findFirst()
                  .ifPresent(host -> pass.place(each, host));
            }
          }

          @Override
          public Optional<PolicyMemory> memory() {
            return Optional.of(PolicyMemory.none());
          }
        };
    return Scheduler.builder().policy("first-host", context -> firstHost).serviceClasses(GOLD);
  }

  private SchedulerLoop.Builder loop() {
    return SchedulerLoop.builder(machines).scheduler(SchedulerLoopTest::scheduler);
  }

  private static HostSpec host(String id) {
    return new HostSpec(id, Resources.of(CPU, 4));
  }

  private static Request request(String id) {
    return Request.builder(id, "gold").demand(Resources.of(CPU, 1)).payload("render " + id).build();
  }

  private HostSpec known(HostSpec host) {
    synchronized (machines) {
      machines.hosts.put(host.id(), host);
    }
    return host;
  }

  /** Adds a host, unless the comparison at the start of the loop has found it already. */
  private void up(SchedulerLoop loop, String id) {
    var unused = loop.addHost(known(host(id))).exceptionally(there -> Accepted.ACCEPTED).join();
    assertThat(loop.ask(scheduler -> scheduler.host(id).isPresent()).join()).isTrue();
  }

  private static void await(java.util.function.BooleanSupplier condition)
      throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(1);
    }
  }

  @Test
  void hasTheFleetCarryOutPlans() throws Exception {
    try (SchedulerLoop loop = loop().start()) {
      up(loop, "h1");

      assertThat(loop.submit(request("r1")).join()).isEqualTo(Accepted.ACCEPTED);
      await(() -> machines.calls().contains("place r1 on h1"));
      loop.apply(new Event.StartedNow("r1")).join();

      assertThat(loop.ask(scheduler -> scheduler.instance("r1").orElseThrow().state()).join())
          .isEqualTo(InstanceState.RUNNING);
    }
  }

  @Test
  void refusalsReachWhoSubmitted() throws Exception {
    try (SchedulerLoop loop = loop().start()) {
      assertThatThrownBy(() -> loop.apply(new Event.StartedNow("r1")).join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(EventRefusedException.class);
    }
  }

  @Test
  void anImpossibleActionIsRejectedAndDecidedAnew() throws Exception {
    machines.failures.add(new ActionImpossibleException("no image"));
    try (SchedulerLoop loop = loop().start()) {
      up(loop, "h1");
      loop.submit(request("r1")).join();
      await(() -> machines.calls().size() == 3);

      assertThat(machines.calls())
          .containsExactly("place r1 on h1", "take back: place r1 on h1", "place r1 on h1");
    }
  }

  @Test
  void aFailedActionIsRepeated() throws Exception {
    machines.failures.add(new IllegalStateException("busy"));
    LoopSettings quick =
        LoopSettings.defaults()
            .withAttempts(
                3,
                Duration.ofSeconds(10),
                new dev.berth.api.Backoff(Duration.ofMillis(1), Duration.ofMillis(5)));
    try (SchedulerLoop loop = loop().settings(quick).start()) {
      up(loop, "h1");
      loop.submit(request("r1")).join();
      await(() -> machines.calls().size() == 2);

      assertThat(machines.calls()).containsExactly("place r1 on h1", "place r1 on h1");
    }
  }

  @Test
  void aCancelledInstanceIsStopped() throws Exception {
    try (SchedulerLoop loop = loop().start()) {
      up(loop, "h1");
      loop.submit(request("r1")).join();
      await(() -> machines.calls().contains("place r1 on h1"));

      assertThat(loop.cancel("r1").join().id()).isEqualTo("r1");
      await(() -> machines.calls().contains("stop r1 on h1"));
    }
  }

  @Test
  void continuesWhereItStopped(@TempDir Path directory) throws Exception {
    try (SchedulerLoop loop = loop().journal(FileJournal.open(directory)).start()) {
      up(loop, "h1");
      loop.submit(request("r1")).join();
      await(() -> machines.calls().contains("place r1 on h1"));
      loop.apply(new Event.Started(new dev.berth.api.plan.Attempt("r1", 1), OptionalLong.empty()))
          .join();
      synchronized (machines) {
        machines.instances.put(
            "r1", new ObservedInstance("r1", "h1", InstanceState.RUNNING).inAttempt(1));
      }
    }
    try (SchedulerLoop loop = loop().journal(FileJournal.open(directory)).start()) {
      assertThat(loop.recovery().passes()).isPositive();
      assertThat(loop.ask(it -> it.instance("r1").orElseThrow().state()).join())
          .isEqualTo(InstanceState.RUNNING);
      assertThat(loop.ask(it -> it.instance("r1").orElseThrow().request().payload()).join())
          .contains("render r1");
      assertThat(loop.ask(it -> it.hosts().size()).join()).isEqualTo(1);
    }
  }

  @Test
  void aRequestContinuesItsHistory(@TempDir Path directory) throws Exception {
    try (SchedulerLoop loop = loop().journal(FileJournal.open(directory)).start()) {
      up(loop, "h1");
      loop.submit(request("r1")).join();
      await(() -> machines.calls().contains("place r1 on h1"));
      loop.apply(new Event.StartedNow("r1")).join();
      History history =
          loop.ask(it -> History.of(it.instance("r1").orElseThrow(), it.now())).join().preempted();
      loop.cancel("r1").join();
      loop.apply(new Event.Submitted(request("r1"), Optional.of(history))).join();
      await(() -> machines.calls().stream().filter("place r1 on h1"::equals).count() == 2);
    }
    try (SchedulerLoop loop = loop().journal(FileJournal.open(directory)).start()) {
      assertThat(loop.ask(it -> it.instance("r1").orElseThrow().attempt()).join()).isEqualTo(2);
      assertThat(loop.ask(it -> it.instance("r1").orElseThrow().preemptions()).join()).isEqualTo(1);
    }
  }

  @Test
  void refusesAJournalOfOtherSettings(@TempDir Path directory) throws Exception {
    loop().journal(FileJournal.open(directory)).start().close();
    try (FileJournal journal = FileJournal.open(directory)) {
      assertThatThrownBy(() -> loop().scheduler(() -> scheduler().seed(7)).journal(journal).start())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("seed was 0 and is 7");
    }
  }

  @Test
  void aFullQueuePushesBack() throws Exception {
    CompletableFuture<Boolean> blocked = new CompletableFuture<>();
    try (SchedulerLoop loop =
        loop().settings(LoopSettings.defaults().withQueueCapacity(2)).start()) {
      CompletableFuture<Boolean> entered = new CompletableFuture<>();
      CompletableFuture<Boolean> asked =
          loop.ask(
              scheduler -> {
                entered.complete(true);
                return blocked.join();
              });
      entered.join();
      List<CompletableFuture<Accepted>> answers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        answers.add(loop.submit(request("r" + i)));
      }

      assertThat(answers.get(2)).isCompletedExceptionally();
      assertThatThrownBy(() -> answers.get(2).join())
          .hasCauseInstanceOf(LoopOverloadedException.class);
      blocked.complete(true);
      assertThat(asked.join()).isTrue();
      assertThat(answers.get(1).join()).isEqualTo(Accepted.ACCEPTED);
    }
  }

  @Test
  void drainsAndThenTakesNothing() throws Exception {
    SchedulerLoop loop = loop().start();
    CompletableFuture<Accepted> host = loop.addHost(known(host("h1")));
    CompletableFuture<Accepted> answer = loop.submit(request("r1"));

    assertThat(loop.shutDown(Duration.ofSeconds(30))).isTrue();
    assertThat(host).isDone(); // the comparison at the start may have found the host before
    assertThat(answer).isCompleted();
    assertThatThrownBy(() -> loop.submit(request("r2")).join())
        .hasCauseInstanceOf(LoopStoppedException.class);
    assertThat(Set.copyOf(machines.calls())).doesNotContain("place r2 on h1");
  }

  @Test
  void aStartThatFailsReleasesTheJournal(@TempDir Path directory) throws Exception {
    loop().journal(FileJournal.open(directory)).start().close();
    SchedulerLoop.Builder other =
        loop().scheduler(() -> scheduler().seed(7)).journal(FileJournal.open(directory));
    assertThatThrownBy(other::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("seed was");

    loop().journal(FileJournal.open(directory)).start().close();
  }

  @Test
  void aBuilderStartsOneLoop() throws Exception {
    SchedulerLoop.Builder once = loop();
    try (SchedulerLoop loop = once.start()) {
      assertThatThrownBy(once::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("called twice");
      assertThat(loop.isRunning()).isTrue();
    }
  }

  @Test
  void aSnapshotOnDemandIsWhereTheNextLoopBegins(@TempDir Path directory) throws Exception {
    try (SchedulerLoop loop = loop().journal(FileJournal.open(directory)).start()) {
      up(loop, "h1");
      loop.submit(request("r1")).join();
      loop.saveSnapshot().join();
    }
    try (SchedulerLoop loop = loop().journal(FileJournal.open(directory)).start()) {
      assertThat(loop.recovery().snapshot()).isPositive();
      assertThat(loop.recovery().inputs()).isLessThan(2);
      assertThat(loop.ask(it -> it.instance("r1").isPresent()).join()).isTrue();
    }
    try (SchedulerLoop loop = loop().start()) { // without a journal
      loop.saveSnapshot().join();
    }
  }

  @Test
  void errorsOfAQuestionGoToItsAnswer() throws Exception {
    try (SchedulerLoop loop = loop().start()) {
      CompletableFuture<?> answer =
          loop.ask(
              scheduler -> {
                throw new AssertionError("on purpose");
              });
      assertThatThrownBy(answer::join).hasCauseInstanceOf(AssertionError.class);
      assertThat(loop.ask(Scheduler::pendingCount).join()).isZero();
      assertThatThrownBy(() -> loop.ask(scheduler -> drained(loop)).join())
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("would wait for itself");
    }
  }

  @Test
  void aQuestionThatChangesSomethingIsRefusedSoThatTheJournalReplays(@TempDir Path directory)
      throws Exception {
    List<Function<Scheduler, Object>> changes =
        List.of(
            it -> it.cancel("r1", it.now()),
            it -> it.schedule(it.now()),
            it ->
                it.reconcile(new Observation(List.of(), List.of()), new Reconciler() {}, it.now()));
    try (SchedulerLoop loop = loop().journal(FileJournal.open(directory)).start()) {
      up(loop, "h1");
      loop.submit(request("r1")).join();
      long digest = loop.ask(Scheduler::digest).join();
      for (Function<Scheduler, Object> each : changes) {
        assertThatThrownBy(() -> loop.ask(each).join())
            .hasCauseInstanceOf(IllegalStateException.class)
            .hasMessageContaining("a question reported an event or ran a pass");
      }
      long later = Duration.ofDays(3).toNanos();
      assertThat(loop.ask(it -> it.whatIf().plan(it.now() + later).plan().actions()).join())
          .isEmpty();
      assertThat(loop.ask(Scheduler::digest).join()).isEqualTo(digest);
      loop.submit(request("r2")).join(); // time has not moved
    }
    try (SchedulerLoop loop = loop().journal(FileJournal.open(directory)).start()) {
      assertThat(loop.ask(it -> it.instance("r1").isPresent()).join()).isTrue();
    }
  }

  private static boolean drained(SchedulerLoop loop) {
    try {
      return loop.shutDown(Duration.ofDays(400_000_000));
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  @Test
  void timesMayBeForEver() throws Exception {
    Duration forEver = java.time.temporal.ChronoUnit.FOREVER.getDuration();
    LoopSettings settings =
        LoopSettings.defaults()
            .withAttempts(
                1, forEver, new dev.berth.api.Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2)))
            .withReconciliation(true, Optional.of(forEver));
    try (SchedulerLoop loop = loop().settings(settings).start()) {
      up(loop, "h1");
      loop.submit(request("r1")).join();
      await(() -> machines.calls().contains("place r1 on h1"));
      assertThat(loop.shutDown(forEver)).isTrue();
    }
  }
}
