package dev.berth.core;

import dev.berth.api.Action;
import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Plan;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.TimeLimits;
import dev.berth.api.Trigger;
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
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.core.explain.Explainer;
import dev.berth.core.internal.explain.EngineExplainer;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
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
 * <p><b>Collections</b> that a scheduler, {@link Host}, {@link Pool} or {@link Bag} returns are
 * copies that cannot be modified. They list what was there at the call, so the embedder can report
 * events while it iterates over them. Their elements are live views.
 *
 * <p><b>Null arguments</b> throw a {@link NullPointerException} that names the parameter, and
 * change nothing.
 *
 * <p>If an action fails, report {@link #failed} or {@link #removeHost}.
 */
public final class Scheduler {

  private static final String NESTED =
      "a policy called its scheduler from within a pass. Maybe act on the pass instead.";

  private static final String LISTENING =
      "a decision listener called its scheduler. Maybe report the event after the pass.";

  private final ClusterState state;
  private final ClusterEvents events;
  private final String policyId;
  private final String policyConfig;
  private final Optional<Duration> watchdog;
  private final RecordedDecisions log;
  private final PassTimer timer;
  private final @Nullable DecisionReport report; // null: there is no listener
  private final PassRunner runner;
  private final CallGuard calls = new CallGuard();
  private boolean unfinished; // whether a call is under way, or failed in the middle of a change
  private @Nullable Throwable failure; // of that call
  private long eventsRefused;

  private Scheduler(Builder builder) {
    this.state = new ClusterState(builder.seed, builder.classes);
    Transitions transitions = new Transitions(state);
    this.events = new ClusterEvents(state, transitions);
    PolicyChoice choice = builder.choice();
    this.policyId = choice.id();
    this.policyConfig = choice.config();
    Policy policy = choice.create(state);
    this.watchdog = builder.watchdog != null ? Optional.of(builder.watchdog) : policy.watchdog();
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
            builder.maxPlacements,
            timer);
  }

  /** Returns a builder of schedulers. */
  public static Builder builder() {
    return new Builder();
  }

  // ---- Events

  /**
   * Offers a pool of hosts, or changes the offer. If the new offer is smaller than the number of
   * hosts in use, they stay, and no plan requests more.
   *
   * @throws EventRefusedException if a dimension is on another scale than before, or {@code now} is
   *     in the past
   */
  public void offerPool(PoolSpec pool, long now) {
    Objects.requireNonNull(pool, "Scheduler.offerPool: pool was null, must not be null.");
    report(
        () -> {
          events.offerPool(pool, now);
          timer.trigger(Trigger.POOL_OFFERED);
        });
  }

  /**
   * Adds a host that joins or returns. A host that a plan {@linkplain Action.Provision provisions}
   * is added when it is up, with its actual capacity.
   *
   * @return a live view of it
   * @throws EventRefusedException if a host of that id is present, or was released and is not yet
   *     removed, a dimension is on another scale than before, or {@code now} is in the past
   */
  public Host addHost(HostSpec spec, long now) {
    Objects.requireNonNull(spec, "Scheduler.addHost: spec was null, must not be null.");
    return event(Trigger.HOST_ADDED, () -> events.addHost(spec, now));
  }

  /**
   * Removes a host that leaves or fails. Its instances are pending again and keep their history.
   * Also reports that a provisioned host will not start, or that a released host is gone.
   *
   * @throws EventRefusedException if there is no such host, or {@code now} is in the past
   */
  public void removeHost(String hostId, long now) {
    Objects.requireNonNull(hostId, "Scheduler.removeHost: hostId was null, must not be null.");
    report(
        () -> {
          events.removeHost(hostId, now);
          timer.trigger(Trigger.HOST_REMOVED);
        });
  }

  /**
   * Admits a request. Its instance is pending.
   *
   * @return a live view of the instance
   * @throws EventRefusedException if an instance of that id is not done, the service class is
   *     unknown, a dimension is on another scale than before, or {@code now} is in the past
   */
  public Instance submit(Request request, long now) {
    Objects.requireNonNull(request, "Scheduler.submit: request was null, must not be null.");
    return event(Trigger.REQUEST_ADMITTED, () -> events.submit(request, now));
  }

  /**
   * Submits a bag of tasks. Either all of its requests are admitted or none is.
   *
   * @return a live view of the bag
   * @throws EventRefusedException if a bag of that id has not ended, or if {@link #submit(Request,
   *     long)} would refuse one of its requests
   */
  public Bag submit(BagSpec bag, long now) {
    Objects.requireNonNull(bag, "Scheduler.submit: bag was null, must not be null.");
    return event(Trigger.REQUEST_ADMITTED, () -> events.submit(bag, now));
  }

  /**
   * Reports the load of a host. Policies that choose among time-shared hosts depend on such
   * reports. Does not make a pass due.
   *
   * @param average mean number of instances that used the CPU or waited for it, over the last
   *     {@link HostLoad#WINDOW}; not negative, finite
   * @throws EventRefusedException if no such host is up, the average is out of range, or {@code
   *     now} is in the past
   */
  public void loadReported(String hostId, double average, long now) {
    Objects.requireNonNull(hostId, "Scheduler.loadReported: hostId was null, must not be null.");
    report(() -> events.loadReported(hostId, average, now));
  }

  /**
   * Reports that a placed instance is ready: its service begins. Does not make a pass due.
   *
   * @throws EventRefusedException if it is not starting, or {@code now} is in the past
   */
  public void started(String instanceId, long now) {
    Objects.requireNonNull(instanceId, "Scheduler.started: instanceId was null, must not be null.");
    report(() -> events.started(instanceId, now));
  }

  /**
   * Reports the measured resource usage of an instance. Policies with vertical elasticity depend on
   * such reports. Does not make a pass due.
   *
   * @param used the part of its grant that it uses
   * @param shortfall the amounts that it would use in addition to its grant; for memory, the amount
   *     it keeps in swap
   * @throws EventRefusedException if it is on no host, a dimension is on another scale than before,
   *     or {@code now} is in the past
   */
  public void usageReported(String instanceId, Resources used, Resources shortfall, long now) {
    Objects.requireNonNull(
        instanceId, "Scheduler.usageReported: instanceId was null, must not be null.");
    Objects.requireNonNull(used, "Scheduler.usageReported: used was null, must not be null.");
    Objects.requireNonNull(
        shortfall, "Scheduler.usageReported: shortfall was null, must not be null.");
    report(() -> events.usageReported(instanceId, used, shortfall, now));
  }

  /**
   * Reports that an instance on a host failed, in any state. The instance is pending again and
   * keeps its history; its host stays.
   *
   * @throws EventRefusedException if it is on no host, or {@code now} is in the past
   */
  public void failed(String instanceId, long now) {
    Objects.requireNonNull(instanceId, "Scheduler.failed: instanceId was null, must not be null.");
    report(
        () -> {
          events.failed(instanceId, now);
          timer.trigger(Trigger.INSTANCE_FAILED);
        });
  }

  /**
   * Reports that an instance has completed its work.
   *
   * @return the service that it received
   * @throws EventRefusedException if it is not running, or {@code now} is in the past
   */
  public InstanceReport completed(String instanceId, long now) {
    Objects.requireNonNull(
        instanceId, "Scheduler.completed: instanceId was null, must not be null.");
    return event(
        Trigger.INSTANCE_COMPLETED, () -> end(instanceId, now, false, OptionalLong.empty()));
  }

  /**
   * Reports that an instance has completed its work, and the CPU time that the work took. The
   * scheduler adds it to the completions of the {@linkplain Request#application application} on
   * that host, which keeps a {@linkplain Host#history history} of its {@value Host#MAX_HISTORIES}
   * latest applications.
   *
   * @param cpuTime not negative
   * @return the service that the instance received
   * @throws EventRefusedException if it is not running, the time is negative, or {@code now} is in
   *     the past
   */
  public InstanceReport completed(String instanceId, Duration cpuTime, long now) {
    Objects.requireNonNull(
        instanceId, "Scheduler.completed: instanceId was null, must not be null.");
    Objects.requireNonNull(cpuTime, "Scheduler.completed: cpuTime was null, must not be null.");
    return event(
        Trigger.INSTANCE_COMPLETED,
        () -> {
          if (cpuTime.isNegative()) {
            throw new EventRefusedException(
                "instance %s completed after a CPU time of %s, must not be negative."
                    .formatted(instanceId, cpuTime));
          }
          OptionalLong nanos = OptionalLong.of(Durations.toNanosSaturated(cpuTime));
          return end(instanceId, now, false, nanos);
        });
  }

  /**
   * Cancels a request at the wish of its user, in any state of its instance.
   *
   * @return the service that the instance received
   * @throws EventRefusedException if there is no such instance, or {@code now} is in the past
   */
  public InstanceReport cancel(String instanceId, long now) {
    Objects.requireNonNull(instanceId, "Scheduler.cancel: instanceId was null, must not be null.");
    return event(
        Trigger.INSTANCE_COMPLETED, () -> end(instanceId, now, true, OptionalLong.empty()));
  }

  /**
   * Cancels a bag of tasks at the wish of its user, with all instances of it that are not done.
   *
   * @param why the reason that reports state
   * @return the outcome of the bag; the next plan repeats it
   * @throws EventRefusedException if there is no such bag, or {@code now} is in the past
   */
  public BagReport cancelBag(String bagId, Reason why, long now) {
    Objects.requireNonNull(bagId, "Scheduler.cancelBag: bagId was null, must not be null.");
    Objects.requireNonNull(why, "Scheduler.cancelBag: why was null, must not be null.");
    return event(
        Trigger.INSTANCE_COMPLETED,
        () -> {
          BagReport ended = events.cancelBag(bagId, why, now);
          ended.cancelled().forEach(each -> runner.departed(each.id()));
          return ended;
        });
  }

  private InstanceReport end(String instanceId, long now, boolean cancelled, OptionalLong cpuTime) {
    Instance done = events.done(instanceId, now, cancelled, cpuTime);
    Plan lastPlan = runner.lastPlan();
    if (!lastPlan.deferrals().isEmpty()
        || !lastPlan.bagDeferrals().isEmpty()
        || !lastPlan.policyErrors().isEmpty()) {
      runner.departed(instanceId);
    }
    return InstanceReport.of(done, done.stateSince());
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
    return change(
        () -> {
          events.advanceTo(now);
          return runner.run(now);
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
   * pool's host runs out, or the policy {@linkplain dev.berth.api.policy.SchedulingPass#wakeAt
   * requested} a pass. Empty if there is none. It is before {@link #now} if the pass is overdue.
   */
  public OptionalLong nextTimerAt() {
    calls.requireNoOther();
    return timer.nextTimerAt();
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
        eventsRefused);
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

  private <T> T event(Trigger trigger, Supplier<T> work) {
    return change(
        () -> {
          T result = work.get();
          timer.trigger(trigger);
          return result;
        });
  }

  private void report(Runnable work) {
    change(
        () -> {
          work.run();
          return state;
        });
  }

  private <T> T change(Supplier<T> work) {
    try {
      return call(NESTED, work);
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
    private long seed;
    private @Nullable Duration watchdog;
    private int decisionLog = 1000;
    private @Nullable DecisionListener listener;
    private int topScores;
    private int maxPlacements = Integer.MAX_VALUE;

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
     * Returns a scheduler without hosts or instances.
     *
     * @throws IllegalArgumentException if no policy or no service class was chosen, two classes
     *     have one name, or a property of a class is null or outside its range
     * @throws UnknownPolicyException if no policy has the id
     * @throws ConfigException if the policy's configuration is wrong; it lists all problems
     */
    public Scheduler build() {
      return new Scheduler(this);
    }

    private PolicyChoice choice() {
      if (policy == null) {
        throw new IllegalArgumentException("no policy was chosen. Maybe policy(\"qos-driven\").");
      }
      return policy.apply(() -> registry == null ? PolicyRegistry.load() : registry);
    }
  }
}
