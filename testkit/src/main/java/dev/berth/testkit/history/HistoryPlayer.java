package dev.berth.testkit.history;

import dev.berth.api.Dimension;
import dev.berth.api.Drain;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.PoolSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.core.event.Event;
import dev.berth.testkit.event.Call;
import dev.berth.testkit.event.EventTarget.Feature;
import dev.berth.testkit.history.Step.ReportAttempt.Report;
import dev.berth.testkit.reference.ReferenceCluster;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Turns the steps of a history into events, one at a time, each resolved against the state of the
 * cluster after the events before it.
 */
public final class HistoryPlayer {

  private static final int ACTIONS_REMEMBERED = 12; // more are rarely open

  /** The features without which steps are left out. */
  private static final Map<Class<? extends Step>, Feature> NEEDED =
      Map.ofEntries(
          Map.entry(Step.Return.class, Feature.HISTORIES),
          Map.entry(Step.ReportAttempt.class, Feature.ATTEMPTS),
          Map.entry(Step.RejectAction.class, Feature.REJECTIONS),
          Map.entry(Step.Reconcile.class, Feature.RECONCILIATION),
          Map.entry(Step.SetBudget.class, Feature.BUDGETS),
          Map.entry(Step.SetLimit.class, Feature.LIMITS),
          Map.entry(Step.ChangeHost.class, Feature.HOST_CHANGES),
          Map.entry(Step.ReportForeignLoad.class, Feature.HOST_CHANGES),
          Map.entry(Step.Cordon.class, Feature.HOST_CHANGES),
          Map.entry(Step.Uncordon.class, Feature.HOST_CHANGES),
          Map.entry(Step.DrainHost.class, Feature.HOST_CHANGES));

  private final History history;
  private final ReferenceCluster cluster;
  private final Set<Feature> features;
  private final Consumer<Call> happens;
  private final Deque<String> freeIds = new ArrayDeque<>();
  private long now;
  private int submitted;
  private int bags;
  private int groups;

  /**
   * Prepares to play a history.
   *
   * @param cluster the ledger that the steps are resolved against; empty
   * @param happens receives each event and applies it to {@code cluster} before it returns
   */
  public HistoryPlayer(History history, ReferenceCluster cluster, Consumer<Call> happens) {
    this(history, cluster, EnumSet.allOf(Feature.class), happens);
  }

  /**
   * Prepares to play a history to a target that does not support all features.
   *
   * @param cluster the ledger that the steps are resolved against; empty
   * @param features the supported features; {@link Feature} says what happens without them
   * @param happens receives each event and applies it to {@code cluster} before it returns
   */
  public HistoryPlayer(
      History history, ReferenceCluster cluster, Set<Feature> features, Consumer<Call> happens) {
    this.history = history;
    this.cluster = cluster;
    this.features = Set.copyOf(features);
    this.happens = happens;
    this.now = history.epoch();
  }

  /**
   * Plays the whole history: adds the hosts that are present, offers the pools, then plays each
   * step.
   */
  public void play() {
    begin();
    history.steps().forEach(this::play);
  }

  /** Adds the hosts that are present from the beginning, and offers the pools. */
  public void begin() {
    history.hosts().stream().limit(history.present()).forEach(host -> joins(host.id(), host));
    if (features.contains(Feature.POOLS)) {
      history.pools().forEach(pool -> tell(new Event.PoolOffered(pool)));
    }
  }

