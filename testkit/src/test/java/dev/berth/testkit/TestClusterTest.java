package dev.berth.testkit;

import static dev.berth.testkit.TestCluster.cpu;
import static dev.berth.testkit.TestCluster.cpuAndMemory;
import static dev.berth.testkit.assertions.BerthAssertions.assertThat;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Instance;
import dev.berth.api.Moldability;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.UnknownPolicyException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TestClusterTest {

  /** A policy that defers every instance. */
  record Idle(String excuse) {}

  static final class IdleFactory implements PolicyFactory<Idle> {
    @Override
    public String id() {
      return "acme.idle";
    }

    @Override
    public String summary() {
      return "Defers every instance.";
    }

    @Override
    public Idle defaults() {
      return new Idle("not today");
    }

    @Override
    public Policy create(Idle config, PolicyContext context) {
      return pass ->
          pass.pending()
              .forEach(each -> pass.defer(each, new Reason.PolicyChoice("idle", config.excuse())));
    }
  }

  private static TestCluster idle() {
    return TestCluster.withPolicy(new IdleFactory(), new Idle("too hot"));
  }

  private static TestCluster pipeline() {
    return TestCluster.withPolicy(context -> context.pipeline().build());
  }

  // ---- Use cases

  @Test
  void coversTheLifeOfAnInstance() {
    TestCluster cluster = pipeline().host("h", cpu(1)).pending("r", "silver", cpu(1));
    assertThat(cluster.at(ofSeconds(10)).pass()).placesExactly("r").places("r").on("h");
    assertThat(cluster.instance("r")).isStarting().isOn("h");
    assertThat(cluster.after(ofSeconds(5)).ready("r").instance("r")).isRunning();
    assertThat(cluster.after(ofSeconds(60)).failed("r").instance("r"))
        .isPending()
        .isOnNoHost()
        .hasServiceTime(ofSeconds(60), cluster.now())
        .hasWaitingTime(ofSeconds(15), cluster.now());
    cluster.pass();
    cluster.ready("r").after(ofSeconds(25));
    InstanceReport got = cluster.completed("r");
    assertThat(got.endedAt()).isEqualTo(ofSeconds(100).toNanos()).isEqualTo(cluster.now());
    assertThat(got.serviceTime()).isEqualTo(ofSeconds(85).toNanos());
    assertThat(cluster.scheduler().instances()).isEmpty();
  }

  @Test
  void cancelsInstancesAndRemovesHosts() {
    TestCluster cluster =
        TestCluster.byHand()
            .host("h1", cpu(1))
            .host("h2", cpu(1))
            .running("a", "gold", cpu(1), "h1")
            .starting("b", "gold", cpu(1), "h2")
            .removeHost("h1");
    assertThat(cluster.instance("a")).isPending();
    assertThat(cluster.cancel("b").id()).isEqualTo("b");
    assertThat(cluster.host("h2")).holdsNobody();
  }

  @Test
  void setsUpAStateRegardlessOfThePolicy() {
    TestCluster cluster =
        idle()
            .host("h1", cpu(2))
            .host("h2", cpu(2))
            .pending("other", "gold", cpu(1))
            .running("r", "bronze", cpu(1), "h2")
            .starting("s", "silver", cpu(1), "h2")
            .pending("v", "gold", cpu(1))
            .after(ofSeconds(1))
            .place("v", "h2", "r");
    assertThat(cluster.instance("other")).isPending();
    assertThat(cluster.instance("r")).isPending().wasPreempted(1);
    assertThat(cluster.instance("r").request().constraints()).isEmpty();
    assertThat(cluster.host("h2")).holds("s", "v");
    assertThat(cluster.host("h2").attributes()).isEmpty();
    assertThat(cluster.pass()).isEmpty().defers("other").because("too hot").defers("r");
  }

  @Test
  void pipelineSeesTheStateThatWasSetUp() {
    TestCluster cluster =
        pipeline()
            .host("h1", cpu(2))
            .host("h2", cpu(1))
            .running("a", "gold", cpu(2), "h1")
            .pending("b", "gold", cpu(1))
            .pending("c", "gold", cpu(1));
    assertThat(cluster.pass()).placesExactly("b").places("b").on("h2");
    cluster.completed("a");
    assertThat(cluster.pass()).placesExactly("c").places("c").on("h1");
  }

  @Test
  void settingUpCountsAsAPass() {
    TestCluster cluster = pipeline().host("h", cpu(1)).running("a", "gold", cpu(1), "h");
    Plan plan = cluster.pass();
    assertThat(plan.pass()).isEqualTo(2);
    assertThat(plan.triggers()).containsExactly(Trigger.EMBEDDER);
  }

  @Test
  void testActsInPlaceOfThePolicy() {
    TestCluster cluster = TestCluster.byHand().host("h", cpu(1)).pending("r", "gold", cpu(1));
    assertThat(cluster.pass()).isEmpty();
    Plan plan =
        cluster.pass(
            pass -> pass.place(pass.instance("r").orElseThrow(), pass.host("h").orElseThrow()));
    assertThat(plan).places("r").on("h").preemptingNobody();
    assertThat(cluster.pass()).isEmpty();
  }

  @Test
  void testReplacesThePolicyForOnePass() {
    TestCluster cluster = pipeline().host("h", cpu(1)).pending("r", "gold", cpu(1));
    assertThat(cluster.pass(pass -> {})).isEmpty();
    assertThat(cluster.pass()).places("r");
  }

  @Test
  void passesOnExceptionsOfTheTest() {
    TestCluster cluster = TestCluster.byHand().host("h", cpu(1)).pending("r", "gold", cpu(1));
    AssertionError failure = new AssertionError("as it is");
    assertThatThrownBy(
            () ->
                cluster.pass(
                    pass -> {
                      pass.place(cluster.instance("r"), cluster.host("h"));
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(cluster.instance("r")).isPending();
    assertThat(cluster.pass()).isEmpty();
    assertThat(cluster.scheduler().passes()).isEqualTo(1);
  }

  @Test
  void reportsExceptionsOfThePolicy() {
    Policy failing =
        pass -> {
          throw new IllegalStateException("broken");
        };
    TestCluster cluster = TestCluster.withPolicy(context -> failing);
    assertThatThrownBy(cluster::pass)
        .isInstanceOf(PolicyFailedException.class)
        .hasMessage("policy test failed in pass 1: java.lang.IllegalStateException: broken");
  }

  // ---- Other actions

  private static final Request FLEXIBLE =
      Request.builder("r", "gold").demand(cpu(1)).moldability(Moldability.LINPACK).build();

  @Test
  void setsUpEveryStateOfAnInstance() {
    TestCluster cluster =
        idle()
            .host("h1", cpuAndMemory(2, 2))
            .host("h2", cpuAndMemory(2, 2))
            .running("r", "gold", cpuAndMemory(1, 1), "h1")
            .after(ofSeconds(3))
            .pause("r");
    assertThat(cluster.instance("r")).isPaused().isOn("h1");
    assertThat(cluster.host("h1")).hasFree(cpuAndMemory(2, 1));
    cluster.after(ofSeconds(2)).suspend("r");
    assertThat(cluster.instance("r")).isSuspended().isOn("h1");
    assertThat(cluster.host("h1")).hasFree(cpuAndMemory(2, 2)).holds("r");
    assertThat(cluster.resume("r").instance("r")).isStarting().isOn("h1");
    cluster.ready("r").resize("r", cpuAndMemory(2, 1));
    assertThat(cluster.instance("r")).isRunning().isGranted(cpuAndMemory(2, 1));
    cluster.after(ofSeconds(4)).migrate("r", "h2");
    assertThat(cluster.instance("r"))
        .isStarting()
        .isOn("h2")
        .isGranted(cpuAndMemory(2, 1))
        .hasServiceTime(ofSeconds(7), cluster.now())
        .hasWaitingTime(ofSeconds(2), cluster.now());
    assertThat(cluster.host("h1")).holdsNobody();
  }

  @Test
  void placesWithAnotherGrant() {
    TestCluster cluster = TestCluster.byHand().host("h", cpu(1)).submit(FLEXIBLE);
    cluster.place("r", "h", cpu(0.5));
    assertThat(cluster.instance("r")).isStarting().isGranted(cpu(0.5));
  }

  @Test
  void refusesInvalidActions() {
    TestCluster cluster =
        TestCluster.byHand()
            .host("h1", cpu(1))
            .host("h2", cpu(0.5))
            .starting("r", "gold", cpu(1), "h1")
            .pending("q", "gold", cpu(1));
    assertRefused(
        () -> cluster.pause("r"),
        "r cannot be paused: instance r must be running to be paused, is STARTING on h1.");
    assertRefused(
        () -> cluster.suspend("r"),
        "r cannot be suspended: instance r must be running or paused to be suspended, is STARTING"
            + " on h1.");
    assertRefused(
        () -> cluster.resume("r"),
        "r cannot be resumed: instance r must be paused or suspended to be resumed, is STARTING on"
            + " h1.");
    assertRefused(
        () -> cluster.resize("r", cpu(2)),
        "r cannot be resized to cpu 2: cpu exceeds the whole host by 1.");
    assertRefused(
        () -> cluster.ready("r").migrate("r", "h2"),
        "r cannot be migrated to h2: cpu exceeds the whole host by 0.5.");
    assertRefused(
        () -> cluster.place("q", "h2", cpu(0.5)),
        "q cannot be placed on h2 with cpu 0.5: cpu granted would be 0.5, must be at least 1, unless"
            + " the policy's oversubscribes() names cpu and the request guarantees less.");
    assertThat(cluster.instance("r")).isRunning().isOn("h1").isGranted(cpu(1));
    assertThat(cluster.instance("q")).isPending();
  }

  private static void assertRefused(ThrowingCallable doing, String message) {
    assertThatIllegalStateException().isThrownBy(doing).withMessage(message);
  }

  @Test
  void reportsUsage() {
    TestCluster cluster =
        TestCluster.byHand()
            .host("h", cpu(1))
            .running("r", "gold", cpu(1), "h")
            .after(ofSeconds(1))
            .usageReported("r", cpu(0.5))
            .after(ofSeconds(1))
            .usageReported("r", cpu(1), cpu(0.25));
    assertThat(cluster.instance("r").previousUsage())
        .contains(new Usage(ofSeconds(1).toNanos(), cpu(0.5), Resources.none()));
    assertThat(cluster.instance("r").usage())
        .contains(new Usage(ofSeconds(2).toNanos(), cpu(1), cpu(0.25)));
  }

  @Test
  void supportsOversubscription() {
    Policy frugal =
        new Policy() {
          @Override
          public void schedule(SchedulingPass pass) {
            pass.place(pass.pending().get(0), pass.hosts().get(0), List.of(), cpu(0.5));
          }

          @Override
          public Set<Dimension> oversubscribes() {
            return Set.of(Dimension.CPU);
          }
        };
    TestCluster cluster =
        TestCluster.withPolicy(context -> frugal)
            .host("h", cpu(1))
            .submit(
                Request.builder("r", "gold").demand(cpu(1)).guaranteed(Resources.none()).build());
    assertThat(cluster.pass()).places("r").granting(cpu(0.5));
  }

  // ---- Creation

  @Test
  void hasTheServiceClassesOfThePaper() {
    List<ServiceClass> classes = TestCluster.byHand().scheduler().serviceClasses();
    assertThat(classes)
        .containsExactly(TestCluster.GOLD, TestCluster.SILVER, TestCluster.BRONZE)
        .extracting(ServiceClass::name, each -> each.slo().share(), ServiceClass::importance)
        .containsExactly(tuple("gold", 1.0, 1), tuple("silver", 0.9, 2), tuple("bronze", 0.5, 3));
  }

  @Test
  void acceptsCustomSettings() {
    ServiceClass only = ServiceClass.builder("only").build();
    Scheduler.Builder settings =
        Scheduler.builder().serviceClasses(only).seed(7).watchdog(ofSeconds(3));
    for (TestCluster cluster :
        List.of(
            TestCluster.byHand(settings),
            TestCluster.withPolicy(settings, context -> context.pipeline().build()),
            TestCluster.withPolicy(settings, new IdleFactory(), new Idle("own")))) {
      assertThat(cluster.scheduler().serviceClasses()).containsExactly(only);
      assertThat(cluster.scheduler().seed()).isEqualTo(7);
      assertThat(cluster.scheduler().watchdog()).contains(ofSeconds(3));
    }
  }

  @Test
  void schedulerKnowsIdConfigurationAndWatchdog() {
    Scheduler scheduler = idle().scheduler();
    assertThat(scheduler.policyId()).isEqualTo("acme.idle");
    assertThat(scheduler.policyConfig()).hasToString("{\"excuse\":\"too hot\"}");
    assertThat(scheduler.watchdog()).isEmpty();
    Scheduler watchful =
        TestCluster.withPolicy(context -> context.pipeline().watchdog(ofSeconds(9)).build())
            .scheduler();
    assertThat(watchful.watchdog()).contains(ofSeconds(9));
  }

  @Test
  void refusesAnUnknownPolicy() {
    assertThatThrownBy(() -> TestCluster.withPolicy("qos-drivn"))
        .isInstanceOf(UnknownPolicyException.class)
        .hasMessageStartingWith("no policy qos-drivn");
  }

  // ---- Amounts

  @Test
  void roundsAmountsToUnits() {
    assertThat(cpu(4)).isEqualTo(Resources.of(Dimension.CPU, 4_000_000_000L));
    assertThat(cpu(0.1 + 0.2)).isEqualTo(Resources.of(Dimension.CPU, 300_000_000));
    assertThat(cpuAndMemory(0.5, 8))
        .isEqualTo(Resources.of(Dimension.CPU, 500_000_000, Dimension.MEMORY, 8_000_000_000L))
        .hasToString("cpu 0.5, memory 8");
    assertThat(cpu(0)).isEqualTo(Resources.none());
  }

  @Test
  void refusesInvalidAmounts() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cpu(-1))
        .withMessage("cpu was -1.0, must not be negative.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cpuAndMemory(1, Double.NaN))
        .withMessage("memory was NaN, must be finite.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cpu(1e300))
        .withMessage("cpu was 1.0E+300, too large to count.");
  }

  // ---- Refusals

  @Test
  void refusesTimesOutOfRange() {
    TestCluster cluster = TestCluster.byHand().at(ofSeconds(5));
    assertThat(cluster.at(ofSeconds(5)).now()).isEqualTo(5_000_000_000L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.at(ofSeconds(3)))
        .withMessage("time was to be 3s, must be from 5s to 292 years.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.after(Duration.ofMillis(-1)))
        .withMessage("time was to be 4.999s, must be from 5s to 292 years.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.after(Duration.ofDays(200_000)))
        .withMessage("time was to be PT4800000H5S, must be from 5s to 292 years.");
    assertThat(cluster.now()).isEqualTo(5_000_000_000L);
  }

  @Test
  void refusesUnknownIdsAndListsTheKnown() {
    TestCluster cluster = TestCluster.byHand();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.host("h9"))
        .withMessage("no host h9 in the cluster. There is: none.");
    cluster.host("h2", cpu(1)).host("h1", cpu(1)).pending("b", "gold", cpu(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.instance("a"))
        .withMessage("no instance a in the cluster. There is: b.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.running("a", "gold", cpu(1), "h3"))
        .withMessage("no host h3 in the cluster. There is: h2, h1.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.place("b", "h1", "v"))
        .withMessage("no instance v in the cluster. There is: b.");
  }

  @Test
  void refusesImpossibleStatesWithTheReason() {
    TestCluster cluster =
        TestCluster.byHand()
            .host("h", cpu(4), "zone", "a")
            .running("r2", "gold", cpu(1), "h")
            .running("r1", "gold", cpu(2), "h");
    assertThatIllegalStateException()
        .isThrownBy(() -> cluster.running("r3", "gold", cpu(1.5), "h"))
        .withMessage("r3 cannot be placed on h: cpu short by 0.5. On it: r1, r2.");
    assertThat(cluster.instance("r3")).isPending();
    assertThatIllegalStateException()
        .isThrownBy(() -> cluster.place("r2", "h"))
        .withMessage(
            "r2 cannot be placed on h: instance r2 must be pending to be placed, is RUNNING on h."
                + " On it: r1, r2.");
    Request elsewhere =
        Request.builder("r4", "gold")
            .demand(Resources.none())
            .constraint(new Constraint.Equal("zone", "b"))
            .build();
    assertThatIllegalStateException()
        .isThrownBy(() -> cluster.starting(elsewhere, "h"))
        .withMessage("r4 cannot be placed on h: needs zone == b, is a. On it: r1, r2.");
    cluster.pending("r5", "gold", cpu(4));
    assertThatIllegalStateException()
        .isThrownBy(() -> cluster.place("r5", "h", "r1"))
        .withMessage("r5 cannot be placed on h in place of r1: cpu short by 1. On it: r1, r2.");
    assertThat(cluster.instance("r1")).isRunning().wasPreempted(0);
  }

  @Test
  void attributesComeInPairs() {
    TestCluster cluster = TestCluster.byHand().host("h", cpu(1), "zone", "a", "rack", "7");
    assertThat(cluster.host("h").attributes()).containsOnly(entry("zone", "a"), entry("rack", "7"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.host("h2", cpu(1), "zone", "a", "rack"))
        .withMessage(
            "host h2: attribute rack has no value. Attributes are name, value, name, value.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.host("h2", cpu(1), "zone", "a", "zone", "b"))
        .withMessage("host h2: attribute zone was given twice.");
  }

  @Test
  void passesOnMessagesOfTheScheduler() {
    TestCluster cluster = TestCluster.byHand().host("h", cpu(1)).pending("r", "gold", cpu(1));
    assertThatThrownBy(() -> cluster.ready("x"))
        .isInstanceOf(EventRefusedException.class)
        .hasMessage("instance x is ready, but there is no such instance, or it is done.");
    assertThatThrownBy(() -> cluster.pending("s", "tin", cpu(1)))
        .isInstanceOf(EventRefusedException.class)
        .hasMessage(
            "request s is of service class tin, which the scheduler does not have."
                + " Known: gold, silver, bronze.");
    Instance pending = cluster.instance("r");
    assertThatThrownBy(() -> cluster.completed("r")).isInstanceOf(EventRefusedException.class);
    assertThat(pending).isPending();
  }
}
