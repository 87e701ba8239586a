package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PlacementSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.core.event.Event;
import dev.berth.test.TestRun;
import dev.berth.testkit.TestCluster;
import dev.berth.testkit.event.Call;
import dev.berth.testkit.generators.HistoryArbitraries;
import dev.berth.testkit.history.Step;
import dev.berth.testkit.reference.ReferenceCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;

/**
 * Compares the engine with a plain model under any sequence of calls. Valid calls change both
 * alike; the engine refuses invalid calls, and they change nothing. For every policy, this checks
 * the guarantees E01 to E07, E09 to E11, E13, and E16 to E18; with the failing policy, also E08.
 */
@PropertyDefaults(
    tries = EngineStateTest.TRIES,
    generation = GenerationMode.RANDOMIZED,
    edgeCases = EdgeCasesMode.NONE)
class EngineStateTest {

  static final int TRIES = 2000;
  private static final int MOST_CALLS = 46;

  /** The minimum number of calls of each type in all runs together. */
  private static final int OFTEN = 5;

  private static final EngineModel.CallCounts COUNTS = new EngineModel.CallCounts();
  private static int started;
  private static int completed;

  /** All actions except preemptions, which are part of placements. */
  private static final List<Class<? extends dev.berth.api.plan.Action>> ATTEMPTED =
      List.of(
          dev.berth.api.plan.Action.Place.class,
          dev.berth.api.plan.Action.Resize.class,
          dev.berth.api.plan.Action.Pause.class,
          dev.berth.api.plan.Action.Suspend.class,
          dev.berth.api.plan.Action.Resume.class,
          dev.berth.api.plan.Action.Migrate.class,
          dev.berth.api.plan.Action.Reject.class,
          dev.berth.api.plan.Action.Provision.class,
          dev.berth.api.plan.Action.Release.class,
          dev.berth.api.plan.Action.Assign.class,
          dev.berth.api.plan.Action.Cancel.class);

  @Property
  void engineAgreesWithModel(@ForAll("runs") ActionChain<EngineModel> run) {
    started++;
    EngineModel model = run.withInvariant("the engine agrees", EngineModel::compare).run();
    COUNTS.add(model.counts());
    completed++;
  }

  /** Guards the property against holding vacuously: each type was accepted and refused often. */
  @AfterContainer
  static void coversEveryCallAndAction() {
    if (!TestRun.isFixed() || completed < TestRun.cases(TRIES) || completed < started) {
      return; // other runs, a single one was repeated, or one failed
    }
    List<String> kinds = new ArrayList<>(List.of("pass"));
    for (Event.Kind each : Event.Kind.values()) {
      kinds.add(each.toString());
    }
    for (String each : kinds) {
      assertThat(COUNTS.accepted(each)).as("%s accepted", each).isGreaterThan(OFTEN);
      assertThat(COUNTS.refused(each)).as("%s refused", each).isGreaterThan(OFTEN);
    }
    assertThat(COUNTS.undone().getOrDefault(dev.berth.api.plan.Action.Stop.class, 0))
        .as("stops undone, of %s", COUNTS.undone())
        .isPositive();
    ActionCounts attempts = COUNTS.attempts();
    for (Class<? extends dev.berth.api.plan.Action> kind : ATTEMPTED) {
      assertThat(attempts.accepted(kind))
          .as("%s accepted, of %s", kind, attempts)
          .isGreaterThan(OFTEN);
      assertThat(attempts.refused(kind))
          .as("%s refused, of %s", kind, attempts)
          .isGreaterThan(OFTEN);
      assertThat(COUNTS.undone())
          .as("%s undone, of %s", kind, COUNTS.undone())
          .hasEntrySatisfying(kind, it -> assertThat(it).isGreaterThan(OFTEN));
    }
  }

  @Provide
  Arbitrary<ActionChain<EngineModel>> runs() {
    return ActionChain.startWith(EngineModel::new)
        .withAction(new Setup())
        .withAction(3, new ValidCall())
        .withAction(2, new AnyCall())
        .withAction(2, new RejectedPlan())
        .withMaxTransformations(MOST_CALLS);
  }

