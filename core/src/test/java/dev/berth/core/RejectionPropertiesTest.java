package dev.berth.core;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.pipeline.TieBreak;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.test.TestRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Rejecting an action, and what depends on it, leaves the state of a run in which it was never
 * decided, and the same next plans.
 *
 * <p>The other run repeats the events and the plans without the actions that were undone. Where
 * that is impossible, because a later decision that stays needed the room, nothing is compared.
 */
class RejectionPropertiesTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "a test");
  private static final int TRIES = 3000;
  private static final Map<String, Integer> COMPARED = new TreeMap<>();
  private static int crossed; // comparisons in which dependents were undone
  private static int skipped;
  private static int stale;
  private static int tried;

  @Property(tries = TRIES, generation = GenerationMode.RANDOMIZED, edgeCases = EdgeCasesMode.NONE)
  void leavesTheStateOfARunInWhichItWasNeverDecided(@ForAll long seed) {
    tried++;
    Random random = new Random(seed);
    Run run = new Run(random);
    run.setUp();
    for (int i = 0; i < 3; i++) {
      for (int step = 3 + random.nextInt(12); step > 0; step--) {
        run.step();
      }
      if (!run.rejectOne()) {
        return;
      }
    }
  }

  @Example
  void keysFollowTheFormerGrantAlsoIfTheInstanceHasStartedSince() {
    Side side = new Side(2);
    Scheduler scheduler = side.scheduler;
    scheduler.addHost(new HostSpec("h1", cores(4, 4)), 0);
    scheduler.submit(Cluster.request("a", 1).build(), 0);
    Instance a = scheduler.instance("a").orElseThrow();
    side.pass(0, pass -> pass.place(a, pass.hosts().get(0)));
    Plan resizes = side.pass(0, pass -> pass.resize(a, cores(3), WHY));
    scheduler.started("a", 0);
    assertThat(((InstanceRecord) a).victimKey()).isEqualTo(108);

    scheduler.rejected(resizes.id(0), "cannot", 0);

    assertThat(((InstanceRecord) a).victimKey()).isEqualTo(106);
  }

  @Example
  void keysFollowTheFormerGrantAlsoIfTheResizeDependsOnWhatIsUndone() {
    Side side = new Side(2);
    Scheduler scheduler = side.scheduler;
    scheduler.addHost(new HostSpec("h1", cores(4, 4), Map.of(), false), 0);
    scheduler.submit(Cluster.request("a", 2).build(), 0);
    scheduler.submit(Cluster.request("b", 1).build(), 0);
    Instance a = scheduler.instance("a").orElseThrow();
    Instance b = scheduler.instance("b").orElseThrow();
    side.pass(
        0,
        pass -> {
          pass.place(a, pass.hosts().get(0));
          pass.place(b, pass.hosts().get(0));
        });
    scheduler.started("a", 0);
    Plan pauses = side.pass(0, pass -> pass.pause(a, WHY));
    Plan resizes = side.pass(0, pass -> pass.resize(b, cores(3), WHY));
    scheduler.started("b", 0);
    assertThat(((InstanceRecord) b).victimKey()).isEqualTo(108);

    Rejection rejection = scheduler.rejected(pauses.id(0), "cannot", 0);

    assertThat(rejection.undone()).extracting(Rejection.Undone::id).contains(resizes.id(0));
    assertThat(((InstanceRecord) b).victimKey()).isEqualTo(106);
  }

  @Example
  void aStopIsNoCompletionIfItIsUndoneAfterTheNextHostHasLeft() {
    Side side = new Side(2);
    Scheduler scheduler = side.scheduler;
    scheduler.addHost(new HostSpec("h1", cores(1, 4)), 0);
    scheduler.addHost(new HostSpec("h2", cores(1, 4)), 0);
    scheduler.submit(Cluster.request("a", 1).build(), 0);
    scheduler.submit(Cluster.request("b", 1).build(), 0);
    Instance a = scheduler.instance("a").orElseThrow();
    Instance b = scheduler.instance("b").orElseThrow();
    Host home = scheduler.host("h1").orElseThrow();
    Host next = scheduler.host("h2").orElseThrow();
    side.pass(0, pass -> pass.place(a, home));
    scheduler.started("a", 0);
    Plan migrates = side.pass(1, pass -> pass.migrate(a, next, a.granted(), WHY));
    assertThat(home.recentCompletions()).containsExactly(1L);
    side.pass(2, pass -> pass.place(b, next, List.of(a)));
    scheduler.removeHost("h2", 3);

    scheduler.rejected(migrates.id(0), "cannot", 4);

    assertThat(a.host()).containsSame(home);
    assertThat(home.recentCompletions()).isEmpty();
  }

  /** Guards the property against holding vacuously. */
  @AfterContainer
  static void comparesEveryKind() {
    if (!TestRun.isFixed() || tried < TestRun.cases(TRIES)) {
      return;
    }
    String found =
        "%s, %s with dependents, %s skipped, %s stale".formatted(COMPARED, crossed, skipped, stale);
    assertThat(COMPARED.keySet())
        .as(found)
        .containsExactlyInAnyOrder(
            "Place",
            "Place with victims",
            "Preempt",
            "Evict",
            "Pause",
            "Suspend",
            "Resize",
            "Resume",
            "Migrate",
            "Provision",
            "Release",
            "Reject",
            "Assign",
            "Cancel");
    assertThat(COMPARED.values()).as(found).allMatch(count -> count >= 2);
    assertThat(crossed).as(found).isGreaterThan(20);
    assertThat(stale).as(found).isGreaterThan(20);
    int compared = COMPARED.values().stream().mapToInt(Integer::intValue).sum();
    assertThat(skipped).as(found).isLessThan(compared / 2);
  }

  /** Depends on all that an undone action must restore. */
  private static final VictimOrder BY_HISTORY =
      new VictimOrder() {
        @Override
        public long key(Instance instance) {
          return instance.preemptions() * 1000L
              + instance.placements() * 100L
              + instance.migrations() * 10L
              + instance.granted().amount(Dimension.CPU) / Cluster.SECOND
              + (instance.state() == InstanceState.RUNNING ? 5 : 0);
        }

        @Override
        public long drift(ServiceClass serviceClass, InstanceState state, long now) {
          return 0;
        }
      };

  private static final int RESERVING = 3; // the first pipeline that keeps reservations

  private static final List<UnaryOperator<PipelineBuilder>> PIPELINES =
      List.of(
          parts -> parts.queue(QueueDiscipline.FIFO),
          parts -> parts.queue(QueueDiscipline.FIFO).ties(TieBreak.IN_TURN),
          parts ->
              parts
                  .queue(instance -> instance.preemptions() * 100L + instance.placements())
                  .preemption(BY_HISTORY, TestParts.LESS_IMPORTANT)
                  .preemptStarting(true),
          parts -> parts.queue(QueueDiscipline.FIFO).backfill(Backfill.EASY),
          parts -> parts.queue(QueueDiscipline.FIFO).backfill(Backfill.CONSERVATIVE));

  /** A policy that follows a script, and a pipeline without one. */
  private static final class Scripted implements Policy {

    private final Policy pipeline;
    private Consumer<SchedulingPass> script;
    private Map<String, Optional<Host>> hosts = Map.of(); // of the instances before the pass
    private Set<String> moved = Set.of(); // by the engine, before the policy decided

    @Override
    public Optional<PolicyMemory> memory() {
      return Optional.of(PolicyMemory.none());
    }

    Scripted(Policy pipeline) {
      this.pipeline = pipeline;
    }

    @Override
    public void schedule(SchedulingPass pass) {
      moved =
          pass.instances().stream()
              .filter(it -> it.host().isPresent() && !it.host().equals(hosts.get(it.id())))
              .map(Instance::id)
              .collect(Collectors.toSet());
      if (script == null) {
        pipeline.schedule(pass);
      } else {
        script.accept(pass);
      }
    }
  }

  /** A scheduler and its policy. */
  private static final class Side {

    Scripted policy;
    final Scheduler scheduler;

    Side(int pipeline) {
      scheduler =
          Scheduler.builder()
              .policy(
                  "scripted",
                  context -> {
                    policy =
                        new Scripted(PIPELINES.get(pipeline).apply(context.pipeline()).build());
                    return policy;
                  })
              .serviceClasses(Cluster.GOLD, Cluster.SILVER, Cluster.BRONZE)
              .build();
    }

    Plan pass(long now, Consumer<SchedulingPass> script) {
      policy.script = script;
      policy.hosts =
          scheduler.instances().stream().collect(Collectors.toMap(Instance::id, Instance::host));
      try {
        return scheduler.schedule(now);
      } finally {
        policy.script = null;
      }
    }
  }

  /** An accepted event, or the plan of a pass. */
  private record Done(String name, Consumer<Scheduler> event, Plan plan, Set<String> moved) {

    Done(String name, Consumer<Scheduler> event) {
      this(name, event, null, Set.of());
    }

    /** A plan, and the instances that the engine moved before the policy decided. */
    Done(Plan plan, Set<String> moved) {
      this("pass", null, plan, moved);
    }

    /** Returns the host that an action of the engine empties, or null. */
    String drainedHost(int index) {
      return drainedHost(plan.actions().get(index), moved);
    }

    static String drainedHost(Action action, Set<String> moved) {
      if (action instanceof Action.Evict evict) {
        return evict.host();
      }
      return action instanceof Action.Migrate migrate && moved.contains(migrate.instance())
          ? migrate.from()
          : null;
    }
  }

  /** The history that the other run cannot repeat. */
  private static final class Impossible extends RuntimeException {
    private static final long serialVersionUID = 1;

    Impossible(String what) {
      super(what);
    }
  }

  private static final class Run {

    private final Random random;
    private final int pipeline;
    private final Side side;
    private final Scheduler scheduler;
    private final List<Done> history = new ArrayList<>();
    private final Map<ActionId, Action> undone = new HashMap<>();
    private long now;
    private int requests;
    private int bags;
    private int comparisons;

    Run(Random random) {
      this.random = random;
      this.pipeline = random.nextInt(PIPELINES.size());
      this.side = new Side(pipeline);
      this.scheduler = side.scheduler;
    }

    // ---- Events

    private void event(String name, Consumer<Scheduler> event) {
      try {
        event.accept(scheduler);
        history.add(new Done(name, event));
      } catch (EventRefusedException refused) {
        return; // so the other run does not see it
      }
    }

    void setUp() {
      for (int i = 1; i <= 3; i++) {
        HostSpec host =
            new HostSpec(
                "h" + i, cores(2 + random.nextInt(3), 4), Map.of("zone", "z" + i % 2), i == 3);
        event("add", it -> it.addHost(host, 0));
      }
      event("offer", it -> it.offerPool(new PoolSpec("p", cores(3, 4), 3), 0));
      for (int i = 0; i < 4; i++) {
        submit();
      }
    }

    private Request request() {
      Request.Builder request =
          Request.builder("r" + ++requests, List.of("gold", "silver", "bronze").get(requests % 3))
              .demand(cores(1 + random.nextInt(2), 1 + random.nextInt(2)))
              .estimatedRunTime(Duration.ofSeconds(1 + random.nextInt(50)));
      if (random.nextInt(4) == 0) {
        request.job("j" + random.nextInt(2)).antiAffinity(random.nextBoolean());
      }
      if (random.nextInt(5) == 0) {
        request.constraint(new Constraint.Equal("zone", "z" + random.nextInt(2)));
      }
      if (random.nextInt(3) == 0) {
        request.application("app");
      }
      return request.build();
    }

    private void submit() {
      long at = now;
      if (random.nextInt(4) == 0) {
        BagSpec bag =
            new BagSpec(
                "b" + ++bags,
                random.nextBoolean() ? List.of(request(), request()) : List.of(request()),
                Optional.of(Duration.ofSeconds(random.nextInt(200) + 100)));
        event("bag", it -> it.submit(bag, at));
      } else {
        Request request = request();
        event("submit", it -> it.submit(request, at));
      }
    }

    void step() {
      now += random.nextInt(3) * Cluster.SECOND;
      long at = now;
      Instance any = any(List.copyOf(scheduler.instances()));
      Attempt attempt =
          any == null || any.attempt() == 0
              ? new Attempt("none", 1)
              : new Attempt(any.id(), Math.max(1, any.attempt() - random.nextInt(5) / 4));
      String id = any == null ? "none" : any.id();
      switch (random.nextInt(27)) {
        case 24, 25 -> {
          Drain how = drain(at);
          String host = aHost();
          event("drain", it -> it.drain(host, how, at));
        }
        case 26 -> changeHost(aHost(), at);
        case 0, 1, 2 -> submit();
        case 3, 4 -> event("started", it -> it.started(attempt, at, at));
        case 12, 13, 14 -> {
          for (Instance each : List.copyOf(scheduler.instances())) {
            if (each.state() == InstanceState.STARTING && random.nextBoolean()) {
              event("started", it -> it.started(each.id(), at));
            }
          }
        }
        case 5 -> event("failed", it -> it.failed(attempt, at, at));
        case 6 -> event("completed", it -> it.completed(attempt, at, at));
        case 7 -> {
          Resources used = cores(random.nextInt(3));
          event("usage", it -> it.usageReported(id, used, Resources.none(), at));
        }
        case 8 -> {
          if (random.nextInt(3) == 0) {
            event("cancel", it -> it.cancel(id, at));
          }
        }
        case 9 -> {
          for (Host each : scheduler.pools().get(0).starting()) {
            HostSpec host = new HostSpec(each.id(), cores(3, 4));
            if (random.nextBoolean()) {
              event("joins", it -> it.addHost(host, at));
            }
          }
        }
        case 10 -> {
          if (random.nextInt(4) == 0) {
            String host = random.nextBoolean() ? "h" + (1 + random.nextInt(3)) : "p-1";
            event("gone", it -> it.removeHost(host, at));
          }
        }
        case 11 -> {
          double load = random.nextInt(4);
          event("load", it -> it.loadReported("h3", load, at));
        }
        default -> pass();
      }
    }

    private String aHost() {
      return "h" + (1 + random.nextInt(3));
    }

    private Drain drain(long at) {
      Drain how = random.nextInt(3) > 0 ? Drain.moving() : Drain.waiting();
      if (random.nextBoolean()) {
        how = how.until(at + random.nextInt(3) * Cluster.SECOND);
      }
      return random.nextBoolean() ? how.restarting("silver", "bronze") : how;
    }

    /** Opens or closes a host, or changes its capacity or foreign load; its instances stay. */
    private void changeHost(String id, long at) {
      switch (random.nextInt(6)) {
        case 0 -> {
          HostSpec spec =
              new HostSpec(
                  id,
                  cores(1 + random.nextInt(4), 4),
                  Map.of("zone", "z" + random.nextInt(2)),
                  id.equals("h3"));
          event("changes", it -> it.changeHost(spec, at));
        }
        case 1 -> {
          Resources foreign = random.nextBoolean() ? Resources.none() : cores(1, 1);
          event("foreign", it -> it.foreignLoad(id, foreign, at));
        }
        case 2 -> event("cordon", it -> it.cordon(id, at));
        default -> event("uncordon", it -> it.uncordon(id, at));
      }
    }

    // ---- Random passes

    private void pass() {
      Plan plan =
          side.pass(
              now,
              pass -> {
                for (int i = 1 + random.nextInt(4); i > 0; i--) {
                  act(pass);
                }
              });
      history.add(new Done(plan, side.policy.moved));
    }

    private void act(SchedulingPass pass) {
      Instance waiting = any(pass.pending());
      Host host = any(pass.hosts());
      Instance other = any(List.copyOf(pass.instances()));
      Pool pool = pass.pools().get(0);
      Bag bag = any(pass.bags());
      if (host == null || other == null) {
        return;
      }
      Resources grant = random.nextBoolean() ? other.granted() : cores(3, 2);
      switch (random.nextInt(24)) {
        case 12, 13 -> pass.migrate(other, host, other.granted(), WHY);
        case 14, 15, 16 -> {
          Instance halted =
              any(
                  pass.instances().stream()
                      .filter(
                          each ->
                              each.state() == InstanceState.PAUSED
                                  || each.state() == InstanceState.SUSPENDED)
                      .toList());
          if (halted != null) {
            pass.resume(halted, halted.granted(), WHY);
          }
        }
        case 0 -> pass.resize(other, cores(1 + random.nextInt(3), 2), WHY);
        case 1, 6 -> pass.pause(other, WHY);
        case 2 -> pass.suspend(other, WHY);
        case 3, 4 -> pass.resume(other, grant, WHY);
        case 5 -> pass.migrate(other, host, grant, WHY);
        case 7 -> {
          if (waiting != null && random.nextBoolean()) { // what runs is never rejected
            pass.reject(waiting, WHY);
          }
        }
        case 8 -> {
          Optional<String> cluster = Optional.of("k").filter(it -> random.nextBoolean());
          OptionalLong until =
              random.nextBoolean()
                  ? OptionalLong.empty()
                  : OptionalLong.of(now + random.nextInt(60) * Cluster.SECOND);
          pass.provision(pool, 1 + random.nextInt(2), cluster, until, WHY);
        }
        case 9 -> {
          Host first = any(new ArrayList<>(random.nextBoolean() ? pool.up() : pool.starting()));
          if (first != null) {
            pass.release(first, WHY);
          }
        }
        case 10 -> {
          if (bag != null) {
            OptionalLong until =
                random.nextBoolean()
                    ? OptionalLong.empty()
                    : OptionalLong.of(now + (50 + random.nextInt(200)) * Cluster.SECOND);
            pass.assign(bag, random.nextInt(3) == 0 ? "other" : "k", until, WHY);
          }
        }
        case 11 -> {
          if (bag != null && random.nextInt(3) == 0) {
            pass.cancel(bag, WHY);
          }
        }
        default -> {
          if (waiting != null) {
            place(pass, waiting, host);
          }
        }
      }
    }

    private void place(SchedulingPass pass, Instance waiting, Host host) {
      List<Instance> victims = new ArrayList<>();
      if (random.nextInt(3) == 0) {
        for (Instance each : host.instances()) {
          if (random.nextBoolean()) {
            victims.add(each);
          }
        }
      }
      pass.place(waiting, host, victims);
    }

    private <T> T any(List<T> among) {
      return among.isEmpty() ? null : among.get(random.nextInt(among.size()));
    }

    // ---- Rejections

    /** Rejects an action, and compares; returns false if the run cannot go on. */
    boolean rejectOne() {
      List<ActionId> ids = new ArrayList<>();
      Map<ActionId, Action> actions = new HashMap<>();
      for (Done each : history) {
        if (each.plan != null) {
          for (int i = 0; i < each.plan.actions().size(); i++) {
            ids.add(each.plan.id(i));
            actions.put(each.plan.id(i), each.plan.actions().get(i));
          }
        }
      }
      if (ids.isEmpty()) {
        return true;
      }
      now += random.nextInt(3) * Cluster.SECOND;
      Class<?> wanted = actions.get(any(ids)).getClass();
      if (random.nextInt(4) > 0) { // else mostly placements
        wanted = any(ids.stream().map(each -> actions.get(each).getClass()).distinct().toList());
      }
      Class<?> chosen = wanted;
      List<ActionId> such =
          ids.stream().filter(each -> actions.get(each).getClass() == chosen).toList();
      ActionId id = such.get(such.size() - 1 - random.nextInt(Math.min(such.size(), 3)));
      Action action = actions.get(id);
      Rejection rejection = reject(id, actions);
      if (rejection == null) {
        return true;
      }
      if (action instanceof Action.Place place) { // its victims have not left either
        for (String victim : place.victims()) {
          ids.stream()
              .filter(each -> each.pass() == id.pass() && !undone.containsKey(each))
              .filter(
                  each ->
                      actions.get(each) instanceof Action.Preempt preempt
                          && preempt.instance().equals(victim))
              .forEach(each -> reject(each, actions));
        }
      }
      String kind =
          action instanceof Action.Place place && !place.victims().isEmpty()
              ? "Place with victims"
              : action.getClass().getSimpleName();
      try {
        compare(action + " of " + id);
      } catch (Impossible impossible) {
        skipped++;
        return false;
      } catch (PolicyFailedException failed) {
        if (failed.getCause() instanceof Impossible) {
          skipped++;
          return false;
        }
        throw failed;
      }
      COMPARED.merge(kind, 1, Integer::sum);
      crossed += rejection.undone().size() > 1 ? 1 : 0;
      return pipeline < RESERVING; // the other run keeps no reservation of the next plans
    }

    private Rejection reject(ActionId id, Map<ActionId, Action> actions) {
      List<String> before = StateDump.of(scheduler, now);
      scheduler.digest(); // so that the next one depends on what is noted as changed
      Rejection rejection;
      try {
        rejection = scheduler.rejected(id, "cannot", now);
      } catch (StaleReportException refused) {
        stale++;
        assertThat(StateDump.of(scheduler, now)).isEqualTo(before);
        return null;
      }
      assertThat(scheduler.digest())
          .as("the digest after the rejection of %s%n%s", id, this)
          .isEqualTo(scheduler.snapshot().digest());
      List<Rejection.Undone> told = rejection.undone();
      assertThat(told.get(told.size() - 1).id()).isEqualTo(id);
      for (int i = 0; i < told.size(); i++) {
        assertThat(told.get(i).action()).isEqualTo(actions.get(told.get(i).id()));
        assertThat(undone.put(told.get(i).id(), told.get(i).action())).as("undone twice").isNull();
        if (i > 0) {
          ActionId former = told.get(i - 1).id();
          ActionId next = told.get(i).id();
          assertThat(
                  former.pass() > next.pass()
                      || (former.pass() == next.pass() && former.index() > next.index()))
              .as("the latest first: %s", told)
              .isTrue();
        }
      }
      return rejection;
    }

    private void compare(String what) {
      Side other = new Side(pipeline);
      for (Done each : history) {
        repeat(each, other);
      }
      assertThat(StateDump.of(scheduler, now))
          .as("after the rejection of %s%n%s", what, this)
          .isEqualTo(StateDump.of(other.scheduler, now));
      for (int i = 0; i < 2; i++) {
        Plan expected = other.pass(now, null);
        Plan found = side.pass(now, null);
        history.add(new Done(found, side.policy.moved));
        assertThat(found.actions())
            .as("the next plan after %s%n%s", what, this)
            .isEqualTo(expected.actions());
        assertThat(StateDump.of(scheduler, now))
            .as("after the next plan after %s%n%s", what, this)
            .isEqualTo(StateDump.of(other.scheduler, now));
        // A script repeats what the pipeline decided in an earlier one. A start that was rejected
        // counts as a failure.
        if (comparisons == 0 && !what.startsWith("Place")) {
          assertThat(scheduler.digest())
              .as("the digest after the next plan after %s%n%s", what, this)
              .isEqualTo(other.scheduler.digest());
        }
        now++;
      }
      comparisons++;
    }

    private void repeat(Done each, Side other) {
      if (each.plan == null) {
        try {
          each.event.accept(other.scheduler);
        } catch (EventRefusedException refused) {
          if (!each.name.equals("usage")) { // of an instance that was not placed there
            throw new Impossible(each.name + ": " + refused);
          }
        }
      } else {
        repeatPlan(each, other);
      }
    }

    /**
     * Repeats a plan without the actions that were undone. The engine empties draining hosts by
     * itself, unless they wait.
     */
    private void repeatPlan(Done done, Side other) {
      Plan plan = done.plan;
      Map<String, Drain> waiting = new TreeMap<>();
      List<Action> drained = new ArrayList<>(); // that stay
      Set<String> left = new HashSet<>(); // their hosts
      for (int i = 0; i < plan.actions().size(); i++) {
        String host = done.drainedHost(i);
        if (host != null && undone.containsKey(plan.id(i))) {
          Drain how = ((HostRecord) other.scheduler.host(host).orElseThrow()).drain();
          if (how != null) {
            waiting.put(host, how);
          }
        } else if (host != null) {
          drained.add(plan.actions().get(i));
          left.add(host);
        }
      }
      if (left.stream().anyMatch(waiting::containsKey)) {
        throw new Impossible("a drain moves all or none");
      }
      waiting.keySet().forEach(it -> other.scheduler.drain(it, Drain.waiting(), plan.now()));
      Plan again = other.pass(plan.now(), pass -> repeat(pass, done, undone.keySet()));
      List<Action> moves =
          again.actions().stream()
              .filter(it -> Done.drainedHost(it, other.policy.moved) != null)
              .toList();
      if (!moves.equals(drained)) {
        throw new Impossible("the engine decides otherwise");
      }
      waiting.forEach((host, how) -> other.scheduler.drain(host, how, plan.now()));
    }

    /** Repeats a plan without some of its actions. */
    private static void repeat(SchedulingPass pass, Done done, Set<ActionId> without) {
      Plan plan = done.plan;
      Set<String> kept = new HashSet<>(); // victims
      Set<String> served = new HashSet<>();
      for (int i = 0; i < plan.actions().size(); i++) {
        if (without.contains(plan.id(i))
            && plan.actions().get(i) instanceof Action.Cancel cancel
            && cancel.why() instanceof Reason.Expired) {
          throw new Impossible("the engine itself cancels what expired");
        }
        if (!without.contains(plan.id(i))) {
          if (plan.actions().get(i) instanceof Action.Preempt preempt) {
            kept.add(preempt.instance());
          } else if (plan.actions().get(i) instanceof Action.Place place) {
            served.addAll(place.victims());
          }
        }
      }
      if (!served.containsAll(kept)) {
        throw new Impossible("a victim without a beneficiary");
      }
      for (int i = 0; i < plan.actions().size(); i++) {
        if (!without.contains(plan.id(i)) && done.drainedHost(i) == null) {
          repeat(pass, plan.actions().get(i), kept);
        }
      }
    }

    private static void repeat(SchedulingPass pass, Action action, Set<String> victims) {
      Outcome outcome = Outcome.accept();
      if (action instanceof Action.Place it) {
        Instance subject = instance(pass, it.instance());
        outcome =
            pass.place(
                subject,
                host(pass, it.host()),
                it.victims().stream()
                    .filter(victims::contains)
                    .map(each -> instance(pass, each))
                    .toList(),
                it.grant().orElse(subject.request().demand()));
      } else if (action instanceof Action.Resize it) {
        outcome = pass.resize(instance(pass, it.instance()), it.grant(), WHY);
      } else if (action instanceof Action.Pause it) {
        outcome = pass.pause(instance(pass, it.instance()), WHY);
      } else if (action instanceof Action.Suspend it) {
        outcome = pass.suspend(instance(pass, it.instance()), WHY);
      } else if (action instanceof Action.Resume it) {
        outcome = pass.resume(instance(pass, it.instance()), it.grant(), WHY);
      } else if (action instanceof Action.Migrate it) {
        outcome =
            pass.migrate(instance(pass, it.instance()), host(pass, it.host()), it.grant(), WHY);
      } else if (action instanceof Action.Reject it) {
        outcome = pass.reject(instance(pass, it.instance()), WHY);
      } else if (action instanceof Action.Provision it) {
        Pool pool = pass.pools().get(0);
        Set<String> before = new HashSet<>(pool.starting().stream().map(Host::id).toList());
        outcome = pass.provision(pool, it.hosts().size(), it.cluster(), it.expiresAt(), WHY);
        List<String> ids =
            pool.starting().stream().map(Host::id).filter(each -> !before.contains(each)).toList();
        if (!ids.equals(it.hosts())) {
          throw new Impossible("other ids: " + ids);
        }
      } else if (action instanceof Action.Release it) {
        Host up = pass.host(it.host()).orElse(null);
        Host starting =
            pass.pools().get(0).starting().stream()
                .filter(each -> each.id().equals(it.host()))
                .findFirst()
                .orElse(up);
        if (starting == null) {
          throw new Impossible("no host to release");
        }
        outcome = pass.release(starting, WHY);
      } else if (action instanceof Action.Assign it) {
        outcome = pass.assign(bag(pass, it.bag()), it.cluster(), it.expiresAt(), WHY);
      } else if (action instanceof Action.Cancel it
          && pass.bags().stream().anyMatch(each -> each.id().equals(it.bag()))) {
        outcome = pass.cancel(bag(pass, it.bag()), WHY); // otherwise it expired
      }
      if (!outcome.accepted()) {
        throw new Impossible(action + ": " + outcome.refusal());
      }
    }

    private static Instance instance(SchedulingPass pass, String id) {
      return pass.instance(id).orElseThrow(() -> new Impossible("no instance " + id));
    }

    private static Host host(SchedulingPass pass, String id) {
      return pass.host(id).orElseThrow(() -> new Impossible("no host " + id));
    }

    private static Bag bag(SchedulingPass pass, String id) {
      return pass.bags().stream()
          .filter(each -> each.id().equals(id))
          .findFirst()
          .orElseThrow(() -> new Impossible("no bag " + id));
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      for (Done each : history) {
        text.append(each.plan == null ? each.name : each.plan.pass() + " " + each.plan.actions());
        text.append(System.lineSeparator());
      }
      return text.append("undone ").append(undone.keySet()).toString();
    }
  }
}
