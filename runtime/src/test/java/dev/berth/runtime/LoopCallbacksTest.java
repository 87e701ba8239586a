package dev.berth.runtime;

import static dev.berth.api.Dimension.CPU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.core.event.Event;
import dev.berth.runtime.journal.FileJournal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the code of an embedder does in the thread of a loop, and what its clock says. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LoopCallbacksTest {

  private static final HostSpec HOST = new HostSpec("h1", Resources.of(CPU, 4));
  private static final long HOUR = Duration.ofHours(1).toNanos();

  /** A fleet of one host that carries out everything at once. */
  private static class Obedient implements Fleet {
    @Override
    public CompletionStage<?> carryOut(ActionId id, Action action) {
      return CompletableFuture.completedFuture(action);
    }

    @Override
    public void takeBack(ActionId id, Action action) {}

    @Override
    public CompletionStage<?> stop(String instance, OptionalInt attempt, String host) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Observation> observe() {
      return CompletableFuture.completedFuture(
          new Observation(List.of(new ObservedHost(HOST)), List.of()));
    }
  }

  private record FirstHost(Optional<PolicyMemory> memory) implements Policy {
    @Override
    public void schedule(SchedulingPass pass) {
      for (Instance each : pass.pending()) {
        pass.hosts().stream()
            .filter(host -> pass.obstacle(each, host, List.of()).isEmpty())
            .findFirst()
            .ifPresent(host -> pass.place(each, host));
      }
    }
  }

  private static SchedulerLoop.Builder loop(Fleet fleet) {
    return loop(fleet, Optional.of(PolicyMemory.none()));
  }

  private static SchedulerLoop.Builder loop(Fleet fleet, Optional<PolicyMemory> memory) {
    return SchedulerLoop.builder(fleet)
        .scheduler(
            () ->
                Scheduler.builder()
                    .policy("first-host", context -> new FirstHost(memory))
                    .serviceClasses(ServiceClass.builder("gold").build()));
  }

  private static Request request(String id) {
    return Request.builder(id, "gold").demand(Resources.of(CPU, 1)).build();
  }

  private static void awaitState(SchedulerLoop loop, String id, InstanceState state)
      throws InterruptedException {
    while (loop.ask(it -> it.instance(id).map(Instance::state)).join().orElse(null) != state) {
      Thread.sleep(1);
    }
  }

  // ---- The fleet

  @Test
  void aFleetThatInterruptsTheThreadStopsNothing(@TempDir Path folder) throws Exception {
    Fleet interrupting =
        new Obedient() {
          @Override
          public CompletionStage<?> carryOut(ActionId id, Action action) {
            Thread.currentThread().interrupt();
            return super.carryOut(id, action);
          }

          @Override
          public CompletionStage<Observation> observe() {
            Thread.currentThread().interrupt();
            return super.observe();
          }
        };
    try (SchedulerLoop loop = loop(interrupting).journal(FileJournal.open(folder)).start()) {
      for (String each : List.of("r1", "r2", "r3")) {
        loop.submit(request(each)).get(1, TimeUnit.MINUTES);
        loop.ask(scheduler -> interrupted()).get(1, TimeUnit.MINUTES);
        awaitState(loop, each, InstanceState.STARTING);
      }
      assertThat(loop.isRunning()).isTrue();
    }
  }

  private static Thread interrupted() {
    Thread.currentThread().interrupt();
    return Thread.currentThread();
  }

  @Test
  void anErrorOfAnObservationIsAFailedOne() throws Exception {
    AtomicInteger observations = new AtomicInteger();
    Fleet failing =
        new Obedient() {
          @Override
          public CompletionStage<Observation> observe() {
            if (observations.incrementAndGet() < 3) {
              throw new AssertionError("on purpose");
            }
            return super.observe();
          }
        };
    try (SchedulerLoop loop = loop(failing).start()) {
      loop.submit(request("r1")).join();
      awaitState(loop, "r1", InstanceState.STARTING);
      assertThat(observations).hasValueGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void aCallThatDoesNotReturnIsNamed() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Fleet blocking =
        new Obedient() {
          @Override
          public CompletionStage<?> carryOut(ActionId id, Action action) {
            begun.countDown();
            try {
              release.await();
            } catch (InterruptedException stopped) {
              throw new AssertionError(stopped);
            }
            return super.carryOut(id, action);
          }
        };
    LoopSettings settings = LoopSettings.defaults().withQueueCapacity(1);
    try (SchedulerLoop loop = loop(blocking).settings(settings).start()) {
      var unused = loop.submit(request("r1"));
      begun.await();
      var waits = loop.submit(request("r2"));
      String message = "";
      while (!message.contains("It waits for Fleet.carryOut: place r1 on h1, for ")) {
        message = loop.submit(request("r3")).handle((answer, full) -> String.valueOf(full)).join();
        assertThat(message).contains("has 1 inputs waiting");
        Thread.sleep(10);
      }
      release.countDown();
      waits.join();
    }
  }

  @Test
  void theThreadOfTheLoopRefusesToWaitForItself() throws Exception {
    try (SchedulerLoop loop = loop(new Obedient()).start()) {
      CompletableFuture<?> nested = loop.ask(scheduler -> loop.submit(request("r1")).join());
      assertThatThrownBy(nested::join)
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was to wait for an answer of the loop");
      assertThat(loop.submit(request("r3")).thenCompose(accepted -> loop.cancel("r3")).join())
          .isNotNull();
    }
  }

  @Test
  void aFailureAlwaysHasWords(@TempDir Path folder) throws Exception {
    SchedulerLoop loop =
        loop(new Obedient())
            .journal(FileJournal.open(folder))
            .clock(
                new AtomicLong() {
                      // Each reading is later; the tenth fails without a message.
                      long next() {
                        if (incrementAndGet() == 10) {
                          throw new IllegalStateException();
                        }
                        return get();
                      }
                    }
                    ::next)
            .start();
    while (loop.isRunning()) {
      var unused = loop.submit(request("r1")).exceptionally(failed -> null);
    }
    assertThatThrownBy(() -> loop.submit(request("r2")).join())
        .hasMessageContaining("java.lang.IllegalStateException");
    loop.close();
  }

  // ---- The policy

  @Test
  void aPolicyThatDoesNotSayWhatItKeepsIsRefusedWithAJournal(@TempDir Path folder)
      throws Exception {
    FileJournal journal = FileJournal.open(folder);
    assertThatThrownBy(() -> loop(new Obedient(), Optional.empty()).journal(journal).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "policy first-host does not say what it keeps from pass to pass, so its scheduler"
                + " cannot be saved in a journal. Maybe its memory() should return"
                + " PolicyMemory.none().");
    try (SchedulerLoop loop = loop(new Obedient(), Optional.empty()).start()) {
      loop.submit(request("r1")).join(); // without a journal it need not
    }
    loop(new Obedient()).journal(FileJournal.open(folder)).start().close(); // it was released
  }

  @Test
  void aMemoryThatCannotBeSavedStopsNoLoop(@TempDir Path folder) throws Exception {
    AtomicBoolean isBroken = new AtomicBoolean();
    PolicyMemory memory =
        new PolicyMemory() {
          @Override
          public Map<String, Object> save() {
            return isBroken.get() ? Map.of("odd", new Object()) : Map.of();
          }

          @Override
          public void restore(Map<String, Object> saved) {}
        };
    try (SchedulerLoop loop =
        loop(new Obedient(), Optional.of(memory)).journal(FileJournal.open(folder)).start()) {
      loop.submit(request("r1")).join();
      awaitState(loop, "r1", InstanceState.STARTING);
      isBroken.set(true);
      CompletableFuture<Void> wish = loop.saveSnapshot();
      assertThatThrownBy(wish::join).hasRootCauseInstanceOf(IllegalArgumentException.class);
      isBroken.set(false);
      loop.submit(request("r2")).join();
      loop.saveSnapshot().join();
    }
  }

  // ---- The clock

  @Test
  void timeGoesOnThoughTheClockIsSetBackBeforeAStartAndWhileItRuns(@TempDir Path folder)
      throws Exception {
    AtomicLong clock = new AtomicLong(10 * HOUR);
    try (SchedulerLoop loop =
        loop(new Obedient()).clock(clock::get).journal(FileJournal.open(folder)).start()) {
      loop.submit(request("r1")).join();
      assertThat(loop.now()).isEqualTo(10 * HOUR);
      clock.set(8 * HOUR);
      assertThat(loop.now()).isEqualTo(10 * HOUR);
      clock.set(9 * HOUR);
      assertThat(loop.now()).isEqualTo(11 * HOUR);
      loop.submit(request("r2")).join();
    }
    clock.set(2 * HOUR);
    try (SchedulerLoop loop =
        loop(new Obedient()).clock(clock::get).journal(FileJournal.open(folder)).start()) {
      assertThat(loop.now()).isEqualTo(11 * HOUR);
      clock.addAndGet(5);
      loop.submit(request("r3")).join();
      assertThat(loop.ask(Scheduler::now).join()).isEqualTo(11 * HOUR + 5);
    }
  }

  @Test
  void aReportFromTheFutureCountsAsOfNow() throws Exception {
    AtomicLong clock = new AtomicLong(10 * HOUR);
    try (SchedulerLoop loop = loop(new Obedient()).clock(clock::get).start()) {
      loop.submit(request("r1")).join();
      awaitState(loop, "r1", InstanceState.STARTING);
      Attempt first = new Attempt("r1", 1);
      OptionalLong ahead = OptionalLong.of(10 * HOUR + 1);
      loop.apply(new Event.Started(first, ahead)).join();
      assertThat(loop.ask(it -> it.instance("r1").orElseThrow().stateSince()).join())
          .isEqualTo(10 * HOUR);
      loop.apply(new Event.Failed(first, ahead)).join();
      clock.set(11 * HOUR); // the instance is held back no more
      awaitState(loop, "r1", InstanceState.STARTING);
      OptionalLong later = OptionalLong.of(11 * HOUR + 1);
      loop.apply(new Event.Completed(new Attempt("r1", 2), Optional.empty(), later)).join();
      Thread.sleep(1_001); // the status is a second old at most
      assertThat(loop.status().inputs().ahead()).isEqualTo(3);
    }
  }
}