  /** Creates a cluster and a policy; always the first step. */
  private static final class Setup implements Action.Independent<EngineModel> {

    @Override
    public boolean precondition(EngineModel model) {
      return !model.begun();
    }

    @Override
    public Arbitrary<Transformer<EngineModel>> transformer() {
      return Combinators.combine(
              Arbitraries.oneOf(HistoryArbitraries.ofUpTo(1), HistoryArbitraries.withPlacement(1)),
              RandomPolicies.any())
          .as(
              (cluster, policy) ->
                  Transformer.mutate(
                      "%s with %s".formatted(policy, cluster),
                      model -> model.begin(cluster, policy)));
    }
  }

  /** A valid call. */
  private static final class ValidCall implements Action.Independent<EngineModel> {

    private static final Arbitrary<Step> STEPS =
        Arbitraries.frequencyOf(
            Tuple.of(3, HistoryArbitraries.unreliableSteps()),
            Tuple.of(1, HistoryArbitraries.placedSteps()));

    @Override
    public boolean precondition(EngineModel model) {
      return model.begun();
    }

    @Override
    public Arbitrary<Transformer<EngineModel>> transformer() {
      return STEPS.map(step -> Transformer.mutate(step.toString(), model -> model.play(step)));
    }
  }

  /** A pass, some of whose actions are rejected. */
  private static final class RejectedPlan implements Action.Independent<EngineModel> {

    private static final int MOST = 3;

    @Override
    public boolean precondition(EngineModel model) {
      return model.begun();
    }

    @Override
    public Arbitrary<Transformer<EngineModel>> transformer() {
      return ids()
          .list()
          .ofMinSize(1)
          .ofMaxSize(MOST)
          .map(
              picks ->
                  Transformer.mutate(
                      "pass and rejections " + picks,
                      model -> {
                        model.play(new Step.Pass());
                        picks.forEach(it -> model.play(new Step.RejectAction(it - 1)));
                      }));
    }
  }

  /** Any call; the model decides whether it is valid. */
  private static final class AnyCall implements Action.Independent<EngineModel> {

    @Override
    public boolean precondition(EngineModel model) {
      return model.begun();
    }

    @Override
    public Arbitrary<Transformer<EngineModel>> transformer() {
      return Combinators.combine(Arbitraries.integers().between(0, 27), ids(), ids(), delays())
          .as(
              (kind, host, instance, delay) ->
                  Transformer.mutate(
                      "call %s of h%s and r%s after %s".formatted(kind, host, instance, delay),
                      model -> model.call(call(kind, host, instance, model, delay))));
    }
  }

  private static Arbitrary<Integer> ids() {
    return Arbitraries.integers().between(1, 9);
  }

  private static Arbitrary<Long> delays() {
    return Arbitraries.of(0L, 0L, 0L, 1L, Duration.ofSeconds(10).toNanos(), -1L);
  }

  /** Few ids of groups, so that a group to be cancelled often exists. */
  private static Call call(int kind, int host, int instance, EngineModel model, long delay) {
    long at = model.now() + delay;
    return kind == 21
        ? Call.pass(at)
        : new Call(
            at,
            switch (kind) {
              case 19 -> adopted(host, instance, at);
              case 20 -> reconciled(host, instance, model.ledger(), at);
              case 25 -> new Event.GroupSubmitted(group("g" + host % 3, instance));
              case 26 -> new Event.GroupCancelled("g" + host % 3);
              case 27 -> continued(host, instance, at);
              default -> event(kind, host, instance, at);
            });
  }

  /** Returns a request with a history that may be of the future. */
  private static Event<?> continued(int host, int instance, long at) {
    return new Event.Submitted(
        request("r" + instance, instance, amounts(host)),
        Optional.of(history(host, instance, host == 9 ? at + Duration.ofDays(1).toNanos() : at)));
  }

