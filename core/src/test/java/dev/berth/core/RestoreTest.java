package dev.berth.core;

import static dev.berth.core.Cluster.BRONZE;
import static dev.berth.core.Cluster.GOLD;
import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.berth.api.Dimension;
import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Peers;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.snapshot.HostData;
import dev.berth.core.snapshot.InstanceData;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Snapshots that cannot be taken or restored, and what builders may say beside them. */
class RestoreTest {

  private static Policy pipeline(PolicyContext context) {
    return context.pipeline().build();
  }

  private static Scheduler.Builder builder() {
    return Scheduler.builder().policy("test", RestoreTest::pipeline).serviceClasses(GOLD, BRONZE);
  }

  /** Two hosts of two cores; r1 and r2 run on them with a core each; r3 waits for three. */
  private static Scheduler scheduler() {
    Scheduler scheduler = builder().seed(5).build();
    scheduler.addHost(new HostSpec("h1", cores(2)), 0);
    scheduler.addHost(new HostSpec("h2", cores(2)), 0);
    for (String each : List.of("r1", "r2")) {
      scheduler.submit(Request.builder(each, "gold").demand(cores(1)).build(), SECOND);
    }
    scheduler.submit(Request.builder("r3", "bronze").demand(cores(3)).build(), SECOND);
    scheduler.schedule(SECOND);
    scheduler.started("r1", 2 * SECOND);
    return scheduler;
  }

  private static SnapshotException refused(Scheduler.Builder builder) {
    AtomicReference<SnapshotException> thrown = new AtomicReference<>();
    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(builder::build)
        .satisfies(thrown::set);
    return thrown.get();
  }

  private static List<String> problems(UnaryOperator<SchedulerSnapshot> damage) {
    return refused(builder().restore(damage.apply(scheduler().snapshot()))).problems();
  }

  // ---- What is the same

  @Test
  void anExplanationDoesNotDependOnWhenADimensionWasFirstSeen() {
    Scheduler scheduler = builder().build();
    scheduler.addHost(new HostSpec("h1", cores(2)), 0);
    scheduler.submit(Request.builder("r1", "gold").demand(cores(1)).build(), 0);
    scheduler.foreignLoad("h1", Resources.of(new Dimension("disk", 1), 2), 0); // a new dimension

    Scheduler restored = builder().restore(scheduler.snapshot()).build();

    assertThat(scheduler.explain().whyPending("r1", 0))
        .isEqualTo(restored.explain().whyPending("r1", 0));
  }

  @Test
  void goesOnWithTheSettingsOfTheSnapshot() {
    Scheduler first = builder().seed(5).watchdog(Duration.ofSeconds(7)).maxPlacements(1).build();
    first.addHost(new HostSpec("h1", cores(2)), 0);
    Plan last = first.schedule(SECOND);

    Scheduler restored =
        Scheduler.builder().policy("test", RestoreTest::pipeline).restore(first.snapshot()).build();

    assertThat(restored.seed()).isEqualTo(5);
    assertThat(restored.serviceClasses()).isEqualTo(first.serviceClasses());
    assertThat(restored.watchdog()).contains(Duration.ofSeconds(7));
    assertThat(restored.nextPassAt()).hasValue(8 * SECOND).isEqualTo(first.nextPassAt());
    assertThat(restored.passes()).isEqualTo(last.pass());
    assertThat(restored.snapshot()).isEqualTo(first.snapshot());
    assertThat(restored.digest()).isEqualTo(first.digest());
    assertThat(restored.decisions().all()).isEmpty();
  }

  @Test
  void decidesLikeTheOriginalFromThenOn() {
    Cluster original = FullCluster.prepared();
    Cluster restored =
        FullCluster.with(Scheduler.builder().restore(original.scheduler().snapshot()))
            .atNanos(original.now());

    FullCluster.assertAlike(original, restored);
    for (int step = 0; step < FullCluster.STEPS; step++) {
      assertThat(FullCluster.next(restored, step)).isEqualTo(FullCluster.next(original, step));
      FullCluster.assertAlike(original, restored);
    }
  }

