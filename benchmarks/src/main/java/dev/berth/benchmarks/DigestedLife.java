package dev.berth.benchmarks;

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
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.testkit.history.History;
import dev.berth.testkit.history.RequestOptions;
import dev.berth.testkit.history.RequestShape;
import dev.berth.testkit.history.Step;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Replays a history on a scheduler; steps mean what they mean to the replay of the testkit. */
final class DigestedLife {

  private static final int ACTIONS = 12; // that may be rejected
  private static final long LATEST = (1L << 62) + Duration.ofDays(1).toNanos();

  private final History history;
  private final PlanAccount account;
  private final Scheduler scheduler;
  private final Deque<String> freeIds = new ArrayDeque<>();
  private final List<String> stopping = new ArrayList<>();
  private final List<ActionId> latestActions = new ArrayList<>(); // the latest first
  private long now;
  private int submitted;
  private int bags;
  private int groups;

  /**
   * Starts a scheduler.
   *
   * @param notes 0: no decision is recorded; 2: the best hosts are recorded too
   */
  DigestedLife(History history, PlanAccount account, int notes) {
    this.history = history;
    this.account = account;
    this.now = history.epoch();
    this.scheduler =
        Scheduler.builder()
            .registry(PlanDigest.POLICIES)
            .policy(account.name.get(0), account.name.get(1).replace('\'', '"'))
            .serviceClasses(history.serviceClasses())
            .seed(history.seed())
            .decisionLog(notes == 0 ? 0 : 1000)
            .topScores(notes == 2 ? 3 : 0)
            .build();
  }

  void live() {
    account.word("life");
    history.hosts().stream().limit(history.present()).forEach(host -> attempt(() -> add(host)));
    history.pools().forEach(pool -> attempt(() -> scheduler.offerPool(pool, now)));
    for (Step each : history.steps()) {
      if (!attempt(() -> play(each))) {
        return;
      }
    }
    for (Instance each : scheduler.instances()) {
      account.report(InstanceReport.of(each, now));
    }
  }

  /** Returns false if the policy failed, which ends the replay. */
  private boolean attempt(Runnable event) {
    try {
      event.run();
      return true;
    } catch (EventRefusedException | PolicyFailedException refused) {
      account.kind("refused");
      return refused instanceof EventRefusedException;
    }
  }

  private void play(Step step) {
    if (step instanceof Step.Submit it) {
      scheduler.submit(request(it.shape()), now);
    } else if (step instanceof Step.SubmitBag it) {
      List<Request> requests = it.shapes().stream().map(this::request).toList();
      scheduler.submit(new BagSpec("b" + ++bags, requests, it.timeToLive()), now);
    } else if (step instanceof Step.SubmitGroup it) {
      List<Request> requests = it.shapes().stream().map(this::request).toList();
      GroupSpec.OnLoss onLoss = it.releases() ? GroupSpec.OnLoss.RELEASE : GroupSpec.OnLoss.RESTORE;
      int minCount = Math.max(1, requests.size() - it.spare());
      scheduler.submit(new GroupSpec("g" + ++groups, requests, minCount, onLoss), now);
    } else if (step instanceof Step.CancelGroup it) {
      pick(it.pick(), scheduler.groups()).ifPresent(group -> takeBack(group.id()));
    } else if (step instanceof Step.CancelBag it) {
      pick(it.pick(), scheduler.bags()).ifPresent(this::takeBack);
    } else if (step instanceof Step.Start it) {
      pick(it.pick(), among(each -> each.state() == InstanceState.STARTING))
          .ifPresent(id -> scheduler.started(id, now));
    } else if (step instanceof Step.StartAll) {
      among(each -> each.state() == InstanceState.STARTING)
          .forEach(id -> scheduler.started(id, now));
    } else if (step instanceof Step.Fail it) {
      pick(it.pick(), among(each -> each.state().isOnHost()))
          .ifPresent(id -> scheduler.failed(id, now));
    } else if (step instanceof Step.ReportUsage it) {
      running(it.pick()).ifPresent(id -> use(id, it));
    } else if (step instanceof Step.Complete it) {
      running(it.pick()).ifPresent(id -> complete(id, it.cpuTime()));
    } else if (step instanceof Step.Cancel it) {
      pick(it.pick(), among(each -> true)).ifPresent(id -> end(scheduler.cancel(id, now)));
    } else if (step instanceof Step.RemoveHost it) {
      pick(it.pick(), scheduler.hosts()).ifPresent(host -> remove(host.id()));
    } else if (step instanceof Step.AddHost it) {
      pick(it.pick(), absent()).ifPresent(this::add);
    } else if (step instanceof Step.AddOtherHost it) {
      pick(it.pick(), absent()).ifPresent(host -> addAs(host.id(), it.like()));
    } else if (step instanceof Step.ReportLoad it) {
      pick(it.pick(), scheduler.hosts().stream().filter(Host::timeShared).toList())
          .ifPresent(host -> scheduler.loadReported(host.id(), it.quarters() / 4.0, now));
    } else if (step instanceof Step.ReportAttempt it) {
      pick(it.pick(), among(each -> each.attempt() > 0)).ifPresent(id -> report(id, it));
    } else if (step instanceof Step.RejectAction it) {
      pick(it.pick(), latestActions).ifPresent(this::reject);
    } else if (step instanceof Step.Reconcile it) {
      reconcile(it.drifts().isEmpty() ? -1 : it.drifts().get(0).pick());
    } else if (changesAHost(step)) {
      change(step);
    } else if (step instanceof Step.SetBudget it) {
      scheduler.setBudget("j" + it.job(), it.budget(), now);
    } else if (step instanceof Step.RemoveBudget it) {
      scheduler.removeBudget("j" + (1 + it.pick() % 3), now);
    } else if (step instanceof Step.OfferPool it) {
      pick(it.pick(), scheduler.pools()).ifPresent(pool -> offer(pool.spec(), it.limit()));
    } else if (step instanceof Step.HostUp it) {
      pick(it.pick(), starting()).ifPresent(this::add);
    } else if (step instanceof Step.OtherHostUp it) {
      pick(it.pick(), starting()).ifPresent(host -> addAs(host.id(), it.like()));
    } else if (step instanceof Step.AllHostsUp) {
      starting().forEach(this::add);
    } else if (step instanceof Step.HostStartFails it) {
      pick(it.pick(), starting()).ifPresent(host -> remove(host.id()));
    } else if (step instanceof Step.HostGone it) {
      pick(it.pick(), stopping).ifPresent(this::remove);
    } else if (step instanceof Step.Elapse it) {
      now += Math.min(it.length().toNanos(), (horizon(history) - now) / 2);
    } else if (step instanceof Step.Pass) {
      Plan plan = scheduler.schedule(now);
      account.plan(plan);
      for (int i = 0; i < plan.actions().size(); i++) {
        latestActions.add(0, plan.id(i));
      }
      latestActions.subList(Math.min(ACTIONS, latestActions.size()), latestActions.size()).clear();
      account.time(scheduler.nextPassAt());
      account.time(scheduler.nextTimerAt());
      plan.actions(Action.Release.class).forEach(each -> stopping.add(each.host()));
    } else {
      throw new AssertionError(step);
    }
  }

