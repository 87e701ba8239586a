package dev.berth.core;

import static dev.berth.core.Cluster.BRONZE;
import static dev.berth.core.Cluster.GOLD;
import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.PlacementSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.snapshot.InstanceData;
import dev.berth.core.snapshot.LatestPlan;
import dev.berth.core.snapshot.ReasonData;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A snapshot of everything is restored, and each part of it that is wrong is named. */
class DamagedSnapshotTest {

  private static final Reason WHY = new Reason.PolicyChoice("why", "because");
  private static final SchedulerSnapshot SNAPSHOT = scheduler().snapshot();
  private static final long NOW = SNAPSHOT.progress().now().orElseThrow();

  private static Scheduler.Builder builder(Consumer<SchedulingPass> acts) {
    Policy policy =
        new Policy() {
          @Override
          public void schedule(SchedulingPass pass) {
            acts.accept(pass);
          }

          @Override
          public Optional<PolicyMemory> memory() {
            return Optional.of(PolicyMemory.none());
          }
        };
    return Scheduler.builder().policy("by-hand", context -> policy);
  }

  /** A scheduler with something in nearly every component of its snapshot. */
  private static Scheduler scheduler() {
    List<Consumer<SchedulingPass>> acts = new ArrayList<>();
    Scheduler scheduler =
        builder(pass -> acts.remove(0).accept(pass))
            .serviceClasses(GOLD, BRONZE)
            .watchdog(Duration.ofMinutes(1))
            .maxPlacements(100)
            .build();
    scheduler.setLimit("maple", 1, 0);
    scheduler.setLimit("matlab", 3, 0);
    scheduler.setBudget("j", DisruptionBudget.maxDown(2), 0);
    scheduler.setBudget("k", DisruptionBudget.minUp(3), 0);
    scheduler.offerPool(new PoolSpec("cloud", cores(4), 6), 0);
    scheduler.submit(
        new GroupSpec(
            "group",
            List.of(request("g1", "bronze", 99), request("g2", "bronze", 99)),
            1,
            GroupSpec.OnLoss.RELEASE),
        0);
    scheduler.addHost(
        new HostSpec(
                "h1",
                Resources.of(Dimension.CPU, 8 * SECOND, Dimension.MEMORY, 1000),
                Map.of("rack", "7"))
            .withTaints(
                Taint.preferNot("disk", "half"), Taint.leaveAfter("gpu", "", Duration.ofDays(1))),
        0);
    scheduler.addHost(new HostSpec("h2", cores(2), Map.of("rack", "7"), true), 0);
    scheduler.loadReported("h2", 1.25, 1);
    acts.add(
        pass ->
            pass.provision(
                pass.pools().get(0), 4, Optional.of("c"), OptionalLong.of(900 * SECOND), WHY));
    scheduler.schedule(SECOND);
    scheduler.addHost(new HostSpec("cloud-1", cores(4)), SECOND);
    scheduler.removeHost("cloud-2", SECOND);
    scheduler.addHost(new HostSpec("cloud-4", cores(4)), SECOND);
    scheduler.submit(
        Request.builder("r1", "gold")
            .demand(Resources.of(Dimension.CPU, 2 * SECOND, Dimension.MEMORY, 100))
            .guaranteed(cores(1))
            .constraint(new Constraint.Equal("rack", "7"))
            .constraint(new Constraint.NotEqual("rack", "6"))
            .constraint(new Constraint.In("rack", Set.of("7", "8")))
            .constraint(new Constraint.LessThan("rack", 9))
            .constraint(new Constraint.GreaterThan("rack", 5))
            .constraint(new Constraint.Exists("rack"))
            .job("j")
            .application("app")
            .user("u")
            .label("team", "x")
            .antiAffinity(true)
            .placement(PlacementSpec.builder().tolerate(Toleration.of("gpu")).build())
            .estimatedRunTime(Duration.ofHours(1))
            .deadline(Duration.ofHours(2))
            .moldability(Moldability.LINPACK)
            .memoryProfile(
                MemoryProfile.of(
                    List.of(new MemoryProfile.Step(0, 5), new MemoryProfile.Step(9, 7))))
            .performanceMemoryProfile(
                PerformanceMemoryProfile.of(List.of(new PerformanceMemoryProfile.Point(5, 8))))
            .build(),
        2 * SECOND);
    scheduler.submit(
        Request.builder("r2", "bronze").demand(cores(1)).application("app").build(), 2 * SECOND);
    scheduler.submit(request("r3", "bronze", 1), 2 * SECOND);
    scheduler.submit(
        new BagSpec(
            "b",
            List.of(
                request("t1", "gold", 1),
                Request.builder("t2", "gold")
                    .demand(Resources.of(new Dimension("gpu", 1), 1))
                    .build()),
            Optional.of(Duration.ofDays(1))),
        2 * SECOND);
    acts.add(
        pass -> {
          pass.assign(pass.bags().get(0), "c", OptionalLong.of(500 * SECOND), WHY);
          place(pass, "r1", "h1");
          place(pass, "r2", "h2");
          place(pass, "t1", "cloud-1");
          pass.defer(pass.instance("r3").orElseThrow(), WHY);
          pass.defer(pass.bags().get(0), WHY);
          pass.release(pass.host("cloud-4").orElseThrow(), WHY);
          pass.wakeAt(77 * SECOND);
        });
    scheduler.schedule(3 * SECOND);
    for (String each : List.of("r1", "r2", "t1")) {
      scheduler.started(each, 4 * SECOND);
    }
    scheduler.usageReported("r1", cores(1), cores(1), 5 * SECOND);
    scheduler.usageReported("r1", cores(2), Resources.none(), 6 * SECOND);
    scheduler.completed("t1", 7 * SECOND);
    scheduler.completed("r2", Duration.ofSeconds(2), 7 * SECOND);
    scheduler.submit(new BagSpec("gone", List.of(request("g", "gold", 1))), 8 * SECOND);
    scheduler.cancelBag("gone", WHY, 9 * SECOND);
    scheduler.drain("h2", Drain.moving().until(900 * SECOND).restarting("bronze"), 9 * SECOND);
    scheduler.foreignLoad("h1", cores(7), 9 * SECOND); // more than there is
    return scheduler;
  }