  /** Returns an adoption on a host that may not be up, sometimes with times that contradict. */
  private static Event<?> adopted(int host, int instance, long at) {
    String id = "r" + instance;
    return new Event.Adopted(
        adoption(id, host, instance, at), observed(host == 8 ? "other" : id, host, at));
  }

  private static Adoption adoption(String id, int host, int instance, long at) {
    return new Adoption(request(id, instance, amounts(host)), history(host, instance, at));
  }

  /** Returns a history, sometimes with times that contradict each other. */
  private static History history(int host, int instance, long at) {
    return new History(
        at - Duration.ofSeconds(host % 5).toNanos(),
        Duration.ofSeconds(instance % 3),
        Duration.ofMillis(300L * (host % 3)),
        instance % 4,
        host % 3,
        instance % 2,
        host % 4,
        instance % 3 == 1);
  }

  private static ObservedInstance observed(String id, int host, long at) {
    List<InstanceState> states =
        List.of(
            InstanceState.RUNNING,
            InstanceState.STARTING,
            InstanceState.PAUSED,
            InstanceState.SUSPENDED);
    ObservedInstance seen = new ObservedInstance(id, "h" + host, states.get(host % 4));
    return host % 2 == 0 ? seen : seen.inAttempt(host).since(at - host % 3);
  }

  /**
   * Returns an observation of what is believed, but that a host is up, perhaps another machine than
   * before, and an instance on it, to be adopted if it is unknown. Another host and another
   * instance are gone.
   */
  private static Event<?> reconciled(int host, int instance, ReferenceCluster ledger, long at) {
    String id = "r" + instance;
    String hostId = "h" + host;
    String goneHost = "h" + instance;
    List<ObservedHost> hosts = new ArrayList<>();
    List<ObservedInstance> instances = new ArrayList<>();
    for (HostSpec each : ledger.hosts()) {
      if (!each.id().equals(goneHost) && !each.id().equals(hostId)) {
        hosts.add(new ObservedHost(each, ledger.foreign(each.id())));
      }
    }
    hosts.add(new ObservedHost(host(hostId, instance), amounts(1 + instance % 2)));
    instances.add(observed(id, host, at));
    List<String> elsewhere = List.of(id, "r" + host);
    for (ObservedHost up : hosts) {
      ledger.instances().stream()
          .filter(each -> each.hostId().equals(Optional.of(up.spec().id())))
          .filter(each -> !elsewhere.contains(each.id()))
          .map(each -> new ObservedInstance(each.id(), up.spec().id(), each.state()))
          .forEach(instances::add);
    }
    return new Event.Reconciled(
        new Observation(hosts, instances, host == 7 ? Set.of("r" + host) : Set.of()),
        List.of(adoption(id, host, instance, at)),
        List.of("r" + host));
  }

  private static Event<?> event(int kind, int host, int instance, long at) {
    String hostId = "h" + host;
    String id = "r" + instance;
    return switch (kind) {
      case 0 -> new Event.HostAdded(host(hostOrProvided(hostId, host, instance), host));
      case 1 -> new Event.HostRemoved(hostOrProvided(hostId, host, instance));
      case 2 -> new Event.Submitted(request(id, instance, amounts(host)));
      case 3 -> new Event.StartedNow(id);
      case 4 -> new Event.FailedNow(id);
      case 5 ->
          new Event.CompletedNow(
              id, Optional.of(Duration.ofSeconds(host - 2)).filter(each -> host % 2 == 1));
      case 6 -> new Event.Cancelled(id);
      case 7 -> new Event.UsageReported(id, amounts(host), amounts(10 - host));
      case 8 -> new Event.PoolOffered(new PoolSpec("p" + instance % 3, amounts(host), host % 4));
      case 9 -> new Event.BagSubmitted(bag("b" + host % 3, instance));
      case 10 -> new Event.BagCancelled("b" + host % 3, Call.CANCELLED);
      case 11 -> new Event.LoadReported(hostId, instance == 9 ? -1 : instance);
      case 12 -> new Event.HostChanged(host(hostId, instance));
      case 13 -> new Event.ForeignLoadReported(hostId, amounts(instance));
      case 14 -> new Event.HostCordoned(hostId);
      case 15 -> new Event.HostUncordoned(hostId);
      case 16 -> new Event.HostDrained(hostId, drain(instance, at));
      case 17 -> attempt(host, id, at);
      case 18 -> new Event.ActionRejected(new ActionId(host, instance % 3), Call.REFUSED);
      case 22 -> new Event.LimitSet("limit" + host % 2, instance % 4 - 1);
      case 23 -> new Event.BudgetSet(job(instance), budget(host));
      case 24 -> new Event.BudgetRemoved(job(instance));
      default -> throw new IllegalArgumentException("no call " + kind);
    };
  }

