package dev.berth.simulator.internal.fleet;

import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Taint;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Rejection;
import dev.berth.core.Scheduler;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.snapshot.SchedulerSnapshot;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.internal.Chance;
import dev.berth.simulator.internal.EventQueue;
import dev.berth.simulator.internal.EventQueue.Kind;
import dev.berth.simulator.internal.HostSchedule;
import dev.berth.simulator.internal.SimulationSettings;
import dev.berth.simulator.internal.execution.Execution;
import dev.berth.simulator.internal.execution.FleetLink;
import dev.berth.simulator.result.FaultCounts;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A fleet that does not do all that plans say, and whose reports do not all arrive, with an
 * embedder that handles this as the documentation of {@link Scheduler} says.
 *
 * <p>The answer to an action comes at once: it is carried out, or refused. Reports take their time,
 * or are lost. A fleet remembers what completed until the scheduler knows it.
 */
public final class UnreliableFleet implements FleetLink {

  private final FaultSettings faults;
  private final EventQueue queue;
  private final Scheduler.Builder builder;
  private final Consumer<String> failHost;
  private final Chance chance;
  private final ReportChannel channel;
  private final HostDrift drift;
  private final InstanceReports reports;
  private final HostReports hostReports;
  private final FleetActions actions;
  private final FleetReconciler reconciler;
  private final long until; // end of the faults
  private final Map<String, ServiceClass> classes;

  private final Map<String, TrueHost> hosts = new LinkedHashMap<>(); // up
  private final Map<String, TrueInstance> instances = new LinkedHashMap<>(); // not ended
  private final Set<ActionId> undone = new HashSet<>(); // of the latest plan
  private Scheduler scheduler;
  private boolean restarts;
  private boolean silent; // hosts vanish without a report
  private long incarnations;
  private long nextPassFrom = Long.MIN_VALUE;

  private long staleOfHosts;
  private long refused;
  private long impossible;
  private long actionsUndone;
  private long failedStarts;
  private long restarted;

