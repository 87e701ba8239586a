package dev.berth.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.HostState;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import dev.berth.api.batch.Bag;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Rejection;
import dev.berth.api.policy.Completion;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.event.Event;
import dev.berth.testkit.contract.RandomPolicies.TestPolicy;
import dev.berth.testkit.event.Call;
import dev.berth.testkit.event.EventTarget;
import dev.berth.testkit.event.InstanceSnapshot;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.HistoryPlayer;
import dev.berth.testkit.history.Step;
import dev.berth.testkit.reference.ReferenceBag;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePool;
import dev.berth.testkit.rule.Rule;
import dev.berth.testkit.rule.RuleBroken;
import java.math.BigInteger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An engine and a plain model of its state; the model decides which calls are valid. */
final class EngineModel {

  private static final List<InstanceState> ON_HOST =
      List.of(
          InstanceState.STARTING,
          InstanceState.RUNNING,
          InstanceState.PAUSED,
          InstanceState.SUSPENDED);

  private static final List<String> JOBS = List.of("j0", "j1", "j2", "j3");

  private final Map<String, Long> scales = new HashMap<>(); // dimension to units of a whole
  private final CallCounts counts = new CallCounts();
  private Scheduler engine;
  private InvariantChecker checker;
  private HistoryPlayer replay;
  private long now;