  /** Returns a report about one of the first attempts, sometimes of the future. */
  private static Event<?> attempt(int number, String id, long at) {
    Attempt attempt = new Attempt(id, 1 + number / 4);
    OptionalLong happened = OptionalLong.of(number == 9 ? at + 1 : at - number % 2);
    return switch (number % 3) {
      case 0 -> new Event.Started(attempt, happened);
      case 1 -> new Event.Failed(attempt, happened);
      default -> new Event.Completed(attempt, Optional.empty(), happened);
    };
  }

  /** Returns mostly a host of no pool, otherwise one that a pool may have provisioned. */
  private static String hostOrProvided(String hostId, int host, int instance) {
    return instance > 5 ? "p" + host % 3 + "-" + instance % 4 : hostId;
  }

  private static HostSpec host(String id, int number) {
    return new HostSpec(id, amounts(number), Map.of(), number % 4 == 0);
  }

  private static Drain drain(int number, long at) {
    Drain how = number % 2 == 0 ? Drain.moving() : Drain.waiting();
    how = number == 9 ? how.restarting("no such class") : how;
    return number > 4 ? how.until(at + number % 3) : how;
  }

  /** Returns one or two requests, sometimes of an unknown class or on another scale. */
  private static BagSpec bag(String id, int instance) {
    List<Request> requests =
        instance % 2 == 0
            ? List.of(request("r" + instance, instance, amounts(1)))
            : List.of(
                request("r" + instance, 1, amounts(2)),
                request("r" + (instance + 1), instance, amounts(instance)));
    return new BagSpec(
        id, requests, Optional.of(Duration.ofSeconds(10)).filter(each -> instance < 6));
  }

  /** Returns a group of the requests of a bag. */
  private static GroupSpec group(String id, int instance) {
    List<Request> members = bag(id, instance).requests();
    GroupSpec.OnLoss onLoss =
        instance % 4 < 2 ? GroupSpec.OnLoss.RELEASE : GroupSpec.OnLoss.RESTORE;
    return new GroupSpec(id, members, members.size(), onLoss);
  }

  private static Request request(String id, int instance, Resources demand) {
    String serviceClass = instance == 9 ? "no such class" : "gold";
    PlacementSpec.Builder placement = PlacementSpec.builder();
    switch (instance % 4) {
      case 1 -> placement.use("limit0", 1);
      case 2 -> placement.usePerHost("limit1", 1);
      default -> {} // no limit
    }
    Request.Builder request =
        Request.builder(id, serviceClass).demand(demand).placement(placement.build());
    return (instance < 7 ? request.job(job(instance)) : request).build();
  }

  /** Returns one of few jobs, sometimes an invalid one. */
  private static String job(int instance) {
    return instance == 9 ? " " : "j" + instance % 3;
  }

  private static DisruptionBudget budget(int host) {
    return host % 2 == 0 ? DisruptionBudget.maxDown(host % 3) : DisruptionBudget.minUp(host % 3);
  }

  /** Returns mostly amounts that fit, sometimes on another scale. */
  private static Resources amounts(int number) {
    return number == 9 ? Resources.of(new Dimension("cpu", 1000), 9) : TestCluster.cpu(number);
  }
}