  private static Request request(String id, String serviceClass, int cores) {
    return Request.builder(id, serviceClass).demand(cores(cores)).build();
  }

  private static void place(SchedulingPass pass, String id, String host) {
    pass.place(pass.instance(id).orElseThrow(), pass.host(host).orElseThrow());
  }

  // ---- What is restored

  @Test
  void restoresEverything() {
    Scheduler first = scheduler();

    Scheduler restored = builder(pass -> {}).restore(SNAPSHOT).build();

    assertThat(restored.snapshot()).isEqualTo(SNAPSHOT);
    assertThat(restored.digest()).isEqualTo(first.digest());
    assertThat(restored.explain().whyPending("r3", NOW).toString())
        .isEqualTo(first.explain().whyPending("r3", NOW).toString());
    for (Scheduler each : List.of(first, restored)) {
      each.addHost(new HostSpec("cloud-3", cores(4)), NOW);
      each.completed("r1", NOW + SECOND);
      each.cancelBag("b", WHY, NOW + SECOND);
      each.cancelGroup("group", NOW + SECOND);
      each.offerPool(new PoolSpec("cloud", cores(4), 2), NOW + SECOND);
    }
    assertThat(restored.digest()).isEqualTo(first.digest());
    assertThat(restored.snapshot()).isEqualTo(first.snapshot());
  }

  // ---- What is refused