  /** The fleet has all that is believed, but for one instance, if there is that one. */
  private void reconcile(int missing) {
    List<ObservedHost> hosts = new ArrayList<>();
    for (Host each : scheduler.hosts()) {
      HostSpec spec =
          new HostSpec(each.id(), each.capacity(), each.attributes(), each.timeShared());
      hosts.add(new ObservedHost(spec, each.foreign()));
    }
    List<ObservedInstance> instances = new ArrayList<>();
    for (Instance each : scheduler.instances()) {
      each.host()
          .map(host -> new ObservedInstance(each.id(), host.id(), each.state()))
          .ifPresent(instances::add);
    }
    if (missing >= 0 && !instances.isEmpty()) {
      instances.remove(missing % instances.size());
    }
    scheduler
        .reconcile(new Observation(hosts, instances), Reconciler.DEFAULT, now)
        .differences()
        .forEach(each -> account.word(each.describe()));
  }

  private void report(String id, Step.ReportAttempt report) {
    int latest = scheduler.instance(id).orElseThrow().attempt();
    Attempt attempt = new Attempt(id, latest - report.back() % latest);
    long at = Math.max(history.epoch(), now - report.ago().toNanos());
    switch (report.what()) {
      case STARTED -> scheduler.started(attempt, at, now);
      case FAILED -> scheduler.failed(attempt, at, now);
      case COMPLETED -> end(scheduler.completed(attempt, at, now));
    }
  }

  private void reject(ActionId action) {
    Rejection rejection = scheduler.rejected(action, "the host refuses", now);
    account.word(rejection.toString());
    for (Rejection.Undone each : rejection.undone()) {
      latestActions.remove(each.id());
      if (each.action() instanceof Action.Release release) {
        stopping.remove(release.host());
      }
    }
  }

  private static boolean changesAHost(Step step) {
    return step instanceof Step.ChangeHost
        || step instanceof Step.ReportForeignLoad
        || step instanceof Step.Cordon
        || step instanceof Step.Uncordon
        || step instanceof Step.DrainHost;
  }

