package dev.berth.simulator.internal.execution;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.simulator.execution.ExecutionModel;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.execution.TransferCost;
import dev.berth.simulator.internal.EventQueue;
import dev.berth.simulator.internal.EventQueue.Kind;
import dev.berth.simulator.internal.SimulationSettings;
import dev.berth.simulator.workload.ActualBehaviour;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs the instances on the hosts: carries out actions, makes instances ready, lets them work at
 * their speed, and reports their usage.
 *
 * <p>Every instance has at most one future event: it becomes ready, or reaches the next point of
 * its work at which something changes.
 */
public final class ExecutionEngine {

  /** Hears what happens to instances without an action of a plan. */
  public interface Watcher {

    /** An instance is ready on its host. */
    void ready(String instance, long now);

    /** An instance lost its host. */
    void lost(String instance, long now);
  }

  private final EventQueue queue;
  private final FleetLink link;
  private final ExecutionModel model;
  private final Overheads overheads;
  private final TransferCost migrationCost;
  private final TransferCost resumeCost;
  private final long usageReportInterval; // 0: never
  private final long seed;
  private final LoadReporter loadReporter;
  private final boolean tracksHosts; // any change on a host matters
  private final Function<String, Execution> executions;
  private final Consumer<Execution> onCompletion;
  private final Watcher watcher;
  private final Map<String, Execution> measured = new TreeMap<>(); // running, with memory need
  private final Set<String> changedHosts = new LinkedHashSet<>(); // at this instant

  /** Instances that migrate and are not ready at their target, by their source. */
  private final Map<String, Set<Execution>> leaving = new HashMap<>(); // never iterated

  private final Map<String, String> sources = new HashMap<>(); // of those, by instance id
  private EventQueue.@Nullable Event nextReport; // while any instance is measured

  /**
   * Creates an engine without instances.
   *
   * @param executions finds a live instance by its id
   * @param onCompletion called when an instance has done its work
   * @param watcher hears of it
   */
  public ExecutionEngine(
      EventQueue queue,
      FleetLink link,
      SimulationSettings settings,
      Function<String, Execution> executions,
      Consumer<Execution> onCompletion,
      Watcher watcher) {
    this.queue = queue;
    this.link = link;
    this.model = settings.executionModel();
    this.overheads = settings.overheads();
    this.migrationCost = settings.migrationCost();
    this.resumeCost = settings.resumeCost();
    this.usageReportInterval = settings.usageReportInterval();
    this.seed = settings.seed();
    this.loadReporter = new LoadReporter(queue, link, settings);
    this.tracksHosts =
        model.dependsOnOthers()
            || settings.infrastructure().hosts().stream().anyMatch(HostSpec::timeShared);
    this.executions = executions;
    this.onCompletion = onCompletion;
    this.watcher = watcher;
  }

  // ---- Actions

  /** Puts an instance on a host. {@link #prepare} must follow. */
  public void place(Execution execution, Action.Place place, long now) {
    execution.placed(place.host(), now);
    execution.replaces(!place.victims().isEmpty());
    markChanged(execution.host());
  }

  /** Starts a placed instance, once all instances that start together are on their hosts. */
  public void prepare(Execution execution, long now) {
    int others = overheads.crowding().isZero() ? 0 : othersThatStart(execution.host());
    boolean hot = execution.wasReadyOn(execution.host());
    long overhead = overheads.draw(seed, execution.id(), execution.placements(), hot, others);
    execution.starts(overhead);
    long termination = execution.replacesVictims() ? overheads.termination().toNanos() : 0;
    startGettingReady(execution, overhead + termination, now);
  }

  private int othersThatStart(String host) {
    int others = -1;
    for (Instance each : host(host).instances()) {
      others += each.state() == InstanceState.STARTING ? 1 : 0;
    }
    return others;
  }

  /**
   * Returns the instances that migrate away from a host and are not ready at their target, in the
   * order of their migrations. A copy.
   */
  public List<Execution> leaving(String host) {
    return List.copyOf(leaving.getOrDefault(host, Set.of()));
  }

  /** Returns the time at which a migrating instance becomes ready. */
  public long readyAt(Execution execution) {
    return execution.expectedAt();
  }

  private void beginMigration(Execution execution, String host) {
    sources.put(execution.id(), host);
    leaving.computeIfAbsent(host, each -> new LinkedHashSet<>()).add(execution);
  }

  private void endMigration(Execution execution) {
    String host = sources.isEmpty() ? null : sources.remove(execution.id());
    if (host != null) {
      leaving.computeIfPresent(
          host, (id, all) -> all.remove(execution) && all.isEmpty() ? null : all);
    }
  }

  /** Stops the load reports of a host that failed or was released. */
  public void forgetHost(String host) {
    loadReporter.forget(host);
  }

  /** Carries out an action on an instance that has a host. */
  public void carryOut(Execution execution, Action action, long now) {
    markChanged(execution.host());
    if (action instanceof Action.Preempt) {
      cancelEvents(execution);
      execution.stopped(now, true);
    } else if (action instanceof Action.Evict) {
      cancelEvents(execution);
      execution.evicted(now);
    } else if (action instanceof Action.Resize) {
      resized(execution, now);
    } else if (action instanceof Action.Pause || action instanceof Action.Suspend) {
      cancelEvents(execution);
      execution.halted(now, action instanceof Action.Suspend);
    } else if (action instanceof Action.Resume resume) {
      long bytes = execution.memoryUsed(resume.grant(), now);
      startGettingReady(execution, execution.resumed() ? resumeCost.nanosFor(bytes) : 0, now);
    } else if (action instanceof Action.Migrate migrate) {
      cancelEvents(execution);
      beginMigration(execution, execution.host());
      execution.migrated(migrate.host(), now);
      markChanged(execution.host());
      startGettingReady(
          execution, migrationCost.nanosFor(execution.memoryUsed(migrate.grant(), now)), now);
    } else {
      throw new IllegalStateException("the simulator cannot carry out %s.".formatted(action));
    }
  }