  /** Plays one more step. */
  public void play(Step step) {
    Feature needed = NEEDED.get(step.getClass());
    if (needed != null && !features.contains(needed)) {
      return;
    }
    if (step instanceof Step.Submit submit) {
      tell(new Event.Submitted(request(submit.shape(), new HashSet<>())));
    } else if (step instanceof Step.SubmitBag bag) {
      submit(bag);
    } else if (step instanceof Step.CancelBag takeBack) {
      pick(takeBack.pick(), cluster.bags())
          .ifPresent(it -> end(it.members(), new Event.BagCancelled(it.id(), Call.CANCELLED)));
    } else if (step instanceof Step.SubmitGroup group) {
      submit(group);
    } else if (step instanceof Step.CancelGroup takeBack) {
      pick(takeBack.pick(), cluster.groups())
          .ifPresent(it -> end(it.members(), new Event.GroupCancelled(it.id())));
    } else if (step instanceof Step.Start ready) {
      pick(ready.pick(), each -> each.state() == InstanceState.STARTING)
          .ifPresent(id -> tell(new Event.StartedNow(id)));
    } else if (step instanceof Step.StartAll) {
      cluster
          .instances(InstanceState.STARTING)
          .forEach(each -> tell(new Event.StartedNow(each.id())));
    } else if (step instanceof Step.Fail fail) {
      pick(fail.pick(), each -> each.state().isOnHost())
          .ifPresent(id -> tell(new Event.FailedNow(id)));
    } else if (step instanceof Step.ReportUsage use) {
      pick(use.pick(), each -> each.state() == InstanceState.RUNNING)
          .ifPresent(id -> tell(report(id, use)));
    } else if (step instanceof Step.Complete complete) {
      pick(complete.pick(), each -> each.state() == InstanceState.RUNNING)
          .ifPresent(id -> ends(id, new Event.CompletedNow(id, complete.cpuTime())));
    } else if (step instanceof Step.Cancel cancel) {
      pick(cancel.pick(), each -> true).ifPresent(id -> ends(id, new Event.Cancelled(id)));
    } else if (step instanceof Step.Return back) {
      pick(back.pick(), each -> true).ifPresent(id -> returns(id, back.preempted()));
    } else if (step instanceof Step.AddHost join) {
      pick(join.pick(), absent()).ifPresent(host -> joins(host.id(), host));
    } else if (step instanceof Step.AddOtherHost join) {
      pick(join.pick(), absent())
          .ifPresent(host -> joins(host.id(), pick(join.like(), history.hosts()).orElseThrow()));
    } else if (step instanceof Step.RemoveHost leave) {
      tell(leave.pick(), cluster.hosts(), host -> new Event.HostRemoved(host.id()));
    } else if (step instanceof Step.ReportLoad load) {
      tell(
          load.pick(),
          cluster.hosts().stream().filter(HostSpec::timeShared).toList(),
          host -> new Event.LoadReported(host.id(), load.quarters() / 4.0));
    } else if (step instanceof Step.ReportAttempt report) {
      pick(report.pick(), each -> each.attempt() > 0).ifPresent(id -> reported(id, report));
    } else if (step instanceof Step.RejectAction rejection) {
      pick(rejection.pick(), latestActions())
          .filter(cluster::canReject)
          .ifPresent(id -> tell(new Event.ActionRejected(id, Call.REFUSED)));
    } else if (step instanceof Step.Reconcile reconcile) {
      reconcile(reconcile);
    } else if (step instanceof Step.SetBudget set) {
      tell(new Event.BudgetSet(RequestShape.job(set.job()), set.budget()));
    } else if (step instanceof Step.RemoveBudget remove) {
      tell(
          remove.pick(), List.copyOf(cluster.budgets().byJob().keySet()), Event.BudgetRemoved::new);
    } else if (step instanceof Step.ChangeHost change) {
      tell(
          change.pick(),
          cluster.hosts(),
          host ->
              new Event.HostChanged(
                  changed(host, pick(change.like(), history.hosts()).orElse(host))));
    } else if (step instanceof Step.ReportForeignLoad load) {
      Resources foreign = history.scale().resources(load.amounts());
      pick(load.pick(), cluster.hosts())
          .filter(host -> cluster.canHold(host, foreign))
          .ifPresent(host -> tell(new Event.ForeignLoadReported(host.id(), foreign)));
    } else if (step instanceof Step.Cordon cordon) {
      tell(cordon.pick(), cluster.hosts(), host -> new Event.HostCordoned(host.id()));
    } else if (step instanceof Step.Uncordon uncordon) {
      tell(uncordon.pick(), cluster.withdrawn(), host -> new Event.HostUncordoned(host.id()));
    } else if (step instanceof Step.DrainHost drain) {
      tell(
          drain.pick(),
          cluster.hosts(),
          host -> new Event.HostDrained(host.id(), from(now, drain)));
    } else if (step instanceof Step.SetLimit limit) {
      tell(new Event.LimitSet(RequestOptions.LIMITS.get(limit.number()), limit.amount()));
    } else if (step instanceof Step.OfferPool offer) {
      tell(
          offer.pick(),
          cluster.pools(),
          pool -> new Event.PoolOffered(withLimit(pool.spec(), offer.limit())));
    } else if (step instanceof Step.HostUp up) {
      pick(up.pick(), cluster.starting()).ifPresent(id -> joins(id, offered(id)));
    } else if (step instanceof Step.OtherHostUp up) {
      pick(up.pick(), cluster.starting())
          .ifPresent(id -> joins(id, pick(up.like(), history.hosts()).orElse(offered(id))));
    } else if (step instanceof Step.AllHostsUp) {
      cluster.starting().forEach(id -> joins(id, offered(id)));
    } else if (step instanceof Step.HostStartFails away) {
      tell(away.pick(), cluster.starting(), Event.HostRemoved::new);
    } else if (step instanceof Step.HostGone vanish) {
      tell(vanish.pick(), cluster.stopping(), Event.HostRemoved::new);
    } else if (step instanceof Step.Elapse pause) {
      now += Math.min(pause.length().toNanos(), (history.horizon() - now) / 2);
    } else if (step instanceof Step.Pass) {
      happens.accept(Call.pass(now));
    }
  }