  public UnreliableFleet(
      FaultSettings faults,
      EventQueue queue,
      SimulationSettings settings,
      Scheduler.Builder builder,
      Scheduler scheduler,
      BiConsumer<Execution, InstanceReport> onCompletion,
      Consumer<String> failHost,
      Consumer<Execution> onResize) {
    this.faults = faults;
    this.queue = queue;
    this.builder = builder;
    this.scheduler = scheduler;
    this.failHost = failHost;
    this.chance = new Chance(settings.seed());
    this.until = faults.until().isZero() ? EventQueue.NEVER : faults.until().toNanos();
    this.channel = new ReportChannel(queue, faults, chance, until);
    this.reports = new InstanceReports(channel, instances, onCompletion);
    this.hostReports = new HostReports(this::losesHost);
    this.actions = new FleetActions(hosts, instances);
    this.reconciler =
        new FleetReconciler(hosts, instances, hostReports, reports::acknowledged, onResize);
    this.restarts = !faults.restartEvery().isZero();
    this.classes =
        scheduler.serviceClasses().stream()
            .collect(Collectors.toMap(ServiceClass::name, each -> each));
    Set<String> lasting =
        settings.infrastructure().hosts().stream().map(HostSpec::id).collect(Collectors.toSet());
    this.drift = new HostDrift(queue, faults, chance, lasting, until, this);
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  // ---- The truth

  @Override
  public Optional<Host> host(String id) {
    return Optional.ofNullable(hosts.get(id));
  }

  @Override
  public Resources granted(Execution execution) {
    return instance(execution).granted();
  }

  @Override
  public @Nullable Host failing(String id) {
    drift.lost(id);
    return hosts.get(id);
  }

  private TrueInstance instance(Execution execution) {
    return Objects.requireNonNull(instances.get(execution.id()), execution.id());
  }

  // ---- Actions

  @Override
  public boolean accepts(Plan plan, int index, long now) {
    Action action = plan.actions().get(index);
    if (index == 0) {
      undone.clear();
    }
    if (undone.contains(plan.id(index))) {
      return false;
    }
    touch(action);
    FleetActions.Answer answer = actions.answer(action);
    if (answer == FleetActions.Answer.CANNOT || isRefused(plan, index, now)) {
      refuse(plan.id(index), answer != FleetActions.Answer.CANNOT, now);
      return false;
    }
    if (answer == FleetActions.Answer.NOTHING_TO_DO) {
      return false;
    }
    actions.carryOut(action, now);
    if (action instanceof Action.Release release) {
      hostReports.released(release.host());
      drift.lost(release.host());
    }
    return true;
  }

  private void touch(Action action) {
    if (action instanceof Action.OnInstance onInstance) {
      reports.overtaken(actions.instance(onInstance.instance()));
    } else if (action instanceof Action.Cancel cancel) {
      cancel.instances().forEach(each -> reports.overtaken(actions.instance(each)));
    }
  }

  /** Returns whether the fleet refuses an action for no reason. */
  private boolean isRefused(Plan plan, int index, long now) {
    Action action = plan.actions().get(index);
    boolean always =
        action instanceof Action.Assign
            || action instanceof Action.Cancel
            || action instanceof Action.Reject;
    return !always
        && now < until
        && chance.happens(faults.refused(), plan.pass(), Integer.toString(index), "refusal");
  }

  private void refuse(ActionId action, boolean isPossible, long now) {
    refused++;
    impossible += isPossible ? 0 : 1;
    nextPassFrom = EventQueue.later(now, faults.retryAfter().toNanos());
    String why = isPossible ? "the fleet refused it" : "the fleet cannot carry it out";
    Rejection rejection = scheduler.rejected(action, why, now);
    for (Rejection.Undone each : rejection.undone()) {
      if (each.id().pass() != rejection.action().pass()
          || each.id().index() < rejection.action().index()) {
        throw new IllegalStateException(
            "%s is undone for %s, but it was carried out before."
                .formatted(each.id(), rejection.action()));
      }
      undone.add(each.id());
      touch(each.action());
      actionsUndone++;
    }
  }

  @Override
  public InstanceReport ended(Execution execution, InstanceReport theirs, long now) {
    TrueInstance instance = instance(execution);
    reports.checkService(instance, theirs.serviceTime(), now, now);
    return execution.report(theirs.serviceClass(), now);
  }

  @Override
  public void forgotten(Execution execution) {
    TrueInstance instance = instance(execution);
    instance.stops(InstanceState.DONE, instance.stateSince());
    instances.remove(execution.id());
    reports.forget(instance);
  }

  @Override
  public long nextPassFrom() {
    return nextPassFrom;
  }

  // ---- Reports about instances

  @Override
  public void admitted(Execution execution) {
    ServiceClass its = Objects.requireNonNull(classes.get(execution.request().serviceClass()));
    instances.put(execution.id(), new TrueInstance(execution, its));
  }

  @Override
  public boolean becomesReady(Execution execution, long now) {
    TrueInstance instance = instance(execution);
    String host = execution.host();
    long period = now / faults.badFor().toNanos();
    boolean fails =
        now < until
            && (chance.happens(faults.failedStarts(), instance.starts(), execution.id(), "start")
                || chance.happens(faults.badHosts(), period, host, "bad host"));
    failedStarts += fails ? 1 : 0;
    return !fails;
  }

  @Override
  public void started(Execution execution, long now) {
    TrueInstance instance = instance(execution);
    instance.enter(InstanceState.RUNNING, now);
    Attempt attempt = new Attempt(execution.id(), instance.attempt());
    reports.send(instance, later -> scheduler.started(attempt, now, later), now);
  }

  @Override
  public void failed(Execution execution, long now) {
    TrueInstance instance = instance(execution);
    instance.stops(InstanceState.PENDING, now);
    Attempt attempt = new Attempt(execution.id(), instance.attempt());
    reports.send(instance, later -> scheduler.failed(attempt, now, later), now);
  }

  @Override
  public void completed(Execution execution, Optional<Duration> cpuTime, long now) {
    TrueInstance instance = instance(execution);
    execution.finished(now);
    instance.completes(cpuTime, now);
    reports.send(
        instance,
        later ->
            reports.acknowledged(
                instance, FleetReconciler.complete(scheduler, instance, later), later),
        now);
  }

  @Override
  public void usageReported(Execution execution, Resources used, Resources shortfall, long now) {
    boolean isKnown =
        scheduler.instance(execution.id()).filter(each -> each.state().isOnHost()).isPresent();
    if (!channel.losesMeasurement(now) && isKnown) {
      scheduler.usageReported(execution.id(), used, shortfall, now);
    }
  }

  // ---- Reports about hosts

  @Override
  public void hostUp(HostSpec spec, long now) {
    actions.startEnded(spec.id());
    if (!hosts.containsKey(spec.id())) {
      incarnations++;
      TrueHost host = new TrueHost(spec, incarnations);
      hosts.put(spec.id(), host);
      changed(host, now);
    }
  }

  @Override
  public void hostTainted(String id, List<Taint> taints, long now) {
    drift.tainted(id, taints);
    TrueHost host = hosts.get(id);
    if (host != null) {
      host.becomes(HostSchedule.withTaints(host.spec(), taints));
      changed(host, now);
    }
  }

  @Override
  public void hostGone(String id, long now) {
    actions.startEnded(id);
    TrueHost host = hosts.remove(id);
    List<TrueInstance> lost = host == null ? List.of() : host.residents();
    for (TrueInstance each : lost) {
      reports.concerns(each);
      each.stops(InstanceState.PENDING, now);
    }
    HostReports.Arrival arrival = hostReports.gone(id, now);
    if (silent || send(arrival, now) != ReportChannel.Fate.ARRIVED) {
      lost.forEach(TrueInstance::notOnTime);
    }
  }

  private ReportChannel.Fate send(HostReports.Arrival arrival, long now) {
    return channel.send(
        later -> {
          if (!arrival.at(scheduler, later)) {
            staleOfHosts++;
          }
        },
        now);
  }

  /** Called when an instance loses its host in the eyes of the scheduler. */
  private void losesHost(Instance believed, boolean atOnce) {
    TrueInstance instance = instances.get(believed.id());
    if (instance != null) {
      reports.overtaken(instance);
      if (!atOnce) {
        instance.notOnTime();
      }
    }
  }

  @Override
  public void loadReported(String host, double average, long now) {
    if (!channel.losesMeasurement(now) && scheduler.host(host).isPresent()) {
      scheduler.loadReported(host, average, now);
    }
  }

  /** Returns the hosts that are up, in order of joining. */
  List<TrueHost> hosts() {
    return List.copyOf(hosts.values());
  }

  /** Reports a host that has changed. */
  void changed(TrueHost host, long now) {
    send(hostReports.up(host), now);
  }

  /** Lets a host go without a report. */
  void vanish(String host) {
    silent = true;
    failHost.accept(host);
    silent = false;
  }

  // ---- Time

  @Override
  public void begin(long now) {
    for (Host each : scheduler.hosts()) {
      incarnations++;
      TrueHost host = new TrueHost(DirectLink.described(each), incarnations);
      hosts.put(each.id(), host);
      hostReports.given(host);
    }
    drift.expectNext(now);
    expectRestart(now);
    expectReconciliation(now);
  }

  private void expectRestart(long now) {
    long at = EventQueue.later(now, faults.restartEvery().toNanos());
    if (restarts && at < until) {
      queue.add(at, Kind.FAULT, () -> restart(at));
    }
  }

  /** Replaces the scheduler by one that is restored from its snapshot, if its policy allows it. */
  private void restart(long now) {
    try {
      SchedulerSnapshot snapshot = scheduler.snapshot();
      scheduler = builder.restore(snapshot).build();
      restarted++;
    } catch (SnapshotException notSaid) {
      restarts = false; // the policy does not say what it keeps
    }
    expectRestart(now);
  }

  private void expectReconciliation(long now) {
    long at = EventQueue.later(now, faults.reconcileEvery().toNanos());
    queue.add(
        at,
        Kind.FAULT,
        () -> {
          reconcile(at);
          expectReconciliation(at);
        });
  }

  private void reconcile(long now) {
    instances.values().forEach(reports::concerns);
    reconciler.reconcile(scheduler, now);
  }

  @Override
  public void instantEnds(long now) {
    reports.compareBeliefs(scheduler, now);
  }

  @Override
  public void end(long now) {
    reconcile(now);
    instantEnds(now);
  }

  @Override
  public Optional<FaultCounts> counts() {
    return Optional.of(
        new FaultCounts(
            channel.reports,
            channel.lost,
            channel.doubled,
            channel.delayed,
            reports.stale + staleOfHosts,
            refused,
            impossible,
            actionsUndone,
            failedStarts,
            drift.count,
            reconciler.reconciliations,
            reconciler.differences,
            restarted,
            Duration.ofNanos(reports.misjudged)));
  }
}
