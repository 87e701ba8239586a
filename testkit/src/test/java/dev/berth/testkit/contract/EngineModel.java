package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Bag;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Usage;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.testkit.contract.RandomPolicies.TestPolicy;
import dev.berth.testkit.event.Event;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.Replay;
import dev.berth.testkit.history.Step;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePool;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** An engine and a plain model of its state; the model decides which calls are valid. */
final class EngineModel {

  private static final List<InstanceState> ON_HOST =
      List.of(
          InstanceState.STARTING,
          InstanceState.RUNNING,
          InstanceState.PAUSED,
          InstanceState.SUSPENDED);

  private final Map<String, Long> scales = new HashMap<>(); // dimension to units of a whole
  private final CallCounts counts = new CallCounts();
  private Scheduler engine;
  private InvariantChecker checker;
  private Replay replay;
  private long now;

  /** Creates the cluster; called once. */
  void begin(History cluster, TestPolicy policy) {
    engine = policy.builder(Setting.of(cluster), counts.attempts).build();
    checker =
        new InvariantChecker(
            EventTarget.of(engine),
            Setting.of(cluster),
            new PlanRules(Rule.P03, Capabilities.all(), Duration.ZERO, 0, Set.of()));
    replay = new Replay(cluster, checker.ledger(), this::call);
    now = cluster.epoch();
    replay.begin();
    if (engine.now() == Long.MIN_VALUE) {
      call(new Event.PassRequested(now)); // sets the time if there is no host
    }
  }

  boolean begun() {
    return engine != null;
  }

  long now() {
    return now;
  }

  CallCounts counts() {
    return counts;
  }

  @Override
  public String toString() {
    return engine == null
        ? "nothing yet"
        : "%s at %s ns: %s".formatted(engine.policyId(), now, checker.ledger().instances());
  }

  // ---- Calls

  void play(Step step) {
    replay.play(step);
  }

  /** Makes a call and requires the response that the model predicts. */
  void call(Event event) {
    Optional<String> objection = objection(event);
    if (objection.isPresent()) {
      VisibleState before = VisibleState.at(engine, now);
      OptionalLong due = engine.nextPassAt();
      assertThatExceptionOfType(EventRefusedException.class)
          .as("%s is invalid: %s", event.describe(), objection.get())
          .isThrownBy(() -> event.applyTo(EventTarget.of(engine)));
      assertThat(engine.now()).as("the time of the engine").isEqualTo(now);
      assertThat(engine.nextPassAt()).as("when a pass is due").isEqualTo(due);
      assertThat(VisibleState.at(engine, now))
          .as("after %s was refused", event.describe())
          .isEqualTo(before);
      counts.count(event, false);
      return;
    }
    accept(event);
    now = event.at();
    counts.count(event, true);
    if (event instanceof Event.HostAdded joins) {
      remember(joins.spec().capacity());
    } else if (event instanceof Event.PoolOffered offered) {
      remember(offered.spec().capacity());
    } else if (event instanceof Event.Submitted submitted) {
      remember(submitted.request().demand());
    } else if (event instanceof Event.BagSubmitted submitted) {
      submitted.spec().requests().forEach(each -> remember(each.demand()));
    }
  }

  private void accept(Event event) {
    VisibleState before = VisibleState.at(engine, event.at());
    try {
      event.applyTo(checker);
    } catch (RuleBroken broken) {
      if (!(broken.getCause() instanceof PolicyFailedException)) {
        throw broken;
      }
      assertThat(VisibleState.at(engine, event.at()))
          .as("after the policy failed")
          .isEqualTo(before);
      event.applyTo(checker); // the policy fails in every other pass
    }
  }

  private void remember(Resources resources) {
    resources.dimensions().forEach(each -> scales.put(each.name(), each.unitsPerWhole()));
  }

  // ---- Validity of calls

