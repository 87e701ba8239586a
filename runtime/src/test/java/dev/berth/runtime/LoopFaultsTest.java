package dev.berth.runtime;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Backoff;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import dev.berth.runtime.LoopEngine.Message;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.entry.Settings;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.FileJournalOptions;
import dev.berth.runtime.journal.ForceMode;
import dev.berth.runtime.journal.SimulatedDisk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a loop does when its fleet, its journal or its embedder fails at a bad moment. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LoopFaultsTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Taint LOST = Taint.unreachable(Duration.ofSeconds(20));

  /** A fleet whose answers the test gives. */
  private static final class ByHand implements Fleet {
    final List<String> calls = new ArrayList<>();
    final List<CompletableFuture<Object>> actions = new ArrayList<>();
    final List<CompletableFuture<Object>> stops = new ArrayList<>();
    final List<OptionalInt> stoppedAttempts = new ArrayList<>();
    final List<CompletableFuture<Observation>> questions = new ArrayList<>();
    boolean throwsAlways;

    @Override
    public synchronized CompletionStage<?> carryOut(ActionId id, Action action) {
      calls.add(action.describe());
      CompletableFuture<Object> answer = new CompletableFuture<>();
      actions.add(answer);
      return answer;
    }

    @Override
    public synchronized void takeBack(ActionId id, Action action) {
      calls.add("take back: " + action.describe());
      fail();
    }

    @Override
    public synchronized CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
      calls.add("stop " + instance + " on " + host);
      stoppedAttempts.add(attempt);
      fail();
      CompletableFuture<Object> answer = new CompletableFuture<>();
      stops.add(answer);
      return answer;
    }

    private void fail() {
      if (throwsAlways) {
        throw new IllegalStateException("a defect of the fleet");
      }
    }

    @Override
    public synchronized CompletionStage<Observation> observe() {
      CompletableFuture<Observation> answer = new CompletableFuture<>();
      questions.add(answer);
      return answer;
    }

    synchronized int asked() {
      return questions.size();
    }
  }

  private ByHand fleet = new ByHand();
  private SimulatedDisk disk = new SimulatedDisk(1);
  private FileJournalOptions options = FileJournalOptions.defaults();
  private int underWayPerHost = 8;
  private Supplier<Scheduler.Builder> builder = () -> LoopWorld.scheduler(1);
  private Consumer<SchedulingPass> decides = pass -> {}; // of the next scripted pass
  private final Map<Long, Consumer<SchedulingPass>> script = new HashMap<>(); // of those before
  private final List<Message> inbox = new ArrayList<>();
  private final Set<String> lost = new HashSet<>(); // hosts that cannot be reached
  private Reconciler reconciler = Reconciler.DEFAULT;
  private FileJournal journal;
  private Recovery recovery;
  private LoopEngine engine;
  private long now;

  private void start(LoopSettings settings) throws IOException {
    journal = disk.openJournal(options);
    recovery = Recovery.of(journal, builder, false, underWayPerHost);
    inbox.clear();
    engine = new LoopEngine(recovery, journal, fleet, reconciler, settings, () -> now, inbox::add);
  }

  private static LoopSettings settings() {
    return LoopSettings.defaults().withReconciliation(true, Optional.empty());
  }

  /** A policy that decides what the test says, and the same again in a replay. */
  private final class Scripted implements Policy {
    @Override
    public void schedule(SchedulingPass pass) {
      Consumer<SchedulingPass> step = script.computeIfAbsent(pass.number(), each -> decides);
      decides = none -> {};
      step.accept(pass);
    }

    @Override
    public Optional<PolicyMemory> memory() {
      return Optional.of(PolicyMemory.none());
    }
  }

  /** Begins with hosts of a scripted policy, and an instance {@code a} of 3 that runs on h1. */
  private void startScripted() throws IOException {
    builder = () -> LoopWorld.scheduler(1).policy("scripted", context -> new Scripted());
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(new Event.HostAdded(host("h2")));
    decide("a", 3, pass -> pass.place(find(pass, "a"), host(pass, "h1")));
    fleet.actions.get(0).complete("done");
    turn();
    send(new Event.StartedNow("a"));
    turn();
  }

  /** Submits a request, and has the pass that is due then decide something. */
  private void decide(String id, long cpu, Consumer<SchedulingPass> how) throws IOException {
    decides = how;
    send(request(id, "bronze", cpu));
    turn();
  }

  private Instance instance(String id) {
    return engine.scheduler().instance(id).orElseThrow();
  }

  private static Instance find(SchedulingPass pass, String id) {
    return Stream.concat(
            pass.pending().stream(), pass.hosts().stream().flatMap(it -> it.instances().stream()))
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** Checks that a restart, which replays all passes, leads to the same state. */
  private void checkRestart() throws IOException {
    long digest = engine.scheduler().digest();
    Set<ActionId> open = openIds();
    journal.close();
    start(settings());

    assertThat(engine.scheduler().digest()).isEqualTo(digest);
    assertThat(openIds()).isEqualTo(open);
  }

  private Set<ActionId> openIds() {
    return engine.actions().all().stream().map(each -> each.id).collect(Collectors.toSet());
  }

  private static Host host(SchedulingPass pass, String id) {
    return pass.hosts().stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  private static ObservedInstance seen(String id, String host, int attempt) {
    return new ObservedInstance(id, host, InstanceState.RUNNING).inAttempt(attempt);
  }

  private static void place(SchedulingPass pass, Instance instance, Host on, Instance... victims) {
    assertThat(pass.place(instance, on, List.of(victims)).accepted()).isTrue();
  }

  private static void resize(SchedulingPass pass, Instance instance, long cpu) {
    Outcome outcome =
        pass.resize(instance, Resources.of(CPU, cpu), new Reason.PolicyChoice("load", "grows"));
    assertThat(outcome.accepted()).isTrue();
  }

  private long turn() throws IOException {
    List<Message> messages = List.copyOf(inbox);
    inbox.clear();
    now += 1000;
    return engine.turn(messages);
  }

  private void save() throws IOException {
    inbox.add(new LoopEngine.SnapshotWish(new CompletableFuture<>()));
    turn();
  }

  private <R> CompletableFuture<R> submit(Event<R> input) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    inbox.add(new LoopEngine.Submitted<>(input, answer));
    return answer;
  }

  private <R> void send(Event<R> input) {
    inbox.add(new LoopEngine.Submitted<>(input, new CompletableFuture<>()));
  }

  private static HostSpec host(String id) {
    return new HostSpec(id, Resources.of(CPU, 4));
  }

  private HostSpec spec(String id) {
    return lost.contains(id) ? host(id).withTaints(LOST) : host(id);
  }

  private static Event.Submitted request(String id, String serviceClass, long cpu) {
    return new Event.Submitted(
        Request.builder(id, serviceClass).demand(Resources.of(CPU, cpu)).build());
  }

  private void see(ObservedInstance... instances) throws IOException {
    seeBusy(Set.of(), instances);
  }

  private void seeBusy(Set<String> underWay, ObservedInstance... instances) throws IOException {
    List<ObservedHost> hosts =
        engine.scheduler().hosts().stream().map(each -> new ObservedHost(spec(each.id()))).toList();
    fleet
        .questions
        .get(fleet.questions.size() - 1)
        .complete(new Observation(hosts, List.of(instances), underWay));
    turn();
  }

  /** Begins with a host that has an instance of bronze. */
  private void startWithBronze(LoopSettings settings) throws IOException {
    start(settings);
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(request("b", "bronze", 3));
    turn();
    fleet.actions.get(0).complete("done");
    turn();
    send(new Event.StartedNow("b"));
    turn();
  }

  @Test
  void aLoopAsksItsFleetWithoutAnInput() throws Exception {
    try (SchedulerLoop loop =
        SchedulerLoop.builder(fleet).scheduler(() -> LoopWorld.scheduler(1)).start()) {
      while (fleet.asked() == 0) {
        Thread.sleep(1);
      }
      assertThat(loop.isRunning()).isTrue();
    }
  }

  @Test
  void aQuestionThatWaitsFailsWhenTheLoopIsClosed() throws Exception {
    SchedulerLoop loop =
        SchedulerLoop.builder(fleet).scheduler(() -> LoopWorld.scheduler(1)).start();
    CompletableFuture<Boolean> entered = new CompletableFuture<>();
    CompletableFuture<Boolean> blocked = new CompletableFuture<>();
    CompletableFuture<Boolean> first =
        loop.ask(
            scheduler -> {
              entered.complete(true);
              return blocked.join();
            });
    entered.join();
    CompletableFuture<Integer> second = loop.ask(scheduler -> 1);
    Thread closing = new Thread(loop::close);
    closing.start();
    while (loop.isRunning()) {
      Thread.sleep(1);
    }
    blocked.complete(true);
    closing.join();

    assertThat(first).isCompletedWithValue(true);
    assertThatThrownBy(second::join).hasCauseInstanceOf(LoopStoppedException.class);
  }

  @Test
  void aComparisonThatIsNotForcedFails() throws Exception {
    start(settings());
    CompletableFuture<Reconciliation> wish = new CompletableFuture<>();
    inbox.add(new LoopEngine.ReconcileWish(wish));
    turn();
    disk.failForceAt(1);

    assertThatThrownBy(this::see).isInstanceOf(IOException.class);
    engine.abandon(new LoopStoppedException("it failed", null));

    assertThat(wish).isCompletedExceptionally();
  }

  @Test
  void aStopIsRepeatedUntilItSucceedsAndStartsOnItsHostWait() throws Exception {
    startWithBronze(settings());
    send(new Event.Cancelled("b"));
    send(request("c", "bronze", 4));
    turn();
    assertThat(fleet.calls).endsWith("stop b on h1").doesNotContain("place c on h1");

    now += settings().actionTimeout().toNanos(); // the answer is lost
    turn();
    now += SECOND;
    turn();
    assertThat(fleet.stops).hasSize(2);
    fleet.stops.get(1).completeExceptionally(new IllegalStateException("busy"));
    turn();
    now += 2 * SECOND;
    turn();
    assertThat(fleet.stops).hasSize(3);
    assertThat(fleet.calls).doesNotContain("place c on h1");
    assertThat(engine.isIdle()).isFalse();

    fleet.stops.get(2).complete("gone");
    turn();

    assertThat(fleet.calls).endsWith("place c on h1");
    now += 3600 * SECOND;
    turn();
    assertThat(fleet.stops).hasSize(3);
  }

  @Test
  void aStopThatNeverSucceedsHasTheFleetCompared() throws Exception {
    startWithBronze(
        settings()
            .withAttempts(
                2,
                Duration.ofSeconds(30),
                new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1))));
    int questions = fleet.asked();
    send(new Event.Cancelled("b"));
    send(request("c", "bronze", 4));
    turn();
    for (int i = 0; i < 2; i++) {
      fleet.stops.get(i).completeExceptionally(new IllegalStateException("busy"));
      turn();
      now += 10 * SECOND;
      turn();
    }
    assertThat(fleet.asked()).isEqualTo(questions + 1);

    assertThat(fleet.calls).doesNotContain("place c on h1");

    see(seen("b", "h1", 1)); // still there

    assertThat(fleet.stops).hasSize(3);
    assertThat(fleet.calls).doesNotContain("place c on h1");
    fleet.stops.get(2).complete("gone");
    turn();
    assertThat(engine.mayPass()).isTrue();
    assertThat(fleet.calls).endsWith("place c on h1");
    assertThat(fleet.asked()).as("what it held is foreign load").isEqualTo(questions + 2);
  }

  @Test
  void anInstanceThatWasCancelledIsStoppedAfterARestart() throws Exception {
    startWithBronze(settings());
    send(new Event.Cancelled("b"));
    turn();
    save();
    journal.close(); // before the fleet has stopped it
    fleet = new ByHand();
    start(settings());
    turn();
    see(seen("b", "h1", 1));

    assertThat(fleet.calls).containsExactly("stop b on h1");
  }

  @Test
  void aFleetThatThrowsDoesNotStopTheLoop() throws Exception {
    startWithBronze(settings());
    fleet.throwsAlways = true;
    CompletableFuture<?> cancelled = submit(new Event.Cancelled("b"));
    turn();

    assertThat(fleet.calls).contains("stop b on h1");
    assertThat(cancelled.isDone()).isTrue();
    assertThat(cancelled.isCompletedExceptionally()).isFalse();
  }

  @Test
  void measurementsDoNotDelayTheFirstPass() throws Exception {
    startWithBronze(settings());
    journal.close();
    start(settings());
    turn();
    send(new Event.LoadReported("h1", 0.5));
    turn();
    see(new ObservedInstance("b", "h1", InstanceState.RUNNING).inAttempt(1));
    send(request("c", "bronze", 1));
    turn();

    assertThat(fleet.calls).endsWith("place c on h1");
  }

  @Test
  void anActionThatEndsWhileTheFleetIsAskedIsNotTakenForMissing() throws Exception {
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(request("b", "bronze", 3));
    turn();
    inbox.add(new LoopEngine.ReconcileWish(new CompletableFuture<>()));
    turn();
    fleet.actions.get(0).complete("done"); // after the fleet looked
    turn();
    see();

    assertThat(engine.scheduler().instance("b").orElseThrow().state())
        .isEqualTo(InstanceState.STARTING);
    assertThat(fleet.calls).containsExactly("place b on h1"); // once
  }

  @Test
  void aCancelledInstanceIsStoppedEvenIfItWasToBePreempted() throws Exception {
    startWithBronze(settings().withUnderWayPerHost(1));
    send(request("g", "gold", 3));
    turn(); // the preemption is under way
    send(new Event.Cancelled("b"));
    turn();

    assertThat(fleet.calls).containsSubsequence("preempt b on h1 for g", "stop b on h1");
  }

  @Test
  void aStopIsRepeatedIfTheLoopEndedBeforeIt() throws Exception {
    startWithBronze(settings());
    journal.append(
        dev.berth.runtime.entry.EntryFormat.toBytes(
            new dev.berth.runtime.entry.Entry.Applied(now, new Event.Cancelled("b"))));
    journal.close();
    assertThat(fleet.calls).doesNotContain("stop b on h1");
    start(settings());
    turn();

    assertThat(fleet.calls).endsWith("stop b on h1");
  }

  @Test
  void anActionOlderThanTheSnapshotIsSettledByTheFleet() throws Exception {
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(request("b", "bronze", 3));
    turn();
    save();
    fleet.actions.get(0).completeExceptionally(new ActionImpossibleException("no image"));
    turn();
    turn();
    assertThat(fleet.calls).endsWith("take back: place b on h1");
    see();
    assertThat(fleet.calls).endsWith("place b on h1"); // again
    journal.close();

    start(settings()); // no pass differs

    assertThat(engine.scheduler().instance("b").orElseThrow().state())
        .isEqualTo(InstanceState.STARTING);
  }

  @Test
  void aReportThatAnInstanceStartedEndsTheActionThatStartsIt() throws Exception {
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(request("b", "bronze", 3));
    turn(); // the fleet does not answer
    send(new Event.StartedNow("b"));
    turn();

    assertThat(engine.actions().size()).isZero();
  }

  @Test
  void anInstanceThatIsSeenWhereAnActionStartsItEndsTheAction() throws Exception {
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(request("b", "bronze", 3));
    turn(); // the fleet does not answer
    inbox.add(new LoopEngine.ReconcileWish(new CompletableFuture<>()));
    turn();
    see(new ObservedInstance("b", "h1", InstanceState.RUNNING).inAttempt(1));

    assertThat(engine.actions().size()).isZero();
    assertThat(engine.scheduler().instance("b").orElseThrow().state())
        .isEqualTo(InstanceState.RUNNING);
  }

  @Test
  void aStartThatWaitedForRoomIsOverWithTheActionThatWasToGiveIt() {
    ActionQueue queue = new ActionQueue(8);
    queue.add(new ActionId(1, 0), new Action.Preempt("b", "h1", "g"));
    queue.add(new ActionId(1, 1), new Action.Place("g", "h1", List.of("b")));
    queue.add(new ActionId(1, 2), new Action.Place("c", "h2", List.of()));

    assertThat(queue.over(Set.of("g", "c")))
        .extracting(each -> each.id.index())
        .containsExactly(0, 1);
  }

  @Test
  void startsThatRelyOnLaterRoomAreFound() {
    ActionQueue queue = new ActionQueue(8);
    queue.add(new ActionId(1, 0), new Action.Place("d", "h1", List.of()));
    queue.add(new ActionId(2, 0), new Action.Suspend("b", "h1"));
    queue.add(new ActionId(3, 0), new Action.Place("e", "h1", List.of()));

    assertThat(queue.startsBeforeRoom("h1")).extracting(each -> each.id.pass()).containsExactly(1L);
  }

  @Test
  void anEmbedderCannotRejectAnActionOlderThanTheSnapshot() throws Exception {
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(request("b", "bronze", 3));
    turn(); // it could be undone
    save();
    CompletableFuture<?> answer =
        submit(new Event.ActionRejected(engine.actions().all().get(0).id, "late"));
    turn();

    assertThatThrownBy(answer::join).hasCauseInstanceOf(StaleReportException.class);
  }

  @Test
  void aCrashWhileActionsEndLeavesNoStartWithoutRoom() throws Exception {
    int crashes = 0;
    for (int k = 1; crashes == k - 1; k++) {
      disk = new SimulatedDisk(k);
      fleet = new ByHand();
      options = options.withForceMode(ForceMode.EACH);
      startWithBronze(settings());
      send(request("g", "gold", 3));
      turn();
      save();
      fleet.actions.get(1).completeExceptionally(new ActionImpossibleException("no such job"));
      disk.crashAt(k);
      try {
        turn(); // gives up the preemption, and the placement that waits for it
        continue; // it did not crash any more
      } catch (IOException | SimulatedDisk.Crash crash) {
        crashes++;
      }
      disk.kill();
      start(settings());
      turn();
      seeBusy(Set.of("g"), seen("b", "h1", 1)); // because of an earlier action

      assertThat(fleet.calls).as("crash %s", k).doesNotContain("place g on h1");
    }
    assertThat(crashes).isGreaterThan(3);
  }

  /**
   * Places b on h1, then on h2, and gives up all but the first of these. So the scheduler believes
   * b on h2. Returns the answer to the first placement, which is under way.
   */
  private CompletableFuture<Object> giveUpLaterActions() throws IOException {
    startScripted();
    decide("b", 1, pass -> place(pass, find(pass, "b"), host(pass, "h1")));
    CompletableFuture<Object> placement = fleet.actions.get(1);
    decide(
        "x",
        1,
        pass -> pass.suspend(find(pass, "a"), new Reason.PolicyChoice("gold", "gold waits")));
    decide("c", 1, pass -> place(pass, find(pass, "c"), host(pass, "h1"), find(pass, "b")));
    decide("y", 1, pass -> place(pass, find(pass, "b"), host(pass, "h2")));
    save();
    fleet.actions.get(2).completeExceptionally(new ActionImpossibleException("no such job"));
    turn(); // gives up the suspension, and what comes after it on h1
    turn();
    assertThat(engine.actions().all()).extracting(each -> each.id.pass()).hasSize(1);
    return placement;
  }

  @Test
  void noPassRunsIfAnActionThatEndedLedElsewhereThanTheSchedulerBelieves() throws Exception {
    CompletableFuture<Object> placement = giveUpLaterActions();
    long passes = engine.scheduler().passes();
    placement.complete("done"); // after the fleet looked
    turn();
    see(seen("a", "h1", 1));
    decide("z", 1, pass -> pass.place(find(pass, "z"), host(pass, "h1"))); // b takes this room

    assertThat(engine.scheduler().passes()).isEqualTo(passes);
  }

  @Test
  void noPassRunsWhileAnActionLeadsElsewhereThanTheSchedulerBelieves() throws Exception {
    CompletableFuture<Object> placement = giveUpLaterActions();
    long passes = engine.scheduler().passes();
    see(seen("a", "h1", 1));
    decide("z", 1, pass -> pass.place(find(pass, "z"), host(pass, "h1"))); // b takes this room

    assertThat(engine.scheduler().passes()).isEqualTo(passes);

    placement.complete("done");
    now += SECOND;
    turn();
    see(seen("a", "h1", 1), seen("b", "h1", 1));

    assertThat(instance("b").host().orElseThrow().id()).isEqualTo("h1");
    assertThat(engine.scheduler().passes()).isGreaterThan(passes);
    checkRestart();
  }

  @Test
  void aFleetThatIsBusyForEverDelaysPassesForALimitedTime() throws Exception {
    startWithBronze(settings());
    journal.close();
    start(settings().withBusyTimeout(Duration.ofSeconds(10)));
    long begun = now;
    turn();
    send(request("c", "bronze", 1));
    while (now < begun + 9 * SECOND) {
      answerBusy();
      assertThat(fleet.calls).doesNotContain("place c on h1");
    }
    while (now < begun + 13 * SECOND) {
      answerBusy();
    }
    assertThat(fleet.calls).endsWith("place c on h1");

    inbox.add(new LoopEngine.ReconcileWish(new CompletableFuture<>()));
    send(request("d", "bronze", 3));
    send(new Event.HostAdded(host("h2")));
    turn();
    answerBusy(); // the same work delays nothing any more
    assertThat(fleet.calls).endsWith("place d on h2");
  }

  private void answerBusy() throws IOException {
    now += SECOND;
    turn();
    if (!fleet.questions.get(fleet.questions.size() - 1).isDone()) {
      seeBusy(Set.of("b"), seen("b", "h1", 1));
    }
  }

  @Test
  void aSnapshotWithoutRoomIsTriedLater() throws Exception {
    LoopSettings settings = settings().withSnapshotEvery(10);
    startWithBronze(settings);
    disk.limitTo(disk.used() + 800);
    while (engine.counts().failedSnapshots == 0) {
      CompletableFuture<?> answer = submit(new Event.LimitSet("l", 1));
      turn();
      assertThat(answer).isDone(); // accepted or refused, but in the journal
    }
    assertThat(journal.latestSnapshot()).isEmpty();
    turn();
    assertThat(engine.counts().failedSnapshots).isEqualTo(1); // not at each turn
    disk.limitTo(Long.MAX_VALUE);
    now += 2 * SECOND;
    send(new Event.HostCordoned("h1"));
    turn();

    assertThat(journal.latestSnapshot()).isPresent();
    long digest = engine.scheduler().digest();
    journal.close();
    start(settings);
    assertThat(engine.scheduler().digest()).isEqualTo(digest);
  }

  @Test
  void aJournalThatFailsWhileASnapshotIsSavedStopsTheLoop() throws Exception {
    startWithBronze(settings().withSnapshotEvery(10));
    disk.failForceAt(3); // of the snapshot, or of the segment that begins with it

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 20; i++) {
                send(new Event.HostCordoned("h1"));
                turn();
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  void aResizeThatDoesNotWorkIsUndone() throws Exception {
    startScripted();
    decide("x", 1, pass -> resize(pass, find(pass, "a"), 4));
    fleet.actions.get(1).completeExceptionally(new ActionImpossibleException("in use"));
    turn();

    assertThat(instance("a").granted()).isEqualTo(Resources.of(CPU, 3));
    assertThat(fleet.calls).endsWith("take back: " + fleet.calls.get(1));
    checkRestart();
  }

  @Test
  void aResizeBeforeAnotherIsUndoneWithIt() throws Exception {
    startScripted();
    decide("x", 1, pass -> resize(pass, find(pass, "a"), 4));
    decide("y", 1, pass -> resize(pass, find(pass, "a"), 3)); // waits
    fleet.actions.get(1).completeExceptionally(new ActionImpossibleException("in use"));
    turn();

    assertThat(instance("a").granted()).isEqualTo(Resources.of(CPU, 3));
    assertThat(engine.actions().size()).isZero();
    assertThat(fleet.actions).hasSize(2);
    assertThat(engine.counts().rejected).isEqualTo(2);
    assertThat(fleet.asked()).isEqualTo(1); // nothing was unclear
    checkRestart();
  }

  /** Begins with an instance whose longest run time is over, so that the fleet is to stop it. */
  private void startStopping() throws IOException {
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(
        new Event.Submitted(
            Request.builder("b", "bronze")
                .demand(Resources.of(CPU, 3))
                .maxRunTime(Duration.ofSeconds(10))
                .build()));
    turn();
    fleet.actions.get(0).complete("done");
    turn();
    send(new Event.StartedNow("b"));
    turn();
    now += 10 * SECOND;
    turn();
    assertThat(fleet.calls)
        .containsExactly("place b on h1", "stop b on h1: its longest run time of PT10S is over");
    assertThat(engine.scheduler().instance("b")).isEmpty();
  }

  @Test
  void aStopThatTheFleetCannotDoIsDecidedAgain() throws Exception {
    startStopping();
    fleet.actions.get(1).completeExceptionally(new ActionImpossibleException("it hangs"));
    turn();
    assertThat(instance("b").state()).isEqualTo(InstanceState.RUNNING);
    checkRestart();
    turn();
    see(seen("b", "h1", 1));
    now += 60 * SECOND;
    turn();

    assertThat(engine.scheduler().instance("b")).isEmpty();
    assertThat(fleet.actions).hasSize(3);
  }

  /** The next pass has settled the action, so the comparison must find the instance. */
  @Test
  void aStopThatCannotBeUndoneIsNotForgotten() throws Exception {
    startStopping();
    send(request("c", "bronze", 3));
    turn();
    fleet.actions.get(1).completeExceptionally(new ActionImpossibleException("it hangs"));
    turn();
    see(seen("b", "h1", 1));

    assertThat(fleet.calls.get(fleet.calls.size() - 1)).isEqualTo("stop b on h1");
    assertThat(fleet.calls).doesNotContain("place c on h1"); // b has the room
    fleet.stops.get(0).complete("done");
    turn();
    turn();
    assertThat(fleet.calls.get(fleet.calls.size() - 1)).isEqualTo("place c on h1");
  }

  @Test
  void aResizeThatCannotBeUndoneIsRepeatedUntilItIsDone() throws Exception {
    startScripted();
    decide("x", 1, pass -> resize(pass, find(pass, "a"), 4));
    save();
    for (int i = 1; i < 20; i++) {
      fleet.actions.get(i).completeExceptionally(new ActionImpossibleException("in use"));
      turn();
      now += 60 * SECOND;
      turn();
      assertThat(fleet.actions).hasSize(i + 2);
    }
    fleet.actions.get(20).complete("done");
    turn();

    assertThat(engine.actions().size()).isZero();
    assertThat(instance("a").granted()).isEqualTo(Resources.of(CPU, 4));
    assertThat(fleet.calls).noneMatch(each -> each.startsWith("take back"));
    checkRestart();
  }

  @Test
  void aResizeOfAnInstanceThatLeftIsNotRepeated() throws Exception {
    startScripted();
    decide("x", 1, pass -> resize(pass, find(pass, "a"), 4));
    save();
    send(new Event.CompletedNow("a", Optional.empty()));
    turn();
    fleet.actions.get(1).completeExceptionally(new ActionImpossibleException("no such job"));
    turn();

    assertThat(engine.actions().size()).isZero();
    checkRestart();
  }

  @Test
  void aStartEndsIfAnActionEndsThatWasToGiveItRoomLater() throws Exception {
    underWayPerHost = 1;
    startScripted();
    send(new Event.CompletedNow("a", Optional.empty()));
    for (String each : List.of("b", "c")) {
      decide(each, 2, pass -> place(pass, find(pass, each), host(pass, "h1")));
      fleet.actions.get(fleet.actions.size() - 1).complete("done");
      turn();
      send(new Event.StartedNow(each));
      turn();
    }
    decide("x", 1, pass -> migrate(pass, find(pass, "b"), host(pass, "h2"))); // stays under way
    CompletableFuture<Object> migration = fleet.actions.get(3);
    decide("d", 2, pass -> place(pass, find(pass, "d"), host(pass, "h1")));
    decide("y", 1, pass -> migrate(pass, find(pass, "c"), host(pass, "h2")));
    decide(
        "e",
        3,
        pass -> place(pass, find(pass, "e"), host(pass, "h2"), find(pass, "b"), find(pass, "c")));
    assertThat(engine.actions().size()).isEqualTo(6);
    migration.completeExceptionally(new ActionImpossibleException("no such job"));
    turn();
    turn();

    assertThat(fleet.calls).doesNotContain("place d on h1"); // b and c are still there
    checkRestart();
  }

  private static void migrate(SchedulingPass pass, Instance instance, Host to) {
    Reason why = new Reason.PolicyChoice("balance", "evens out");
    assertThat(pass.migrate(instance, to, instance.request().demand(), why).accepted()).isTrue();
  }

  /** Has a grow by what the suspension of b gives, which is given up. */
  private void giveUpSuspensionBeforeResize(boolean savesAfterResize) throws IOException {
    startScripted();
    decide("b", 1, pass -> place(pass, find(pass, "b"), host(pass, "h1")));
    fleet.actions.get(1).complete("done");
    turn();
    send(new Event.StartedNow("b"));
    turn();
    Reason why = new Reason.PolicyChoice("gold", "gold waits");
    decide("x", 1, pass -> assertThat(pass.suspend(find(pass, "b"), why).accepted()).isTrue());
    save();
    decide("y", 1, pass -> resize(pass, find(pass, "a"), 4)); // waits
    assertThat(fleet.actions).hasSize(3);
    assertThat(instance("a").granted()).isEqualTo(Resources.of(CPU, 4));
    if (savesAfterResize) {
      save();
    }
    fleet.actions.get(2).completeExceptionally(new ActionImpossibleException("no such job"));
    turn();
  }

  @Test
  void aResizeAfterAnActionThatIsGivenUpIsUndone() throws Exception {
    giveUpSuspensionBeforeResize(false);

    assertThat(instance("a").granted()).isEqualTo(Resources.of(CPU, 3));
    assertThat(fleet.actions).hasSize(3);
    assertThat(engine.actions().size()).isZero();
    checkRestart();
  }

  @Test
  void aResizeAfterAnActionThatIsGivenUpIsDoneIfItCannotBeUndone() throws Exception {
    giveUpSuspensionBeforeResize(true);

    assertThat(instance("a").granted()).isEqualTo(Resources.of(CPU, 4));
    assertThat(fleet.calls.get(fleet.calls.size() - 1)).startsWith("resize a on h1");
    checkRestart();
  }

  @Test
  void allFuturesFailIfTheJournalIsClosedUnderALoop() throws Exception {
    FileJournal closed = disk.openJournal(options);
    SchedulerLoop loop = SchedulerLoop.builder(fleet).scheduler(builder).journal(closed).start();
    loop.addHost(host("h1")).join();
    CompletableFuture<Integer> entered = new CompletableFuture<>();
    CompletableFuture<Integer> leave = new CompletableFuture<>();
    var unused =
        loop.ask(
            scheduler -> {
              entered.complete(1);
              return leave.join();
            });
    entered.join();
    closed.close();
    CompletableFuture<Accepted> first = loop.addHost(host("h2"));
    CompletableFuture<Accepted> second = loop.addHost(host("h3"));
    CompletableFuture<Reconciliation> wish = loop.reconcile();
    leave.complete(1);

    for (CompletableFuture<?> each : List.of(first, second, wish)) {
      assertThatThrownBy(each::join)
          .hasCauseInstanceOf(LoopStoppedException.class)
          .hasMessageContaining("the journal is closed");
    }
    while (loop.isRunning()) {
      Thread.sleep(1);
    }
    loop.close();
    assertThat(loop.status().phase()).isEqualTo(LoopStatus.Phase.FAILED);
    assertThat(loop.status().failure().orElseThrow()).contains("the journal is closed");
  }

  @Test
  void aRecordThatIsTooLargeIsRefusedAlone() throws Exception {
    options = options.withMaxRecordSize(2000);
    startWithBronze(settings());
    CompletableFuture<?> large = submit(request("x".repeat(3000), "bronze", 1));
    CompletableFuture<?> small = submit(request("y", "bronze", 1));
    turn();

    assertThat(large).isCompletedExceptionally();
    assertThat(small).isCompleted();
  }

  @Test
  void aDrainThatDidNotEndSaysSo() throws Exception {
    SchedulerLoop loop =
        SchedulerLoop.builder(fleet).scheduler(() -> LoopWorld.scheduler(1)).start();
    CompletableFuture<Accepted> host = loop.addHost(host("h1"));
    host.join();
    loop.close();

    assertThat(loop.shutDown(Duration.ofSeconds(1))).isFalse();
  }

  @Test
  void aWishForAComparisonIsAnsweredByWhatTheFleetHasAfterIt() throws Exception {
    startWithBronze(settings());
    inbox.add(new LoopEngine.ReconcileWish(new CompletableFuture<>()));
    turn(); // the fleet is asked
    CompletableFuture<Reconciliation> later = new CompletableFuture<>();
    inbox.add(new LoopEngine.ReconcileWish(later));
    turn();
    ObservedInstance seen = new ObservedInstance("b", "h1", InstanceState.RUNNING).inAttempt(1);
    see(seen);
    assertThat(later).isNotDone();
    see(seen);

    assertThat(later).isCompletedWithValueMatching(Reconciliation::isEmpty);
  }

  @Test
  void hostsThatChangeAgainAndAgainDelayTheNextQuestion() throws Exception {
    start(settings());
    turn();
    send(new Event.HostAdded(host("h1")));
    turn();
    see();
    assertThat(fleet.asked()).isEqualTo(2); // at once
    send(new Event.HostAdded(host("h2")));
    turn();
    see();
    assertThat(fleet.asked()).isEqualTo(2);
    now += 1_000_000_000L;
    turn();

    assertThat(fleet.asked()).isEqualTo(3);
  }

  @Test
  void foreignLoadThatIsReportedWhileTheFleetIsAskedStays() throws Exception {
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    inbox.add(new LoopEngine.ReconcileWish(new CompletableFuture<>()));
    turn();
    send(new Event.ForeignLoadReported("h1", Resources.of(CPU, 2)));
    turn();
    see();

    assertThat(fleet.asked()).isEqualTo(2); // the answer counts
    assertThat(engine.scheduler().host("h1").orElseThrow().foreign())
        .isEqualTo(Resources.of(CPU, 2));
  }

  @Test
  void aLateSuccessEndsAnActionThatIsRepeated() throws Exception {
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(request("b", "bronze", 3));
    turn();
    now += 31_000_000_000L;
    turn(); // it took too long
    now += 2_000_000_000L;
    turn();
    assertThat(fleet.actions).hasSize(2);
    fleet.actions.get(0).complete("done");
    turn();

    assertThat(engine.actions().size()).isZero();
  }

  @Test
  void whateverAFleetSaysOfAFailureTheActionIsRejected() throws Exception {
    for (Throwable each :
        List.of(
            new ActionImpossibleException("cut \uD83D"),
            new ActionImpossibleException("long ".repeat(10_000_000)),
            new ActionImpossibleException(""))) {
      disk.contents("").keySet().forEach(disk::delete);
      fleet.actions.clear();
      start(settings());
      turn();
      see();
      send(new Event.HostAdded(host("h1")));
      send(request("b", "bronze", 3));
      turn();
      fleet.actions.get(0).completeExceptionally(each);
      turn();

      assertThat(engine.counts().rejected).isEqualTo(1);
      assertThat(fleet.calls).endsWith("take back: place b on h1", "place b on h1");
      journal.close();
    }
  }

  @Test
  void aSnapshotThatCannotBeSavedIsTriedAgain() throws Exception {
    startWithBronze(settings().withSnapshotEvery(4));
    disk.limitTo(disk.used() + 150); // enough for the header of a segment
    CompletableFuture<Void> saved = new CompletableFuture<>();
    inbox.add(new LoopEngine.SnapshotWish(saved));
    turn();
    assertThat(saved).isCompletedExceptionally();
    disk.limitTo(Long.MAX_VALUE);
    CompletableFuture<Void> again = new CompletableFuture<>();
    inbox.add(new LoopEngine.SnapshotWish(again));
    turn();

    assertThat(again).isCompleted();
    assertThat(journal.latestSnapshot()).isPresent();
  }

  @Test
  void manyShortLivesSaveASnapshotTogether() throws Exception {
    LoopSettings settings = settings().withSnapshotEvery(50);
    long most = 0;
    for (int life = 0; life < 30; life++) {
      start(settings);
      turn();
      for (int i = 0; i < 5; i++) {
        send(request(life + "-" + i, "bronze", 1));
      }
      turn();
      most = Math.max(most, journal.lastNumber() - recovery.snapshot());
      journal.close();
    }

    assertThat(most).isLessThan(70);
  }

  @Test
  void largeRecordsSaveASnapshotSooner() throws Exception {
    LoopSettings settings = settings().withSnapshotBytes(20_000);
    for (int life = 0; life < 6; life++) { // each of them writes less
      start(settings);
      turn();
      send(new Event.LimitSet("x".repeat(9000) + life, 3));
      turn();
      journal.close();
    }

    journal = disk.openJournal(FileJournalOptions.defaults());
    assertThat(journal.latestSnapshot().orElseThrow().number()).isGreaterThan(4);
  }

  @Test
  void aJournalThatIsClosedUnderALoopStopsIt() throws Exception {
    start(settings());
    turn();
    see();
    journal.close();
    CompletableFuture<?> answer = submit(new Event.HostAdded(host("h1")));

    assertThatThrownBy(this::turn)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the journal is closed");
    assertThat(answer).isNotDone(); // the loop says that it was stopped
  }

  // ---- Hosts that cannot be reached

  /** Begins with b of 3 that runs on h1, and another host. */
  private void startWithTwoHosts(LoopSettings settings) throws IOException {
    builder = () -> LoopWorld.scheduler(0);
    startWithBronze(settings);
    send(new Event.HostAdded(host("h2")));
    turn();
  }

  private void lose(String id) throws IOException {
    lost.add(id);
    send(new Event.HostChanged(spec(id)));
    turn();
  }

  private void reachAgain(String id) throws IOException {
    lost.remove(id);
    send(new Event.HostChanged(spec(id)));
    turn();
  }

  private void pass(long seconds) throws IOException {
    now += seconds * SECOND;
    turn();
    turn(); // places what was evicted
  }

  private void restart() throws IOException {
    journal.close();
    fleet = new ByHand();
    start(settings());
    turn();
  }

  @Test
  void aShortLossOfAHostMovesNothing() throws Exception {
    startWithTwoHosts(settings());
    lose("h1");
    pass(15);
    reachAgain("h1");
    assertThat(engine.mayPass()).as("before it knows what is there").isFalse();
    see(seen("b", "h1", 1));
    pass(60);

    assertThat(fleet.calls).containsExactly("place b on h1");
    assertThat(instance("b").state()).isEqualTo(InstanceState.RUNNING);
    assertThat(instance("b").attempt()).isEqualTo(1);
  }

  @Test
  void aLongLossHasAnInstancePlacedElsewhereAndItsFirstAttemptStoppedLater() throws Exception {
    startWithTwoHosts(settings());
    lose("h1");
    pass(25);
    assertThat(fleet.calls).containsExactly("place b on h1", "place b on h2");
    assertThat(engine.actions().size()).as("only the start").isEqualTo(1);

    send(request("c", "bronze", 4)); // needs all of h1
    reachAgain("h1");
    see(seen("b", "h1", 1)); // the start on h2 is under way still
    assertThat(fleet.calls).endsWith("stop b on h1").doesNotContain("place c on h1");

    fleet.stops.get(0).complete("gone");
    turn();
    assertThat(fleet.calls).endsWith("place c on h1").noneMatch(each -> each.startsWith("evict"));
    checkRestart();
  }

  @Test
  void whatIsOnAHostThatReturnsIsTakenBackIfItIsNowhereElse() throws Exception {
    builder = () -> LoopWorld.scheduler(0);
    startWithBronze(settings());
    lose("h1");
    pass(25);
    assertThat(instance("b").state()).isEqualTo(InstanceState.PENDING);
    reachAgain("h1");
    see(seen("b", "h1", 1));
    pass(60);

    assertThat(instance("b").state()).isEqualTo(InstanceState.RUNNING);
    assertThat(fleet.calls).containsExactly("place b on h1");
  }

  @Test
  void anInstanceThatIsFoundInAnEarlierAttemptIsStoppedInThat() throws Exception {
    startWithTwoHosts(settings());
    lose("h1");
    pass(25);
    fleet.actions.get(1).complete("done");
    turn();
    send(new Event.Failed(new Attempt("b", 2), OptionalLong.of(now)));
    send(new Event.HostRemoved("h2"));
    reachAgain("h1");
    see(seen("b", "h1", 1));
    send(new Event.Cancelled("b"));
    turn();

    assertThat(fleet.stoppedAttempts).containsExactly(OptionalInt.of(1));
  }

  @Test
  void aLoopThatIsKilledMeanwhileKnowsWhatCannotBeReached() throws Exception {
    startWithTwoHosts(settings());
    lose("h1");
    restart();
    see();
    assertThat(instance("b").host().orElseThrow().id()).isEqualTo("h1");
    pass(25);
    assertThat(fleet.calls).containsExactly("place b on h2");

    restart();
    see(seen("b", "h2", 2));
    send(request("c", "bronze", 4));
    reachAgain("h1");
    assertThat(fleet.calls).isEmpty();
    ObservedInstance left = seen("b", "h1", 1).holding(Resources.of(CPU, 3));
    see(left, seen("b", "h2", 2));
    assertThat(fleet.calls).containsExactly("stop b on h1");
    fleet.stops.get(0).complete("gone");
    turn();
    see(seen("b", "h2", 2));

    assertThat(fleet.calls).containsExactly("stop b on h1", "place c on h1");
    assertThat(instance("b").attempt()).isEqualTo(2);
  }

  @Test
  void aLoopThatIsDownWhenAHostReturnsStopsWhatIsLeftThere() throws Exception {
    startWithTwoHosts(settings());
    lose("h1");
    pass(25);
    lost.clear();
    restart();
    seeBusy(Set.of("b"), seen("b", "h1", 1)); // the start on h2 is not done

    assertThat(fleet.calls).containsExactlyInAnyOrder("stop b on h1", "place b on h2");
  }

  @Test
  void aCompletionCountsIfItIsReportedBeforeAnotherStart() throws Exception {
    builder = () -> LoopWorld.scheduler(0);
    startWithBronze(settings());
    lose("h1");
    pass(25);
    CompletableFuture<?> answer =
        submit(new Event.Completed(new Attempt("b", 1), Optional.empty(), OptionalLong.of(now)));
    turn();
    send(new Event.HostAdded(host("h2")));
    pass(25);

    assertThat(answer).isCompleted();
    assertThat(answer.isCompletedExceptionally()).isFalse();
    assertThat(fleet.calls).containsExactly("place b on h1");
  }

  @Test
  void aCompletionIsStaleOnceAnotherStartWasDecided() throws Exception {
    startWithTwoHosts(settings());
    lose("h1");
    pass(25);
    CompletableFuture<?> answer =
        submit(new Event.Completed(new Attempt("b", 1), Optional.empty(), OptionalLong.of(now)));
    turn();

    assertThatThrownBy(answer::join).hasCauseInstanceOf(StaleReportException.class);
    assertThat(instance("b").host().orElseThrow().id()).isEqualTo("h2");
  }

  @Test
  void startsOnAHostThatIsLostAreRejectedUnlessTheyMayHaveBegun() throws Exception {
    underWayPerHost = 1;
    startScripted();
    send(new Event.CompletedNow("a", Optional.empty()));
    decide("c", 1, pass -> place(pass, find(pass, "c"), host(pass, "h1")));
    decide("d", 1, pass -> place(pass, find(pass, "d"), host(pass, "h1"))); // waits
    lose("h1");
    assertThat(engine.actions().size()).isZero();
    assertThat(instance("c").state()).isEqualTo(InstanceState.STARTING);
    assertThat(instance("d").state()).isEqualTo(InstanceState.PENDING);
    send(new Event.Started(new Attempt("c", 1), OptionalLong.of(now))); // it had begun
    decide("x", 1, pass -> place(pass, find(pass, "d"), host(pass, "h2")));

    assertThat(instance("c").state()).isEqualTo(InstanceState.RUNNING);
    assertThat(fleet.calls).endsWith("place c on h1", "place d on h2");
    checkRestart();
  }

  @Test
  void aPreemptionOnAHostThatIsLostIsOverAtOnce() throws Exception {
    startScripted();
    decide("g", 3, pass -> place(pass, find(pass, "g"), host(pass, "h1"), find(pass, "a")));
    assertThat(fleet.calls).endsWith("preempt a on h1 for g");
    lose("h1");
    assertThat(engine.actions().size()).isZero();
    assertThat(instance("g").state()).isEqualTo(InstanceState.PENDING);
    decide("x", 1, pass -> place(pass, find(pass, "a"), host(pass, "h2")));

    assertThat(fleet.calls).endsWith("preempt a on h1 for g", "place a on h2");
    checkRestart();
  }

  @Test
  void aPreemptionThatWaitedOnAHostThatIsLostIsUndone() throws Exception {
    underWayPerHost = 1;
    startScripted();
    decide("c", 1, pass -> place(pass, find(pass, "c"), host(pass, "h1"))); // is under way
    decide("g", 3, pass -> place(pass, find(pass, "g"), host(pass, "h1"), find(pass, "a")));
    lose("h1");

    assertThat(fleet.calls).endsWith("place c on h1");
    assertThat(engine.actions().size()).isZero();
    assertThat(instance("g").state()).isEqualTo(InstanceState.PENDING);
    assertThat(instance("a").state()).as("it surely runs there").isEqualTo(InstanceState.RUNNING);
    assertThat(instance("a").preemptions()).isZero();
    checkRestart();
  }

  @Test
  void theReconcilerIsNotAskedAboutWhatCannotBeReached() throws Exception {
    reconciler =
        new Reconciler() {
          @Override
          public boolean hasEnded(Instance gone) {
            throw new IllegalStateException("asked about " + gone.id());
          }
        };
    startWithTwoHosts(settings());
    lose("h1");
    CompletableFuture<Reconciliation> answer = new CompletableFuture<>();
    inbox.add(new LoopEngine.ReconcileWish(answer));
    turn();
    see();

    assertThat(answer.join().differences()).isEmpty();
    assertThat(instance("b").state()).isEqualTo(InstanceState.RUNNING);
  }

  @Test
  void aRestartWithoutAComparisonKnowsWhatCannotBeReached() throws Exception {
    startWithTwoHosts(settings());
    lose("h1");
    journal.close();
    fleet = new ByHand();
    start(settings().withReconciliation(false, Optional.empty()));
    pass(25);

    assertThat(fleet.calls).containsExactly("place b on h2");
  }

  @Test
  void anInstanceThatRanTooLongOnAHostThatIsLostIsStoppedWhenItIsBack() throws Exception {
    startWithTwoHosts(settings());
    send(
        new Event.Submitted(
            Request.builder("m", "bronze")
                .demand(Resources.of(CPU, 1))
                .maxRunTime(Duration.ofSeconds(10))
                .build()));
    turn();
    assertThat(fleet.calls).endsWith("place m on h2");
    fleet.actions.get(1).complete("done");
    send(new Event.Started(new Attempt("m", 1), OptionalLong.of(now)));
    lose("h2");
    pass(15);
    assertThat(engine.scheduler().instance("m")).isEmpty();
    assertThat(engine.actions().size()).isZero();
    assertThat(fleet.calls).endsWith("place m on h2");

    reachAgain("h2");
    see(seen("b", "h1", 1), seen("m", "h2", 1));
    assertThat(fleet.calls).endsWith("stop m on h2");
    checkRestart();
  }

  @Test
  void aResizeOnAHostThatIsLostWaits() throws Exception {
    startScripted();
    decide("x", 1, pass -> resize(pass, find(pass, "a"), 4));
    lose("h1");
    now += settings().actionTimeout().toNanos() / 2;
    turn();
    assertThat(fleet.actions).hasSize(2);
    assertThat(engine.actions().size()).isEqualTo(1);

    reachAgain("h1");
    assertThat(fleet.calls.subList(1, 3)).allMatch(each -> each.startsWith("resize a on h1"));
  }

  @Test
  void aResizeIsOverWithTheStayOfItsInstance() throws Exception {
    startScripted();
    decide("x", 1, pass -> resize(pass, find(pass, "a"), 4));
    lose("h1");
    pass(25);
    assertThat(engine.actions().size()).isZero();
    decide("y", 1, pass -> place(pass, find(pass, "a"), host(pass, "h2")));

    assertThat(fleet.calls).endsWith("place a on h2");
    checkRestart();
  }

  @Test
  void aMigrationFromAHostThatIsLostIsUndoneAndCompared() throws Exception {
    startScripted();
    decide("x", 1, pass -> migrate(pass, find(pass, "a"), host(pass, "h2")));
    lose("h1");
    assertThat(instance("a").host().orElseThrow().id()).isEqualTo("h1");
    assertThat(engine.mayPass()).isFalse();
    see(seen("a", "h2", 2)); // it had left

    assertThat(instance("a").host().orElseThrow().id()).isEqualTo("h2");
    assertThat(engine.mayPass()).isTrue();
    checkRestart();
  }

  @Test
  void aMigrationToAHostThatIsLostIsGivenUpAndCompared() throws Exception {
    startScripted();
    decide("x", 1, pass -> migrate(pass, find(pass, "a"), host(pass, "h2")));
    lose("h2");
    see();
    assertThat(instance("a").host().orElseThrow().id()).as("as it is on no other").isEqualTo("h2");

    inbox.add(new LoopEngine.ReconcileWish(new CompletableFuture<>()));
    turn();
    see(seen("a", "h1", 1));
    assertThat(instance("a").host().orElseThrow().id()).isEqualTo("h1");
    checkRestart();
  }

  @Test
  void stopsOnAHostThatIsLostWaitAndBlockNothingElse() throws Exception {
    LoopSettings twice =
        settings()
            .withAttempts(
                2,
                Duration.ofSeconds(30),
                new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1)));
    startWithTwoHosts(twice);
    send(new Event.Cancelled("b"));
    turn();
    assertThat(fleet.stops).hasSize(1);
    lose("h1");
    send(request("c", "bronze", 4));
    turn();
    assertThat(fleet.calls).endsWith("stop b on h1", "place c on h2");
    fleet.actions.get(1).complete("done");
    turn();
    send(new Event.CompletedNow("c", Optional.empty()));
    turn();
    assertThat(engine.isIdle()).as("what waits for a host delays no shut-down").isTrue();
    pass(3600);
    assertThat(fleet.stops).hasSize(1);

    reachAgain("h1");
    assertThat(fleet.stops).hasSize(2);
    fleet.stops.get(1).completeExceptionally(new IllegalStateException("busy"));
    turn();
    pass(2);
    assertThat(fleet.stops).as("the loss is no failed attempt").hasSize(3);
  }

  // ---- The back-off of instances

  private static Scheduler.Builder withoutBackoff() {
    return Scheduler.builder()
        .policy("in-turn", context -> new SmallPolicies.InTurn())
        .serviceClasses(ServiceClass.builder("bronze").build());
  }

  private static Scheduler.Builder withTinyBackoff() {
    return withoutBackoff().instanceBackoff(new Backoff(Duration.ofNanos(1), Duration.ofNanos(1)));
  }

  /** Returns how often a fleet that rejects each start after 0.11 s is asked in a minute. */
  private int startsInAMinute() throws IOException {
    start(settings());
    turn();
    see();
    send(new Event.HostAdded(host("h1")));
    send(request("b", "bronze", 3));
    long end = now + 60 * SECOND;
    long next = turn();
    for (int answered = 0; now < end; next = turn()) {
      if (answered < fleet.actions.size()) {
        now += 110_000_000;
        fleet.actions.get(answered++).completeExceptionally(new ActionImpossibleException("no"));
      } else {
        now = Math.max(now, Math.min(next, end));
      }
    }
    return fleet.actions.size();
  }

  @Test
  void aFleetThatAlwaysRejectsIsAskedSeldom() throws Exception {
    builder = LoopFaultsTest::withoutBackoff;

    assertThat(startsInAMinute()).isEqualTo(6);
    assertThat(recovery.scheduler().instanceBackoff())
        .contains(SchedulerLoop.DEFAULT_INSTANCE_BACKOFF);
    checkRestart();
  }

  @Test
  void aStartMakesEachSchedulerForAUse() throws Exception {
    AtomicInteger made = new AtomicInteger();
    builder =
        () ->
            LoopWorld.scheduler(1)
                .policy(
                    "scripted",
                    context -> {
                      made.incrementAndGet();
                      return new Scripted();
                    });

    Recovery.of(null, builder, false, 1);
    assertThat(made).as("without a journal").hasValue(1);
    start(settings());
    assertThat(made).as("with an empty one: another for its settings").hasValue(3);
  }

  @Test
  void aBackoffThatIsSetWinsOverTheDefault() throws Exception {
    builder = LoopFaultsTest::withTinyBackoff;

    assertThat(startsInAMinute()).isGreaterThan(500);
  }

  @Test
  void aJournalKeepsItsBackoffUnlessAnotherIsSet() throws Exception {
    journal = disk.openJournal(options);
    Settings none = Settings.of(withoutBackoff().build(), PolicyRegistry.load());
    journal.append(EntryFormat.toBytes(new Entry.Opened(none)));
    journal.close();
    builder = LoopFaultsTest::withoutBackoff;
    for (int i = 0; i < 2; i++) {
      start(settings());
      assertThat(recovery.scheduler().instanceBackoff()).isEmpty();
      journal.close();
    }

    builder = LoopFaultsTest::withTinyBackoff;
    assertThatThrownBy(() -> start(settings())).hasMessageContaining("instanceBackoff was");
  }
}
