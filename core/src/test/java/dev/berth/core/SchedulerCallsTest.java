package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.event.Accepted;
import dev.berth.core.event.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A scheduler allows one caller at a time, and a failing policy changes nothing. */
class SchedulerCallsTest {

  /** {@code a} runs; {@code b} and {@code c} wait for its host. The next pass is the second. */
  private final Cluster cluster =
      Cluster.byHand(Scheduler.builder().watchdog(Duration.ofSeconds(10)))
          .host("h1", 2)
          .running("a", "bronze", 2, "h1")
          .at(5)
          .pending("b", 1)
          .pending("c", 1);

  // ---- One at a time

  @Test
  void stopsAPolicyThatCallsItsScheduler() {
    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(() -> cluster.pass(pass -> cluster.scheduler().schedule(cluster.now())))
        .withCauseInstanceOf(IllegalStateException.class)
        .withMessageContaining("a policy called its scheduler from within a pass");
  }

  @Test
  void stopsAPolicyThatReportsEvents() {
    Snapshot before = cluster.snapshot();

    cluster.pass(
        pass -> {
          assertThatIllegalStateException().isThrownBy(() -> cluster.host("h2", 1));
          assertThatIllegalStateException().isThrownBy(() -> cluster.removed("h1"));
          assertThatIllegalStateException().isThrownBy(() -> cluster.pending("d", 1));
          assertThatIllegalStateException().isThrownBy(() -> cluster.started("b"));
          assertThatIllegalStateException().isThrownBy(() -> cluster.failed("a"));
          assertThatIllegalStateException().isThrownBy(() -> cluster.completed("a"));
          assertThatIllegalStateException().isThrownBy(() -> cluster.cancel("b"));
        });

    assertThat(cluster.snapshot().hosts()).isEqualTo(before.hosts());
    assertThat(cluster.snapshot().instances()).isEqualTo(before.instances());
  }