  static Stream<Arguments> damages() {
    InstanceData r1 = (InstanceData) at("instances[r1]");
    long last = SNAPSHOT.progress().admissions() - 1;
    String accounting = "instance r1: its accounting is negative, or it served longer than";
    return Stream.of(
        arguments("settings.serviceClasses[1].name", "gold", "service class gold is there twice"),
        arguments("settings.serviceClasses[0].slo", 2_000_000_000L, "service class gold: "),
        arguments("settings.serviceClasses", List.of(), "there is no service class"),
        arguments("settings.maxPlacements", 0, "the most placements of a pass are 0, must be"),
        arguments("settings.watchdog", OptionalLong.of(0), "the watchdog is 0 ns, must be"),
        arguments("dimensions[gpu].name", "cpu", "dimension cpu is there twice"),
        arguments("dimensions[gpu].unitsPerWhole", 0L, "dimension gpu: "),
        arguments("progress.now", OptionalLong.empty(), "there must be both a time and a latest"),
        arguments("progress.latest", OptionalLong.of(NOW - 1), "the time is " + NOW + " ns, after"),
        arguments("progress.passes", -1L, "the number of passes is -1"),
        arguments("progress.passes", 0L, "0 passes are counted, and there is a latest pass"),
        arguments(
            "progress.lastPassAt", OptionalLong.empty(), "2 passes are counted, and there is no"),
        arguments(
            "progress.lastPassAt", OptionalLong.of(NOW + 1), "the latest pass is in the future"),
        arguments("progress.triggers", List.of("NONE"), "no trigger is called NONE"),
        arguments("pools[0].offered", 1, "pool cloud is number 1, must be number 0"),
        arguments("pools[0].limit", -1, "pool cloud: "),
        arguments("pools", Collections.nCopies(2, at("pools[0]")), "pool cloud is there twice"),
        arguments("pools[0].failures", -1, "pool cloud has -1 failures"),
        arguments(
            "pools[0].starting[0].number",
            0,
            "host cloud-3 starts as number 0 of pool cloud, must be from 1 to 4"),
        arguments(
            "pools[0].starting[0].number",
            5,
            "host cloud-3 starts as number 5 of pool cloud, must be from 1 to 4"),
        arguments(
            "pools[0].starting",
            Collections.nCopies(2, at("pools[0].starting[0]")),
            "host cloud-3 starts as number 3 of pool cloud, must be from 4 to 4"),
        arguments("pools[0].starting[0].id", "h1", "host h1 is there twice"),
        arguments("pools[0].stopping", List.of("h2"), "host h2 is there twice"),
        arguments("hosts[h2].joined", 0L, "host h2 joined as number 0, must be from 1 to 3"),
        arguments(
            "hosts[cloud-1].joined", 4L, "host cloud-1 joined as number 4, must be from 2 to 3"),
        arguments("hosts[h2].id", "h1", "host h1 is there twice"),
        arguments("hosts[cloud-1].pool", Optional.of("x"), "host cloud-1 is of an unknown pool x"),
        arguments(
            "hosts[h1].cluster", Optional.of("c"), "host h1 is of no pool, but has a cluster"),
        arguments("hosts[h1].expiresAt", OptionalLong.of(5), "host h1 is of no pool, but has a"),
        arguments("hosts[h2].load.average", -1.0, "host h2: "),
        arguments(
            "hosts[h1].availability.foreign",
            List.of(new InstanceData.AmountData("cpu", SECOND, -1)),
            "host h1: "),
        arguments("hosts[h1].availability.failedStarts", -1, "host h1 has -1 failed starts"),
        arguments(
            "hosts[h2].histories",
            Collections.nCopies(2, at("hosts[h2].histories[0]")),
            "host h2: application app has two histories"),
        arguments(
            "hosts[h1].taints[1].since",
            OptionalLong.of(NOW + 1),
            "host h1 has the taint gpu since the future"),
        arguments(
            "hosts[h1].completions", List.of(5L, 3L), "host h1: its completions are not in order"),
        arguments(
            "bags[b].submission",
            99L,
            "bag b was submitted after 99 admissions, must be from 0 to " + last),
        arguments("bags[b].submission", -1L, "bag b was submitted after -1 admissions, must be"),
        arguments(
            "bags[b].tasks[0].request.serviceClass",
            "x",
            "bag b: request t1 is of an unknown service class x"),
        arguments("bags[b].timeToLive", OptionalLong.of(-1), "bag b: "),
        arguments("bags", Collections.nCopies(2, at("bags[b]")), "bag b is there twice"),
        arguments("bags[b].completed", -1, "bag b: -1 of its 2 tasks are complete"),
        arguments("bags[b].completed", 2, "bag b: 2 of its 2 tasks are complete"),
        arguments(
            "bags[b].cluster", Optional.empty(), "bag b has only one of a cluster and a time"),
        arguments("instances[r1].id", "r3", "instance r3 is there twice"),
        arguments(
            "instances[r1].admission",
            99L,
            "instance r1 was admitted as number 99, must be from 2 to " + last),
        arguments("instances[r1].admission", 0L, "instance r1 was admitted as number 0, must be"),
        arguments(
            "instances[r1].bag", Optional.of("b"), "instance r1 must have either a request or a"),
        arguments(
            "instances[r1].request",
            Optional.empty(),
            "instance r1 must have either a request or a bag"),
        arguments("instances[t2].id", "t9", "instance t9 is not of bag b"),
        arguments(
            "instances[r1].request.serviceClass", "x", "instance r1: request r1 is of an unknown"),
        arguments("instances[r1].state", "DONE", "instance r1: no instance is in state DONE"),
        arguments("instances[r1].host", Optional.empty(), "instance r1 is RUNNING, but on no host"),
        arguments(
            "instances[r1].host",
            Optional.of("h9"),
            "instance r1 is on host h9, which is not there"),
        arguments(
            "instances[r3].grant",
            Optional.of(Map.of("cpu", 1L)),
            "instance r3 has a grant or a usage, but is on no host"),
        arguments("instances[r3].usage", r1.usage(), "instance r3 has a grant or a usage, but is"),
        arguments("instances[r1].admittedAt", r1.stateSince() + 1, "instance r1 was admitted at "),
        arguments("instances[r1].stateSince", NOW + 1, "instance r1 was admitted at "),
        arguments("instances[r1].served", -1L, accounting),
        arguments("instances[r1].served", r1.stateSince() - r1.admittedAt() + 1, accounting),
        arguments("instances[r1].preemptions", -1, accounting),
        arguments("instances[r1].placements", -1, accounting),
        arguments("instances[r1].migrations", -1, accounting),
        arguments("instances[r1].restartOverhead", -1L, accounting),
        arguments("instances[r1].starts.attempt", -1, accounting),
        arguments(
            "instances[r3].waitsFor",
            List.of("r1"),
            "instance r3 is PENDING and waits for [r1], must be pending and to start after them"),
        arguments("instances[r1].starts.failed", -1, accounting),
        arguments("instances[r1].grant", Optional.of(Map.of("x", 1L)), "instance r1: "),
        arguments("instances[r1].usage.used[0].amount", -1L, "instance r1: "),
        arguments("instances[r1].previousUsage.used[0].amount", -1L, "instance r1: "),
        arguments(
            "instances",
            SNAPSHOT.instances().stream().filter(each -> !each.id().equals("t2")).toList(),
            "bag b has no instance left, so it has ended"),
        arguments(
            "groups.groups",
            Collections.nCopies(2, at("groups.groups[0]")),
            "group group is there twice"),
        arguments(
            "groups.groups[0].submission",
            99L,
            "group group was submitted after 99 admissions, must be from 0 to " + last),
        arguments("groups.groups[0].submission", -1L, "group group was submitted after -1 "),
        arguments("groups.groups[0].minCount", 0, "group group has a minCount of 0, must be from"),
        arguments("groups.groups[0].minCount", 3, "group group has a minCount of 3, must be from"),
        arguments("groups.groups[0].onLoss", "NONE", "group group: "),
        arguments(
            "groups.groups[0].completed", -1, "group group: -1 of its 2 members are complete"),
        arguments("groups.groups[0].completed", 1, "group group: 1 of its 2 members are complete"),
        arguments("groups.groups[0].members", List.of(), "group group has no member left, so it"),
        arguments("groups.groups[0].members", List.of(1L, 0L), "group group: instance number 0 is"),
        arguments("groups.groups[0].members", List.of(0L, 99L), "group group: instance number 99 "),
        arguments(
            "groups.groups[0].members",
            List.of(0L, ((InstanceData) at("instances[t2]")).admission()),
            "group group: instance number "),
        arguments(
            "latestPlan.deferrals",
            Map.of("r3", new ReasonData("NoSuchReason", Map.of())),
            "deferral of instance r3: "),
        arguments(
            "latestPlan.bagDeferrals",
            Map.of("b", new ReasonData("NoSuchReason", Map.of())),
            "deferral of bag b: "),
        arguments(
            "latestPlan.policyErrors",
            List.of(new LatestPlan.ErrorData("r3", new ReasonData("NoSuchReason", Map.of()))),
            "policy error of r3: "),
        arguments(
            "latestPlan.head",
            Optional.of(new LatestPlan.HeadData("x", 0, 0, "no", 0)),
            "the head of the queue, x, is of an unknown service class no"),
        arguments(
            "endedBags[0].cancelled[0].serviceClass",
            "x",
            "report of bag gone: g is of an unknown service class x"),
        arguments(
            "completions[0].request.serviceClass",
            "x",
            "completion of instance t1: request t1 is of an unknown service class x"),
        arguments("completions[1].serviceTime", -1L, "completion of instance r2: completion of"),
        arguments("bags[b].submission", last + 1, "bag b was submitted after "),
        arguments("instances[t2].admission", last + 1, "instance t2 was admitted as number "),
        arguments("instances[r3].admission", 2L, "instance r3 was admitted as number 2, must be"),
        arguments("groups.groups[0].submission", last + 1, "group group was submitted after "),
        arguments("groups.groups[0].members", List.of(0L, 0L), "group group: instance number 0 "),
        arguments("hosts[h2].availability.drain.order", "NONE", "host h2: "),
        arguments("limits[0].name", " ", "the name of a limit is blank"),
        arguments("limits[0].amount", 0L, "limit maple is 0, must be positive"),
        arguments("limits[0].name", "matlab", "limit matlab is there twice"),
        arguments("budgets[1].job", "j", "the budget of job j follows that of j, must be in order"),
        arguments("budgets[0].job", "", "the budget of job  follows that of none, must be in"),
        arguments("budgets[0].limit", "NONE", "budget of job j: "));
  }

