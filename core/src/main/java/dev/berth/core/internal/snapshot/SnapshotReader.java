package dev.berth.core.internal.snapshot;

import dev.berth.api.ApplicationHistory;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Completion;
import dev.berth.core.snapshot.BagData;
import dev.berth.core.snapshot.BagReportData;
import dev.berth.core.snapshot.BudgetData;
import dev.berth.core.snapshot.GroupsData;
import dev.berth.core.snapshot.GroupsData.GroupData;
import dev.berth.core.snapshot.HostData;
import dev.berth.core.snapshot.InstanceData;
import dev.berth.core.snapshot.LatestPlan;
import dev.berth.core.snapshot.PoolData;
import dev.berth.core.snapshot.ReasonData;
import dev.berth.core.snapshot.RequestData;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.core.snapshot.SchedulerSnapshot.ClassData;
import dev.berth.core.snapshot.SchedulerSnapshot.CompletionData;
import dev.berth.core.snapshot.SchedulerSnapshot.DimensionData;
import dev.berth.core.snapshot.SchedulerSnapshot.EndedData;
import dev.berth.core.snapshot.SchedulerSnapshot.LimitData;
import dev.berth.core.snapshot.SchedulerSnapshot.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks a snapshot. A snapshot may be damaged or edited: it is checked as a whole before
 * anything is restored, and all problems are found together.
 */
public final class SnapshotReader {

  static final Map<String, InstanceState> STATES = new HashMap<>();
  private static final Map<String, Trigger> TRIGGERS = new HashMap<>();

  static {
    for (InstanceState each : InstanceState.values()) {
      if (each != InstanceState.DONE) {
        STATES.put(each.name(), each);
      }
    }
    for (Trigger each : Trigger.values()) {
      TRIGGERS.put(each.name(), each);
    }
  }

  final SchedulerSnapshot snapshot;
  private final List<String> problems = new ArrayList<>();