  @Test
  void detectsAndNamesAConcurrentThread() {
    cluster.pass(
        pass ->
            assertThat(Threads.failureOn("intruder", () -> cluster.pending("d", 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                    "threads %s and intruder use one scheduler at the same time.",
                    Thread.currentThread().getName()));

    assertThat(cluster.scheduler().instance("d")).isEmpty();
  }

  static Stream<Consumer<Scheduler>> reading() {
    return Stream.of(
        Scheduler::hosts,
        Scheduler::pools,
        Scheduler::bags,
        Scheduler::instances,
        Scheduler::nextPassAt,
        Scheduler::nextTimerAt,
        Scheduler::limits,
        Scheduler::groups,
        Scheduler::stats,
        Scheduler::waiting,
        scheduler -> scheduler.group("g"),
        scheduler -> scheduler.budget("web"),
        scheduler -> scheduler.host("h1"),
        scheduler -> scheduler.bag("bag"),
        scheduler -> scheduler.instance("a"),
        scheduler -> scheduler.explain().whyPending("b", scheduler.now()));
  }

  @ParameterizedTest
  @MethodSource("reading")
  void readingWaitsForTheCallOfAnotherThread(Consumer<Scheduler> read) {
    cluster.pass(
        pass ->
            assertThat(Threads.failureOn("reader", () -> read.accept(cluster.scheduler())))
                .isInstanceOf(IllegalStateException.class));

    assertThat(Threads.failureOn("reader", () -> read.accept(cluster.scheduler()))).isNull();
  }

  @Test
  void noCallOfTwoThreadsIsCarriedOutDuringAnother() {
    int each = 100_000;
    LongAdder accepted = new LongAdder();
    List<AtomicReference<Throwable>> failures = List.of(reference(), reference());
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < failures.size(); t++) {
      String prefix = t + "-";
      threads.add(
          Threads.start(
              "caller " + t,
              () -> {
                for (int i = 0; i < each; i++) {
                  try {
                    cluster.pending(prefix + i, 1);
                    accepted.increment();
                  } catch (IllegalStateException refused) {
                    assertThat(refused).hasMessageContaining("at the same time");
                  }
                }
              },
              failures.get(t)));
    }
    threads.forEach(Threads::join);

    assertThat(failures).extracting(AtomicReference::get).containsOnlyNulls();
    assertThat(cluster.scheduler().instances()).hasSize(3 + accepted.intValue());
    assertThat(cluster.scheduler().pendingCount()).isEqualTo(2 + accepted.intValue());
  }

  private static AtomicReference<Throwable> reference() {
    return new AtomicReference<>();
  }

  @Test
  void allowsThreadsToTakeTurns() {
    assertThat(Threads.failureOn("other", () -> cluster.pending("d", 1))).isNull();

    assertThat(cluster.pass().triggers()).containsExactly(Trigger.REQUEST_ADMITTED);
  }

  @Test
  void interruptionStopsAPipeline() {
    AtomicReference<Thread> toInterrupt = new AtomicReference<>();
    Cluster interrupted =
        Cluster.of(
                parts ->
                    parts.allocationScore(
                        fit -> {
                          if (toInterrupt.get() != null) {
                            toInterrupt.get().interrupt();
                          }
                          return 1;
                        }))
            .host("h1", 1)
            .host("h2", 1)
            .pending("first", 1)
            .pending("second", 1);
    Snapshot before = interrupted.snapshot();
    toInterrupt.set(Thread.currentThread());
    try {
      assertThatExceptionOfType(PolicyFailedException.class)
          .isThrownBy(interrupted::pass)
          .withCauseInstanceOf(CancellationException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    toInterrupt.set(null);

    assertThat(interrupted.snapshot()).isEqualTo(before);
    assertThat(interrupted.pass().placements()).hasSize(2);
  }

  @Test
  void worksAfterARefusedCall() {
    assertThatThrownBy(() -> cluster.host("h1", 1)).isInstanceOf(EventRefusedException.class);
    assertThatThrownBy(() -> cluster.pass(pass -> cluster.pass()))
        .isInstanceOf(PolicyFailedException.class);

    assertThat(cluster.place("b", "h1", "a").instance("b").state())
        .isEqualTo(InstanceState.STARTING);
  }

  // ---- A policy that throws

  static Stream<Arguments> halfDonePasses() {
    return Stream.of(
        pass("nothing", pass -> {}),
        pass("a deferral", pass -> pass.defer(b(pass), new Reason.PolicyChoice("x", "y"))),
        pass("a placement", pass -> pass.place(b(pass), host(pass, "h2"))),
        pass("a placement with a victim", pass -> pass.place(b(pass), h1(pass), List.of(a(pass)))),
        pass(
            "two placements with one victim",
            pass -> {
              pass.place(b(pass), h1(pass), List.of(a(pass)));
              pass.place(c(pass), h1(pass));
            }),
        pass("an open fork", pass -> pass.fork().place(b(pass), h1(pass), List.of(a(pass)))),
        pass(
            "a kept fork and an open one in another",
            pass -> {
              SchedulingPass.Fork kept = pass.fork();
              kept.place(b(pass), h1(pass), List.of(a(pass)));
              kept.keep();
              pass.fork().fork().place(c(pass), h1(pass));
            }));
  }

  @ParameterizedTest
  @MethodSource("halfDonePasses")
  void failedPolicyChangesNothing(Consumer<SchedulingPass> actions) {
    cluster.host("h2", 1);
    Snapshot before = cluster.snapshot();

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(() -> cluster.pass(thenThrow(actions, new IllegalStateException("oops"))))
        .withMessage("policy by-hand failed in pass 2: java.lang.IllegalStateException: oops");

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new RuntimeException("unchecked"),
        new AssertionError("an error"),
        new LinkageError("a broken jar"),
        new IOException("checked, thrown by a policy in another language of the JVM"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void exceptionOfThePolicyIsTheCause(Throwable failure) {
    Snapshot before = cluster.snapshot();

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(
            () ->
                cluster.pass(
                    thenThrow(pass -> pass.place(b(pass), h1(pass), List.of(a(pass))), failure)))
        .withCause(failure);

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @Test
  void virtualMachineErrorIsPassedOnAndChangesNothing() {
    Snapshot before = cluster.snapshot();
    StackOverflowError exhausted = new StackOverflowError();

    assertThatThrownBy(
            () ->
                cluster.pass(
                    thenThrow(pass -> pass.place(b(pass), h1(pass), List.of(a(pass))), exhausted)))
        .isSameAs(exhausted);

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @Test
  void failedPassIsEnded() {
    AtomicReference<SchedulingPass> kept = new AtomicReference<>();
    AtomicReference<SchedulingPass> fork = new AtomicReference<>();
    Consumer<SchedulingPass> keep =
        pass -> {
          kept.set(pass);
          fork.set(pass.fork());
        };
    assertThatThrownBy(() -> cluster.pass(thenThrow(keep, new RuntimeException())))
        .isInstanceOf(PolicyFailedException.class);

    for (SchedulingPass each : List.of(kept.get(), fork.get())) {
      assertThatIllegalStateException()
          .isThrownBy(() -> each.place(cluster.instance("b"), cluster.host("h1")))
          .withMessageContaining("is over");
    }
  }

  @Test
  void failedPassStaysDueAndKeepsItsNumber() {
    assertThatThrownBy(() -> cluster.pass(thenThrow(pass -> {}, new RuntimeException())))
        .isInstanceOf(PolicyFailedException.class);

    assertThat(cluster.scheduler().passes()).isEqualTo(1);
    assertThat(cluster.scheduler().nextPassAt()).hasValue(cluster.now());
    assertThat(cluster.pass().pass()).isEqualTo(2);
  }

  @Test
  void failedPassKeepsItsTriggers() {
    assertThatThrownBy(() -> cluster.at(60).pass(thenThrow(pass -> {}, new RuntimeException())))
        .isInstanceOf(PolicyFailedException.class);

    assertThat(cluster.at(61).pass().triggers())
        .containsExactlyInAnyOrder(Trigger.REQUEST_ADMITTED, Trigger.WATCHDOG);
  }

  @Test
  void failedPassLeavesInstancesOpenToActions() {
    assertThatThrownBy(
            () ->
                cluster.pass(
                    thenThrow(
                        pass -> pass.place(b(pass), h1(pass), List.of(a(pass))),
                        new RuntimeException())))
        .isInstanceOf(PolicyFailedException.class);

    cluster.place("b", "h1", "a");

    assertThat(cluster.instance("a").preemptions()).isEqualTo(1);
    assertThat(cluster.instance("b").placements()).isEqualTo(1);
  }

  // ---- A part that throws, at each of its calls

  @Test
  void partThatThrowsAtAnyCallChangesNothing() {
    Fuse fuse = new Fuse();
    int calls = 0;
    for (boolean blown = true; blown; calls++) {
      Cluster victim = pipelineOf(fuse);
      Snapshot before = victim.snapshot();
      fuse.burn(calls);
      Throwable failure = catchThrowable(victim::pass);
      fuse.burn(Fuse.NEVER);
      blown = failure != null;
      if (blown) {
        assertThat(failure)
            .as("call %d of a part", calls)
            .isInstanceOf(PolicyFailedException.class)
            .hasRootCauseMessage(Fuse.BLOWN);
        assertThat(victim.snapshot()).as("after failure in call %d", calls).isEqualTo(before);
        assertThat(victim.pass().actions())
            .as("plan after failure in call %d", calls)
            .isEqualTo(pipelineOf(fuse).pass().actions());
      }
    }
    assertThat(calls).isGreaterThan(10);
  }

  static Stream<Consumer<Cluster>> events() {
    return Stream.of(
        cluster -> cluster.pending("late", 1),
        cluster -> cluster.removed("h1"),
        cluster -> cluster.failed("v1"),
        cluster -> cluster.completed("v1"),
        cluster -> cluster.cancel("v1"));
  }

  @ParameterizedTest
  @MethodSource("events")
  void partThatThrowsDuringAnEventChangesNothing(Consumer<Cluster> event) {
    Fuse fuse = new Fuse();
    int calls = 0;
    for (boolean blown = true; blown; calls++) {
      Cluster victim = pipelineOf(fuse);
      Snapshot before = victim.snapshot();
      fuse.burn(calls);
      Throwable failure = catchThrowable(() -> event.accept(victim));
      fuse.burn(Fuse.NEVER);
      blown = failure != null;
      if (blown) {
        assertThat(failure).as("call %d of a part", calls).hasMessage(Fuse.BLOWN);
        assertThat(victim.snapshot()).as("after failure in call %d", calls).isEqualTo(before);
      }
    }
  }

  /** Gold instances wait for the hosts of two bronze ones; all parts share the fuse. */
  private static Cluster pipelineOf(Fuse fuse) {
    return Cluster.of(
            parts ->
                parts
                    .queue(instance -> fuse.passing(instance.admittedAt()))
                    .preemption(
                        new VictimOrder() {
                          @Override
                          public long key(Instance instance) {
                            return fuse.passing(instance.admittedAt());
                          }

                          @Override
                          public long drift(ServiceClass of, InstanceState state, long now) {
                            return fuse.passing(0);
                          }
                        },
                        pair ->
                            fuse.passing(pair.victimClassRank()) > 1
                                ? Verdict.allow("less", "less important")
                                : Verdict.refuse("no", "important"))
                    .preemptionCost(
                        new PreemptionCost() {
                          @Override
                          public int width(int classes) {
                            return 1;
                          }

                          @Override
                          public void add(PreemptionPair pair, double[] tuple) {
                            tuple[0] += fuse.passing(1);
                          }

                          @Override
                          public void finish(double[] tuple) {
                            fuse.passing(0);
                          }
                        })
                    .allocationScore(fit -> fuse.passing(1)))
        .host("h1", 2)
        .running("v1", "bronze", 1, "h1")
        .running("v2", "bronze", 1, "h1")
        .at(1)
        .pending("g1", 1)
        .pending("g2", 1);
  }

  /** Throws at one call of {@link #passing}, the calls being counted from 0. */
  private static final class Fuse {

    static final int NEVER = -1;
    static final String BLOWN = "the fuse has blown";

    private int left = NEVER;

    void burn(int calls) {
      left = calls;
    }

    long passing(long value) {
      if (left == 0) {
        left = NEVER;
        throw new IllegalArgumentException(BLOWN);
      }
      left = left == NEVER ? NEVER : left - 1;
      return value;
    }
  }

  // ---- Where a pipeline may be built and run

  @Test
  void refusesASecondPipeline() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Cluster.withPolicy(
                    Scheduler.builder(),
                    context -> {
                      context.pipeline().build();
                      return context.pipeline().build();
                    }))
        .withMessageContaining("a scheduler runs one pipeline");
  }

  @Test
  void refusesAPipelineBuiltAfterTheFirstEvent() {
    AtomicReference<Policy> made = new AtomicReference<>();
    Cluster late =
        Cluster.withPolicy(
                Scheduler.builder(), context -> pass -> made.set(context.pipeline().build()))
            .host("h1", 1);

    assertThatThrownBy(late::pass)
        .isInstanceOf(PolicyFailedException.class)
        .hasMessageContaining("made before its first event");
    assertThat(made).hasNullValue();
  }

  @Test
  void pipelineRunsOnlyOnTheInnermostOpenPass() {
    AtomicReference<SchedulingPass> kept = new AtomicReference<>();
    Cluster wrapped =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy pipeline = context.pipeline().build();
                  return pass -> {
                    if (kept.get() != null) {
                      assertThatIllegalStateException()
                          .as("a pass that is over")
                          .isThrownBy(() -> pipeline.schedule(kept.get()));
                    }
                    try (SchedulingPass.Fork fork = pass.fork()) {
                      assertThatIllegalStateException()
                          .as("a pass with an open fork")
                          .isThrownBy(() -> pipeline.schedule(pass));
                      assertThat(fork.pending()).hasSize(1);
                    }
                    kept.set(pass);
                  };
                })
            .host("h1", 1)
            .pending("a", 1);

    assertThat(wrapped.pass().actions()).isEmpty();
    assertThat(wrapped.pass().actions()).isEmpty();
    assertThat(wrapped.instance("a").state()).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void pipelineRunsInAFork() {
    Cluster wrapped =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy pipeline = context.pipeline().build();
                  return pass -> {
                    try (SchedulingPass.Fork fork = pass.fork()) {
                      pipeline.schedule(fork);
                      assertThat(fork.pending()).isEmpty();
                    }
                    assertThat(pass.pending()).hasSize(1);
                    pipeline.schedule(pass);
                  };
                })
            .host("h1", 1)
            .pending("a", 1);

    assertThat(wrapped.pass().placements()).hasSize(1);
    assertThat(wrapped.instance("a").placements()).isEqualTo(1);
  }

  // ---- The builder

  @Test
  void requiresAPolicyAndAServiceClass() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scheduler.builder().serviceClasses(Cluster.GOLD).build())
        .withMessageContaining("no policy was chosen");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scheduler.builder().policy("p", context -> pass -> {}).build())
        .withMessageContaining("no service class was given");
  }

  @Test
  void refusesDuplicateServiceClasses() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Scheduler.builder()
                    .policy("p", context -> pass -> {})
                    .serviceClasses(Cluster.GOLD, ServiceClass.builder("gold").slo(0.5).build())
                    .build())
        .withMessage("service class gold was given twice, names must be unique.");
  }

  @Test
  void ranksServiceClassesByImportanceThenName() {
    ServiceClass zinc = ServiceClass.builder("zinc").importance(2).build();
    ServiceClass lead = ServiceClass.builder("lead").importance(2).build();
    AtomicReference<List<ServiceClass>> seen = new AtomicReference<>();
    Scheduler scheduler =
        Scheduler.builder()
            .policy(
                "p",
                context -> {
                  seen.set(context.serviceClasses());
                  return pass -> {};
                })
            .serviceClasses(zinc, lead, Cluster.GOLD)
            .build();

    assertThat(scheduler.serviceClasses()).containsExactly(Cluster.GOLD, lead, zinc);
    assertThat(seen.get()).isEqualTo(scheduler.serviceClasses());
  }

  @Test
  void refusesSettingsOutOfRange() {
    Scheduler.Builder builder = Scheduler.builder();

    assertThatIllegalArgumentException().isThrownBy(() -> builder.watchdog(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.watchdog(Duration.ofSeconds(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.decisionLog(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.topScores(-1));
    for (Duration watchdog : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Cluster.of(parts -> parts.watchdog(watchdog)))
          .withMessage("watchdog was %s, must be positive.", watchdog);
    }
  }

  @Test
  void builderMakesIndependentSchedulers() {
    Scheduler.Builder builder =
        Scheduler.builder()
            .policy("p", context -> context.pipeline().build())
            .serviceClasses(Cluster.GOLD)
            .seed(42);
    Scheduler one = builder.build();
    Scheduler other = builder.build();

    one.submit(Cluster.request("a", 1).build(), 0);

    assertThat(other.instances()).isEmpty();
    assertThat(one.seed()).isEqualTo(42);
    assertThat(one.policyId()).isEqualTo("p");
    assertThat(one.policyConfig()).isEqualTo("{}");
  }

  @Test
  void passesTheSeedToThePolicy() {
    AtomicReference<Long> seen = new AtomicReference<>();

    Cluster.withPolicy(
        Scheduler.builder().seed(42),
        context -> {
          seen.set(context.seed());
          return pass -> {};
        });

    assertThat(seen).hasValue(42L);
  }

  @Test
  void addAndSubmitReturnLiveViews() {
    Scheduler scheduler = cluster.scheduler();
    Host h2 = scheduler.addHost(new HostSpec("h2", Cluster.cores(1)), cluster.now());
    Instance d = scheduler.submit(Cluster.request("d", 1).build(), cluster.now());

    cluster.place("d", "h2");

    assertThat(d.host()).containsSame(h2);
    assertThat(h2.instances()).containsExactly(d);
  }

  @Test
  void returnsUnmodifiableCollections() {
    assertThat(cluster.scheduler().instances()).isUnmodifiable();
    assertThat(cluster.scheduler().hosts()).isUnmodifiable();
    assertThat(cluster.scheduler().serviceClasses()).isUnmodifiable();
  }

  // ---- Helpers

  private static Arguments pass(String after, Consumer<SchedulingPass> actions) {
    return Arguments.of(Named.of(after, actions));
  }

  private static Consumer<SchedulingPass> thenThrow(
      Consumer<SchedulingPass> actions, Throwable failure) {
    return pass -> {
      actions.accept(pass);
      SchedulerCallsTest.<RuntimeException>sneak(failure);
    };
  }

  /** Throws a checked exception undeclared, as other JVM languages may. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }

  private static Instance a(SchedulingPass pass) {
    return pass.instance("a").orElseThrow();
  }

  private static Instance b(SchedulingPass pass) {
    return pass.instance("b").orElseThrow();
  }

  private static Instance c(SchedulingPass pass) {
    return pass.instance("c").orElseThrow();
  }

  private static Host h1(SchedulingPass pass) {
    return host(pass, "h1");
  }

  private static Host host(SchedulingPass pass, String id) {
    return pass.host(id).orElseThrow();
  }

  /** The error of the policy is not lost if its memory cannot be put back either. */
  @Test
  void policyThatFailsAndRefusesItsMemoryReportsBoth() {
    IllegalStateException failure = new IllegalStateException("given");
    IllegalStateException refusal = new IllegalStateException("refused");
    Policy policy =
        new Policy() {
          @Override
          public void schedule(SchedulingPass pass) {
            throw failure;
          }

          @Override
          public Optional<PolicyMemory> memory() {
            return Optional.of(
                new PolicyMemory() {
                  @Override
                  public Map<String, Object> save() {
                    return Map.of();
                  }

                  @Override
                  public void restore(Map<String, Object> saved) {
                    throw refusal;
                  }
                });
          }
        };
    Cluster failing = Cluster.withPolicy(Scheduler.builder(), context -> policy);

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(failing::pass)
        .withCause(refusal);
    assertThat(refusal.getSuppressed()[0]).hasCause(failure);
  }

  @Test
  void policyThatIsInterruptedLeavesItsThreadInterrupted() {
    try {
      assertThatThrownBy(
              () -> cluster.pass(thenThrow(pass -> {}, new InterruptedException("given"))))
          .isInstanceOf(PolicyFailedException.class);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted(); // for the tests that follow
    }
  }

  @Test
  void eventsThatOnlyTellSomethingAreAccepted() {
    Scheduler scheduler = cluster.scheduler();
    cluster.starting("d", "gold", 0, "h1");

    assertThat(scheduler.apply(new Event.StartedNow("d"), cluster.now()))
        .isEqualTo(Accepted.ACCEPTED);
    for (int time = 0; time < 2; time++) { // the second changes nothing
      assertThat(scheduler.apply(new Event.HostCordoned("h1"), cluster.now()))
          .isEqualTo(Accepted.ACCEPTED);
    }
  }
}
