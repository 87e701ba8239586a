package dev.berth.core;

import dev.berth.api.Backoff;
import dev.berth.api.Bag;
import dev.berth.api.Difference;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.GroupStatus;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.Limit;
import dev.berth.api.Observation;
import dev.berth.api.Plan;
import dev.berth.api.Pool;
import dev.berth.api.Reconciler;
import dev.berth.api.Reconciliation;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import dev.berth.api.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyMemory;
import dev.berth.core.config.Durations;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.decision.DecisionListener;
import dev.berth.core.decision.DecisionLog;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.core.event.Event;
import dev.berth.core.explain.Explainer;
import dev.berth.core.internal.explain.EngineExplainer;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.state.ClassRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Corrections;
import dev.berth.core.internal.state.HostEvents;
import dev.berth.core.internal.state.Hypotheses;
import dev.berth.core.internal.state.Transitions;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of a cluster. The embedder reports events, asks for a plan, carries the plan out,
 * and reports the results as further events.
 *
 * <pre>{@code
 * Scheduler scheduler = Scheduler.builder().policy("qos-driven").serviceClasses(gold, bronze).build();
 * scheduler.addHost(new HostSpec("h1", Resources.of(CPU, 4_000_000_000L)), now);
 * scheduler.submit(Request.builder("r1", "gold").demand(Resources.of(CPU, 500_000_000)).build(), now);
 * Plan plan = scheduler.schedule(now); // place r1 on h1
 * scheduler.started("r1", later);
 * }</pre>
 *
 * <p><b>Time</b> is a parameter of every call, in nanoseconds since an epoch that the embedder
 * chooses. It never runs backwards. {@link TimeLimits} bound it: a scheduler lives for up to 36,500
 * days. The scheduler has no clock and no threads, and does no I/O: the same calls with the same
 * seed return the same plans everywhere.
 *
 * <p><b>Invalid events</b> (an unknown id, a repeated event, a wrong order, a time in the past or
 * outside the {@link TimeLimits}) are refused with an {@link EventRefusedException} and change
 * nothing.
 *
 * <p><b>Threads.</b> Not thread-safe: the embedder makes one call at a time. A call during a call
 * of another thread throws an {@link IllegalStateException} and changes nothing. A pass stops if
 * its thread is {@linkplain Thread#interrupt interrupted}.
 *
 * <p><b>Errors.</b> An error of the virtual machine, such as a {@link StackOverflowError} or an
 * {@link OutOfMemoryError}, may end a call in the middle of a change. If the scheduler cannot undo
 * it, it has failed: every later event, pass and {@linkplain Explainer#whyPending explanation of
 * waiting} throws a {@link SchedulerFailedException}. Queries still answer, but they may show an
 * incomplete change.
 *
 * <p><b>A plan counts as carried out</b> when it is returned:
 *
 * <ul>
 *   <li>Instances that the plan places, resumes or migrates are starting and hold their capacity.
 *   <li>Preempted instances are pending again. Paused, suspended and resized ones are in their new
 *       state.
 *   <li>Rejected and cancelled instances are forgotten.
 *   <li>Hosts to be provided are starting. Released hosts have left the cluster.
 * </ul>
 *
 * <p><b>Collections</b> that a scheduler, {@link Host}, {@link Pool} or {@link Bag} returns are
 * copies that cannot be modified. They list what was there at the call, so the embedder can report
 * events while it iterates over them. Their elements are live views.
 *
 * <p><b>Null arguments</b> throw a {@link NullPointerException} that names the parameter, and
 * change nothing.
 *
 * <p>If an action cannot be carried out, report {@link #rejected}. If it fails afterwards, report
 * {@link #failed} or {@link #removeHost}.
 */
public final class Scheduler extends EventCalls {

  private static final String NESTED =
      "a policy called its scheduler from within a pass. Maybe act on the pass instead.";

  private static final String BETWEEN_CALLS =
      "digests and snapshots are available only between the calls of a scheduler.";

  private static final String LISTENING =
      "a decision listener called its scheduler. Maybe report the event after the pass.";

  private static final EngineExplainer.Calls PREVIEWING =
      new EngineExplainer.Calls() {
        @Override
        public <T> T whileIdle(Supplier<T> explanation) {
          return explanation.get(); // the preview is the call
        }
      };

  private final ClusterState state;
  private final Transitions transitions;
  private final ClusterEvents events;
  private final HostEvents hostEvents;
  private final Corrections corrections;
  private final String policyId;
  private final String policyConfig;
  private final Optional<Duration> watchdog;
  private final int maxPlacements; // Integer.MAX_VALUE for no limit
  private final Optional<Backoff> hostBackoff;
  private final Optional<Backoff> instanceBackoff;
  private final RecordedDecisions log;
  private final PassTimer timer;
  private final @Nullable DecisionReport report; // null: there is no listener
  private final PassRunner runner;
  private final EventHandlers handlers;
  private final Snapshots snapshots;
  private final CallGuard calls = new CallGuard();
  private boolean unfinished; // whether a call is under way, or failed in the middle of a change
  private @Nullable Throwable failure; // of that call
  private long eventsRefused;
  private long staleReports;

  private Scheduler(Builder builder) {
    Restoration restoration = builder.snapshot == null ? null : Restoration.of(builder.snapshot);
    if (restoration != null) {
      restoration.requireMatch(builder.choice(), builder);
    }
    this.state =
        new ClusterState(
            builder.seed != null ? builder.seed : restoration == null ? 0 : restoration.seed(),
            builder.classes.isEmpty() && restoration != null
                ? restoration.serviceClasses()
                : builder.classes);
    this.transitions = new Transitions(state);
    this.events = new ClusterEvents(state, transitions);
    this.hostBackoff = Optional.ofNullable(builder.hostBackoff);
    this.instanceBackoff = Optional.ofNullable(builder.instanceBackoff);
    state.backoffs().set(builder.hostBackoff, builder.instanceBackoff);
    this.hostEvents = new HostEvents(state, events);
    this.corrections = new Corrections(state, events, hostEvents, transitions);
    PolicyChoice choice = builder.choice();
    this.policyId = choice.id();
    this.policyConfig = choice.config();
    Policy policy = choice.create(state);
    this.watchdog =
        builder.watchdog != null
            ? Optional.of(builder.watchdog)
            : restoration != null ? restoration.watchdog() : policy.watchdog();
    this.maxPlacements =
        builder.maxPlacements != null
            ? builder.maxPlacements
            : restoration != null ? restoration.maxPlacements() : Integer.MAX_VALUE;
    watchdog.ifPresent(longest -> requirePositive("policy " + policyId, longest));
    this.log = new RecordedDecisions(builder.decisionLog);
    this.report = builder.listener == null ? null : new DecisionReport(builder.listener, log);
    this.timer = new PassTimer(state, watchdog);
    this.runner =
        new PassRunner(
            state,
            transitions,
            policy,
            policyId,
            log,
            report,
            builder.topScores,
            maxPlacements,
            timer);
    this.handlers =
        new EventHandlers(state, events, hostEvents, transitions, timer, runner, log, report);
    this.snapshots =
        new Snapshots(
            state,
            policy,
            Snapshots.settings(
                choice, state.seed(), state.serviceClasses(), watchdog, maxPlacements),
            timer,
            runner);
    if (restoration != null) {
      snapshots.restore(restoration, transitions);
    }
  }

  /** Returns a builder of schedulers. */
  public static Builder builder() {
    return new Builder();
  }

  // ---- Events

  @Override
  public <R> R apply(Event<R> event, long now) {
    Objects.requireNonNull(event, "Scheduler.apply: event was null, must not be null.");
    Object answer;
    if (event instanceof Event.Reconciled seen) {
      GivenAnswers answers = new GivenAnswers(seen.adoptions(), seen.ended());
      answer = reconcile(seen.observed(), answers, now);
    } else {
      answer = recorded(event.kind(), () -> handlers.apply(event, now));
    }
    @SuppressWarnings("unchecked") // each handler gives the answer of its event
    R typed = (R) answer;
    return typed;
  }

  @Override
  Object added(Event<?> event, long now) {
    return recorded(event.kind(), () -> handlers.added(event, now));
  }

  /**
   * Compares what this scheduler believes with what a fleet reports there is, and corrects what
   * differs; see {@link Event.Reconciled}.
   *
   * @param observed all that the fleet has
   * @param reconciler decides on instances that only one of both knows
   * @return what differed, in the order in which it was corrected
   * @throws EventRefusedException if {@code now} is in the past, or an event that the observation
   *     requires would be refused; then nothing has changed
   */
  public Reconciliation reconcile(Observation observed, Reconciler reconciler, long now) {
    Objects.requireNonNull(observed, "Scheduler.reconcile: observed was null, must not be null.");
    Objects.requireNonNull(
        reconciler, "Scheduler.reconcile: reconciler was null, must not be null.");
    List<Corrections.Correction> found =
        recorded(
            Event.Kind.RECONCILED,
            () -> {
              List<Corrections.Correction> differing = corrections.of(observed, reconciler, now);
              events.advanceTo(now);
              return differing;
            });
    List<Difference> differences = new ArrayList<>();
    for (Corrections.Correction each : found) {
      recorded(Event.Kind.RECONCILED, () -> handlers.correct(each));
      differences.add(each.difference());
    }
    return new Reconciliation(differences);
  }

  // ---- Passes

  /**
   * Runs a pass of the policy, due or not.
   *
   * @return the actions to carry out, in order; possibly none
   * @throws EventRefusedException if {@code now} is in the past
   * @throws PolicyFailedException if the policy throws, or if the policy calls the pass while the
   *     thread is interrupted; then the cause is a {@link
   *     java.util.concurrent.CancellationException}, and the thread stays interrupted. Only the
   *     time has changed, and a pass that was due is still due
   */
  public Plan schedule(long now) {
    PassRecord recording = FlightRecords.beginPass();
    if (recording == null) {
      return pass(now);
    }
    Plan plan = null;
    try {
      plan = pass(now);
      return plan;
    } finally {
      recording.end(
          plan, timer.passes() + (plan == null ? 1 : 0), state.pendingCount(), state.hostCount());
    }
  }

  private Plan pass(long now) {
    return change(
        () -> {
          events.advanceTo(now);
          Runnable holdAgain = state.backoffs().end();
          boolean triggers = holdAgain != null && timer.trigger(Trigger.HELD_BACK_ENDED);
          try {
            return runner.run(now);
          } catch (Throwable failed) {
            boolean isUndone =
                !(failed instanceof VirtualMachineError
                    || failed instanceof SchedulerFailedException);
            if (isUndone && holdAgain != null) {
              holdAgain.run();
            }
            if (isUndone && triggers) {
              timer.withdraw(Trigger.HELD_BACK_ENDED);
            }
            throw failed;
          }
        });
  }

  /**
   * Returns when the next pass is due: {@link #now} if an event made one due. Otherwise the earlier
   * of {@link #nextTimerAt} and the watchdog, counted from the last pass, but not before {@link
   * #now}. Empty if only an event can make a pass due.
   */
  public OptionalLong nextPassAt() {
    calls.requireNoOther();
    return timer.nextPassAt();
  }

  /**
   * Returns the time of the next timer, apart from the watchdog: the time to live of a bag or of a
   * pool's host runs out, a host or instance is no longer held back, a drain reaches its deadline,
   * or the policy {@linkplain dev.berth.api.policy.SchedulingPass#wakeAt requested} a pass. Empty
   * if there is none. It is before {@link #now} if the pass is overdue.
   */
  public OptionalLong nextTimerAt() {
    calls.requireNoOther();
    return timer.nextTimerAt();
  }

  /**
   * Returns questions about the next pass, which suppose events that did not happen. They change
   * nothing but the time.
   */
  public WhatIf whatIf() {
    return new WhatIf(this);
  }

  /** Supposes events and a pass, asks about the state after it, and takes all back. */
  <T> T preview(
      List<Consumer<Hypotheses>> supposed,
      long now,
      OptionalInt most,
      Function<Preview, T> question) {
    return call(
        NESTED,
        () -> {
          PolicyMemory memory = snapshots.memory();
          events.advanceTo(now);
          Map<String, Object> remembered = memory.save();
          Hypotheses hypotheses = new Hypotheses(state, events, hostEvents, transitions);
          T answer;
          try {
            supposed.forEach(each -> each.accept(hypotheses));
            hypotheses.endBackoffs();
            answer = runner.preview(hypotheses.triggers(), most, question);
          } catch (Throwable thrown) {
            if (!(thrown instanceof VirtualMachineError
                || thrown instanceof SchedulerFailedException)) {
              hypotheses.undo();
              memory.restore(remembered);
            }
            throw thrown;
          }
          hypotheses.undo();
          memory.restore(remembered);
          return answer;
        });
  }

  /** Returns explanations during a preview, after its pass. */
  Explainer explainAfter(Plan plan) {
    return new EngineExplainer(state, () -> plan, Set.of(), log, PREVIEWING);
  }

  // ---- Snapshots

  /**
   * Returns a hash of all that decides further plans, reports and explanations of what waits: of
   * all that a {@linkplain #snapshot snapshot} contains. Two schedulers in the same state have the
   * same digest, on every machine and in whatever order they came to it; those in different states
   * have different ones, except with the probability of 64-bit hashes. It may change with the
   * version of Berth.
   *
   * <p>Cost O(what changed since the last digest), plus the size of the policy's memory, the bags
   * that ended since the latest pass and the deferrals of a new plan. The first digest costs O(all
   * instances and hosts); from then on the scheduler notes what changes.
   *
   * <p>The digest cannot see what a policy keeps from pass to pass unless it {@linkplain
   * Policy#memory says so}.
   *
   * @throws IllegalStateException if a policy or a listener calls this within a call
   * @throws SchedulerFailedException if an error has left a change incomplete
   */
  public long digest() {
    return call(BETWEEN_CALLS, snapshots::digest);
  }

  /**
   * Returns all that decides further plans, reports and explanations of what waits, as plain data;
   * {@link Builder#restore} makes a scheduler of it that continues like this one. Cost O(size of
   * the cluster).
   *
   * @throws SnapshotException if the policy does not {@linkplain Policy#memory say} what it keeps
   *     from pass to pass
   * @throws IllegalArgumentException if the memory of the policy is not plain data
   * @throws IllegalStateException if a policy or a listener calls this within a call
   * @throws SchedulerFailedException if an error has left a change incomplete
   */
  public SchedulerSnapshot snapshot() {
    return call(BETWEEN_CALLS, snapshots::snapshot);
  }

  // ---- State

  /** Returns the time of the latest event or pass; {@link Long#MIN_VALUE} before the first. */
  public long now() {
    return state.now();
  }

  /** Returns the hosts that are up, in order of joining. Cost O(1) if none joined or left. */
  public List<Host> hosts() {
    calls.requireNoOther();
    return state.hosts();
  }

  /** Returns a live view of a host, or empty. Cost O(1). */
  public Optional<Host> host(String id) {
    Objects.requireNonNull(id, "Scheduler.host: id was null, must not be null.");
    calls.requireNoOther();
    return state.host(id);
  }

  /**
   * Returns the counted limits that are set or used, by name, with what is used of them. Cost
   * O(limits).
   */
  public List<Limit> limits() {
    calls.requireNoOther();
    return state.limits().all();
  }

  /** Returns the pools, in order of their first offer. Cost O(pools). */
  public List<Pool> pools() {
    calls.requireNoOther();
    return state.pools();
  }

  /** Returns the bags of tasks that have not ended, in order of submission. Cost O(bags). */
  public List<Bag> bags() {
    calls.requireNoOther();
    return state.bags();
  }

  /** Returns a live view of a bag that has not ended, or empty. Cost O(1). */
  public Optional<Bag> bag(String id) {
    Objects.requireNonNull(id, "Scheduler.bag: id was null, must not be null.");
    calls.requireNoOther();
    return state.bag(id);
  }

  /** Returns the disruption budget of a job, or empty if it has none. Cost O(log budgets). */
  public Optional<DisruptionBudget> budget(String job) {
    Objects.requireNonNull(job, "Scheduler.budget: job was null, must not be null.");
    calls.requireNoOther();
    return state.budgets().budget(job);
  }

  /** Returns what has become of the groups that have not ended, in order of submission. */
  public List<GroupStatus> groups() {
    calls.requireNoOther();
    return state.groups();
  }

  /** Returns what has become of a group that has not ended, or empty. Cost O(1). */
  public Optional<GroupStatus> group(String id) {
    Objects.requireNonNull(id, "Scheduler.group: id was null, must not be null.");
    calls.requireNoOther();
    return state.group(id);
  }

  /**
   * Returns the instances that are not done, in order of admission. Cost O(1) if none was admitted
   * or ended since the last call, otherwise O(instances); {@link #instanceCount} always costs O(1).
   */
  public Collection<Instance> instances() {
    calls.requireNoOther();
    return state.instances();
  }

  /** Returns a live view of an instance that is not done, or empty. Cost O(1). */
  public Optional<Instance> instance(String id) {
    Objects.requireNonNull(id, "Scheduler.instance: id was null, must not be null.");
    calls.requireNoOther();
    return state.instance(id);
  }

  /** Returns the number of instances that are not done. */
  public int instanceCount() {
    return state.instanceCount();
  }

  /** Returns the number of pending instances. */
  public int pendingCount() {
    return state.pendingCount();
  }

  /** Returns the number of passes so far. */
  public long passes() {
    return timer.passes();
  }

  /** Returns figures of the present state and of all passes so far. Cost O(service classes). */
  public SchedulerStats stats() {
    calls.requireNoOther();
    Map<String, Map<InstanceState, Integer>> instances = new LinkedHashMap<>();
    for (ServiceClass each : state.serviceClasses()) {
      Map<InstanceState, Integer> states = new EnumMap<>(InstanceState.class);
      for (InstanceState inState : InstanceState.values()) {
        int count = state.instanceCount(instances.size(), inState);
        if (count > 0) {
          states.put(inState, count);
        }
      }
      instances.put(each.name(), states);
    }
    return new SchedulerStats(
        state.now(),
        state.hostCount(),
        instances,
        timer.passes(),
        runner.undone(),
        timer.lastPassAt(),
        runner.counts().byKind(),
        eventsRefused,
        staleReports,
        runner.actionsUndone());
  }

  /**
   * Returns how many instances are pending, by service class and reason, and since when the oldest
   * is. Reads what the latest pass left behind, and evaluates no host. Cost O(pending instances +
   * service classes).
   */
  public WaitingStats waiting() {
    calls.requireNoOther();
    return WaitingCounter.count(state, runner, timer, maxPlacements);
  }

  /** Returns explanations of decisions, and of why instances wait. */
  public Explainer explain() {
    return new EngineExplainer(state, runner::lastPlan, runner.departed(), log, this::explain);
  }

  /** Returns the latest decisions. */
  public DecisionLog decisions() {
    return log;
  }

  /** Returns the id of the policy. */
  public String policyId() {
    return policyId;
  }

  /**
   * Returns the effective configuration of the policy as JSON in one line, with all its keys; an
   * empty object for a policy that no factory created.
   */
  public String policyConfig() {
    return policyConfig;
  }

  /** Returns the seed. */
  public long seed() {
    return state.seed();
  }

  /** Returns the longest time between two passes, or empty if there is no limit. */
  public Optional<Duration> watchdog() {
    return watchdog;
  }

  /** Returns the most instances that a pass places, or empty if there is no limit. */
  public OptionalInt maxPlacements() {
    return maxPlacements == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(maxPlacements);
  }

  /** Returns for how long hosts are held back after failed starts, or empty if they are not. */
  public Optional<Backoff> hostBackoff() {
    return hostBackoff;
  }

  /** Returns for how long instances are held back after failed starts, or empty if they are not. */
  public Optional<Backoff> instanceBackoff() {
    return instanceBackoff;
  }

  /** Returns the service classes, most important first. */
  public List<ServiceClass> serviceClasses() {
    return state.serviceClasses();
  }

  /** Returns its policy, its time and its size in one line, for people. */
  @Override
  public String toString() {
    return "scheduler (%s, %s hosts, %s instances, %s of them pending, %s passes, %s)"
        .formatted(
            policyId,
            state.hostCount(),
            state.instanceCount(),
            state.pendingCount(),
            timer.passes(),
            state.now() == Long.MIN_VALUE ? "no event yet" : "at " + state.now() + " ns");
  }

  // ---- Inside

  /** Reports an event, and records it for JFR if that is on. */
  private <T> T recorded(Event.Kind kind, Supplier<T> work) {
    EventRecord recording = FlightRecords.beginEvent();
    if (recording == null) {
      return change(work);
    }
    boolean refused = false;
    try {
      return change(work);
    } catch (EventRefusedException invalid) {
      refused = true;
      throw invalid;
    } finally {
      recording.end(kind.call(), refused);
    }
  }

  private <T> T change(Supplier<T> work) {
    try {
      return call(NESTED, work);
    } catch (StaleReportException stale) {
      staleReports++;
      throw stale;
    } catch (EventRefusedException refused) {
      eventsRefused++;
      throw refused;
    }
  }

  private <T> T explain(Supplier<T> explanation) {
    return call(
        "explanations are available only between the calls of a scheduler.",
        () -> {
          state.beginChange(); // of what a pipeline keeps
          T result;
          try {
            result = explanation.get();
          } catch (Throwable thrown) {
            if (!(thrown instanceof VirtualMachineError)) {
              state.revertChange();
            }
            throw thrown;
          }
          state.revertChange();
          return result;
        });
  }

  private <T> T call(String refusalFromInside, Supplier<T> work) {
    Thread current = Thread.currentThread();
    calls.requireOutside(
        current, report != null && report.isUnderWay() ? LISTENING : refusalFromInside);
    try {
      calls.enter(current);
      if (unfinished) {
        throw new SchedulerFailedException(
            failure instanceof SchedulerFailedException ? failure.getCause() : failure);
      }
      T result = attempt(work);
      if (report != null) {
        report.deliver(); // after a pass, which nothing can undo any more
      }
      return result;
    } finally {
      if (calls.caller == current) {
        calls.caller = null; // without a call, which might overflow the stack
      }
    }
  }

  /**
   * Does some work. The scheduler has failed unless the work succeeds or is known to have changed
   * nothing. This holds even if no method can be called after an error.
   */
  private <T> T attempt(Supplier<T> work) {
    long before = state.changes();
    unfinished = true;
    try {
      T result = work.get();
      unfinished = false;
      return result;
    } catch (Throwable thrown) {
      failure = thrown;
      if (state.changes() == before && state.openChanges() == 0) {
        failure = null;
        unfinished = false;
      }
      throw thrown;
    }
  }

  private static void requirePositive(String owner, Duration watchdog) {
    if (watchdog.isNegative() || watchdog.isZero()) {
      throw new IllegalArgumentException(
          "%s: watchdog was %s, must be positive.".formatted(owner, watchdog));
    }
  }

  /** Collects the settings of schedulers. Not thread-safe. One builder can build several. */
  public static final class Builder {

    private static final String NO_CONFIG = "{}";

    private @Nullable PolicyRegistry registry;
    private @Nullable Function<Supplier<PolicyRegistry>, PolicyChoice> policy;
    private List<ServiceClass> classes = List.of();
    private @Nullable Long seed; // null: 0, or that of the snapshot
    private @Nullable Duration watchdog;
    private int decisionLog = 1000;
    private @Nullable DecisionListener listener;
    private int topScores;
    private @Nullable Integer maxPlacements; // null: no limit, or that of the snapshot
    private @Nullable SchedulerSnapshot snapshot; // null: begin without hosts and instances
    private @Nullable Backoff hostBackoff;
    private @Nullable Backoff instanceBackoff;

    private Builder() {}

    /** Chooses a policy by id, with its default configuration. {@link #build} looks it up. */
    public Builder policy(String id) {
      Objects.requireNonNull(id, "Scheduler.Builder.policy: id was null, must not be null.");
      return policy(id, NO_CONFIG);
    }

    /**
     * Chooses a policy by id, with JSON text that overrides its defaults. {@link #build} looks it
     * up and binds the configuration.
     */
    public Builder policy(String id, String configJson) {
      Objects.requireNonNull(id, "Scheduler.Builder.policy: id was null, must not be null.");
      Objects.requireNonNull(
          configJson, "Scheduler.Builder.policy: configJson was null, must not be null.");
      this.policy =
          known ->
              PolicyChoice.bound(known.get().get(id), TreeBinder.parse("policy " + id, configJson));
      return this;
    }

    /** Chooses a policy by its factory, with a complete configuration. */
    public <C extends Record> Builder policy(PolicyFactory<C> factory, C config) {
      Objects.requireNonNull(
          factory, "Scheduler.Builder.policy: factory was null, must not be null.");
      Objects.requireNonNull(
          config, "Scheduler.Builder.policy: config was null, must not be null.");
      this.policy = known -> PolicyChoice.of(factory, config);
      return this;
    }

    /** Chooses a policy that a function creates, under an id for messages and reports. */
    public Builder policy(String id, Function<PolicyContext, Policy> maker) {
      Objects.requireNonNull(id, "Scheduler.Builder.policy: id was null, must not be null.");
      Objects.requireNonNull(maker, "Scheduler.Builder.policy: maker was null, must not be null.");
      this.policy = known -> new PolicyChoice(id, NO_CONFIG, maker);
      return this;
    }

    /** Sets the registry in which policies are looked up; default {@link PolicyRegistry#load()}. */
    public Builder registry(PolicyRegistry registry) {
      Objects.requireNonNull(
          registry, "Scheduler.Builder.registry: registry was null, must not be null.");
      this.registry = registry;
      return this;
    }

    /**
     * Sets the service classes that requests may name; at least one, with distinct names.
     *
     * <p>The lowest objective of the classes fixes the unit in which {@code qos-driven} compares
     * instances, so that decisions are right for 36,500 days of service: a nanosecond if all
     * objectives exceed 0.439, 8 ns at 0.1, 1024 ns at 0.001. Instances whose metrics differ by
     * less than two units may be treated as equal.
     */
    public Builder serviceClasses(ServiceClass... serviceClasses) {
      Objects.requireNonNull(
          serviceClasses,
          "Scheduler.Builder.serviceClasses: serviceClasses was null, must not be null.");
      return serviceClasses(Arrays.asList(serviceClasses)); // build() refuses null with words
    }

    /**
     * Sets the service classes that requests may name; at least one, with distinct names. See
     * {@link #serviceClasses(ServiceClass...)}.
     */
    public Builder serviceClasses(Collection<? extends ServiceClass> classes) {
      Objects.requireNonNull(
          classes, "Scheduler.Builder.serviceClasses: classes was null, must not be null.");
      this.classes = new ArrayList<>(classes);
      return this;
    }

    /** Sets the seed of all random choices; default 0. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Sets the longest time between two passes. Overrides that of the policy.
     *
     * @throws IllegalArgumentException if not positive
     */
    public Builder watchdog(Duration longest) {
      Objects.requireNonNull(
          longest, "Scheduler.Builder.watchdog: longest was null, must not be null.");
      requirePositive("scheduler", longest);
      this.watchdog = longest;
      return this;
    }

    /**
     * Sets how many decisions are kept for explanations; default 1000. With 0, passes record no
     * decisions, which saves time.
     *
     * @throws IllegalArgumentException if negative
     */
    public Builder decisionLog(int keepLast) {
      if (keepLast < 0) {
        throw new IllegalArgumentException(
            "decision log was %s, must be 0 or more.".formatted(keepLast));
      }
      this.decisionLog = keepLast;
      return this;
    }

    /**
     * Sets a listener that receives the decisions of each pass; default none. {@link
     * DecisionListener} states when it is called, and what it may do. With a listener, passes
     * record their decisions even if the {@linkplain #decisionLog log} keeps none.
     */
    public Builder onDecision(DecisionListener listener) {
      Objects.requireNonNull(
          listener, "Scheduler.Builder.onDecision: listener was null, must not be null.");
      this.listener = listener;
      return this;
    }

    /**
     * Sets how many of the best hosts are recorded with each decision; default 0. With more, every
     * pass evaluates all hosts, which costs memory and time.
     *
     * @throws IllegalArgumentException if negative
     */
    public Builder topScores(int hosts) {
      if (hosts < 0) {
        throw new IllegalArgumentException(
            "top scores was %s, must be 0 or more.".formatted(hosts));
      }
      this.topScores = hosts;
      return this;
    }

    /**
     * Sets the most instances that a pass places; default no limit. After a pass that places so
     * many, the next pass is due at once, with the trigger {@link Trigger#WAKE_UP}.
     *
     * <p>It bounds the size of a plan: an embedder that carries plans out slowly can report what
     * happened before the next decisions. Victims, and all other actions, are not counted.
     *
     * @throws IllegalArgumentException if not positive
     */
    public Builder maxPlacements(int most) {
      if (most < 1) {
        throw new IllegalArgumentException(
            "placements of a pass were limited to %s, must be 1 or more.".formatted(most));
      }
      this.maxPlacements = most;
      return this;
    }

    /**
     * Makes {@link #build} restore a scheduler. It continues as the scheduler of the snapshot
     * would: the same events give the same plans, the same {@linkplain Scheduler#digest digests}
     * and the same explanations of what waits. {@link SchedulerSnapshot} says what is not restored.
     *
     * <p>Policy, configuration, seed, service classes, watchdog and limit of placements are those
     * of the snapshot. What this builder sets of them must be the same; it must set a policy that
     * no {@linkplain #registry registry} has.
     */
    public Builder restore(SchedulerSnapshot snapshot) {
      Objects.requireNonNull(
          snapshot, "Scheduler.Builder.restore: snapshot was null, must not be null.");
      this.snapshot = snapshot;
      return this;
    }

    /**
     * Holds back hosts on which starts fail in a row; default: none. A start fails if {@link
     * Scheduler#rejected rejected} reports its action, or {@link Scheduler#failed failed} its
     * instance while it is starting. A host that is held back is {@linkplain Host#closed closed}.
     * The next start that succeeds there opens it and starts the count anew.
     *
     * <p>At the end of the time, a pass is due with the trigger {@link Trigger#HELD_BACK_ENDED}.
     */
    public Builder hostBackoff(Backoff times) {
      Objects.requireNonNull(
          times, "Scheduler.Builder.hostBackoff: times was null, must not be null.");
      this.hostBackoff = times;
      return this;
    }

    /**
     * Holds back instances whose starts fail in a row, on whatever hosts; default: none. Starts
     * fail as for {@link #hostBackoff}, but a resumption or migration that is rejected does not
     * count, since its instance stays where it was. An instance that is held back stays pending,
     * but no policy can place it. Its next start that succeeds starts the count anew.
     *
     * <p>At the end of the time, a pass is due with the trigger {@link Trigger#HELD_BACK_ENDED}.
     */
    public Builder instanceBackoff(Backoff times) {
      Objects.requireNonNull(
          times, "Scheduler.Builder.instanceBackoff: times was null, must not be null.");
      this.instanceBackoff = times;
      return this;
    }

    /**
     * Returns a scheduler without hosts or instances, or the {@linkplain #restore restored} one.
     *
     * @throws IllegalArgumentException if no policy or no service class was chosen, two classes
     *     have one name, or a property of a class is null or outside its range
     * @throws UnknownPolicyException if no policy has the id
     * @throws ConfigException if the policy's configuration is wrong; it lists all problems
     * @throws SnapshotException if the snapshot is of an unknown format, has contents that do not
     *     fit together, or differs from what this builder sets, or if the policy does not say what
     *     it keeps from pass to pass; it lists all problems
     */
    public Scheduler build() {
      return new Scheduler(this);
    }

    private PolicyChoice choice() {
      if (policy == null && snapshot != null) {
        SchedulerSnapshot.Settings saved = snapshot.settings();
        return PolicyChoice.bound(
            registryOrAll().get(saved.policy()),
            TreeBinder.parse("policy " + saved.policy(), saved.policyConfig()));
      }
      if (policy == null) {
        throw new IllegalArgumentException("no policy was chosen. Maybe policy(\"qos-driven\").");
      }
      return policy.apply(this::registryOrAll);
    }

    private PolicyRegistry registryOrAll() {
      return registry == null ? PolicyRegistry.load() : registry;
    }

    /** Returns how the settings of a snapshot differ from what this builder sets. */
    List<String> differences(PolicyChoice choice, SchedulerSnapshot.Settings saved) {
      List<String> differences = new ArrayList<>();
      compare("policy", saved.policy(), choice.id(), differences);
      if (saved.policy().equals(choice.id())) {
        compare("configuration", saved.policyConfig(), choice.config(), differences);
      }
      if (seed != null) {
        compare("seed", saved.seed(), seed, differences);
      }
      if (!classes.isEmpty()) {
        compare(
            "service classes",
            Snapshots.byName(saved.serviceClasses()),
            Snapshots.byName(Snapshots.write(ClassRecord.rank(classes).values())),
            differences);
      }
      if (watchdog != null) {
        compare(
            "watchdog",
            saved.watchdog(),
            OptionalLong.of(Durations.toNanosSaturated(watchdog)),
            differences);
      }
      if (maxPlacements != null) {
        compare("limit of placements", saved.maxPlacements(), maxPlacements, differences);
      }
      return differences;
    }

    private static void compare(String what, Object saved, Object built, List<String> differences) {
      if (!saved.equals(built)) {
        differences.add(
            "its %s is %s, that of the builder is %s. They must be the same"
                .formatted(what, saved, built));
      }
    }
  }
}