  private <T> void tell(int pick, List<T> among, Function<T, Event<?>> event) {
    pick(pick, among).map(event).ifPresent(this::tell);
  }

  private void tell(Event<?> event) {
    happens.accept(new Call(now, event));
  }

  private void returns(String id, boolean preempted) {
    ReferenceInstance instance = cluster.instance(id).orElseThrow();
    boolean isStopped = instance.state().isOnHost();
    dev.berth.api.History before = instance.history(Math.max(now, instance.stateSince()));
    tell(new Event.Cancelled(id));
    tell(
        new Event.Submitted(
            dependent(instance.request(), instance.request().after().stream()),
            Optional.of(!isStopped ? before : preempted ? before.preempted() : before.failed())));
  }

  private void reported(String id, Step.ReportAttempt report) {
    int latest = cluster.instance(id).orElseThrow().attempt();
    Attempt attempt = new Attempt(id, latest - report.back() % latest);
    long happenedAt = Math.max(history.epoch(), now - report.ago().toNanos());
    boolean ends = report.what() == Report.COMPLETED && cluster.canComplete(attempt);
    OptionalLong at = OptionalLong.of(happenedAt);
    Event<?> event =
        switch (report.what()) {
          case STARTED -> new Event.Started(attempt, at);
          case FAILED -> new Event.Failed(attempt, at);
          case COMPLETED -> new Event.Completed(attempt, Optional.empty(), at);
        };
    if (ends) {
      ends(id, event);
    } else {
      tell(event);
    }
  }

  private void reconcile(Step.Reconcile step) {
    DriftingFleet fleet = new DriftingFleet(history, cluster, now);
    step.drifts().forEach(each -> drift(fleet, each, step.unknown()));
    fleet
        .report()
        .ifPresent(
            event -> {
              List<String> endable =
                  event.ended().stream()
                      .filter(id -> cluster.instance(id).isPresent())
                      .sorted()
                      .toList();
              tell(event);
              endable.stream()
                  .filter(id -> cluster.instance(id).isEmpty())
                  .forEach(freeIds::addLast);
            });
  }

  private void drift(DriftingFleet fleet, Drift drift, RequestShape unknown) {
    switch (drift.kind()) {
      case GONE, ENDED, UNDER_WAY, ELSEWHERE, IN_OTHER_STATE, IN_OTHER_ATTEMPT ->
          fleet.drift(drift);
      case RUNS -> fleet.runs(drift);
      case ADOPTED -> fleet.adopts(drift, request(unknown, new HashSet<>()));
      case FOREIGN -> fleet.isForeign(drift);
      case HOST_GONE -> fleet.hostGone(drift);
      case HOST_APPEARED -> pick(drift.pick(), expected()).ifPresent(fleet::hostAppeared);
      case HOST_CHANGED ->
          pick(drift.pick(), cluster.hosts())
              .map(host -> changed(host, pick(drift.other(), history.hosts()).orElse(host)))
              .ifPresent(fleet::hostChanged);
      case FOREIGN_LOAD -> fleet.foreignLoad(drift);
    }
  }

  /** Returns the hosts that are not up, but may be. */
  private List<HostSpec> expected() {
    List<HostSpec> all = new ArrayList<>();
    absent().forEach(each -> all.add(joining(each.id(), each)));
    cluster.starting().forEach(id -> all.add(joining(id, offered(id))));
    cluster.stopping().forEach(id -> all.add(joining(id, offered(id))));
    return all;
  }

  private List<ActionId> latestActions() {
    List<ActionId> all = new ArrayList<>(cluster.actions());
    Collections.reverse(all);
    return all.stream().limit(ACTIONS_REMEMBERED).toList();
  }

  /** A host keeps its id and whether it is time-shared. */
  private HostSpec changed(HostSpec host, HostSpec like) {
    HostSpec spec =
        new HostSpec(
            host.id(), like.capacity(), like.attributes(), host.timeShared(), like.taints());
    return cluster.canBecome(spec) ? spec : host;
  }

  private Drain from(long start, Step.DrainHost drain) {
    int restarted = drain.restarted() % (history.serviceClasses().size() + 1);
    Drain how =
        restarted == 0
            ? drain.how()
            : drain.how().restarting(history.serviceClasses().get(restarted - 1).name());
    return how.deadline().isPresent() ? how.until(start + how.deadline().getAsLong()) : how;
  }

