package dev.berth.core;

import static com.google.common.base.Preconditions.checkArgument;
import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Backoff;
import dev.berth.api.Host;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import dev.berth.api.fleet.Difference;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.config.Durations;
import dev.berth.core.config.tree.TreeBinder;
import dev.berth.core.decision.DecisionListener;
import dev.berth.core.decision.DecisionLog;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.core.event.Event;
import dev.berth.core.explain.Explainer;
import dev.berth.core.internal.explain.EngineExplainer;
import dev.berth.core.internal.pass.PassLog;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.snapshot.SnapshotWriter;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Corrections;
import dev.berth.core.internal.state.Events;
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
 * <p>What it believes of its cluster is a {@link ClusterView}, and events are {@link EventCalls}.
 *
 * <p><b>Null arguments</b> throw a {@link NullPointerException} that names the parameter, and
 * change nothing.
 *
 * <p>If an action cannot be carried out, report {@link #rejected}. If it fails afterwards, report
 * {@link #failed} or {@link #removeHost}.
 */
public final class Scheduler extends EventCalls {

  private static final String BETWEEN_CALLS =
      "digests and snapshots are available only between the calls of a scheduler.";

  private final Events events;
  private final Corrections corrections;
  private final String policyId;
  private final String policyConfig;
  private final Optional<Duration> watchdog;
  private final int maxPlacements; // Integer.MAX_VALUE for no limit
  private final Optional<Backoff> hostBackoff;
  private final Optional<Backoff> instanceBackoff;
  private final RecordedDecisions log;
  private final PassTimer timer;
  private final PassRunner runner;
  private final EventHandlers handlers;
  private final Snapshots snapshots;

  private Scheduler(
      Builder builder,
      @Nullable Restoration restoration,
      ClusterState state,
      RecordedDecisions log,
      @Nullable DecisionReport report) {
    super(state, new CallGate(state, report));
    Transitions transitions = new Transitions(state);
    this.events = Events.of(state, transitions);
    this.hostBackoff = Optional.ofNullable(builder.hostBackoff);
    this.instanceBackoff = Optional.ofNullable(builder.instanceBackoff);
    state.backoffs().set(builder.hostBackoff, builder.instanceBackoff);
    this.corrections = new Corrections(events);
    ChosenPolicy choice = builder.choice();
    this.policyId = choice.id();
    this.policyConfig = choice.config();
    Policy policy = choice.create(state);
    Restoration same = Restoration.ofSettings(restoration);
    this.watchdog =
        builder.watchdog != null
            ? Optional.of(builder.watchdog)
            : same != null ? same.watchdog() : policy.watchdog();
    this.maxPlacements =
        builder.maxPlacements != null
            ? builder.maxPlacements
            : same != null ? same.maxPlacements() : Integer.MAX_VALUE;
    watchdog.ifPresent(longest -> Builder.requirePositive("policy " + policyId, longest));
    this.log = log;
    this.timer = new PassTimer(state, watchdog);
    PassLog undoLog = new PassLog(state.openActions(), transitions);
    this.runner =
        new PassRunner(
            state,
            transitions,
            policy,
            policyId,
            undoLog,
            log,
            report,
            builder.topScores,
            maxPlacements,
            timer);
    this.handlers = new EventHandlers(events, timer, runner, undoLog, log, report);
    this.snapshots =
        new Snapshots(
            state,
            policy,
            new SchedulerSnapshot.Settings(
                policyId,
                policyConfig,
                state.seed(),
                SnapshotWriter.serviceClasses(state.serviceClasses()),
                watchdog.stream().mapToLong(Durations::toNanosSaturated).findFirst(),
                maxPlacements),
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
    Objects.requireNonNull(event, "event");
    Object answer;
    if (event instanceof Event.Reconciled seen) {
      GivenAnswers answers = new GivenAnswers(seen.adoptions(), seen.ended());
      answer = reconcile(seen.observed(), answers, now);
    } else {
      answer = gate.event(event.kind(), () -> handlers.apply(event, now));
    }
    @SuppressWarnings("unchecked") // each handler gives the answer of its event
    R typed = (R) answer;
    return typed;
  }

  @Override
  Object added(Event<?> event, long now) {
    return gate.event(event.kind(), () -> handlers.added(event, now));
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
    Objects.requireNonNull(observed, "observed");
    Objects.requireNonNull(reconciler, "reconciler");
    Corrections.Found found =
        gate.event(
            Event.Kind.RECONCILED,
            () -> {
              Corrections.Found differing = corrections.of(observed, reconciler, now);
              state.advanceTo(now);
              return differing;
            });
    List<Difference> differences = new ArrayList<>();
    for (Corrections.Correction each : found.corrections()) {
      differences.add(gate.event(Event.Kind.RECONCILED, () -> handlers.correct(each)));
    }
    return new Reconciliation(differences, found.strays());
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
      try {
        recording.end(
            plan, timer.passes() + (plan == null ? 1 : 0), state.pendingCount(), state.hostCount());
      } catch (Throwable lost) { // the record is; the plan counts
      }
    }
  }

  private Plan pass(long now) {
    return gate.change(
        () -> {
          state.advanceTo(now);
          return runner.run(now);
        });
  }

  /**
   * Returns when the next pass is due: {@link #now} if an event made one due. Otherwise the earlier
   * of {@link #nextTimerAt} and the watchdog, counted from the last pass, but not before {@link
   * #now}. Empty if only an event can make a pass due.
   */
  public OptionalLong nextPassAt() {
    gate.requireNoOther();
    return timer.nextPassAt();
  }

  /**
   * Returns the time of the next timer, apart from the watchdog: the time to live of a bag or of a
   * pool's host runs out, a host or instance is no longer held back, a drain reaches its deadline,
   * or the policy {@linkplain dev.berth.api.policy.SchedulingPass#wakeAt requested} a pass. Empty
   * if there is none. It is before {@link #now} if the pass is overdue.
   */
  public OptionalLong nextTimerAt() {
    gate.requireNoOther();
    return timer.nextTimerAt();
  }

  /**
   * Returns questions about the next pass, which suppose events that did not happen. They change
   * nothing, even if they ask about a later time.
   */
  public WhatIf whatIf() {
    return new WhatIf(gate, events, snapshots, runner, log);
  }

  /**
   * Runs code that asks this scheduler, and may change nothing: an event or a pass within it throws
   * an {@link IllegalStateException}. For code of others, such as a question to a loop.
   *
   * @return what the code returns
   */
  public <T> T ask(Function<Scheduler, T> question) {
    Objects.requireNonNull(question, "question");
    return gate.ask(() -> question.apply(this));
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
    return gate.call(BETWEEN_CALLS, snapshots::digest);
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
    return gate.call(BETWEEN_CALLS, snapshots::snapshot);
  }

  /**
   * Returns whether the policy {@linkplain Policy#memory says} what it keeps from pass to pass.
   * Otherwise there are no snapshots, and no answers to {@link #whatIf}.
   */
  public boolean canBeSaved() {
    return gate.call(BETWEEN_CALLS, snapshots::canBeSaved);
  }

  // ---- Figures, explanations and settings

  /** Returns the number of passes so far. */
  public long passes() {
    return timer.passes();
  }

  /** Returns figures of the present state and of all passes so far. Cost O(service classes). */
  public SchedulerStats stats() {
    gate.requireNoOther();
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
        gate.eventsRefused(),
        gate.staleReports(),
        runner.actionsUndone());
  }

  /**
   * Returns how many instances are pending, by service class and reason, and since when the oldest
   * is. Reads what the latest pass left behind, and evaluates no host. Cost O(pending instances +
   * service classes).
   */
  public WaitingStats waiting() {
    gate.requireNoOther();
    return WaitingCounter.count(state, runner, timer, maxPlacements);
  }

  /** Returns explanations of decisions, and of why instances wait. */
  public Explainer explain() {
    return new EngineExplainer(state, runner::lastPlan, runner.departed(), log, gate::explain);
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

  /** Collects the settings of schedulers. Not thread-safe. One builder can build several. */
  public static final class Builder {

    private static final String NO_CONFIG = "{}";

    private @Nullable PolicyRegistry registry;
    private @Nullable Function<Supplier<PolicyRegistry>, ChosenPolicy> policy;
    private List<ServiceClass> classes = List.of();
    private @Nullable Long seed; // null: 0, or that of the snapshot
    private @Nullable Duration watchdog;
    private int decisionLog = 1000;
    private @Nullable DecisionListener listener;
    private int topScores;
    private @Nullable Integer maxPlacements; // null: no limit, or that of the snapshot
    private @Nullable SchedulerSnapshot snapshot; // null: begin without hosts and instances
    private boolean takesOver; // with settings of its own
    private @Nullable Backoff hostBackoff;
    private @Nullable Backoff instanceBackoff;

    private Builder() {}

    /** Chooses a policy by id, with its default configuration. {@link #build} looks it up. */
    public Builder policy(String id) {
      Objects.requireNonNull(id, "id");
      return policy(id, NO_CONFIG);
    }

    /**
     * Chooses a policy by id, with JSON text that overrides its defaults. {@link #build} looks it
     * up and binds the configuration.
     */
    public Builder policy(String id, String configJson) {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(configJson, "configJson");
      this.policy =
          known ->
              ChosenPolicy.bound(known.get().get(id), TreeBinder.parse("policy " + id, configJson));
      return this;
    }

    /** Chooses a policy by its factory, with a complete configuration. */
    public <C extends Record> Builder policy(PolicyFactory<C> factory, C config) {
      Objects.requireNonNull(factory, "factory");
      Objects.requireNonNull(config, "config");
      this.policy = known -> ChosenPolicy.of(factory, config);
      return this;
    }

    /** Chooses a policy that a function creates, under an id for messages and reports. */
    public Builder policy(String id, Function<PolicyContext, Policy> maker) {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(maker, "maker");
      this.policy = known -> new ChosenPolicy(id, NO_CONFIG, maker);
      return this;
    }

    /** Sets the registry in which policies are looked up; default {@link PolicyRegistry#load()}. */
    public Builder registry(PolicyRegistry registry) {
      this.registry = Objects.requireNonNull(registry, "registry");
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
      Objects.requireNonNull(serviceClasses, "serviceClasses");
      return serviceClasses(Arrays.asList(serviceClasses)); // build() refuses null with words
    }

    /**
     * Sets the service classes that requests may name; at least one, with distinct names. See
     * {@link #serviceClasses(ServiceClass...)}.
     */
    public Builder serviceClasses(Collection<? extends ServiceClass> classes) {
      Objects.requireNonNull(classes, "classes");
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
      Objects.requireNonNull(longest, "longest");
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
      refuseIf(keepLast < 0, "decision log was %s, must be 0 or more.", keepLast);
      this.decisionLog = keepLast;
      return this;
    }

    /**
     * Sets a listener that receives the decisions of each pass; default none. {@link
     * DecisionListener} states when it is called, and what it may do. With a listener, passes
     * record their decisions even if the {@linkplain #decisionLog log} keeps none.
     */
    public Builder onDecision(DecisionListener listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Sets how many of the best hosts are recorded with each decision; default 0. With more, every
     * pass evaluates all hosts, which costs memory and time.
     *
     * @throws IllegalArgumentException if negative
     */
    public Builder topScores(int hosts) {
      refuseIf(hosts < 0, "top scores was %s, must be 0 or more.", hosts);
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
      refuseIf(most < 1, "placements of a pass were limited to %s, must be 1 or more.", most);
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
      this.snapshot = Objects.requireNonNull(snapshot, "snapshot");
      this.takesOver = false;
      return this;
    }

    /**
     * Makes {@link #build} begin with the cluster of a snapshot, but with the settings of this
     * builder: another policy, other service classes, another seed. Hosts, instances and their
     * histories, bags, groups, limits, budgets, cordons and drains stay. What a policy remembers
     * stays if policy and configuration are the same. A pass is due.
     *
     * <p>{@link #build} throws a {@link SnapshotException} if an instance is of a service class
     * that this builder does not have.
     */
    public Builder takeOver(SchedulerSnapshot snapshot) {
      this.snapshot = Objects.requireNonNull(snapshot, "snapshot");
      this.takesOver = true;
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
      this.hostBackoff = Objects.requireNonNull(times, "times");
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
      this.instanceBackoff = Objects.requireNonNull(times, "times");
      return this;
    }

    /** Returns for how long instances are to be held back; empty if they are not. */
    public Optional<Backoff> instanceBackoff() {
      return Optional.ofNullable(instanceBackoff);
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
      Restoration restoration = restoration();
      RecordedDecisions log = new RecordedDecisions(decisionLog);
      DecisionReport report = listener == null ? null : new DecisionReport(listener, log);
      return new Scheduler(this, restoration, cluster(restoration), log, report);
    }

    /** Returns the snapshot to restore, which fits these settings; null if there is none. */
    private @Nullable Restoration restoration() {
      if (snapshot == null) {
        return null;
      }
      Restoration restoration = Restoration.of(snapshot, takesOver);
      if (takesOver) {
        restoration.requireClasses(classes);
      } else {
        restoration.requireMatch(choice(), seed, classes, watchdog, maxPlacements);
      }
      return restoration;
    }

    /** Returns an empty cluster. */
    private ClusterState cluster(@Nullable Restoration restoration) {
      Restoration same = Restoration.ofSettings(restoration);
      return new ClusterState(
          seed != null ? seed : same != null ? same.seed() : 0,
          classes.isEmpty() && same != null ? same.serviceClasses() : classes);
    }

    /** Returns the policy, by default that of the snapshot. */
    private ChosenPolicy choice() {
      if (policy == null && snapshot != null && !takesOver) {
        SchedulerSnapshot.Settings saved = snapshot.settings();
        return ChosenPolicy.bound(
            registryOrAll().get(saved.policy()),
            TreeBinder.parse("policy " + saved.policy(), saved.policyConfig()));
      }
      checkArgument(policy != null, "no policy was chosen. Maybe policy(\"qos-driven\").");
      return policy.apply(this::registryOrAll);
    }

    private static void requirePositive(String owner, Duration watchdog) {
      refuseIf(
          watchdog.isNegative() || watchdog.isZero(),
          "%s: watchdog was %s, must be positive.",
          owner,
          watchdog);
    }

    private PolicyRegistry registryOrAll() {
      return registry == null ? PolicyRegistry.load() : registry;
    }
  }
}