  @ParameterizedTest
  @MethodSource("damages")
  void eachDamageIsNamed(String path, Object value, String problem) {
    List<String> problems = List.of();
    try {
      builder(pass -> {}).restore(with(path, value)).build();
    } catch (SnapshotException refused) {
      problems = refused.problems();
    }
    assertThat(problems).as(path).anyMatch(each -> each.startsWith(problem));
  }

  /** Values at the edge of what is refused. */
  static Stream<Arguments> edges() {
    InstanceData r1 = (InstanceData) at("instances[r1]");
    return Stream.of(
        arguments("settings.maxPlacements", 1),
        arguments("settings.watchdog", OptionalLong.of(1)),
        arguments("progress.latest", OptionalLong.of(NOW)),
        arguments("progress.lastPassAt", OptionalLong.of(NOW)),
        arguments("hosts[h1].completions", List.of(5L, 5L)),
        arguments("hosts[h1].taints[1].since", OptionalLong.of(NOW)),
        arguments("bags[b].completed", 0),
        arguments("instances[r1].stateSince", NOW),
        arguments("instances[r1].served", r1.stateSince() - r1.admittedAt()),
        arguments("pools[0].numbered", 3),
        arguments("instances[r1].promised", OptionalLong.of(0)),
        arguments("instances[r1].earned", 5L),
        arguments("instances[r1].placedAfterPreemption", true),
        arguments("instances[r1].starts.earlier", 1),
        arguments("groups.groups[0].minCount", 2));
  }