  private static PoolSpec withLimit(PoolSpec pool, int limit) {
    return new PoolSpec(
        pool.name(),
        pool.capacity(),
        pool.attributes(),
        limit,
        pool.startDelay(),
        pool.stopDelay());
  }

  private HostSpec offered(String id) {
    ReferencePool pool = cluster.poolOf(id).orElseThrow();
    return pool.spec().host(id);
  }

  /** Returns the current time of the history. */
  public long now() {
    return now;
  }

  /** Creates a request with an id that is not taken, and takes that id. */
  private Request request(RequestShape shape, Set<String> taken) {
    String id = shape.reuseId() && !freeIds.isEmpty() ? freeIds.removeLast() : "r" + ++submitted;
    while (!taken.add(id)) { // the driver of a replay may have submitted this id itself
      id = "r" + ++submitted;
    }
    RequestShape known = features.contains(Feature.LIMITS) ? shape : shape.withoutLimits();
    if (!features.contains(Feature.RUN_TIME_LIMITS)) {
      known = known.with(known.options().running(Optional.empty()));
    }
    Request request = known.request(id, history.serviceClasses(), history.scale());
    List<ReferenceInstance> all = cluster.instances();
    return features.contains(Feature.DEPENDENCIES)
        ? dependent(
            request,
            all.subList(Math.max(0, all.size() - shape.options().after()), all.size()).stream()
                .map(ReferenceInstance::id))
        : request;
  }

  /** Returns a request that is to start after those of others that it can wait for. */
  private Request dependent(Request request, Stream<String> others) {
    return request.withAfter(
        others
            .filter(each -> cluster.instance(each).isPresent())
            .filter(each -> !cluster.waitsFor(each, request.id()))
            .toList());
  }

  private void submit(Step.SubmitBag bag) {
    List<Request> requests =
        requests(bag.shapes()).stream().map(each -> each.withAfter(List.of())).toList();
    if (features.contains(Feature.BAGS)) {
      tell(new Event.BagSubmitted(new BagSpec("b" + ++bags, requests, bag.timeToLive())));
    } else {
      requests.forEach(each -> tell(new Event.Submitted(each)));
    }
  }

  private void submit(Step.SubmitGroup group) {
    List<Request> requests = requests(group.shapes());
    if (features.contains(Feature.GROUPS)) {
      int minCount = Math.max(1, requests.size() - group.spare());
      GroupSpec.OnLoss onLoss =
          group.releases() ? GroupSpec.OnLoss.RELEASE : GroupSpec.OnLoss.RESTORE;
      tell(new Event.GroupSubmitted(new GroupSpec("g" + ++groups, requests, minCount, onLoss)));
    } else {
      requests.forEach(each -> tell(new Event.Submitted(each)));
    }
  }

  private List<Request> requests(List<RequestShape> shapes) {
    Set<String> taken = new HashSet<>();
    return shapes.stream().map(shape -> request(shape, taken)).toList();
  }

  private void end(List<ReferenceInstance> members, Event<?> cancellation) {
    List<String> left = members.stream().map(ReferenceInstance::id).toList();
    tell(cancellation);
    freeIds.addAll(left);
  }

  private Event<?> report(String id, Step.ReportUsage use) {
    Resources granted = cluster.instance(id).orElseThrow().granted();
    Resources.Builder used = Resources.builder();
    for (Dimension each : granted.dimensions()) {
      used.put(each, RequestOptions.share(granted.amount(each), use.eighths()));
    }
    return new Event.UsageReported(id, used.build(), history.scale().resources(use.shortfall()));
  }

  private void ends(String id, Event<?> end) {
    tell(end);
    freeIds.addLast(id);
  }

  private List<HostSpec> absent() {
    return history.hosts().stream().filter(each -> cluster.host(each.id()).isEmpty()).toList();
  }

  private void joins(String id, HostSpec like) {
    tell(new Event.HostAdded(joining(id, like)));
  }

  private HostSpec joining(String id, HostSpec like) {
    boolean shares = like.timeShared() && features.contains(Feature.TIME_SHARING);
    return new HostSpec(id, like.capacity(), like.attributes(), shares, like.taints());
  }

  private Optional<String> pick(int pick, Predicate<ReferenceInstance> among) {
    return pick(pick, cluster.instances().stream().filter(among).toList())
        .map(ReferenceInstance::id);
  }

  static <T> Optional<T> pick(int pick, List<T> among) {
    return among.isEmpty() ? Optional.empty() : Optional.of(among.get(pick % among.size()));
  }
}