  private Optional<String> objection(Event event) {
    if (event.at() < now) {
      return Optional.of("it is in the past");
    }
    ReferenceCluster ledger = checker.ledger();
    if (event instanceof Event.HostAdded joins) {
      return ledger.host(joins.spec().id()).isPresent()
              || ledger.stopping().contains(joins.spec().id())
          ? Optional.of("it is present")
          : contradiction(joins.spec().capacity());
    } else if (event instanceof Event.HostRemoved leaves) {
      return ledger.host(leaves.hostId()).isPresent() || ledger.poolOf(leaves.hostId()).isPresent()
          ? Optional.empty()
          : Optional.of("it is absent");
    } else if (event instanceof Event.PoolOffered offered) {
      return contradiction(offered.spec().capacity());
    } else if (event instanceof Event.LoadReported reported) {
      return ledger.host(reported.hostId()).isPresent() && reported.average() >= 0
          ? Optional.empty()
          : Optional.of("it is absent, or the load is invalid");
    } else if (event instanceof Event.BagCancelled cancelled) {
      return ledger.bag(cancelled.bagId()).isPresent()
          ? Optional.empty()
          : Optional.of("there is no such bag");
    } else if (event instanceof Event.BagSubmitted submitted) {
      return ledger.bag(submitted.spec().id()).isPresent()
          ? Optional.of("it has not ended")
          : submitted.spec().requests().stream()
              .flatMap(each -> objection(each).stream())
              .findFirst();
    } else if (event instanceof Event.Submitted submitted) {
      return objection(submitted.request());
    } else if (event instanceof Event.Started ready) {
      return unlessIn(List.of(InstanceState.STARTING), ready.instanceId());
    } else if (event instanceof Event.Failed failed) {
      return unlessIn(ON_HOST, failed.instanceId());
    } else if (event instanceof Event.UsageReported used) {
      return unlessIn(ON_HOST, used.instanceId())
          .or(() -> contradiction(used.used()))
          .or(() -> contradiction(used.shortfall()));
    } else if (event instanceof Event.Completed completed) {
      return completed.cpuTime().filter(Duration::isNegative).isPresent()
          ? Optional.of("the CPU time is negative")
          : unlessIn(List.of(InstanceState.RUNNING), completed.instanceId());
    } else if (event instanceof Event.Cancelled cancelled) {
      return unlessIn(List.of(InstanceState.values()), cancelled.instanceId());
    }
    return Optional.empty();
  }

  private Optional<String> objection(Request request) {
    ReferenceCluster ledger = checker.ledger();
    if (ledger.instance(request.id()).isPresent()) {
      return Optional.of("it is not done");
    }
    boolean classKnown =
        ledger.serviceClasses().stream()
            .anyMatch(each -> each.name().equals(request.serviceClass()));
    return classKnown ? contradiction(request.demand()) : Optional.of("no such class");
  }

  private Optional<String> contradiction(Resources resources) {
    return resources.dimensions().stream()
        .filter(
            each -> scales.getOrDefault(each.name(), each.unitsPerWhole()) != each.unitsPerWhole())
        .findFirst()
        .map(each -> each.name() + " has another scale");
  }

  private Optional<String> unlessIn(List<InstanceState> states, String id) {
    Optional<ReferenceInstance> instance = checker.ledger().instance(id);
    if (instance.isEmpty()) {
      return Optional.of("there is no such instance");
    }
    return states.contains(instance.get().state())
        ? Optional.empty()
        : Optional.of("it is " + instance.get().state());
  }

  // ---- Comparison

  /** Requires that all views of the engine agree with each other and with the model. */
  void compare() {
    if (engine == null || engine.now() == Long.MIN_VALUE) {
      return;
    }
    ReferenceCluster ledger = checker.ledger();
    assertThat(engine.hosts())
        .extracting(Host::id)
        .isEqualTo(ledger.hosts().stream().map(HostSpec::id).toList());
    for (HostSpec spec : ledger.hosts()) {
      Host host = engine.host(spec.id()).orElseThrow();
      List<ReferenceInstance> residents = ledger.residents(spec);
      assertThat(host.instances())
          .as("instances on %s", host.id())
          .extracting(Instance::id)
          .containsExactlyInAnyOrderElementsOf(
              residents.stream().map(ReferenceInstance::id).toList());
      assertThat(host.instances())
          .allMatch(each -> each.host().map(Host::id).equals(Optional.of(host.id())));
      for (Dimension each : ledger.dimensions()) {
        long free = spec.capacity().amount(each) - ReferenceCluster.held(residents, each);
        assertThat(host.free(each)).as("free %s on %s", each, host.id()).isEqualTo(free);
        assertThat(host.free().amount(each)).isEqualTo(free);
      }
    }
    comparePoolsAndBags(ledger);
    assertThat(engine.now()).isEqualTo(now);
    assertThat(engine.pendingCount()).isEqualTo(ledger.instances(InstanceState.PENDING).size());
    assertThat(checker.snapshots(now).orElseThrow()).isEqualTo(ledger.snapshots(now));
    for (ReferenceInstance each : ledger.instances()) {
      List<Usage> reports = each.reports();
      Instance known = engine.instance(each.id()).orElseThrow();
      assertThat(known.usage()).as("usage of %s", each.id()).isEqualTo(latest(reports, 1));
      assertThat(known.previousUsage())
          .as("usage of %s before", each.id())
          .isEqualTo(latest(reports, 2));
    }
    for (Instance each : engine.instances()) {
      assertThat(each.serviceTime(now) + each.waitingTime(now))
          .as("e + p of %s", each.id())
          .isEqualTo(now - each.admittedAt());
    }
  }