  @Test
  void othersStillWaitBehindAHeadThatIsGone() {
    QueueOrder byKey = TestParts.queueBy(Map.of("a", -5L, "b", -3L));
    for (UnaryOperator<PipelineBuilder> queue :
        List.<UnaryOperator<PipelineBuilder>>of(
            parts -> parts.queue(QueueDiscipline.FIFO), parts -> parts.queue(byKey))) {
      UnaryOperator<PipelineBuilder> all = parts -> queue.apply(parts).backfill(Backfill.NONE);
      Cluster original = Cluster.of(all).host("h1", 2).running("r", 1, "h1");
      original.pending("a", 2).pending("b", 1).pass();
      original.cancel("a");

      Cluster restored =
          Cluster.of(Scheduler.builder().restore(original.scheduler().snapshot()), all);

      assertThat(restored.reasonsToWait())
          .isEqualTo(original.reasonsToWait())
          .containsEntry("b", new Reason.QueuedBehind("a"));
    }
  }

  @Test
  void rulesAndLabelsOfRestoredInstancesCount() {
    Domain zone = Domain.of("zone");
    Cluster original =
        Cluster.of(parts -> parts).host("a1", 1, "zone", "a").host("b1", 3, "zone", "b");
    PlacementSpec apart = PlacementSpec.builder().apart(Peers.labelled("app", "db"), zone).build();
    PlacementSpec near = PlacementSpec.builder().near(Peers.ofJob("web"), zone).build();
    original.running(Cluster.request("web", 1).job("web"), "a1");
    original.running(Cluster.request("alone", 1).placement(apart), "b1");
    original.pending(Cluster.request("db", 1).label("app", "db"));
    original.pending(Cluster.request("near", 1).placement(near));

    Cluster restored =
        Cluster.of(Scheduler.builder().restore(original.scheduler().snapshot()), parts -> parts);

    assertThat(restored.pass().placements()).isEmpty();
    restored.cancel("alone");
    assertThat(Plans.placements(restored.pass())).containsExactly("db on b1");
    restored.cancel("web");
    restored.pending(Cluster.request("web", 1).job("web"));
    assertThat(Plans.instances(restored.pass())).contains("web");
  }

  /** Only those wait behind it that waited in the pass. */
  @Test
  void othersStillWaitBehindAHeadThatIsThere() {
    UnaryOperator<PipelineBuilder> fifo =
        parts -> parts.queue(QueueDiscipline.FIFO).backfill(Backfill.NONE);
    Cluster original = Cluster.of(fifo).host("h1", 2).running("r", 1, "h1");
    original.pending("a", 2).pending("b", 1).pass();
    original.pending("c", 1);

    Cluster restored =
        Cluster.of(Scheduler.builder().restore(original.scheduler().snapshot()), fifo);

    assertThat(restored.reasonsToWait()).isEqualTo(original.reasonsToWait()).containsOnlyKeys("b");
  }

  @Test
  void keepsTheOrderOfDimensionsGrantsAndUnsetLimits() {
    UnaryOperator<PipelineBuilder> halves =
        parts -> parts.grants((instance, host) -> cores(1)).backfill(Backfill.NONE);
    Cluster original = Cluster.of(halves);
    original.pending(Request.builder("m", "gold").demand(Resources.of(Dimension.MEMORY, 1)));
    original.cancel("m");
    original.host("h1", 4).running(Jobs.moldable("r", 2, 10), "h1");
    PlacementSpec licence = PlacementSpec.builder().use("licence", 1).build();
    original.scheduler().setLimit("licence", 1, 0);
    original.running(Jobs.job("u", 1, 10).placement(licence), "h1");
    original.scheduler().setLimit("licence", 0, 0);

    Cluster restored =
        Cluster.of(Scheduler.builder().restore(original.scheduler().snapshot()), halves);

    assertThat(restored.snapshotData()).isEqualTo(original.snapshotData());
    assertThat(restored.snapshotData().limits()).isEmpty();
    assertThat(restored.instance("r").granted()).isEqualTo(cores(1));
    assertThat(restored.host("h1").free()).isEqualTo(original.host("h1").free());
  }

  @Test
  void errorsOfThePolicyAreStillReported() {
    Cluster original =
        Cluster.withPolicy(Scheduler.builder(), context -> new Stateless(RestoreTest::makeAnError));
    original.host("h1", 2).pending("a", 1).pass();

    Cluster restored =
        Cluster.withPolicy(
            Scheduler.builder().restore(original.scheduler().snapshot()),
            context -> new Stateless(pass -> {}));

    assertThat(restored.scheduler().explain().whyPending("a", 0).policyErrors())
        .isEqualTo(original.scheduler().explain().whyPending("a", 0).policyErrors())
        .hasSize(1);
    original.cancel("a");
    assertThat(original.snapshotData().latestPlan().policyErrors()).isEmpty();
  }