  private void change(Step step) {
    if (step instanceof Step.ChangeHost it) {
      pick(it.pick(), scheduler.hosts()).ifPresent(host -> changeTo(host, it.like()));
    } else if (step instanceof Step.ReportForeignLoad it) {
      Resources foreign = history.scale().resources(it.amounts());
      pick(it.pick(), scheduler.hosts())
          .ifPresent(host -> scheduler.foreignLoad(host.id(), foreign, now));
    } else if (step instanceof Step.Cordon it) {
      pick(it.pick(), scheduler.hosts()).ifPresent(host -> scheduler.cordon(host.id(), now));
    } else if (step instanceof Step.Uncordon it) {
      pick(it.pick(), scheduler.hosts().stream().filter(each -> each.closed().isPresent()).toList())
          .ifPresent(host -> scheduler.uncordon(host.id(), now));
    } else if (step instanceof Step.DrainHost it) {
      pick(it.pick(), scheduler.hosts())
          .ifPresent(host -> scheduler.drain(host.id(), drain(it), now));
    }
  }

  private void changeTo(Host host, int like) {
    pick(like, history.hosts())
        .map(it -> new HostSpec(host.id(), it.capacity(), it.attributes(), host.timeShared()))
        .ifPresent(spec -> scheduler.changeHost(spec, now));
  }

  private Drain drain(Step.DrainHost it) {
    int restarted = it.restarted() % (history.serviceClasses().size() + 1);
    Drain how =
        restarted == 0
            ? it.how()
            : it.how().restarting(history.serviceClasses().get(restarted - 1).name());
    return how.deadline().isPresent() ? how.until(now + how.deadline().getAsLong()) : how;
  }

  private Request request(RequestShape shape) {
    boolean again = shape.reuseId() && !freeIds.isEmpty();
    String id = again ? freeIds.removeLast() : "r" + ++submitted;
    return shape.request(id, history.serviceClasses(), history.scale());
  }

  private void takeBack(String group) {
    for (InstanceReport each : scheduler.cancelGroup(group, now)) {
      account.report(each);
      freeIds.add(each.id());
    }
  }

  private void takeBack(Bag bag) {
    List<String> left = bag.instances().stream().map(Instance::id).toList();
    Reason why = new Reason.PolicyChoice("taken-back", "its user takes it back");
    account.report(scheduler.cancelBag(bag.id(), why, now));
    freeIds.addAll(left);
  }

  private void use(String id, Step.ReportUsage it) {
    Resources granted = scheduler.instance(id).orElseThrow().granted();
    Resources.Builder used = Resources.builder();
    for (Dimension each : granted.dimensions()) {
      long amount = granted.amount(each);
      long rest = amount % RequestOptions.EIGHTHS * it.eighths() / RequestOptions.EIGHTHS;
      used.put(each, amount / RequestOptions.EIGHTHS * it.eighths() + rest);
    }
    scheduler.usageReported(id, used.build(), history.scale().resources(it.shortfall()), now);
  }

  /** The latest time, which histories approach; it must not change, or all digests would. */
  private static long horizon(History history) {
    long lowest =
        history.serviceClasses().stream()
            .mapToLong(each -> each.slo().partsPerBillion())
            .min()
            .orElseThrow();
    return Math.min(history.epoch() + (1L << 61) / 1_000_000_000 * lowest, LATEST);
  }

  private void complete(String id, Optional<Duration> cpuTime) {
    end(
        cpuTime.isPresent()
            ? scheduler.completed(id, cpuTime.get(), now)
            : scheduler.completed(id, now));
  }

  private void end(InstanceReport report) {
    account.report(report);
    freeIds.addLast(report.id());
  }

  private void add(HostSpec host) {
    scheduler.addHost(host, now);
  }

  private void addAs(String id, int like) {
    HostSpec it = pick(like, history.hosts()).orElseGet(() -> new HostSpec(id, Resources.none()));
    add(new HostSpec(id, it.capacity(), it.attributes(), it.timeShared()));
  }

  private void remove(String host) {
    scheduler.removeHost(host, now);
    stopping.remove(host);
  }

  private void offer(PoolSpec it, int limit) {
    scheduler.offerPool(
        new PoolSpec(
            it.name(), it.capacity(), it.attributes(), limit, it.startDelay(), it.stopDelay()),
        now);
  }

  private List<HostSpec> absent() {
    return history.hosts().stream().filter(it -> scheduler.host(it.id()).isEmpty()).toList();
  }

  private List<HostSpec> starting() {
    List<HostSpec> all = new ArrayList<>();
    for (Pool pool : scheduler.pools()) {
      pool.starting().forEach(host -> all.add(pool.spec().host(host.id())));
    }
    return all;
  }

  private Optional<String> running(int pick) {
    return pick(pick, among(each -> each.state() == InstanceState.RUNNING));
  }

  private List<String> among(Predicate<Instance> condition) {
    return scheduler.instances().stream().filter(condition).map(Instance::id).toList();
  }

  private static <T> Optional<T> pick(int pick, List<T> among) {
    return among.isEmpty() ? Optional.empty() : Optional.of(among.get(pick % among.size()));
  }
}