  private void comparePoolsAndBags(ReferenceCluster ledger) {
    for (HostSpec each : ledger.hosts()) {
      Host host = engine.host(each.id()).orElseThrow();
      assertThat(host.timeShared()).isEqualTo(each.timeShared());
      assertThat(host.state()).isEqualTo(HostState.UP);
      assertThat(host.pool()).isEqualTo(ledger.poolOf(each.id()).map(ReferencePool::name));
      assertThat(host.cluster()).isEqualTo(ledger.clusterOf(each.id()));
    }
    assertThat(engine.pools())
        .extracting(Pool::spec)
        .isEqualTo(ledger.pools().stream().map(ReferencePool::spec).toList());
    for (Pool each : engine.pools()) {
      ReferencePool pool = ledger.pool(each.name()).orElseThrow();
      assertThat(each.starting()).extracting(Host::id).isEqualTo(pool.starting());
      assertThat(each.starting())
          .allMatch(
              host ->
                  host.state() == HostState.STARTING
                      && host.cluster().equals(ledger.clusterOf(host.id())));
      assertThat(each.up()).extracting(Host::id).isEqualTo(pool.up());
      assertThat(each.stopping()).isEqualTo(pool.stopping().size());
      assertThat(each.room()).isEqualTo(Math.max(0, each.spec().limit() - pool.size()));
    }
    assertThat(engine.bags())
        .extracting(Bag::id)
        .isEqualTo(ledger.bags().stream().map(ReferenceBag::id).toList());
    for (ReferenceBag each : ledger.bags()) {
      Bag bag = engine.bag(each.id()).orElseThrow();
      assertThat(bag.instances())
          .extracting(Instance::id)
          .isEqualTo(each.members().stream().map(ReferenceInstance::id).toList());
      assertThat(bag.completed()).isEqualTo(each.completed());
      assertThat(bag.cluster()).isEqualTo(each.cluster());
      assertThat(bag.assignedAt()).isEqualTo(each.assignedAt());
      assertThat(bag.expiresAt()).isEqualTo(each.expiresAt());
      assertThat(bag.serviceTime(now)).isEqualTo(each.serviceTime(now));
    }
  }

  private static Optional<Usage> latest(List<Usage> reports, int nth) {
    return reports.stream()
        .skip(Math.max(0, reports.size() - nth))
        .findFirst()
        .filter(each -> reports.size() >= nth);
  }

  /** The state of a cluster that callers can see, without the time. */
  private record VisibleState(
      long passes,
      int pending,
      List<String> hosts,
      List<String> pools,
      List<String> bags,
      List<InstanceSnapshot> snapshots,
      List<Optional<Usage>> usages,
      List<String> prospects) {

    static VisibleState at(Scheduler engine, long now) {
      return new VisibleState(
          engine.passes(),
          engine.pendingCount(),
          engine.hosts().stream().map(VisibleState::of).toList(),
          engine.pools().stream().map(VisibleState::of).toList(),
          engine.bags().stream().map(each -> of(each, now)).toList(),
          engine.instances().stream().map(each -> InstanceSnapshot.of(each, now)).toList(),
          engine.instances().stream()
              .flatMap(each -> Stream.of(each.usage(), each.previousUsage()))
              .toList(),
          engine.instances().stream()
              .filter(each -> each.state() == InstanceState.PENDING)
              .map(each -> engine.explain().whyPending(each.id(), now).describe())
              .toList());
    }

    private static String of(Host host) {
      return "%s %s %s %s %s %s %s"
          .formatted(
              host.id(),
              host.state(),
              host.free(),
              host.cluster(),
              host.expiresAt(),
              host.load(),
              host.recentCompletions());
    }

    private static String of(Pool pool) {
      return "%s %s %s %s %s %s"
          .formatted(
              pool.spec(),
              pool.starting().stream().map(VisibleState::of).toList(),
              pool.up().stream().map(VisibleState::of).toList(),
              pool.stopping(),
              pool.failures(),
              pool.lastFailureAt());
    }

    private static String of(Bag bag, long now) {
      return "%s %s %s %s %s %s"
          .formatted(
              bag.id(),
              bag.instances(),
              bag.completed(),
              bag.cluster(),
              bag.expiresAt(),
              bag.serviceTime(now));
    }
  }

  /** Counts the accepted and refused calls by type. */
  static final class CallCounts {

    private final Map<Class<?>, Integer> taken = new HashMap<>();
    private final Map<Class<?>, Integer> refused = new HashMap<>();
    private final ActionCounts attempts = new ActionCounts();

    /** Returns the actions that policies attempted. */
    ActionCounts attempts() {
      return attempts;
    }

    void count(Event event, boolean valid) {
      (valid ? taken : refused).merge(event.getClass(), 1, Integer::sum);
    }

    void add(CallCounts other) {
      other.taken.forEach((kind, count) -> taken.merge(kind, count, Integer::sum));
      attempts.add(other.attempts);
      other.refused.forEach((kind, count) -> refused.merge(kind, count, Integer::sum));
    }

    int accepted(Class<?> kind) {
      return taken.getOrDefault(kind, 0);
    }

    int refused(Class<?> kind) {
      return refused.getOrDefault(kind, 0);
    }
  }
}
