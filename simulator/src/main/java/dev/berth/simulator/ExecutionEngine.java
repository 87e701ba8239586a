package dev.berth.simulator;

import dev.berth.api.Action;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.Scheduler;
import dev.berth.simulator.EventQueue.Kind;
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
 * The hosts at work: carries out what plans say, lets instances get ready and work at the speed
 * they have, and reports what they use.
 *
 * <p>Every instance has at most one event to come: getting ready, or the next point of its work at
 * which something changes.
 */
final class ExecutionEngine {

  private final EventQueue queue;
  private final Scheduler scheduler;
  private final ExecutionModel model;
  private final Overheads overheads;
  private final TransferCost migrationCost;
  private final TransferCost resumeCost;
  private final long reportEvery; // 0: never
  private final long seed;
  private final LoadReporter loads;
  private final boolean looksAtHosts; // as a whole, when something changes on them
  private final Function<String, Execution> executions;
  private final Consumer<Execution> completes;
  private final Map<String, Execution> measured = new TreeMap<>(); // running, needing memory
  private final Set<String> touched = new LinkedHashSet<>(); // at this instant

  /** Who was migrated off a host and is not ready where it goes; by that host. */
  private final Map<String, Set<Execution>> leaving = new HashMap<>(); // never iterated

  private final Map<String, String> leaves = new HashMap<>(); // the same, by id of the instance
  private EventQueue.@Nullable Event nextReport; // while somebody is measured

  /**
   * Makes one, without instances.
   *
   * @param executions finds a live one by its id
   * @param completes is told when one has done its work
   */
  ExecutionEngine(
      EventQueue queue,
      Scheduler scheduler,
      SimulationSettings settings,
      Function<String, Execution> executions,
      Consumer<Execution> completes) {
    this.queue = queue;
    this.scheduler = scheduler;
    this.model = settings.executionModel();
    this.overheads = settings.overheads();
    this.migrationCost = settings.migrationCost();
    this.resumeCost = settings.resumeCost();
    this.reportEvery = settings.usageReportInterval();
    this.seed = settings.seed();
    this.loads = new LoadReporter(queue, scheduler, settings);
    this.looksAtHosts =
        model.dependsOnOthers() || settings.infrastructure().hosts().stream().anyMatch(HostSpec::timeShared);
    this.executions = executions;
    this.completes = completes;
  }

  // ---- Actions

  /** Brings an instance to a host; {@link #prepare} says when it will be ready. */
  void place(Execution execution, Action.Place place, long now) {
    execution.placed(place.host(), now);
    touch(execution.host());
  }

  /** Begins to prepare who was placed, when all who start together are there. */
  void prepare(Execution execution, long now) {
    int others = overheads.crowding().isZero() ? 0 : othersThatStart(execution.host());
    boolean hot = execution.wasReadyOn(execution.host());
    getReady(
        execution, overheads.draw(seed, execution.id(), execution.placements(), hot, others), now);
  }

  private int othersThatStart(String host) {
    int others = -1;
    for (Instance each : host(host).instances()) {
      others += each.state() == InstanceState.STARTING ? 1 : 0;
    }
    return others;
  }

  /**
   * Returns who is on the way from a host to another, in the order in which they were migrated; a
   * copy.
   */
  List<Execution> leaving(String host) {
    return List.copyOf(leaving.getOrDefault(host, Set.of()));
  }

  /** Returns when somebody who is on the way is expected to be ready. */
  long readyAt(Execution execution) {
    return execution.expectedAt();
  }

  private void leaves(Execution execution, String host) {
    leaves.put(execution.id(), host);
    leaving.computeIfAbsent(host, each -> new LinkedHashSet<>()).add(execution);
  }

  private void hasLeft(Execution execution) {
    String host = leaves.isEmpty() ? null : leaves.remove(execution.id());
    if (host != null) {
      leaving.computeIfPresent(
          host, (id, those) -> those.remove(execution) && those.isEmpty() ? null : those);
    }
  }

  /** A host is gone, or given back: nothing is measured there. */
  void forgetHost(String host) {
    loads.forget(host);
  }

  /** Carries out an action on an instance that is on a host. */
  void carryOut(Execution execution, Action action, long now) {
    touch(execution.host());
    if (action instanceof Action.Preempt) {
      nothingIsExpected(execution);
      execution.stopped(now, true);
    } else if (action instanceof Action.Resize) {
      if (execution.isRunning()) {
        workOn(execution, now, false);
      }
    } else if (action instanceof Action.Pause || action instanceof Action.Suspend) {
      nothingIsExpected(execution);
      execution.halted(now, action instanceof Action.Suspend);
    } else if (action instanceof Action.Resume resume) {
      long bytes = execution.memoryUsed(resume.grant(), now);
      getReady(execution, execution.resumed() ? resumeCost.nanosFor(bytes) : 0, now);
    } else if (action instanceof Action.Migrate migrate) {
      nothingIsExpected(execution);
      leaves(execution, execution.host());
      execution.migrated(migrate.host(), now);
      touch(execution.host());
      getReady(execution, migrationCost.nanosFor(execution.memoryUsed(migrate.grant(), now)), now);
    } else {
      throw new IllegalStateException("the simulator cannot carry out %s.".formatted(action));
    }
  }

