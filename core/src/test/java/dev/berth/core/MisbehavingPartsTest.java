package dev.berth.core;

import static dev.berth.core.TestParts.ALLOW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SchedulerFailedException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Parts of a policy that act on the pass, throw, or return invalid numbers. */
class MisbehavingPartsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");
  private static final ServiceClass ONLY = ServiceClass.builder("only").build();

  private static Request request(String id, Resources demand) {
    return Request.builder(id, "only").demand(demand).build();
  }

  @Test
  void stopsAPartThatActsOnThePass() {
    AtomicReference<@Nullable SchedulingPass> open = new AtomicReference<>();
    VictimOrder meddling =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            SchedulingPass pass = open.get();
            if (pass != null && instance.id().equals("a")) {
              Host host = pass.host("h").orElseThrow();
              pass.place(pass.instance("b").orElseThrow(), host);
            }
            return 0;
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 0;
          }
        };
    Scheduler scheduler =
        Scheduler.builder()
            .policy(
                "meddling",
                context -> {
                  context.pipeline().preemption(meddling, ALLOW_ALL).build();
                  return pass -> {
                    open.set(pass);
                    pass.place(pass.instance("a").orElseThrow(), pass.host("h").orElseThrow());
                  };
                })
            .serviceClasses(ONLY)
            .build();
    Host host = scheduler.addHost(new HostSpec("h", Resources.of(Dimension.CPU, 1)), 0);
    scheduler.submit(request("a", Resources.of(Dimension.CPU, 1)), 0);
    scheduler.submit(request("b", Resources.of(Dimension.CPU, 1)), 0);

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(() -> scheduler.schedule(1))
        .withMessageContaining("Parts only answer");

    assertThat(host.free(Dimension.CPU)).isEqualTo(1);
    assertThat(host.instances()).isEmpty();
    assertThat(scheduler.pendingCount()).isEqualTo(2);
  }

  @Test
  void scoreOfNanFailsThePass() {
    Cluster cluster = Cluster.of(parts -> parts.allocationScore(fit -> 0.0 / 0));
    cluster.host("h1", 1).pending("a", 1);

    assertThatThrownBy(cluster::pass)
        .isInstanceOf(PolicyFailedException.class)
        .hasMessageContaining("the allocation score of host h1 for instance a")
        .hasMessageContaining("is not a number");
    assertThat(cluster.scheduler().pendingCount()).isEqualTo(1);
  }

  @Test
  void costOfNanFailsThePass() {
    PreemptionCost undefined =
        new PreemptionCost() {
          @Override
          public int width(int classes) {
            return 1;
          }

          @Override
          public void add(PreemptionPair pair, double[] tuple) {
            tuple[0] = 0;
          }

          @Override
          public void finish(double[] tuple) {
            tuple[0] = 0.0 / 0;
          }
        };
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT)
                    .preemptionCost(undefined));
    cluster.host("h1", 1).running("b", "bronze", 1, "h1").pending("a", 1);

    assertThatThrownBy(cluster::pass)
        .isInstanceOf(PolicyFailedException.class)
        .hasMessageContaining(
            "the preemption cost of host h1 for instance a (PENDING) is not a number");
    assertThat(cluster.host("h1").instances()).extracting(Instance::id).containsExactly("b");
  }

  /** The search finds the victims of the chosen host again after it has seen all hosts. */
  @Test
  void ruleThatChangesItsMindFailsThePass() {
    int[] judged = {0};
    Cluster cluster =
        Cluster.of(
            parts ->
                parts
                    .preemption(
                        TestParts.latestFirst(),
                        pair ->
                            judged[0]++ < 2
                                ? Verdict.allow("once", "two judgements only")
                                : Verdict.refuse("no more", "no more"))
                    .preemptionCost(TestParts.cost(v -> v.id().equals("v1") ? 1 : 2)));
    cluster.host("h1", 1).running("v1", "bronze", 1, "h1");
    cluster.host("h2", 1).running("v2", "bronze", 1, "h2");
    cluster.pending("a", 1);

    assertThatThrownBy(cluster::pass)
        .isInstanceOf(PolicyFailedException.class)
        .hasMessageContaining("host h1 was chosen for instance a")
        .hasMessageContaining("contradicts itself");
  }

  @Test
  void forgetsTheDimensionOfAFailedRequest() {
    Scheduler scheduler =
        Scheduler.builder()
            .policy(
                "picky",
                context ->
                    context
                        .pipeline()
                        .queue(
                            pending -> {
                              throw new IllegalStateException("no");
                            })
                        .build())
            .serviceClasses(ONLY)
            .build();
    Resources byTheThousand = Resources.of(new Dimension("gpu", 1000), 1);
    Resources byOne = Resources.of(new Dimension("gpu", 1), 1);

    assertThatThrownBy(() -> scheduler.submit(request("a", byTheThousand), 0)).hasMessage("no");

    assertThat(scheduler.addHost(new HostSpec("h", byOne), 0).free()).isEqualTo(byOne);
  }

  @Test
  void stopsAPolicyThatAsksForExplanationsInAPass() {
    AtomicReference<@Nullable Scheduler> own = new AtomicReference<>();
    Scheduler scheduler =
        Scheduler.builder()
            .policy(
                "curious",
                context ->
                    pass -> {
                      Scheduler caller = own.get();
                      if (caller != null) {
                        caller.explain().whyPending("a", pass.now());
                      }
                    })
            .serviceClasses(ONLY)
            .build();
    own.set(scheduler);
    scheduler.submit(request("a", Resources.none()), 0);

    assertThatThrownBy(() -> scheduler.schedule(1))
        .isInstanceOf(PolicyFailedException.class)
        .hasMessageContaining("between the calls");
  }

  @Test
  void timesOfACompletedInstanceStopCounting() {
    Cluster cluster = Cluster.of(parts -> parts).host("h1", 1).running("a", 1, "h1");
    Instance instance = cluster.scheduler().instance("a").orElseThrow();
    cluster.at(10).completed("a");

    long end = 10 * Cluster.SECOND;
    assertThat(instance.serviceTime(2 * end)).isEqualTo(instance.serviceTime(end));
    assertThat(instance.waitingTime(2 * end)).isEqualTo(instance.waitingTime(end));
    assertThat(instance.availability(2 * end)).isEqualTo(instance.availability(end));
  }

  @Test
  void newInstanceDoesNotInheritThePreemptionOfAnEarlierOneOfItsId() {
    Cluster cluster =
        Cluster.of(parts -> parts.preemption(TestParts.latestFirst(), ALLOW_ALL)).host("h1", 1);
    cluster.running("a", 1, "h1").at(1).pending("b", 1).pass();
    assertThat(cluster.scheduler().explain().whyPreempted("a")).isPresent();

    cluster.at(2).cancel("a");
    cluster.at(3).pending("a", 1);

    assertThat(cluster.scheduler().explain().whyPreempted("a")).isEmpty();
  }

  @Test
  void stopsAPartThatPlacesDuringItsPipelinesPass() {
    AtomicReference<@Nullable SchedulingPass> open = new AtomicReference<>();
    Cluster cluster =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy pipeline =
                      context
                          .pipeline()
                          .allocationScore(
                              fit -> {
                                open.get().place(fit.instance(), fit.host());
                                return 0;
                              })
                          .build();
                  return pass -> {
                    open.set(pass);
                    pipeline.schedule(pass);
                  };
                })
            .host("h1", 1)
            .pending("a", 1);

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(cluster::pass)
        .withMessageContaining("Parts only answer");
    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.PENDING);
  }

  @Test
  void undoesAPlacementInWhichAPartThrows() {
    AtomicReference<String> disliked = new AtomicReference<>("");
    VictimOrder picky =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            if (instance.id().equals(disliked.get())) {
              throw new IllegalArgumentException("no");
            }
            return 0;
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 0;
          }
        };
    Cluster cluster =
        Cluster.withPolicy(
            Scheduler.builder(),
            context -> {
              Policy pipeline = context.pipeline().preemption(picky, ALLOW_ALL).build();
              return pass -> {
                if (disliked.get().isEmpty()) {
                  pipeline.schedule(pass);
                  return;
                }
                Instance a = pass.instance("a").orElseThrow();
                List<Instance> victims = List.of(pass.instance("v").orElseThrow());
                Snapshot before = Snapshot.of(pass);
                // The engine preempts v before it asks for the key of a.
                assertThatThrownBy(() -> pass.place(a, pass.hosts().get(0), victims))
                    .hasMessage("no");
                assertThat(Snapshot.of(pass)).isEqualTo(before);
              };
            });
    cluster.host("h1", 1).running("v", 1, "h1").at(5).pending("a", 1);

    disliked.set("a");

    assertThat(cluster.pass().actions()).isEmpty();
    assertThat(cluster.instance("v").state()).isEqualTo(InstanceState.RUNNING);
  }

  /** A search that an error ended may have left an index incomplete. */
  @Test
  void fatalErrorOfAPartFailsTheSchedulerEvenIfThePolicyCatchesIt() {
    StackOverflowError exhausted = new StackOverflowError();
    Cluster cluster =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy pipeline =
                      context
                          .pipeline()
                          .filter(
                              (instance, host, now) -> {
                                throw exhausted;
                              })
                          .build();
                  return pass ->
                      assertThatThrownBy(() -> pipeline.schedule(pass)).isSameAs(exhausted);
                })
            .host("h1", 1)
            .pending("a", 1);

    for (int call = 0; call < 2; call++) {
      assertThatExceptionOfType(SchedulerFailedException.class)
          .isThrownBy(cluster::pass)
          .withCause(exhausted);
    }
  }

  @Test
  void actionInWhichAPartThrowsDoesNotHappen() {
    AtomicReference<@Nullable String> throwsFor = new AtomicReference<>();
    VictimOrder failing =
        new VictimOrder() {
          @Override
          public long key(Instance instance) {
            assertThat(instance.id()).isNotEqualTo(throwsFor.get());
            return 0;
          }

          @Override
          public long drift(ServiceClass serviceClass, InstanceState state, long now) {
            return 0;
          }
        };
    Cluster cluster =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy pipeline = context.pipeline().preemption(failing, ALLOW_ALL).build();
                  return pass -> {
                    pipeline.schedule(pass);
                    for (Instance each : pass.instances()) {
                      if (each.id().equals(throwsFor.get())) {
                        assertThatThrownBy(() -> pass.pause(each, WHY))
                            .isInstanceOf(AssertionError.class);
                      }
                    }
                  };
                })
            .host("h1", 1)
            .running("a", 1, "h1");
    throwsFor.set("a");

    assertThat(cluster.pass().actions()).isEmpty();

    assertThat(cluster.instance("a").state()).isEqualTo(InstanceState.RUNNING);
  }

  @Test
  void stopsAPartThatClosesAFork() {
    AtomicReference<SchedulingPass.@Nullable Fork> open = new AtomicReference<>();
    Cluster cluster =
        Cluster.withPolicy(
                Scheduler.builder(),
                context -> {
                  Policy pipeline =
                      context
                          .pipeline()
                          .filter(
                              (instance, host, now) -> {
                                Objects.requireNonNull(open.get()).close();
                                return Optional.empty();
                              })
                          .build();
                  return pass -> {
                    open.set(pass.fork());
                    pipeline.schedule(Objects.requireNonNull(open.get()));
                  };
                })
            .host("h1", 1)
            .pending("a", 1);

    assertThatExceptionOfType(PolicyFailedException.class)
        .isThrownBy(cluster::pass)
        .withMessageContaining("Parts only answer");
  }
}