  private static void makeAnError(SchedulingPass pass) {
    Instance a = pass.pending().get(0);
    pass.place(a, pass.hosts().get(0), List.of(a)); // it is no victim
  }

  @Test
  void anEmptySchedulerCanBeRestored() {
    Scheduler first = builder().build();

    Scheduler restored = builder().restore(first.snapshot()).build();

    assertThat(restored.snapshot()).isEqualTo(first.snapshot());
    assertThat(restored.now()).isEqualTo(Long.MIN_VALUE);
    restored.addHost(new HostSpec("h1", cores(1)), -5);
    assertThat(restored.hosts()).hasSize(1);
  }

  @Test
  void aBuilderCanRestoreSeveral() {
    SchedulerSnapshot snapshot = scheduler().snapshot();
    Scheduler.Builder builder = builder().restore(snapshot);

    Scheduler one = builder.build();
    Scheduler other = builder.build();
    one.removeHost("h1", 3 * SECOND);

    assertThat(other.snapshot()).isEqualTo(snapshot);
  }

  @Test
  void refusedEventsChangeNoDigest() {
    Scheduler scheduler = scheduler();
    long before = scheduler.digest();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> scheduler.started("r1", 2 * SECOND));

    assertThat(scheduler.digest()).isEqualTo(before);
  }

  @Test
  void aPassThatFailsChangesNoDigest() {
    AtomicReference<Consumer<SchedulingPass>> acts = new AtomicReference<>(pass -> {});
    Scheduler scheduler =
        Scheduler.builder()
            .serviceClasses(GOLD)
            .policy("test", context -> pass -> acts.get().accept(pass))
            .build();
    scheduler.addHost(new HostSpec("h1", cores(2)), 0);
    scheduler.submit(Request.builder("r1", "gold").demand(cores(1)).build(), 0);
    long before = scheduler.digest();
    acts.set(
        pass -> {
          pass.place(pass.pending().get(0), pass.hosts().get(0));
          throw new IllegalStateException("on purpose");
        });

    assertThatExceptionOfType(PolicyFailedException.class).isThrownBy(() -> scheduler.schedule(0));

    assertThat(scheduler.digest()).isEqualTo(before);
  }

  @Test
  void aPassThatFailsChangesNeitherTheMemoryNorTheQueue() {
    List<Long> passes = new ArrayList<>();
    PolicyMemory memory =
        new PolicyMemory() {
          @Override
          public Map<String, Object> save() {
            return Map.of("passes", List.copyOf(passes));
          }

          @Override
          public void restore(Map<String, Object> saved) {
            passes.clear();
            ((List<?>) saved.get("passes")).forEach(each -> passes.add((Long) each));
          }
        };
    Scheduler scheduler =
        Scheduler.builder()
            .serviceClasses(GOLD)
            .policy(
                "test",
                context -> {
                  Policy pipeline = pipeline(context);
                  return new Policy() {
                    @Override
                    public void schedule(SchedulingPass pass) {
                      passes.add(pass.now());
                      pipeline.schedule(pass);
                      if (pass.now() == 1) {
                        throw new IllegalStateException("on purpose");
                      }
                    }

                    @Override
                    public Optional<PolicyMemory> memory() {
                      return Optional.of(memory);
                    }
                  };
                })
            .build();
    scheduler.addHost(new HostSpec("h1", cores(1)), 0);
    scheduler.submit(Request.builder("r1", "gold").demand(cores(1)).build(), 0);
    scheduler.schedule(0);
    scheduler.submit(Request.builder("r2", "gold").demand(cores(1)).build(), 1); // the head
    long before = scheduler.digest();

    assertThatExceptionOfType(PolicyFailedException.class).isThrownBy(() -> scheduler.schedule(1));

    assertThat(passes).containsExactly(0L);
    assertThat(scheduler.digest()).isEqualTo(before);
  }

  @Test
  void differentPlansHaveDifferentDigests() {
    Plan plan = scheduler().schedule(3 * SECOND);
    Plan other =
        new Plan(plan.pass(), plan.now(), plan.triggers(), List.of(new Action.Pause("r1", "h1")));
    Plan third =
        new Plan(plan.pass(), plan.now(), plan.triggers(), List.of(new Action.Suspend("r1", "h1")));

    assertThat(List.of(plan.digest(), other.digest(), third.digest())).doesNotHaveDuplicates();
    assertThat(new Plan(plan.pass(), plan.now(), plan.triggers(), plan.actions()).digest())
        .isEqualTo(plan.digest());
  }

  // ---- Policies

  @Test
  void noSnapshotIfThePolicyDoesNotSayWhatItKeeps() {
    Scheduler scheduler =
        Scheduler.builder().serviceClasses(GOLD).policy("silent", context -> pass -> {}).build();

    assertThatExceptionOfType(SnapshotException.class)
        .isThrownBy(scheduler::snapshot)
        .withMessage(
            "snapshot: policy silent does not say what it keeps from pass to pass. Maybe it keeps"
                + " nothing, and its memory() should return PolicyMemory.none().");
    scheduler.digest(); // works all the same
  }

  @Test
  void aPolicyMayRefuseItsMemory() {
    SchedulerSnapshot snapshot = scheduler().snapshot();
    SchedulerSnapshot other = withMemory(snapshot, Map.of("count", 3));

    assertThat(refused(builder().restore(other)).problems())
        .containsExactly(
            "policy test refuses its memory: the policy remembers nothing, but [count] was saved.");
  }

  @Test
  void policiesRememberPlainData() {
    List<Map<String, Object>> restored = new ArrayList<>();
    Map<String, Object> memory =
        Map.of("text", "a", "number", 7, "share", 0.5, "list", List.of(true, Map.of("k", 1L)));
    Policy remembering =
        new Policy() {
          @Override
          public void schedule(SchedulingPass pass) {}

          @Override
          public Optional<PolicyMemory> memory() {
            return Optional.of(
                new PolicyMemory() {
                  @Override
                  public Map<String, Object> save() {
                    return memory;
                  }

                  @Override
                  public void restore(Map<String, Object> saved) {
                    restored.add(saved);
                  }
                });
          }
        };
    Scheduler scheduler =
        Scheduler.builder().serviceClasses(GOLD).policy("p", context -> remembering).build();

    SchedulerSnapshot snapshot = scheduler.snapshot();
    Scheduler.builder().policy("p", context -> remembering).restore(snapshot).build();

    assertThat(restored)
        .containsExactly(
            Map.of(
                "text", "a", "number", 7L, "share", 0.5, "list", List.of(true, Map.of("k", 1L))));
    assertThat(snapshot.digest()).isEqualTo(scheduler.digest());
  }

  @Test
  void aPolicyCannotAskWithinAPass() {
    AtomicReference<Scheduler> itself = new AtomicReference<>();
    Scheduler scheduler =
        Scheduler.builder()
            .serviceClasses(GOLD)
            .policy(
                "nosy",
                context ->
                    pass -> {
                      assertThatIllegalStateException().isThrownBy(() -> itself.get().digest());
                      assertThatIllegalStateException().isThrownBy(() -> itself.get().snapshot());
                    })
            .build();
    itself.set(scheduler);

    scheduler.schedule(0);
  }

  // ---- Mismatches

  @Test
  void namesAllThatDiffers() {
    SchedulerSnapshot snapshot = scheduler().snapshot();

    assertThat(
            refused(
                    Scheduler.builder()
                        .policy("other", RestoreTest::pipeline)
                        .serviceClasses(GOLD)
                        .seed(6)
                        .watchdog(Duration.ofSeconds(1))
                        .maxPlacements(3)
                        .restore(snapshot))
                .problems())
        .satisfiesExactly(
            each ->
                assertThat(each)
                    .isEqualTo(
                        "its policy is test, that of the builder is other. They must be the same"),
            each ->
                assertThat(each)
                    .isEqualTo("its seed is 5, that of the builder is 6. They must be the same"),
            each -> assertThat(each).startsWith("its service classes is [ClassData[name=bronze,"),
            each -> assertThat(each).startsWith("its watchdog is "),
            each -> assertThat(each).startsWith("its limit of placements is 2147483647"));
  }

  @Test
  void anotherConfigurationIsNamed() {
    SchedulerSnapshot snapshot = scheduler().snapshot();
    SchedulerSnapshot.Settings settings = snapshot.settings();
    SchedulerSnapshot other =
        withSettings(
            snapshot,
            new SchedulerSnapshot.Settings(
                "test",
                "{\"a\":1}",
                settings.seed(),
                settings.serviceClasses(),
                settings.watchdog(),
                settings.maxPlacements()));

    assertThat(refused(builder().restore(other)).problems())
        .containsExactly(
            "its configuration is {\"a\":1}, that of the builder is {}. They must be the same");
  }

  @Test
  void anotherFormatIsRefused() {
    SchedulerSnapshot snapshot = scheduler().snapshot();
    SchedulerSnapshot other =
        new SchedulerSnapshot(
            3,
            snapshot.settings(),
            snapshot.progress(),
            snapshot.dimensions(),
            snapshot.pools(),
            snapshot.hosts(),
            snapshot.bags(),
            snapshot.instances(),
            snapshot.endedBags(),
            snapshot.latestPlan(),
            snapshot.policyMemory(),
            snapshot.limits(),
            snapshot.budgets(),
            snapshot.groups(),
            snapshot.completions(),
            snapshot.ended());

    assertThat(refused(builder().restore(other)))
        .hasMessage("snapshot: it is of format 3, this version of Berth reads formats up to 2.");
  }

  // ---- Damage

  @Test
  void listsAllDamage() {
    assertThat(
            problems(
                snapshot ->
                    withInstances(
                        snapshot,
                        each ->
                            switch (each.id()) {
                              case "r1" -> onHost(each, "h9", each.state());
                              case "r2" -> onHost(each, "h1", "SLEEPING");
                              default -> onHost(each, "h1", each.state());
                            })))
        .containsExactly(
            "instance r1 is on host h9, which is not there",
            "instance r2: no instance is in state SLEEPING",
            "instance r3 is PENDING, but on a host");
  }

  @Test
  void duplicatesAreRefused() {
    assertThat(
            problems(
                snapshot ->
                    withInstances(
                        withHosts(
                            snapshot, List.of(snapshot.hosts().get(0), snapshot.hosts().get(0))),
                        each -> each.id().equals("r3") ? named(each, "r1") : each)))
        .contains("host h1 is there twice", "instance r1 is there twice");
  }

  @Test
  void unknownDimensionsAreRefused() {
    assertThat(
            problems(
                snapshot ->
                    withHosts(
                        snapshot,
                        snapshot.hosts().stream()
                            .map(
                                each ->
                                    withCapacity(each, Map.of("gpu", 1L, "cpu", 2_000_000_000L)))
                            .toList())))
        .containsExactly(
            "host h1: dimension gpu is not among those of the snapshot",
            "host h2: dimension gpu is not among those of the snapshot");
  }

  // ---- Variants

  private static SchedulerSnapshot withInstances(
      SchedulerSnapshot snapshot, UnaryOperator<InstanceData> change) {
    return new SchedulerSnapshot(
        snapshot.format(),
        snapshot.settings(),
        snapshot.progress(),
        snapshot.dimensions(),
        snapshot.pools(),
        snapshot.hosts(),
        snapshot.bags(),
        snapshot.instances().stream().map(change).toList(),
        snapshot.endedBags(),
        snapshot.latestPlan(),
        snapshot.policyMemory(),
        snapshot.limits(),
        snapshot.budgets(),
        snapshot.groups(),
        snapshot.completions(),
        snapshot.ended());
  }

  private static SchedulerSnapshot withHosts(SchedulerSnapshot snapshot, List<HostData> hosts) {
    return new SchedulerSnapshot(
        snapshot.format(),
        snapshot.settings(),
        snapshot.progress(),
        snapshot.dimensions(),
        snapshot.pools(),
        hosts,
        snapshot.bags(),
        snapshot.instances(),
        snapshot.endedBags(),
        snapshot.latestPlan(),
        snapshot.policyMemory(),
        snapshot.limits(),
        snapshot.budgets(),
        snapshot.groups(),
        snapshot.completions(),
        snapshot.ended());
  }

  private static SchedulerSnapshot withSettings(
      SchedulerSnapshot snapshot, SchedulerSnapshot.Settings settings) {
    return new SchedulerSnapshot(
        snapshot.format(),
        settings,
        snapshot.progress(),
        snapshot.dimensions(),
        snapshot.pools(),
        snapshot.hosts(),
        snapshot.bags(),
        snapshot.instances(),
        snapshot.endedBags(),
        snapshot.latestPlan(),
        snapshot.policyMemory(),
        snapshot.limits(),
        snapshot.budgets(),
        snapshot.groups(),
        snapshot.completions(),
        snapshot.ended());
  }

  private static SchedulerSnapshot withMemory(
      SchedulerSnapshot snapshot, Map<String, Object> memory) {
    return new SchedulerSnapshot(
        snapshot.format(),
        snapshot.settings(),
        snapshot.progress(),
        snapshot.dimensions(),
        snapshot.pools(),
        snapshot.hosts(),
        snapshot.bags(),
        snapshot.instances(),
        snapshot.endedBags(),
        snapshot.latestPlan(),
        memory,
        snapshot.limits(),
        snapshot.budgets(),
        snapshot.groups(),
        snapshot.completions(),
        snapshot.ended());
  }

  private static HostData withCapacity(HostData host, Map<String, Long> capacity) {
    return new HostData(
        host.id(),
        host.joined(),
        capacity,
        host.attributes(),
        host.timeShared(),
        host.pool(),
        host.cluster(),
        host.expiresAt(),
        host.load(),
        host.histories(),
        host.completions(),
        host.availability(),
        host.taints());
  }

  private static InstanceData onHost(InstanceData instance, String host, String state) {
    return changed(instance, instance.id(), Optional.of(host), state);
  }

  private static InstanceData named(InstanceData instance, String id) {
    return changed(instance, id, instance.host(), instance.state());
  }

  private static InstanceData changed(
      InstanceData instance, String id, Optional<String> host, String state) {
    return new InstanceData(
        id,
        instance.request(),
        instance.bag(),
        instance.admission(),
        instance.admittedAt(),
        state,
        instance.stateSince(),
        host,
        instance.grant(),
        instance.usage(),
        instance.previousUsage(),
        instance.served(),
        instance.earned(),
        instance.preemptions(),
        instance.placements(),
        instance.migrations(),
        instance.restartOverhead(),
        instance.placedAfterPreemption(),
        instance.lastStopWasPreemption(),
        OptionalLong.empty(),
        instance.queueKey(),
        instance.victimKey(),
        instance.queuedAfterPass(),
        instance.starts(),
        instance.stopAfter(),
        instance.waitsFor());
  }

  @Test
  void digestLeavesOutDeferralsOfInstancesThatHaveEnded() {
    Reason why = new Reason.PolicyChoice("test", "because");
    Cluster cluster =
        Cluster.withPolicy(
            Scheduler.builder(),
            context ->
                new Stateless(pass -> pass.pending().forEach(each -> pass.defer(each, why))));
    cluster.pending("a", 1).pending("b", 1).pass();
    long both = cluster.scheduler().digest();

    cluster.cancel("a");

    assertThat(cluster.scheduler().digest())
        .isEqualTo(cluster.snapshotData().digest())
        .isNotEqualTo(both);
    assertThat(cluster.snapshotData().latestPlan().deferrals()).containsOnlyKeys("b");
  }

  /** About 2,100 bytes on JDK 17; 3,600 when each moved in the queue once it had been restored. */
  @Test
  void allocatesLittleForWhatIsPending() {
    int pending = 5000;
    Scheduler first = builder().build();
    for (int i = 0; i < pending; i++) {
      first.submit(
          Request.builder("request-" + i, "gold")
              .demand(cores(1 + i % 3))
              .job("job-" + i / 20)
              .estimatedRunTime(Duration.ofSeconds(5))
              .build(),
          i);
    }
    SchedulerSnapshot snapshot = first.snapshot();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    Scheduler restored = builder().restore(snapshot).build();

    assertThat((threads.getCurrentThreadAllocatedBytes() - before) / pending).isLessThan(2900);
    assertThat(restored.pendingCount()).isEqualTo(pending);
  }

  @Test
  void policyIsThatOfTheSnapshotIfNoneIsChosen() {
    PolicyRegistry registry = PolicyRegistry.of(new Named());
    Scheduler first =
        Scheduler.builder().registry(registry).policy("named").serviceClasses(GOLD).build();

    Scheduler restored = Scheduler.builder().registry(registry).restore(first.snapshot()).build();

    assertThat(restored.policyId()).isEqualTo("named");
    assertThat(restored.snapshot()).isEqualTo(first.snapshot());
    assertThat(first.snapshot())
        .hasToString("snapshot of format 2 (named, 0 hosts, 0 instances, 0 passes, no event yet)");
  }

  private record Nothing() {}

  private static final class Named implements PolicyFactory<Nothing> {

    @Override
    public String id() {
      return "named";
    }

    @Override
    public String summary() {
      return "does nothing";
    }

    @Override
    public Nothing defaults() {
      return new Nothing();
    }

    @Override
    public Policy create(Nothing config, PolicyContext context) {
      return new Stateless(pass -> {});
    }
  }
}