  /** Lets an instance go on with another grant. */
  public void resized(Execution execution, long now) {
    if (execution.isRunning()) {
      workOn(execution, now, false);
    }
  }

  /** Removes an instance from a host that fails. */
  public void lose(Execution execution, long now) {
    cancelEvents(execution);
    execution.stopped(now, false);
    watcher.lost(execution.id(), now);
  }

  /** Removes an instance that the scheduler gave up, from its host if it has one. */
  public void drop(Execution execution, long now) {
    cancelEvents(execution);
    if (execution.isOnHost()) {
      markChanged(execution.host());
      execution.stopped(now, false);
      watcher.lost(execution.id(), now);
    }
  }

  private void startGettingReady(Execution execution, long delay, long now) {
    expect(execution, Kind.READY, EventQueue.later(now, delay), this::ready);
  }

  private void expect(Execution execution, Kind kind, long at, Handler handler) {
    execution.expect(
        queue.add(
            at,
            kind,
            () -> {
              execution.expectNothing(); // it happens now and cannot be cancelled
              handler.handle(execution, at);
            }));
  }

  private interface Handler {
    void handle(Execution execution, long now);
  }

  private void ready(Execution execution, long now) {
    endMigration(execution);
    if (!link.becomesReady(execution, now)) {
      drop(execution, now);
      link.failed(execution, now);
      return;
    }
    link.started(execution, now);
    execution.ready(now);
    watcher.ready(execution.id(), now);
    if (usageReportInterval > 0 && execution.behaviour().memory().isPresent()) {
      measured.put(execution.id(), execution);
      expectReport(now);
    }
    markChanged(execution.host());
    workOn(execution, now, true);
  }

  private void cancelEvents(Execution execution) {
    endMigration(execution);
    queue.cancel(execution.expectNothing());
    if (measured.remove(execution.id()) != null && measured.isEmpty()) {
      queue.cancel(nextReport); // an empty report would only prolong the run
      nextReport = null;
    }
  }

  // ---- Work

  /**
   * Asks the model for the speed of an instance from now on.
   *
   * @param always whether to schedule its next event even if the speed is the same
   */
  private void workOn(Execution execution, long now, boolean always) {
    Working work = new Working(execution, now);
    if (!execution.setSlowdown(model.slowdown(work), now) && !always) {
      return;
    }
    queue.cancel(execution.expectNothing());
    long at = EventQueue.later(now, execution.untilNext(now));
    if (execution.nextIsCompletion(now)) {
      expect(execution, Kind.COMPLETION, at, this::complete);
    } else {
      expect(execution, Kind.NEED, at, (same, then) -> workOn(same, then, true));
    }
  }

  private void complete(Execution execution, long now) {
    markChanged(execution.host());
    cancelEvents(execution);
    onCompletion.accept(execution);
  }

  /** Returns the CPU time of its work on its present host: the time the work takes alone. */
  public Duration cpuTime(Execution execution, long now) {
    Working work = new Working(execution, now);
    return Duration.ofNanos(model.alone(work).timeFor(execution.workHere(now)));
  }

  private void markChanged(String host) {
    if (tracksHosts) {
      changedHosts.add(host);
    }
  }

  /** Updates the speeds of all instances on hosts that changed at this instant. */
  public void updateSpeeds(long now) {
    for (String each : changedHosts) {
      link.host(each).ifPresent(host -> updateSpeeds(host, now)); // a failed host is gone
    }
    changedHosts.clear();
  }

  private void updateSpeeds(Host host, long now) {
    loadReporter.hostChanged(host, now);
    if (!model.dependsOnOthers()) {
      return;
    }
    for (Instance each : host.instances()) {
      if (each.state() == InstanceState.RUNNING) {
        workOn(executions.apply(each.id()), now, false);
      }
    }
  }

  /** Looks up each value only on demand: most models need few. */
  private final class Working implements ExecutionModel.Work {

    private final Execution execution;
    private final long now;

    Working(Execution execution, long now) {
      this.execution = execution;
      this.now = now;
    }

    @Override
    public Request request() {
      return execution.request();
    }

    @Override
    public ActualBehaviour behaviour() {
      return execution.behaviour();
    }

    @Override
    public long memoryNeed() {
      return execution.memoryNeed(now);
    }

    @Override
    public Resources granted() {
      return link.granted(execution);
    }

    @Override
    public Host host() {
      return ExecutionEngine.this.host(execution.host());
    }
  }

  // ---- Usage reports

  private void expectReport(long now) {
    if (nextReport == null) {
      long at = EventQueue.later(now, usageReportInterval - now % usageReportInterval);
      nextReport = queue.add(at, Kind.REPORT, () -> report(at));
    }
  }

  private void report(long now) {
    nextReport = null;
    for (Execution each : measured.values()) {
      long need = each.memoryNeed(now);
      long used = Math.min(need, link.granted(each).amount(Dimension.MEMORY));
      link.usageReported(
          each,
          Resources.of(Dimension.MEMORY, used),
          Resources.of(Dimension.MEMORY, need - used),
          now);
    }
    expectReport(now); // a report changes no instance
  }

  // ---- Looking up

  private Host host(String id) {
    return link.host(id)
        .orElseThrow(() -> new IllegalStateException("host %s is gone.".formatted(id)));
  }
}