  // What the parts of the snapshot mean, as far as they are right
  final Map<String, ServiceClass> classes = new LinkedHashMap<>();
  final Map<String, Dimension> dimensions = new LinkedHashMap<>();
  final Map<String, PoolSpec> pools = new LinkedHashMap<>();
  final Map<String, HostSpec> hosts = new LinkedHashMap<>();
  final Map<String, BagSpec> bags = new LinkedHashMap<>();
  final Map<String, Request> requests = new LinkedHashMap<>(); // of the instances
  private final Map<Map<String, Long>, Resources> amounts = new HashMap<>(); // many are equal
  private final Map<String, Reason> deferrals = new LinkedHashMap<>();
  private final Map<String, Reason> bagDeferrals = new LinkedHashMap<>();
  private final List<Plan.PolicyError> errors = new ArrayList<>();
  private final Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);

  /** Checks a snapshot of a known format. */
  public SnapshotReader(SchedulerSnapshot snapshot) {
    this.snapshot = snapshot;
    checkClasses();
    checkDimensions();
    checkProgress();
    checkPools();
    checkHosts();
    checkBags();
    checkInstances();
    checkGroups();
    checkReports();
    checkLimits();
    checkBudgets();
  }

  /** Returns the requests of all instances. */
  public Collection<Request> requests() {
    return requests.values();
  }

  /** Returns all problems; empty if the snapshot can be restored. */
  public List<String> problems() {
    return problems;
  }

  /** Returns the service classes of the snapshot, as far as they are right. */
  public List<ServiceClass> serviceClasses() {
    return List.copyOf(classes.values());
  }

  /** Returns the triggers since the latest pass. */
  public Set<Trigger> triggers() {
    return triggers;
  }

  // ---- Checks

  @SuppressWarnings("AnnotateFormatMethod") // the annotation is of another library
  private void problem(String text, @Nullable Object... values) {
    problems.add(text.formatted(values));
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private void require(boolean holds, String text, @Nullable Object... values) {
    if (!holds) {
      problem(text, values);
    }
  }

  /** Returns a value that may be refused; then notes why, and returns null. */
  private <T> @Nullable T attempt(String what, String id, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException | ArithmeticException refused) {
      problem("%s %s: %s", what, id, withoutStop(String.valueOf(refused.getMessage())));
      return null;
    }
  }

  /** Adds what a part of the snapshot means, which must not be there already. */
  private <T> void add(String what, String id, Supplier<T> value, Map<String, T> into) {
    T found = attempt(what, id, value);
    if (found != null && into.putIfAbsent(id, found) != null) {
      problem("%s %s is there twice", what, id);
    }
  }

  /** Requires that a number follows the last one, and that so many have been given. */
  private void requireNext(String text, String id, long number, long last, long given) {
    if (number <= last || number >= given) {
      problem(text + ", must be from %s to %s", id, number, last + 1, given - 1);
    }
  }

  private static String withoutStop(String sentence) {
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }

  private void checkClasses() {
    for (ClassData each : snapshot.settings().serviceClasses()) {
      add("service class", each.name(), () -> serviceClass(each), classes);
    }
    require(!classes.isEmpty(), "there is no service class");
  }

  private static ServiceClass serviceClass(ClassData data) {
    return ServiceClass.builder(data.name())
        .slo(data.slo() / 1e9)
        .importance(data.importance())
        .safetyMargin(Duration.ofNanos(data.safetyMargin()))
        .preemptionOverheadLimit(data.preemptionOverheadLimit())
        .build();
  }

  private void checkDimensions() {
    for (DimensionData each : snapshot.dimensions()) {
      String name = each.name();
      add("dimension", name, () -> new Dimension(name, each.unitsPerWhole()), dimensions);
    }
  }

  private void checkProgress() {
    Progress progress = snapshot.progress();
    require(
        progress.now().isPresent() == progress.latest().isPresent(),
        "there must be both a time and a latest time, or neither");
    require(
        progress.now().orElse(0) <= progress.latest().orElse(0),
        "the time is %s ns, after the latest time, %s ns",
        progress.now().orElse(0),
        progress.latest().orElse(0));
    require(progress.passes() >= 0, "the number of passes is %s", progress.passes());
    require(
        progress.passes() > 0 == progress.lastPassAt().isPresent(),
        "%s passes are counted, and there is %s latest pass",
        progress.passes(),
        progress.lastPassAt().isPresent() ? "a" : "no");
    require(
        progress.lastPassAt().orElse(Long.MIN_VALUE) <= now(), "the latest pass is in the future");
    for (String each : progress.triggers()) {
      Trigger trigger = TRIGGERS.get(each);
      require(trigger != null, "no trigger is called %s", each);
      if (trigger != null) {
        triggers.add(trigger);
      }
    }
    require(
        snapshot.settings().maxPlacements() > 0,
        "the most placements of a pass are %s, must be positive",
        snapshot.settings().maxPlacements());
    require(
        snapshot.settings().watchdog().orElse(1) > 0,
        "the watchdog is %s ns, must be positive",
        snapshot.settings().watchdog().orElse(1));
  }

  long now() {
    return snapshot.progress().now().orElse(Long.MIN_VALUE);
  }

  private long admissions() {
    return snapshot.progress().admissions();
  }

  private void checkPools() {
    Set<String> ids = new HashSet<>();
    for (HostData each : snapshot.hosts()) {
      ids.add(each.id());
    }
    for (PoolData each : snapshot.pools()) {
      if (each.offered() != pools.size()) {
        problem(
            "pool %s is number %s, must be number %s", each.name(), each.offered(), pools.size());
      }
      add("pool", each.name(), () -> spec(each), pools);
      require(each.failures() >= 0, "pool %s has %s failures", each.name(), each.failures());
      int last = 0;
      for (PoolData.StartingHost starting : each.starting()) {
        require(
            starting.number() > last && starting.number() <= each.numbered(),
            "host %s starts as number %s of pool %s, must be from %s to %s",
            starting.id(),
            starting.number(),
            each.name(),
            last + 1,
            each.numbered());
        last = starting.number();
        require(ids.add(starting.id()), "host %s is there twice", starting.id());
      }
      for (String stopping : each.stopping()) {
        require(ids.add(stopping), "host %s is there twice", stopping);
      }
    }
  }

  private PoolSpec spec(PoolData data) {
    return new PoolSpec(
        data.name(),
        resources(data.capacity()),
        data.attributes(),
        data.limit(),
        Duration.ofNanos(data.startDelay()),
        Duration.ofNanos(data.stopDelay()));
  }

  private void checkHosts() {
    long joins = snapshot.progress().joins();
    long last = -1;
    for (HostData each : snapshot.hosts()) {
      requireNext("host %s joined as number %s", each.id(), each.joined(), last, joins);
      last = each.joined();
      add("host", each.id(), () -> spec(each), hosts);
      each.pool()
          .ifPresent(
              pool -> require(hasPool(pool), "host %s is of an unknown pool %s", each.id(), pool));
      require(
          each.pool().isPresent() || (each.cluster().isEmpty() && each.expiresAt().isEmpty()),
          "host %s is of no pool, but has a cluster or an expiry",
          each.id());
      attempt("host", each.id(), () -> load(each));
      attempt("host", each.id(), () -> List.of(foreign(each), drain(each)));
      int failed = each.availability().failedStarts();
      require(failed >= 0, "host %s has %s failed starts", each.id(), failed);
      attempt("host", each.id(), () -> histories(each));
      for (HostData.TaintData taint : each.taints()) {
        if (taint.since().orElse(now()) > now()) {
          problem("host %s has the taint %s since the future", each.id(), taint.key());
        }
      }
      for (int i = 1; i < each.completions().size(); i++) {
        require(
            each.completions().get(i - 1) <= each.completions().get(i),
            "host %s: its completions are not in order",
            each.id());
      }
    }
  }

  private boolean hasPool(String name) {
    return snapshot.pools().stream().anyMatch(each -> each.name().equals(name));
  }

  private HostSpec spec(HostData data) {
    return new HostSpec(
        data.id(),
        resources(data.capacity()),
        data.attributes(),
        data.timeShared(),
        data.taints().stream().map(Placements::read).toList());
  }

  long[] taintedSince(HostData data) {
    return data.taints().stream().mapToLong(each -> each.since().orElse(now())).toArray();
  }

  static Optional<HostLoad> load(HostData data) {
    return data.load().map(each -> new HostLoad(each.average(), each.reportedAt()));
  }

  static Resources foreign(HostData data) {
    return Requests.readScaled(data.availability().foreign());
  }

  static Optional<Drain> drain(HostData data) {
    return data.availability().drain().map(SnapshotReader::read);
  }

  private static Drain read(HostData.DrainData data) {
    return new Drain(
        data.deadline(),
        Drain.Order.valueOf(data.order()),
        Drain.Mode.valueOf(data.mode()),
        Drain.AtDeadline.valueOf(data.atDeadline()),
        Set.copyOf(data.restarted()));
  }

  static Map<String, ApplicationHistory> histories(HostData data) {
    Map<String, ApplicationHistory> histories = new LinkedHashMap<>();
    for (HostData.HistoryData each : data.histories()) {
      if (histories.put(each.application(), new ApplicationHistory(each.runs(), each.meanCpuTime()))
          != null) {
        throw new IllegalArgumentException(
            "application %s has two histories".formatted(each.application()));
      }
    }
    return histories;
  }

  private void checkBags() {
    long last = -1;
    for (BagData each : snapshot.bags()) {
      requireNext(
          "bag %s was submitted after %s admissions",
          each.id(), each.submission(), last, admissions());
      last = each.submission();
      add("bag", each.id(), () -> spec(each), bags);
      if (each.completed() < 0 || each.completed() >= each.tasks().size()) {
        problem(
            "bag %s: %s of its %s tasks are complete",
            each.id(), each.completed(), each.tasks().size());
      }
      require(
          each.cluster().isPresent() == each.assignedAt().isPresent(),
          "bag %s has only one of a cluster and a time of assignment",
          each.id());
    }
  }

  private BagSpec spec(BagData data) {
    return new BagSpec(
        data.id(),
        data.tasks().stream().map(each -> read(each.id(), each.request())).toList(),
        data.timeToLive().stream().mapToObj(Duration::ofNanos).findFirst());
  }

  private Request read(String id, RequestData data) {
    Request request = Requests.read(id, data, this::resources);
    if (!classes.containsKey(request.serviceClass())) {
      throw new IllegalArgumentException(
          "request %s is of an unknown service class %s".formatted(id, request.serviceClass()));
    }
    return request;
  }

  /** Values for messages are boxed for each call, so here only where there is a problem. */
  private void checkInstances() {
    Map<String, Map<String, Request>> tasks = new HashMap<>();
    for (BagSpec bag : bags.values()) {
      Map<String, Request> byId = new HashMap<>();
      bag.requests().forEach(each -> byId.put(each.id(), each));
      tasks.put(bag.id(), byId);
    }
    Set<String> ids = new HashSet<>();
    Set<String> emptyBags = new HashSet<>(bags.keySet());
    long last = -1;
    for (InstanceData each : snapshot.instances()) {
      if (!ids.add(each.id())) {
        problem("instance %s is there twice", each.id());
      }
      requireNext(
          "instance %s was admitted as number %s", each.id(), each.admission(), last, admissions());
      last = each.admission();
      if (each.bag().isPresent() == each.request().isPresent()) {
        problem("instance %s must have either a request or a bag", each.id());
      }
      Request request = null;
      if (each.bag().isPresent()) {
        request = tasks.getOrDefault(each.bag().get(), Map.of()).get(each.id());
        emptyBags.remove(each.bag().get());
        require(request != null, "instance %s is not of bag %s", each.id(), each.bag().get());
      } else if (each.request().isPresent()) {
        request = attempt("instance", each.id(), () -> read(each.id(), each.request().get()));
      }
      if (request != null) {
        requests.put(each.id(), request);
      }
      checkState(each);
      if (!each.waitsFor().isEmpty()
          && (!each.state().equals(InstanceState.PENDING.name())
              || (request != null && !request.after().containsAll(each.waitsFor())))) {
        problem(
            "instance %s is %s and waits for %s, must be pending and to start after them",
            each.id(), each.state(), each.waitsFor());
      }
      each.grant().ifPresent(its -> attempt("instance", each.id(), () -> resources(its)));
      each.usage().ifPresent(its -> attempt("instance", each.id(), () -> read(its)));
      each.previousUsage().ifPresent(its -> attempt("instance", each.id(), () -> read(its)));
    }
    emptyBags.forEach(each -> problem("bag %s has no instance left, so it has ended", each));
  }

  List<GroupData> groups() {
    return snapshot.groups().map(GroupsData::groups).orElse(List.of());
  }

  private void checkGroups() {
    if (groups().isEmpty()) {
      return; // the sets below are of all instances
    }
    Set<String> ids = new HashSet<>();
    Set<Long> members = new HashSet<>();
    Set<Long> instances = new HashSet<>();
    for (InstanceData each : snapshot.instances()) {
      if (each.bag().isEmpty()) {
        instances.add(each.admission());
      }
    }
    long last = -1;
    for (GroupData each : groups()) {
      require(ids.add(each.id()), "group %s is there twice", each.id());
      requireNext(
          "group %s was submitted after %s admissions",
          each.id(), each.submission(), last, admissions());
      last = each.submission();
      if (each.minCount() < 1 || each.minCount() > each.size()) {
        problem(
            "group %s has a minCount of %s, must be from 1 to %s",
            each.id(), each.minCount(), each.size());
      }
      attempt("group", each.id(), () -> GroupSpec.OnLoss.valueOf(each.onLoss()));
      require(
          each.completed() >= 0 && each.completed() + (long) each.members().size() <= each.size(),
          "group %s: %s of its %s members are complete, and %s are not done",
          each.id(),
          each.completed(),
          each.size(),
          each.members().size());
      require(!each.members().isEmpty(), "group %s has no member left, so it has ended", each.id());
      long before = -1;
      for (long member : each.members()) {
        if (member <= before || !instances.contains(member) || !members.add(member)) {
          problem(
              "group %s: instance number %s is not there, of a bag, of two groups or not in order",
              each.id(), member);
        }
        before = member;
      }
    }
  }

  Resources resources(Map<String, Long> data) {
    return amounts.computeIfAbsent(data, each -> Requests.read(each, dimensions));
  }

  private void checkState(InstanceData each) {
    InstanceState state = STATES.get(each.state());
    if (state == null) {
      problem("instance %s: no instance is in state %s", each.id(), each.state());
    }
    boolean onHost = state != null && state.isOnHost();
    if (state != null && onHost != each.host().isPresent()) {
      problem(
          "instance %s is %s, but %s",
          each.id(), state, each.host().isPresent() ? "on a host" : "on no host");
    }
    String host = each.host().orElse(null);
    if (host != null && !hosts.containsKey(host) && !hasHost(host)) {
      problem("instance %s is on host %s, which is not there", each.id(), host);
    }
    if (!onHost && (each.grant().isPresent() || each.usage().isPresent())) {
      problem("instance %s has a grant or a usage, but is on no host", each.id());
    }
    if (each.admittedAt() > each.stateSince() || each.stateSince() > now()) {
      problem(
          "instance %s was admitted at %s ns and is in its state since %s ns, must be in order, and"
              + " up to %s ns",
          each.id(), each.admittedAt(), each.stateSince(), now());
    }
    boolean isCounted =
        each.served() >= 0 // earned may wrap around at very low objectives
            && each.preemptions() >= 0
            && each.placements() >= 0
            && each.migrations() >= 0
            && each.starts().attempt() >= 0
            && each.starts().failed() >= 0
            && each.restartOverhead() >= 0
            && each.served() <= each.stateSince() - each.admittedAt();
    if (!isCounted) {
      problem(
          "instance %s: its accounting is negative, or it served longer than it lived", each.id());
    }
  }

  private boolean hasHost(String id) { // perhaps one with another problem
    return snapshot.hosts().stream().anyMatch(each -> each.id().equals(id));
  }

  private void checkReports() {
    LatestPlan plan = snapshot.latestPlan();
    plan.deferrals().forEach((id, why) -> read("deferral of instance", id, why, deferrals));
    plan.bagDeferrals().forEach((id, why) -> read("deferral of bag", id, why, bagDeferrals));
    for (LatestPlan.ErrorData each : plan.policyErrors()) {
      Reason why = attempt("policy error of", each.subject(), () -> Reasons.read(each.why()));
      if (why != null) {
        errors.add(new Plan.PolicyError(each.subject(), why));
      }
    }
    plan.head()
        .ifPresent(
            head ->
                require(
                    classes.containsKey(head.serviceClass()),
                    "the head of the queue, %s, is of an unknown service class %s",
                    head.id(),
                    head.serviceClass()));
    for (BagReportData each : snapshot.endedBags()) {
      attempt("report of bag", each.bag(), () -> read(each, classes));
    }
    for (CompletionData each : snapshot.completions()) {
      attempt("completion of instance", each.id(), () -> read(each, classes));
    }
    for (EndedData each : snapshot.ended()) {
      require(each.attempt() >= 0, "instance %s ended in attempt %s", each.id(), each.attempt());
    }
  }

  private void checkLimits() {
    Set<String> names = new HashSet<>();
    for (LimitData each : snapshot.limits()) {
      require(!each.name().isBlank(), "the name of a limit is blank");
      require(each.amount() > 0, "limit %s is %s, must be positive", each.name(), each.amount());
      require(names.add(each.name()), "limit %s is there twice", each.name());
    }
  }

  private void checkBudgets() {
    String last = "";
    for (BudgetData each : snapshot.budgets()) {
      require(
          last.compareTo(each.job()) < 0 && !each.job().isBlank(),
          "the budget of job %s follows that of %s, must be in order of job",
          each.job(),
          last.isEmpty() ? "none" : last);
      last = each.job();
      attempt("budget of job", each.job(), () -> read(each));
    }
  }

  static DisruptionBudget read(BudgetData data) {
    return new DisruptionBudget(DisruptionBudget.Limit.valueOf(data.limit()), data.members());
  }

  private void read(String what, String id, ReasonData data, Map<String, Reason> into) {
    Reason why = attempt(what, id, () -> Reasons.read(data));
    if (why != null) {
      into.put(id, why);
    }
  }

  static BagReport read(BagReportData data, Map<String, ServiceClass> classes) {
    return new BagReport(
        data.bag(),
        data.size(),
        data.completed(),
        data.cancelled().stream().map(each -> read(each, classes)).toList(),
        data.why().map(Reasons::read),
        data.submittedAt(),
        data.assignedAt(),
        data.endedAt(),
        data.cluster(),
        data.serviceTime());
  }

  Completion read(CompletionData data, Map<String, ServiceClass> known) {
    Request request = read(data.id(), data.request());
    ServiceClass serviceClass = Objects.requireNonNull(known.get(request.serviceClass()));
    return new Completion(request, serviceClass, data.serviceTime());
  }

  private static InstanceReport read(
      BagReportData.InstanceReportData data, Map<String, ServiceClass> classes) {
    ServiceClass serviceClass = classes.get(data.serviceClass());
    if (serviceClass == null) {
      throw new IllegalArgumentException(
          "%s is of an unknown service class %s".formatted(data.id(), data.serviceClass()));
    }
    return new InstanceReport(
        data.id(),
        serviceClass,
        data.admittedAt(),
        data.endedAt(),
        data.serviceTime(),
        data.waitingTime(),
        data.preemptions(),
        data.placements(),
        data.restartOverhead());
  }

  static Usage read(InstanceData.UsageData data) {
    return new Usage(
        data.at(), Requests.readScaled(data.used()), Requests.readScaled(data.shortfall()));
  }

  /** Returns what is left of the latest plan: what explanations report of those that wait. */
  public Plan latestPlan() {
    return new Plan(
        snapshot.progress().passes(),
        snapshot.progress().lastPassAt().orElse(0),
        Set.of(),
        List.of(),
        deferrals,
        errors,
        bagDeferrals,
        List.of(),
        snapshot.latestPlan().blockedHead());
  }

  /** Returns when the policy asked for the next pass. */
  public OptionalLong wakeAt() {
    return snapshot.progress().wakeAt();
  }
}