  @ParameterizedTest
  @MethodSource("edges")
  void edgesAreRestored(String path, Object value) {
    SchedulerSnapshot snapshot = with(path, value);

    assertThat(builder(pass -> {}).restore(snapshot).build().snapshot()).isEqualTo(snapshot);
  }

  // ---- Parts of a snapshot, by paths such as hosts[h1].taints[0].since

  private static SchedulerSnapshot with(String path, Object value) {
    SchedulerSnapshot edited = (SchedulerSnapshot) edit(SNAPSHOT, parts(path), part -> value);
    assertThat(edited).as(path).isNotEqualTo(SNAPSHOT);
    return edited;
  }

  private static Object at(String path) {
    List<Object> found = new ArrayList<>();
    edit(
        SNAPSHOT,
        parts(path),
        part -> {
          found.add(part);
          return part;
        });
    return found.get(0);
  }

  private static List<String> parts(String path) {
    return List.of(path.replace("]", "").split("[.\\[]", -1));
  }

  private static Object edit(Object whole, List<String> path, UnaryOperator<Object> change) {
    if (path.isEmpty()) {
      return change.apply(whole);
    }
    if (whole instanceof Optional<?> optional) {
      return Optional.of(edit(optional.orElseThrow(), path, change));
    }
    List<String> rest = path.subList(1, path.size());
    if (whole instanceof List<?> list) {
      List<Object> edited = new ArrayList<>(list);
      edited.replaceAll(
          each -> isMeant(each, list.indexOf(each), path.get(0)) ? edit(each, rest, change) : each);
      return edited;
    }
    try {
      RecordComponent[] components = whole.getClass().getRecordComponents();
      Object[] values = new Object[components.length];
      for (int i = 0; i < values.length; i++) {
        Object value = components[i].getAccessor().invoke(whole);
        values[i] = components[i].getName().equals(path.get(0)) ? edit(value, rest, change) : value;
      }
      return whole
          .getClass()
          .getConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
          .newInstance(values);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("a record", impossible);
    }
  }

  /** Returns whether an element has an index, or begins with an id or a name. */
  private static boolean isMeant(Object element, int index, String key) {
    return key.equals(String.valueOf(index))
        || element.toString().matches("(?s)\\w+\\[(id|name)=" + key + "[,\\]].*");
  }
}
