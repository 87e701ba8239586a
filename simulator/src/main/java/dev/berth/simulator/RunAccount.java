package dev.berth.simulator;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.core.Scheduler;
import dev.berth.simulator.internal.SimulationSettings;
import dev.berth.simulator.internal.execution.Execution;
import dev.berth.simulator.internal.execution.GroupRun;
import dev.berth.simulator.result.Adjustments;
import dev.berth.simulator.result.FaultCounts;
import dev.berth.simulator.result.InvalidActions;
import dev.berth.simulator.result.PoolUsage;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The account of one run: the live requests, the number of decisions, and the figures of each
 * service class. Memory use tracks live requests.
 */
final class RunAccount {

  private final Listeners listeners;
  private final long meanStart; // of requests that are never placed, nanoseconds
  private final Map<String, Execution> live = new HashMap<>(); // by id; never iterated
  private final Map<String, List<Execution>> dependents = new HashMap<>(); // by what they wait for
  private final Map<String, ClassAccount> classes = new LinkedHashMap<>(); // most important first
  private final Map<Class<?>, Long> decisions = new HashMap<>(); // number of actions, by kind
  private Optional<InvalidActions.First> firstInvalid = Optional.empty();
  private long invalid;
  private long admitted;
  private long completed;
  private long refused;
  private long cancelled;
  private long admittedAtEnd;

  RunAccount(
      Collection<ServiceClass> serviceClasses, SimulationSettings settings, Listeners listeners) {
    this.listeners = listeners;
    this.meanStart = settings.overheads().meanCold().toNanos();
    for (ServiceClass each : serviceClasses) {
      classes.put(each.name(), new ClassAccount(each, settings.penalties()));
    }
  }

  // ---- Live requests

  Execution admit(Arrival arrival, @Nullable GroupRun group) {
    Execution execution = new Execution(arrival, admitted, group);
    live.put(execution.id(), execution);
    for (String each : execution.request().after()) {
      dependents.computeIfAbsent(each, id -> new ArrayList<>()).add(execution);
    }
    admitted++;
    return execution;
  }

  /** Returns the number of requests admitted so far. */
  long admitted() {
    return admitted;
  }

  boolean isLive(String id) {
    return live.containsKey(id);
  }

  boolean hasLive() {
    return !live.isEmpty();
  }

  /** Returns a live request. */
  Execution execution(String id) {
    Execution execution = live.get(id);
    checkState(execution != null, "the scheduler acts on instance %s, which is not live.", id);
    return execution;
  }

  // ---- Decisions

  void passed(Plan plan) {
    invalid += plan.policyErrors().size();
    firstInvalid =
        firstInvalid.or(
            () ->
                plan.policyErrors().stream()
                    .findFirst()
                    .map(
                        each ->
                            new InvalidActions.First(
                                plan.pass(), each.subject(), each.why().describe())));
  }

  void decided(Action action) {
    decisions.merge(action.getClass(), 1L, Long::sum);
  }

  private long decided(Class<? extends Action> kind) {
    return decisions.getOrDefault(kind, 0L);
  }

  // ---- Ends

  void completed(Execution execution, InstanceReport report, long now) {
    live.remove(execution.id());
    List<Execution> waiting = dependents.remove(execution.id());
    if (waiting != null) {
      waiting.forEach(each -> each.mayStart(now));
    }
    completed++;
    ended(execution, report, RequestOutcome.End.COMPLETED);
  }

  void cancelled(Execution execution, InstanceReport report) {
    live.remove(execution.id());
    cancelled++;
    ended(execution, report, RequestOutcome.End.CANCELLED);
  }

  void stopped(Execution execution, InstanceReport report) {
    live.remove(execution.id());
    cancelled++;
    ended(execution, report, RequestOutcome.End.STOPPED);
  }

  void refused(Execution execution, long now) {
    live.remove(execution.id());
    refused++;
    long admittedAt = execution.admittedAt();
    ServiceClass serviceClass = account(execution.request().serviceClass()).serviceClass();
    InstanceReport report =
        new InstanceReport(
            execution.id(), serviceClass, admittedAt, now, 0, now - admittedAt, 0, 0, 0);
    ended(execution, report, RequestOutcome.End.REFUSED);
  }

  /** Accounts for a request that is still live at the end. */
  void unfinished(InstanceReport report) {
    ended(execution(report.id()), report, RequestOutcome.End.UNFINISHED);
  }

  private void ended(Execution execution, InstanceReport report, RequestOutcome.End end) {
    execution.check(report);
    RequestOutcome outcome = execution.outcome(end, report, meanStart);
    if (report.availability().isEmpty()) {
      admittedAtEnd++;
    } else {
      account(report.serviceClass().name())
          .add(outcome, execution.lostWork(report.endedAt()), execution.lostService());
    }
    listeners.each(listener -> listener.requestEnded(outcome));
  }

  private ClassAccount account(String serviceClass) {
    return Objects.requireNonNull(classes.get(serviceClass), serviceClass);
  }

  /** Returns the result of the run, once all requests are accounted for. */
  RunResult result(
      SimulationSettings settings,
      Scheduler scheduler,
      long now,
      long passes,
      PoolUsage pools,
      Optional<FaultCounts> faults) {
    return new RunResult(
        scheduler.policyId(),
        scheduler.policyConfig(),
        scheduler.watchdog(),
        settings.workload().name(),
        settings.infrastructure().name(),
        settings.seed(),
        Duration.ofNanos(now),
        admitted,
        completed,
        live.size(),
        refused,
        cancelled,
        admittedAtEnd,
        passes,
        decided(Action.Place.class),
        decided(Action.Preempt.class),
        new Adjustments(
            decided(Action.Resize.class),
            decided(Action.Pause.class),
            decided(Action.Suspend.class),
            decided(Action.Resume.class),
            decided(Action.Migrate.class)),
        new InvalidActions(invalid, firstInvalid),
        pools,
        faults,
        classes.values().stream().map(ClassAccount::result).toList());
  }
}