  /** Creates the cluster; called once. */
  void begin(History cluster, TestPolicy policy) {
    engine = policy.builder(Setting.of(cluster), counts.attempts).build();
    checker =
        new InvariantChecker(
            EventTarget.of(engine),
            Setting.of(cluster),
            new PlanRules(Rule.P03, Capabilities.all(), Duration.ZERO, 0, Set.of()));
    replay = new HistoryPlayer(cluster, checker.ledger(), this::call);
    now = cluster.epoch();
    replay.begin();
    if (engine.now() == Long.MIN_VALUE) {
      call(Call.pass(now)); // sets the time if there is no host
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

  /** Returns what is believed; read-only. */
  ReferenceCluster ledger() {
    return checker.ledger();
  }

  void play(Step step) {
    replay.play(step);
  }

  /** Makes a call and requires the response that the model predicts. */
  void call(Call call) {
    Optional<String> objection =
        call.at() < now
            ? Optional.of("it is in the past")
            : call.event().flatMap(event -> objection(event, call.at()));
    if (call.event().filter(this::isStale).isPresent()) {
      refused(
          call,
          () ->
              assertThat(call.applyTo(EventTarget.of(engine)))
                  .as("%s is stale", call.describe())
                  .contains(new Call.Stale()));
      return;
    }
    if (objection.isPresent()) {
      refused(
          call,
          () ->
              assertThatExceptionOfType(EventRefusedException.class)
                  .as("%s is invalid: %s", call.describe(), objection.get())
                  .isThrownBy(() -> call.applyTo(EventTarget.of(engine))));
      return;
    }
    Optional<Record> answer = accept(call);
    now = call.at();
    counts.count(call, true);
    call.event().ifPresent(event -> remember(event, answer));
  }

  /** Makes a call that the engine refuses, and requires that it has no effect. */
  private void refused(Call call, Runnable attempt) {
    VisibleState before = VisibleState.at(engine, now);
    OptionalLong due = engine.nextPassAt();
    long digest = engine.digest();
    attempt.run();
    assertThat(engine.now()).as("the time of the engine").isEqualTo(now);
    assertThat(engine.nextPassAt()).as("when a pass is due").isEqualTo(due);
    assertThat(engine.digest()).as("the digest after %s", call.describe()).isEqualTo(digest);
    assertThat(VisibleState.at(engine, now))
        .as("after %s was refused", call.describe())
        .isEqualTo(before);
    counts.count(call, false);
  }

  private Optional<Record> accept(Call call) {
    VisibleState before = VisibleState.at(engine, call.at());
    List<Completion> completed = ledger().completions();
    Optional<Record> answer;
    try {
      answer = call.applyTo(checker);
    } catch (RuleBroken broken) {
      if (!(broken.getCause() instanceof PolicyFailedException)) {
        throw broken;
      }
      assertThat(VisibleState.at(engine, call.at()))
          .as("after the policy failed")
          .isEqualTo(before);
      answer = call.applyTo(checker); // the policy fails in every other pass
    }
    if (call.isPass()) {
      assertThat(counts.attempts().completions()).as("what has completed").isEqualTo(completed);
    }
    counts.count(answer);
    return answer;
  }

  private void remember(Event<?> event, Optional<Record> answer) {
    if (event instanceof Event.HostAdded joins) {
      remember(joins.spec().capacity());
    } else if (event instanceof Event.HostChanged changes) {
      remember(changes.spec().capacity());
    } else if (event instanceof Event.ForeignLoadReported load) {
      remember(load.foreign());
    } else if (event instanceof Event.PoolOffered offered) {
      remember(offered.pool().capacity());
    } else if (event instanceof Event.Submission submitted) {
      submitted.requests().forEach(each -> remember(each.demand()));
    } else if (event instanceof Event.Adopted adopted) {
      remember(adopted.how().request().demand());
    } else if (event instanceof Event.Reconciled reconciled) {
      remember(reconciled, answer);
    }
  }

  /** Names of dimensions are known from what was applied. */
  private void remember(Event.Reconciled event, Optional<Record> answer) {
    for (Difference each : ((Reconciliation) answer.orElseThrow()).differences()) {
      if (each instanceof Difference.HostChanged it) {
        remember(it.observed().capacity());
      } else if (each instanceof Difference.HostAppeared it) {
        remember(checker.ledger().host(it.host()).orElseThrow().capacity());
      } else if (each instanceof Difference.ForeignLoadChanged it) {
        remember(it.observed());
      } else if (each instanceof Difference.InstanceUnknown it && it.adopted()) {
        remember(event.adoption(it.instance()).orElseThrow().request().demand());
      }
    }
  }

  private void remember(Resources resources) {
    resources.dimensions().forEach(each -> scales.put(each.name(), each.unitsPerWhole()));
  }

  // ---- Validity of calls

  /** Returns whether a report is late or doubled, whatever else is wrong with it. */
  private boolean isStale(Event<?> event) {
    ReferenceCluster ledger = checker.ledger();
    if (event instanceof Event.Started report) {
      return isKnown(report.attempt()) && !ledger.canStart(report.attempt());
    } else if (event instanceof Event.Failed report) {
      return isKnown(report.attempt()) && !ledger.canFail(report.attempt());
    } else if (event instanceof Event.Completed report) {
      return isKnown(report.attempt()) && !ledger.canComplete(report.attempt());
    }
    return event instanceof Event.ActionRejected rejected && !ledger.isOpen(rejected.action());
  }

  private boolean isKnown(Attempt attempt) {
    return checker
        .ledger()
        .instance(attempt.instance())
        .filter(each -> attempt.number() <= each.attempt())
        .isPresent();
  }

  private Optional<String> objection(Event<?> event, long at) {
    ReferenceCluster ledger = checker.ledger();
    return switch (event.kind()) {
      case HOST_ADDED -> {
        HostSpec host = ((Event.HostAdded) event).spec();
        yield ledger.host(host.id()).isPresent() || ledger.stopping().contains(host.id())
            ? Optional.of("it is present")
            : contradiction(host.capacity());
      }
      case HOST_REMOVED -> {
        String host = ((Event.HostRemoved) event).host();
        yield unless(
            ledger.host(host).isPresent() || ledger.poolOf(host).isPresent(), "it is absent");
      }
      case HOST_CHANGED -> {
        HostSpec spec = ((Event.HostChanged) event).spec();
        Optional<HostSpec> host = ledger.host(spec.id());
        yield host.isEmpty() || host.get().timeShared() != spec.timeShared()
            ? Optional.of("it is absent, or differs in sharing its CPU")
            : contradiction(spec.capacity());
      }
      case FOREIGN_LOAD_REPORTED -> {
        Event.ForeignLoadReported load = (Event.ForeignLoadReported) event;
        yield unlessUp(load.host()).or(() -> contradiction(load.foreign()));
      }
      case LIMIT_SET -> unless(((Event.LimitSet) event).amount() >= 0, "it is negative");
      case HOST_DRAINED -> {
        Event.HostDrained drained = (Event.HostDrained) event;
        yield unlessUp(drained.host()).or(() -> unlessKnown(drained.how().restarted()));
      }
      case BUDGET_SET -> unless(!((Event.BudgetSet) event).job().isBlank(), "its job is blank");
      case BUDGET_REMOVED ->
          unless(!((Event.BudgetRemoved) event).job().isBlank(), "its job is blank");
      case POOL_OFFERED -> contradiction(((Event.PoolOffered) event).pool().capacity());
      case LOAD_REPORTED -> {
        Event.LoadReported load = (Event.LoadReported) event;
        yield unless(
            ledger.host(load.host()).isPresent() && load.average() >= 0,
            "it is absent, or the load is invalid");
      }
      case BAG_CANCELLED ->
          unless(
              ledger.bag(((Event.BagCancelled) event).bag()).isPresent(), "there is no such bag");
      case GROUP_CANCELLED ->
          unless(
              ledger.group(((Event.GroupCancelled) event).group()).isPresent(),
              "there is no such group");
      case BAG_SUBMITTED ->
          ledger.bag(((Event.BagSubmitted) event).bag().id()).isPresent()
              ? Optional.of("it has not ended")
              : objectionToAny((Event.BagSubmitted) event);
      case GROUP_SUBMITTED ->
          ledger.group(((Event.GroupSubmitted) event).group().id()).isPresent()
              ? Optional.of("it has not ended")
              : objectionToAny((Event.GroupSubmitted) event);
      case SUBMITTED -> {
        Event.Submitted submitted = (Event.Submitted) event;
        yield submitted.history().filter(each -> !fits(each, at)).isPresent()
            ? Optional.of("its times contradict each other")
            : objection(submitted.request());
      }
      case STARTED_NOW ->
          unlessIn(List.of(InstanceState.STARTING), ((Event.StartedNow) event).instance());
      case FAILED_NOW -> unlessIn(ON_HOST, ((Event.FailedNow) event).instance());
      case USAGE_REPORTED -> {
        Event.UsageReported used = (Event.UsageReported) event;
        yield unlessIn(ON_HOST, used.instance())
            .or(() -> contradiction(used.used()))
            .or(() -> contradiction(used.shortfall()));
      }
      case COMPLETED_NOW -> {
        Event.CompletedNow completed = (Event.CompletedNow) event;
        yield completed.cpuTime().filter(Duration::isNegative).isPresent()
            ? Optional.of("the CPU time is negative")
            : unlessIn(List.of(InstanceState.RUNNING), completed.instance());
      }
      case STARTED -> {
        Event.Started report = (Event.Started) event;
        yield objection(report.attempt(), report.at(), at);
      }
      case FAILED -> {
        Event.Failed report = (Event.Failed) event;
        yield objection(report.attempt(), report.at(), at);
      }
      case COMPLETED -> {
        Event.Completed report = (Event.Completed) event;
        yield objection(report.attempt(), report.at(), at);
      }
      case ACTION_REJECTED ->
          unless(
              ledger.canReject(((Event.ActionRejected) event).action()),
              "a host would hold more than can be counted");
      case ADOPTED -> {
        Event.Adopted adopted = (Event.Adopted) event;
        yield objection(adopted.how(), adopted.seen(), at)
            .or(() -> unlessUp(adopted.seen().host()));
      }
      case RECONCILED -> objection((Event.Reconciled) event, at);
      case CANCELLED ->
          unlessIn(List.of(InstanceState.values()), ((Event.Cancelled) event).instance());
      default -> ledger.objection(event, at); // the reference has all its rules
    };
  }

  private static Optional<String> unless(boolean valid, String otherwise) {
    return valid ? Optional.empty() : Optional.of(otherwise);
  }

  private Optional<String> objectionToAny(Event.Submission submission) {
    return submission.requests().stream().flatMap(each -> objection(each).stream()).findFirst();
  }

  private Optional<String> objection(Attempt attempt, OptionalLong happened, long at) {
    return unless(
        isKnown(attempt) && happened.orElse(at) <= at,
        "no plan has begun that attempt, or it is of the future");
  }

  private Optional<String> objection(Event.Reconciled event, long at) {
    ReferenceCluster ledger = checker.ledger();
    Observation observed = event.observed();
    Stream<Optional<String>> ofHosts =
        observed.hosts().stream()
            .filter(each -> !ledger.stopping().contains(each.spec().id()))
            .map(this::objection);
    Stream<Optional<String>> ofAdoptions =
        observed.instances().stream()
            .filter(each -> ledger.instance(each.id()).isEmpty())
            .filter(each -> !ledger.stopping().contains(each.host()))
            .filter(each -> !observed.underWay().contains(each.id()))
            .flatMap(
                each -> event.adoption(each.id()).stream().map(how -> objection(how, each, at)));
    return Stream.of(
            ofHosts,
            ofAdoptions,
            Stream.of(twoScales(event, ledger)),
            Stream.of(holdsTooMuch(event, ledger)))
        .flatMap(each -> each)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Returns that a host on which instances arrive would hold more than can be counted. */
  private static Optional<String> holdsTooMuch(Event.Reconciled event, ReferenceCluster ledger) {
    for (ObservedHost host : event.observed().hosts()) {
      String id = host.spec().id();
      List<Resources> arriving =
          event.observed().instances().stream()
              .filter(each -> each.host().equals(id) && !ledger.stopping().contains(id))
              .filter(each -> !event.observed().underWay().contains(each.id()))
              .flatMap(each -> arrives(each, event, ledger).stream())
              .map(Request::demand)
              .toList();
      List<ReferenceInstance> residents = ledger.host(id).map(ledger::residents).orElse(List.of());
      for (Dimension each :
          arriving.stream().flatMap(it -> it.dimensions().stream()).distinct().toList()) {
        BigInteger sum = BigInteger.valueOf(host.foreign().amountOf(each.name()));
        for (Resources demand : arriving) {
          sum = sum.add(BigInteger.valueOf(demand.amountOf(each.name())));
        }
        for (ReferenceInstance resident : residents) {
          sum = sum.add(BigInteger.valueOf(resident.held(each)));
        }
        if (sum.compareTo(BigInteger.valueOf(Long.MAX_VALUE)) >= 0) {
          return Optional.of("a host would hold more than can be counted");
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the request of an instance that is believed elsewhere, or is adopted. */
  private static Optional<Request> arrives(
      ObservedInstance seen, Event.Reconciled event, ReferenceCluster ledger) {
    Optional<ReferenceInstance> known = ledger.instance(seen.id());
    return known.isEmpty()
        ? event.adoption(seen.id()).map(Adoption::request)
        : known
            .filter(each -> !each.hostId().equals(Optional.of(seen.host())))
            .map(ReferenceInstance::request);
  }

  /** Returns that an observation counts a dimension on two scales. */
  private static Optional<String> twoScales(Event.Reconciled event, ReferenceCluster ledger) {
    Stream<Resources> ofHosts =
        event.observed().hosts().stream()
            .filter(each -> !ledger.stopping().contains(each.spec().id()))
            .flatMap(each -> Stream.of(each.spec().capacity(), each.foreign()));
    Stream<Resources> ofAdoptions =
        event.observed().instances().stream()
            .filter(each -> ledger.instance(each.id()).isEmpty())
            .filter(each -> !ledger.stopping().contains(each.host()))
            .filter(each -> !event.observed().underWay().contains(each.id()))
            .flatMap(each -> event.adoption(each.id()).stream())
            .map(each -> each.request().demand());
    Set<Dimension> all =
        Stream.concat(ofHosts, ofAdoptions)
            .flatMap(each -> each.dimensions().stream())
            .collect(Collectors.toSet());
    return all.stream().map(Dimension::name).distinct().count() < all.size()
        ? Optional.of("it has two scales of a dimension")
        : Optional.empty();
  }

  private Optional<String> objection(ObservedHost seen) {
    HostSpec spec = seen.spec();
    Optional<HostSpec> known = checker.ledger().host(spec.id());
    return known.filter(each -> each.timeShared() != spec.timeShared()).isPresent()
        ? Optional.of("it differs in sharing its CPU")
        : contradiction(spec.capacity()).or(() -> contradiction(seen.foreign()));
  }

  private Optional<String> objection(Adoption how, ObservedInstance seen, long at) {
    long since = seen.since().orElse(at);
    boolean inOrder = since <= at && fits(how.history(), since);
    if (!how.request().id().equals(seen.id())) {
      return Optional.of("it has another id");
    }
    return inOrder ? objection(how.request()) : Optional.of("its times contradict each other");
  }

  /** Returns whether a history may have happened up to a time. */
  private static boolean fits(dev.berth.api.History history, long until) {
    Duration life = Duration.ofNanos(until - history.admittedAt());
    return !life.isNegative()
        && history.served().plus(history.restartOverhead()).compareTo(life) <= 0;
  }

  private Optional<String> unlessUp(String host) {
    return checker.ledger().host(host).isPresent()
        ? Optional.empty()
        : Optional.of("no such host is up");
  }

  private Optional<String> unlessKnown(Set<String> classes) {
    List<String> known =
        checker.ledger().serviceClasses().stream().map(ServiceClass::name).toList();
    return known.containsAll(classes) ? Optional.empty() : Optional.of("no such class");
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
        long free = ledger.free(spec.id()).amount(each);
        assertThat(host.free(each)).as("free %s on %s", each, host.id()).isEqualTo(free);
        assertThat(host.free().amount(each)).isEqualTo(free);
        if (!spec.timeShared()) {
          assertThat(host.foreign().amount(each)).isEqualTo(ledger.foreign(spec, each));
        }
      }
      assertThat(host.closed().isEmpty())
          .as("whether %s is open: %s", host.id(), host.closed())
          .isEqualTo(ledger.isOpen(spec));
      assertThat(host.capacity()).isEqualTo(spec.capacity());
      assertThat(host.attributes()).isEqualTo(spec.attributes());
      assertThat(host.taints()).isEqualTo(spec.taints());
    }
    comparePoolsAndBags(ledger);
    assertThat(engine.limits()).isEqualTo(ledger.limits().all());
    compareBudgets(ledger);
    assertThat(engine.now()).isEqualTo(now);
    assertThat(engine.pendingCount()).isEqualTo(ledger.instances(InstanceState.PENDING).size());
    assertThat(checker.snapshots(now).orElseThrow()).isEqualTo(ledger.snapshots(now));
    for (ReferenceInstance each : ledger.instances()) {
      List<Usage> reports = each.reports();
      Instance known = engine.instance(each.id()).orElseThrow();
      assertThat(known.attempt()).as("attempt of %s", each.id()).isEqualTo(each.attempt());
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

  private void compareBudgets(ReferenceCluster ledger) {
    for (String job : JOBS) {
      assertThat(engine.budget(job))
          .as("budget of %s", job)
          .isEqualTo(Optional.ofNullable(ledger.budgets().byJob().get(job)));
    }
    for (ReferenceInstance each : ledger.instances()) {
      assertThat(engine.explain().whyProtected(each.id()))
          .as("what protects %s", each)
          .isEqualTo(protection(each, ledger));
    }
  }

  private static Optional<Reason> protection(ReferenceInstance instance, ReferenceCluster ledger) {
    if (!ledger.budgets().protect(instance, List.of())) {
      return Optional.empty();
    }
    String job = instance.request().job().orElseThrow();
    return Optional.of(
        new Reason.BudgetExhausted(
            job,
            ledger.budgets().byJob().get(job),
            ledger.budgets().up(job),
            ledger.budgets().down(job),
            1,
            ledger.instances().stream()
                .filter(each -> each.request().job().equals(Optional.of(job)))
                .filter(each -> each.state() != InstanceState.RUNNING)
                .map(ReferenceInstance::id)
                .findFirst()));
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
      List<String> prospects,
      List<Optional<DisruptionBudget>> budgets) {

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
              .toList(),
          JOBS.stream().map(engine::budget).toList());
    }

    private static String of(Host host) {
      return "%s %s %s %s %s %s %s %s %s %s %s %s"
          .formatted(
              host.id(),
              host.state(),
              host.capacity(),
              host.attributes(),
              host.taints(),
              host.foreign(),
              host.closed(),
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

    private final Map<String, Integer> taken = new HashMap<>();
    private final Map<String, Integer> refused = new HashMap<>();
    private final ActionCounts attempts = new ActionCounts();
    private final Map<Class<?>, Integer> undone = new HashMap<>();

    /** Returns the actions that policies attempted. */
    ActionCounts attempts() {
      return attempts;
    }

    void count(Call call, boolean valid) {
      (valid ? taken : refused).merge(kind(call), 1, Integer::sum);
    }

    private static String kind(Call call) {
      return call.event().map(each -> each.kind().toString()).orElse("pass");
    }

    void add(CallCounts other) {
      other.taken.forEach((kind, count) -> taken.merge(kind, count, Integer::sum));
      attempts.add(other.attempts);
      other.undone.forEach((kind, count) -> undone.merge(kind, count, Integer::sum));
      other.refused.forEach((kind, count) -> refused.merge(kind, count, Integer::sum));
    }

    /** Counts the actions that an answer says were undone. */
    void count(Optional<Record> answer) {
      if (answer.orElse(null) instanceof Rejection rejection) {
        rejection.undone().forEach(each -> undone.merge(each.action().getClass(), 1, Integer::sum));
      }
    }

    /** Returns how many actions of each type were rejected, or undone with others. */
    Map<Class<?>, Integer> undone() {
      return undone;
    }

    int accepted(String kind) {
      return taken.getOrDefault(kind, 0);
    }

    int refused(String kind) {
      return refused.getOrDefault(kind, 0);
    }
  }
}