  /** Takes an instance off a host that fails. */
  void lose(Execution execution, long now) {
    nothingIsExpected(execution);
    execution.stopped(now, false);
  }

  /** Takes an instance away that is done, or that its scheduler gave up. */
  void drop(Execution execution, long now) {
    nothingIsExpected(execution);
    if (execution.isOnHost()) {
      touch(execution.host());
      execution.stopped(now, false);
    }
  }

  private void getReady(Execution execution, long delay, long now) {
    expect(execution, Kind.READY, later(now, delay), this::ready);
  }

  private void expect(Execution execution, Kind kind, long at, Happening happening) {
    execution.expect(
        queue.add(
            at,
            kind,
            () -> {
              execution.expectNothing(); // it happens, so it is not to be cancelled
              happening.happens(execution, at);
            }));
  }

  private interface Happening {
    void happens(Execution execution, long now);
  }

  private void ready(Execution execution, long now) {
    hasLeft(execution);
    scheduler.started(execution.id(), now);
    execution.ready(now);
    if (reportEvery > 0 && execution.behaviour().memory().isPresent()) {
      measured.put(execution.id(), execution);
      expectReport(now);
    }
    touch(execution.host());
    workOn(execution, now, true);
  }

  private void nothingIsExpected(Execution execution) {
    hasLeft(execution);
    EventQueue.Event voided = execution.expectNothing();
    if (voided != null) {
      queue.cancel(voided);
    }
    if (measured.remove(execution.id()) != null && measured.isEmpty() && nextReport != null) {
      queue.cancel(nextReport); // with nothing to tell, it would only lengthen the run
      nextReport = null;
    }
  }

  // ---- Work

  /**
   * Asks the model how fast an instance works from now on.
   *
   * @param anew whether what happens to it next is to be found out anew in any case
   */
  private void workOn(Execution execution, long now, boolean anew) {
    Working work = new Working(execution, now);
    if (!execution.workOn(model.slowdown(work), now) && !anew) {
      return;
    }
    EventQueue.Event voided = execution.expectNothing();
    if (voided != null) {
      queue.cancel(voided);
    }
    long at = later(now, execution.untilNext(now));
    if (execution.nextIsCompletion(now)) {
      expect(execution, Kind.COMPLETION, at, this::complete);
    } else {
      expect(execution, Kind.NEED, at, (same, then) -> workOn(same, then, true));
    }
  }

  private void complete(Execution execution, long now) {
    touch(execution.host());
    nothingIsExpected(execution);
    completes.accept(execution);
  }

  /** Returns the CPU time that its work on the host where it is takes somebody who is alone. */
  Duration cpuTime(Execution execution, long now) {
    Working work = new Working(execution, now);
    return Duration.ofNanos(model.alone(work).timeFor(execution.workHere(now)));
  }

  private void touch(String host) {
    if (looksAtHosts) {
      touched.add(host);
    }
  }

  /** Lets those work at their new speed on whose hosts something has changed. */
  void updateSpeeds(long now) {
    for (String each : touched) {
      scheduler.host(each).ifPresent(host -> slowDownTogether(host, now)); // it may have failed
    }
    touched.clear();
  }

  private void slowDownTogether(Host host, long now) {
    loads.look(host, now);
    if (!model.dependsOnOthers()) {
      return;
    }
    for (Instance each : host.instances()) {
      if (each.state() == InstanceState.RUNNING) {
        workOn(executions.apply(each.id()), now, false);
      }
    }
  }

  /** Looks up what it is asked for, which is little for most. */
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
      return instance(execution).granted();
    }

    @Override
    public Host host() {
      return ExecutionEngine.this.host(execution.host());
    }
  }

  // ---- Reports of what is used

  private void expectReport(long now) {
    if (nextReport == null) {
      long at = later(now, reportEvery - now % reportEvery);
      nextReport = queue.add(at, Kind.REPORT, () -> report(at));
    }
  }

  private void report(long now) {
    nextReport = null;
    for (Execution each : measured.values()) {
      long need = each.memoryNeed(now);
      long used = Math.min(need, instance(each).granted().amount(Dimension.MEMORY));
      scheduler.usageReported(
          each.id(),
          Resources.of(Dimension.MEMORY, used),
          Resources.of(Dimension.MEMORY, need - used),
          now);
    }
    expectReport(now); // all who were measured still are
  }

  // ---- Looking up

  private Host host(String id) {
    return scheduler
        .host(id)
        .orElseThrow(() -> new IllegalStateException("host %s is gone.".formatted(id)));
  }

  private Instance instance(Execution execution) {
    return scheduler
        .instance(execution.id())
        .orElseThrow(
            () -> new IllegalStateException("instance %s is gone.".formatted(execution.id())));
  }

  /** Returns the time after a delay; one beyond all counting is never. */
  static long later(long now, long delay) {
    long time = now + delay;
    return time < 0 ? EventQueue.NEVER : time;
  }
}
