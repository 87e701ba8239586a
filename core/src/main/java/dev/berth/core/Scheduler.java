package dev.berth.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.common.math.LongMath;
import dev.berth.api.Action;
import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.Plan;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Trigger;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.core.config.ConfigBinder;
import dev.berth.core.config.Durations;
import dev.berth.core.decision.DecisionLog;
import dev.berth.core.error.ConfigException;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.core.error.UnknownPolicyException;
import dev.berth.core.explain.Explainer;
import dev.berth.core.internal.explain.EngineExplainer;
import dev.berth.core.internal.pass.Journal;
import dev.berth.core.internal.pass.Pass;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.pipeline.Pipeline;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of a cluster: tell it what happens, ask it for a plan, carry the plan out, and
 * report that in turn.
 *
 * <pre>{@code
 * Scheduler scheduler = Scheduler.builder().policy("qos-driven").serviceClasses(gold, bronze).build();
 * scheduler.addHost(new HostSpec("h1", Resources.of(CPU, 4_000_000_000L)), now);
 * scheduler.submit(Request.builder("r1", "gold").demand(Resources.of(CPU, 500_000_000)).build(), now);
 * Plan plan = scheduler.schedule(now); // place r1 on h1
 * scheduler.started("r1", later);
 * }</pre>
 *
 * <p><b>Time</b> comes with every call, in nanoseconds since an epoch of the embedder's choice, and
 * never runs backwards. The scheduler has no clock, no threads and does no I/O: the same calls with
 * the same seed give the same plans everywhere.
 *
 * <p><b>Events that make no sense</b> (unknown id, twice, out of order) are refused with an {@link
 * EventRefusedException} and change nothing.
 *
 * <p><b>Threads.</b> One at a time, the caller's business; a second one found inside is an {@link
 * IllegalStateException}.
 *
 * <p><b>Plans count as carried out</b> when they are returned: what was placed, resumed or migrated
 * is starting and holds its capacity, what was preempted is pending again, what was paused,
 * suspended or resized is so, and who was refused or cancelled is forgotten; hosts that were asked
 * for are starting, and those released are out of the cluster. If something does not work out,
 * report {@link #failed} or {@link #removeHost}.
 */
public final class Scheduler {

  private final ClusterState state;
  private final Transitions transitions;
  private final ClusterEvents events;
  private final Journal journal = new Journal(); // of the one pass under way
  private final Policy policy;
  private final String policyId;
  private final JsonNode policyConfig;
  private final Set<Dimension> oversubscribed;
  private final Optional<Duration> watchdog;
  private final long watchdogNanos; // all of time, if it is longer than that
  private final RecordedDecisions log;
  private final int topScores;
  private final Set<Trigger> due = EnumSet.noneOf(Trigger.class);
  private Plan lastPlan;
  private final Set<String> departed =
      new HashSet<>(); // since the last plan, which may speak of them
  private long passes;
  private long lastPassAt;
  private long wakeAt = Long.MAX_VALUE;
  private @Nullable Thread inside;

  private Scheduler(Builder builder) {
    this.state = new ClusterState(builder.seed, builder.classes);
    this.transitions = new Transitions(state);
    this.events = new ClusterEvents(state, transitions);
    PolicyChoice choice = builder.choice();
    this.policyId = choice.id;
    this.policyConfig = choice.config;
    this.policy = choice.maker.apply(new Context(state));
    this.oversubscribed = Set.copyOf(policy.oversubscribes());
    this.watchdog = builder.watchdog != null ? Optional.of(builder.watchdog) : policy.watchdog();
    watchdog.ifPresent(longest -> requirePositive("policy " + policyId, longest));
    this.watchdogNanos = watchdog.map(Durations::toNanosSaturated).orElse(0L);
    this.log = new RecordedDecisions(builder.decisionLog);
    this.topScores = builder.topScores;
    this.lastPlan = new Plan(0, 0, Set.of(), List.of());
  }

  /** Starts a scheduler. */
  public static Builder builder() {
    return new Builder();
  }

  // ---- Events

  /**
   * A provider offers hosts, or changes its offer. If that is less than there are of them, they
   * stay, and no more are asked for.
   *
   * @throws EventRefusedException if a dimension is on another scale than before, or {@code now} is
   *     in the past
   */
  public void offerPool(PoolSpec pool, long now) {
    event(
        Trigger.POOL_OFFERED,
        () -> {
          events.offerPool(pool, now);
          return pool;
        });
  }

  /**
   * A host joins, or comes back; or one is up that a plan {@linkplain Action.Provision asked for},
   * with the capacity it turned out to have.
   *
   * @return a live view of it
   * @throws EventRefusedException if a host of that id is present or was released and is not gone,
   *     a dimension is on another scale than before, or {@code now} is in the past
   */
  public Host addHost(HostSpec spec, long now) {
    return event(Trigger.HOST_ADDED, () -> events.addHost(spec, now));
  }

  /**
   * A host leaves or fails. Its instances are pending again and keep their history. Or one that a
   * plan asked for will not come up, or one that a plan released is gone.
   *
   * @throws EventRefusedException if there is no such host, or {@code now} is in the past
   */
  public void removeHost(String hostId, long now) {
    event(
        Trigger.HOST_REMOVED,
        () -> {
          events.removeHost(hostId, now);
          return hostId;
        });
  }

  /**
   * A request is admitted. Its instance is pending.
   *
   * @return a live view of the instance
   * @throws EventRefusedException if an instance of that id is not done, the service class is
   *     unknown, a dimension is on another scale than before, or {@code now} is in the past
   */
  public Instance submit(Request request, long now) {
    return event(Trigger.REQUEST_ADMITTED, () -> events.submit(request, now));
  }

  /**
   * A bag of tasks is submitted: each of its requests is admitted, or none is.
   *
   * @return a live view of the bag
   * @throws EventRefusedException if a bag of that id is not at an end, or as {@link
   *     #submit(Request, long)} for one of its requests
   */
  public Bag submit(BagSpec bag, long now) {
    return event(Trigger.REQUEST_ADMITTED, () -> events.submit(bag, now));
  }

  /**
   * A host says how busy it is; policies that choose among time-shared hosts live on such reports.
   * Makes no pass due.
   *
   * @param average mean number of instances that used the CPU or waited for it, over the last
   *     {@link HostLoad#WINDOW}; not negative, finite
   * @throws EventRefusedException if no such host is up, the average is out of range, or {@code
   *     now} is in the past
   */
  public void loadReported(String hostId, double average, long now) {
    enter();
    try {
      events.loadReported(hostId, average, now);
    } finally {
      inside = null;
    }
  }

  /**
   * An instance that was placed is ready: its service begins. Makes no pass due.
   *
   * @throws EventRefusedException if it is not starting, or {@code now} is in the past
   */
  public void started(String instanceId, long now) {
    enter();
    try {
      events.started(instanceId, now);
    } finally {
      inside = null;
    }
  }

  /**
   * What an instance was measured to use; policies with vertical elasticity live on such reports.
   * Makes no pass due.
   *
   * @param used what it uses of what it is granted
   * @param shortfall what it would use on top if it were granted more; of memory, what it keeps in
   *     swap
   * @throws EventRefusedException if it is on no host, a dimension is on another scale than before,
   *     or {@code now} is in the past
   */
  public void usageReported(String instanceId, Resources used, Resources shortfall, long now) {
    enter();
    try {
      events.usageReported(instanceId, used, shortfall, now);
    } finally {
      inside = null;
    }
  }

  /**
   * An instance on a host failed, whatever it was doing there. It is pending again and keeps its
   * history; its host stays.
   *
   * @throws EventRefusedException if it is on no host, or {@code now} is in the past
   */
  public void failed(String instanceId, long now) {
    event(
        Trigger.INSTANCE_FAILED,
        () -> {
          events.failed(instanceId, now);
          return instanceId;
        });
  }

  /**
   * An instance has done its work.
   *
   * @return what it got
   * @throws EventRefusedException if it is not running, or {@code now} is in the past
   */
  public InstanceReport completed(String instanceId, long now) {
    return event(
        Trigger.INSTANCE_COMPLETED, () -> end(instanceId, now, false, OptionalLong.empty()));
  }

  /**
   * An instance has done its work, and it is known what CPU time that took on its host: this is
   * added to what is known of its {@linkplain Request#application application} there.
   *
   * @param cpuTime not negative
   * @return what it got
   * @throws EventRefusedException if it is not running, the time is negative, or {@code now} is in
   *     the past
   */
  public InstanceReport completed(String instanceId, Duration cpuTime, long now) {
    if (cpuTime.isNegative()) {
      throw new EventRefusedException(
          "instance %s completed after a CPU time of %s, must not be negative."
              .formatted(instanceId, cpuTime));
    }
    OptionalLong nanos = OptionalLong.of(Durations.toNanosSaturated(cpuTime));
    return event(Trigger.INSTANCE_COMPLETED, () -> end(instanceId, now, false, nanos));
  }

  /**
   * The user takes a request back, whatever the state of its instance.
   *
   * @return what it got
   * @throws EventRefusedException if there is no such instance, or {@code now} is in the past
   */
  public InstanceReport cancel(String instanceId, long now) {
    return event(
        Trigger.INSTANCE_COMPLETED, () -> end(instanceId, now, true, OptionalLong.empty()));
  }

  /**
   * The user takes a bag of tasks back: all that is left of it is cancelled.
   *
   * @param why what to tell of it
   * @return what became of it; the next plan tells it again
   * @throws EventRefusedException if there is no such bag, or {@code now} is in the past
   */
  public BagReport cancelBag(String bagId, Reason why, long now) {
    return event(
        Trigger.INSTANCE_COMPLETED,
        () -> {
          BagReport report = events.cancelBag(bagId, why, now);
          report.cancelled().forEach(each -> departed.add(each.id()));
          return report;
        });
  }

  private InstanceReport end(String instanceId, long now, boolean cancelled, OptionalLong cpuTime) {
    Instance done = events.done(instanceId, now, cancelled, cpuTime);
    if (!lastPlan.deferrals().isEmpty() || !lastPlan.policyErrors().isEmpty()) {
      departed.add(instanceId);
    }
    return InstanceReport.of(done, done.stateSince());
  }

  // ---- Passes

  /**
   * Runs a pass of the policy, due or not.
   *
   * @return what to do, in order; possibly nothing
   * @throws EventRefusedException if {@code now} is in the past
   * @throws PolicyFailedException if the policy throws; then nothing but the time has changed, and
   *     what made the pass due still does
   */
  public Plan schedule(long now) {
    enter();
    try {
      events.advanceTo(now, "a pass");
      Set<Trigger> triggers = EnumSet.noneOf(Trigger.class);
      triggers.addAll(due);
      if (isReached(watchdogAt(), now)) {
        triggers.add(Trigger.WATCHDOG);
      }
      if (isReached(expiryAt(), now)) {
        triggers.add(Trigger.EXPIRY);
      }
      if (isReached(wakeAt, now)) {
        triggers.add(Trigger.WAKE_UP);
      }
      if (triggers.isEmpty()) {
        triggers.add(Trigger.EMBEDDER);
      }
      Pass pass =
          new Pass(
              state,
              transitions,
              journal,
              passes + 1,
              Collections.unmodifiableSet(triggers),
              oversubscribed,
              !log.keepsNothing(),
              topScores);
      try {
        pass.cancelExpired();
        policy.schedule(pass.view());
      } catch (Throwable failure) { // also a checked one that somebody threw undeclared
        pass.abandon();
        if (failure instanceof VirtualMachineError fatal) {
          throw fatal;
        }
        throw new PolicyFailedException(policyId, passes + 1, failure);
      }
      lastPlan = pass.finish(log::add, log::add);
      passes++;
      lastPassAt = now;
      wakeAt = pass.wakeAt();
      due.clear();
      departed.clear();
      for (Action each : lastPlan.actions()) {
        if (each instanceof Action.Reject reject) {
          departed.add(reject.instance());
        } else if (each instanceof Action.Cancel cancel) {
          departed.addAll(cancel.instances());
        }
      }
      return lastPlan;
    } finally {
      inside = null;
    }
  }

  /**
   * Returns when the next pass is due: at once ({@link #now}) if an event made one due, otherwise
   * when the watchdog fires, counted from the last pass, or at {@link #nextTimerAt}; empty if only
   * an event will.
   */
  public OptionalLong nextPassAt() {
    if (!due.isEmpty()) {
      return OptionalLong.of(state.now());
    }
    return orNever(Math.min(watchdogAt(), timerAt()));
  }

  /**
   * Returns when something is due that only time brings about, the watchdog apart: the time to live
   * of a bag or of a host of a pool runs out, or the policy {@linkplain
   * dev.berth.api.policy.SchedulingPass#wakeAt asked} for a pass; empty if nothing is.
   */
  public OptionalLong nextTimerAt() {
    return orNever(timerAt());
  }

  private long timerAt() {
    return Math.min(wakeAt, expiryAt());
  }

  private static boolean isReached(long at, long now) {
    return at <= now && at != Long.MAX_VALUE; // which is never
  }

  private static OptionalLong orNever(long at) {
    return at == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(at);
  }

  private long expiryAt() {
    return state.nextExpiry(passes == 0 ? Long.MIN_VALUE : lastPassAt);
  }

  private long watchdogAt() {
    return passes == 0 || watchdog.isEmpty()
        ? Long.MAX_VALUE // never
        : LongMath.saturatedAdd(lastPassAt, watchdogNanos);
  }

  // ---- Looking

  /** Returns the time of the latest event or pass; {@link Long#MIN_VALUE} before the first. */
  public long now() {
    return state.now();
  }

  /** Returns the hosts that are up, in the order in which they joined; a copy of live views. */
  public List<Host> hosts() {
    return state.hosts();
  }

  /** Returns a live view of a host, or empty. Cost O(1). */
  public Optional<Host> host(String id) {
    return state.host(id);
  }

  /** Returns live views of the pools, in the order in which they were offered. */
  public List<Pool> pools() {
    return state.pools();
  }

  /** Returns live views of the bags of tasks that are not at an end, in order of submission. */
  public List<Bag> bags() {
    return state.bags();
  }

  /** Returns a live view of a bag that is not at an end, or empty. Cost O(1). */
  public Optional<Bag> bag(String id) {
    return state.bag(id);
  }

  /** Returns the instances that are not done, in order of admission; live and unmodifiable. */
  public Collection<Instance> instances() {
    return state.instances();
  }

  /** Returns a live view of an instance that is not done, or empty. Cost O(1). */
  public Optional<Instance> instance(String id) {
    return state.instance(id);
  }

  /** Returns how many instances are pending. */
  public int pendingCount() {
    return state.pendingCount();
  }

  /** Returns the number of passes so far. */
  public long passes() {
    return passes;
  }

  /** Returns what explains decisions, and their absence. */
  public Explainer explain() {
    return new EngineExplainer(state, () -> lastPlan, departed, log, this::refuseInside);
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
   * Returns the effective configuration of the policy, a copy; an empty object for a policy made by
   * hand.
   */
  public JsonNode policyConfig() {
    return policyConfig.deepCopy();
  }

  /** Returns the seed. */
  public long seed() {
    return state.seed();
  }

  /** Returns the longest time between two passes, or empty if only events make one due. */
  public Optional<Duration> watchdog() {
    return watchdog;
  }

  /** Returns the service classes, most important first. */
  public List<ServiceClass> serviceClasses() {
    return state.serviceClasses();
  }

  // ---- Inside

  private interface Change<T> {
    T make();
  }

  private <T> T event(Trigger trigger, Change<T> change) {
    enter();
    try {
      T result = change.make();
      due.add(trigger);
      return result;
    } finally {
      inside = null;
    }
  }

  private static void requirePositive(String whose, Duration watchdog) {
    if (watchdog.isNegative() || watchdog.isZero()) {
      throw new IllegalArgumentException(
          "%s: watchdog was %s, must be positive.".formatted(whose, watchdog));
    }
  }

  private void refuseInside() {
    if (inside != null) {
      throw new IllegalStateException("explanations are for between the calls of a scheduler.");
    }
  }

  private void enter() {
    Thread current = Thread.currentThread();
    if (inside != null) {
      throw new IllegalStateException(
          inside == current
              ? "a policy called its scheduler from within a pass. Maybe act on the pass instead."
              : "threads %s and %s use one scheduler at the same time."
                  .formatted(inside.getName(), current.getName()));
    }
    inside = current;
  }

  private record Context(ClusterState state) implements PolicyContext {
    @Override
    public List<ServiceClass> serviceClasses() {
      return state.serviceClasses();
    }

    @Override
    public long seed() {
      return state.seed();
    }

    @Override
    public PipelineBuilder pipeline() {
      return Pipeline.builder(state);
    }
  }

  private record PolicyChoice(String id, JsonNode config, Function<PolicyContext, Policy> maker) {

    static <C extends Record> PolicyChoice of(PolicyFactory<C> factory, C config) {
      return new PolicyChoice(
          factory.id(), ConfigBinder.toJson(config), context -> factory.create(config, context));
    }

    static <C extends Record> PolicyChoice bound(PolicyFactory<C> factory, JsonNode user) {
      return of(factory, ConfigBinder.bind(factory, user));
    }
  }

  /** Collects the settings of a scheduler; not thread-safe. One builder can make several. */
  public static final class Builder {

    private @Nullable PolicyRegistry registry;
    private @Nullable Function<Supplier<PolicyRegistry>, PolicyChoice> policy;
    private List<ServiceClass> classes = List.of();
    private long seed;
    private @Nullable Duration watchdog;
    private int decisionLog = 1000;
    private int topScores;

    private Builder() {}

    /** Chooses a policy by id, with its default configuration; {@link #build} looks it up. */
    public Builder policy(String id) {
      return policy(id, JsonNodeFactory.instance.objectNode());
    }

    /**
     * Chooses a policy by id, with a configuration in JSON over its defaults; {@link #build} looks
     * it up and binds it.
     */
    public Builder policy(String id, String configJson) {
      this.policy =
          known ->
              PolicyChoice.bound(
                  known.get().get(id), ConfigBinder.parse("policy " + id, configJson));
      return this;
    }

    /** Chooses a policy by id, with a configuration as a JSON tree over its defaults. */
    public Builder policy(String id, JsonNode config) {
      this.policy = known -> PolicyChoice.bound(known.get().get(id), config);
      return this;
    }

    /** Chooses a policy by its factory. */
    public <C extends Record> Builder policy(PolicyFactory<C> factory, C config) {
      this.policy = known -> PolicyChoice.of(factory, config);
      return this;
    }

    /** Chooses a policy that is made by hand. */
    public Builder policy(String id, Function<PolicyContext, Policy> maker) {
      this.policy = known -> new PolicyChoice(id, JsonNodeFactory.instance.objectNode(), maker);
      return this;
    }

    /** Sets where policies are looked up; default {@link PolicyRegistry#load()}. */
    public Builder registry(PolicyRegistry registry) {
      this.registry = registry;
      return this;
    }

    /** Sets the service classes that requests may name. */
    public Builder serviceClasses(ServiceClass... classes) {
      return serviceClasses(List.of(classes));
    }

    /** Sets the service classes that requests may name. */
    public Builder serviceClasses(Collection<? extends ServiceClass> classes) {
      this.classes = new ArrayList<>(classes);
      return this;
    }

    /** Sets the seed of everything that is left to chance; default 0. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Sets the longest time between two passes, whatever the policy wishes.
     *
     * @throws IllegalArgumentException if not positive
     */
    public Builder watchdog(Duration longest) {
      requirePositive("scheduler", longest);
      this.watchdog = longest;
      return this;
    }

    /**
     * Sets how many decisions are kept for explanations; default 1000. Zero: none, and passes need
     * not note any.
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
     * Sets how many of the best hosts are noted with each decision; default 0, since each costs
     * memory and time.
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
     * Returns a scheduler without hosts and instances.
     *
     * @throws IllegalArgumentException if no policy or no service class was chosen, or two classes
     *     have one name
     * @throws UnknownPolicyException if no policy has the id
     * @throws ConfigException if the policy's configuration is wrong; it lists all that is
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
