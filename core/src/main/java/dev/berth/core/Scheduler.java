package dev.berth.core;

import dev.berth.api.Action;
import dev.berth.api.ActionId;
import dev.berth.api.Adoption;
import dev.berth.api.Attempt;
import dev.berth.api.Backoff;
import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.Difference;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.GroupStatus;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostLoad;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceReport;
import dev.berth.api.InstanceState;
import dev.berth.api.Limit;
import dev.berth.api.Observation;
import dev.berth.api.ObservedInstance;
import dev.berth.api.Plan;
import dev.berth.api.Pool;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Reconciler;
import dev.berth.api.Reconciliation;
import dev.berth.api.Rejection;
import dev.berth.api.Request;
import dev.berth.api.Resources;
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
import dev.berth.core.explain.Explainer;
import dev.berth.core.internal.explain.EngineExplainer;
import dev.berth.core.internal.pass.RecordedDecisions;
import dev.berth.core.internal.state.AttemptReports;
import dev.berth.core.internal.state.BudgetEvents;
import dev.berth.core.internal.state.ClassRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Corrections;
import dev.berth.core.internal.state.HostEvents;
import dev.berth.core.internal.state.Hypotheses;
import dev.berth.core.internal.state.Rejections;
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
import java.util.function.BooleanSupplier;
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
public final class Scheduler {

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
  private final AttemptReports attempts;
  private final Rejections rejections;
  private final HostEvents hostEvents;
  private final BudgetEvents budgetEvents;
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
    this.attempts = new AttemptReports(state, events);
    this.rejections = new Rejections(state, events, transitions);
    this.hostEvents = new HostEvents(state, events);
    this.budgetEvents = new BudgetEvents(state, events);
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
        "offerPool",
        () -> {
          events.offerPool(pool, now);
          timer.trigger(Trigger.POOL_OFFERED);
        });
  }

  /**
   * Sets how much there is of a counted limit of the cluster, such as the licences of a program. A
   * limit that was never set is 0, so requests that {@linkplain dev.berth.api.LimitUse use} it
   * wait. Lowering a limit below what is used stops no instance, but nothing that uses it is placed
   * until it suffices again. Changes nothing if it is so already.
   *
   * @param name its name; not blank
   * @param amount how much, not negative
   * @throws EventRefusedException if the name is blank, the amount is negative, or {@code now} is
   *     in the past
   */
  public void setLimit(String name, long amount, long now) {
    Objects.requireNonNull(name, "Scheduler.setLimit: name was null, must not be null.");
    report(
        "setLimit",
        () -> {
          if (events.setLimit(name, amount, now)) {
            timer.trigger(Trigger.LIMIT_CHANGED);
          }
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
    return event("addHost", Trigger.HOST_ADDED, () -> events.addHost(spec, now));
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
        "removeHost",
        () -> {
          events.removeHost(hostId, now);
          timer.trigger(Trigger.HOST_REMOVED);
        });
  }

  /**
   * Changes the capacity, the attributes and the taints of a host that is up.
   *
   * <p>Its instances stay, even if they no longer fit or their constraints no longer hold; the
   * constraints of later placements refer to the new attributes. A new taint counts from {@code
   * now}; one that the host had before, with the same key, value and effect, counts on. Instances
   * leave only if a taint has the effect {@link dev.berth.api.Taint.Effect#LEAVE}: passes evict
   * them when their time is over, and {@link #nextPassAt} is not after that. A host that holds more
   * than its capacity is {@linkplain Host#closed closed} until everything fits again: because
   * instances end, or because the policy suspends, shrinks or moves some. To have it emptied,
   * {@linkplain #drain drain} it. Changes nothing if nothing differs.
   *
   * @param spec the host from now on
   * @throws EventRefusedException if no such host is up, whether its CPU is {@linkplain
   *     HostSpec#timeShared time-shared} differs, a dimension is on another scale than before, or
   *     {@code now} is in the past
   */
  public void changeHost(HostSpec spec, long now) {
    Objects.requireNonNull(spec, "Scheduler.changeHost: spec was null, must not be null.");
    changeOfHost("changeHost", () -> hostEvents.changeHost(spec, now));
  }

  /**
   * Reports the amounts that others than this scheduler hold on a host. They count like capacity
   * that is gone, and as used when hosts are scored. A host that holds more than its capacity with
   * them is closed, as after {@link #changeHost}. Makes a pass due if the amounts differ.
   *
   * @param foreign replaces what was reported before; CPU counts only on hosts whose CPU is not
   *     {@linkplain HostSpec#timeShared time-shared}
   * @throws EventRefusedException if no such host is up, a dimension is on another scale than
   *     before, the amounts are too great to add up, or {@code now} is in the past
   */
  public void foreignLoad(String hostId, Resources foreign, long now) {
    Objects.requireNonNull(hostId, "Scheduler.foreignLoad: hostId was null, must not be null.");
    Objects.requireNonNull(foreign, "Scheduler.foreignLoad: foreign was null, must not be null.");
    changeOfHost("foreignLoad", () -> hostEvents.foreignLoad(hostId, foreign, now));
  }

  /**
   * Closes a host and has the following passes empty it, until it is {@linkplain #uncordon opened}
   * or removed. Replaces an earlier drain of the host. A host that is empty reports {@link
   * Reason.Drained}.
   *
   * @param how when and how its instances leave
   * @throws EventRefusedException if no such host is up, {@code how} names an unknown service
   *     class, or {@code now} is in the past
   */
  public void drain(String hostId, Drain how, long now) {
    Objects.requireNonNull(hostId, "Scheduler.drain: hostId was null, must not be null.");
    Objects.requireNonNull(how, "Scheduler.drain: how was null, must not be null.");
    changeOfHost("drain", () -> hostEvents.drain(hostId, how, now));
  }

  /**
   * Closes a host: no plan starts anything on it until it is {@linkplain #uncordon opened}. Its
   * instances stay. Changes nothing if it is cordoned already.
   *
   * @throws EventRefusedException if no such host is up, or {@code now} is in the past
   */
  public void cordon(String hostId, long now) {
    Objects.requireNonNull(hostId, "Scheduler.cordon: hostId was null, must not be null.");
    changeOfHost("cordon", () -> hostEvents.cordon(hostId, now));
  }

  /**
   * Opens a host that was cordoned or drained, and ends the drain. Changes nothing if it was
   * neither. The host may stay {@linkplain Host#closed closed} for another reason.
   *
   * @throws EventRefusedException if no such host is up, or {@code now} is in the past
   */
  public void uncordon(String hostId, long now) {
    Objects.requireNonNull(hostId, "Scheduler.uncordon: hostId was null, must not be null.");
    changeOfHost("uncordon", () -> hostEvents.uncordon(hostId, now));
  }

  /**
   * Sets the disruption budget of a job, in place of an earlier one. It holds for the instances
   * whose requests name the {@linkplain Request#job job}, now and later, until it is {@linkplain
   * #removeBudget removed}; the job need not have instances yet. Makes a pass due if anything
   * differs. Cost O(log budgets) if the job has no instances or a budget already, otherwise
   * O(instances on its hosts + pending instances).
   *
   * @param job not blank
   * @throws EventRefusedException if {@code job} is blank, or {@code now} is in the past
   */
  public void setBudget(String job, DisruptionBudget budget, long now) {
    Objects.requireNonNull(job, "Scheduler.setBudget: job was null, must not be null.");
    Objects.requireNonNull(budget, "Scheduler.setBudget: budget was null, must not be null.");
    changeOfBudget("setBudget", () -> budgetEvents.set(job, budget, now));
  }

  /**
   * Removes the disruption budget of a job: all its instances may be taken down. Changes nothing if
   * it has none. Makes a pass due if it has one.
   *
   * @param job not blank
   * @throws EventRefusedException if {@code job} is blank, or {@code now} is in the past
   */
  public void removeBudget(String job, long now) {
    Objects.requireNonNull(job, "Scheduler.removeBudget: job was null, must not be null.");
    changeOfBudget("removeBudget", () -> budgetEvents.remove(job, now));
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
    return event("submit", Trigger.REQUEST_ADMITTED, () -> events.submit(request, now));
  }

  /**
   * Admits a request whose instance has a history that this scheduler does not know: it continues
   * an instance that has ended, or that another scheduler had. Its instance is pending since {@code
   * now}. Its accounting continues, and so do its place in the queue, its deadline and its numbers
   * of {@linkplain Attempt attempts}.
   *
   * <p>A scheduler lives for the {@linkplain TimeLimits longest life} from the earliest admission.
   *
   * @param history what it had before; see {@link History#of}
   * @return a live view of the instance
   * @throws EventRefusedException as {@link #submit(Request, long)}; or if the history begins after
   *     {@code now} or too long before it, or has more service and restarts than time since then
   */
  public Instance submit(Request request, History history, long now) {
    Objects.requireNonNull(request, "Scheduler.submit: request was null, must not be null.");
    Objects.requireNonNull(history, "Scheduler.submit: history was null, must not be null.");
    return event("submit", Trigger.REQUEST_ADMITTED, () -> events.submit(request, history, now));
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
    return event("submit", Trigger.REQUEST_ADMITTED, () -> events.submit(bag, now));
  }

  /**
   * Submits a group of requests that start together. Either all of them are admitted or none is.
   *
   * @return live views of the instances, in the order of the members
   * @throws EventRefusedException if a group of that id has not ended, or if {@link
   *     #submit(Request, long)} would refuse one of its members
   */
  public List<Instance> submit(GroupSpec group, long now) {
    Objects.requireNonNull(group, "Scheduler.submit: group was null, must not be null.");
    return event("submit", Trigger.REQUEST_ADMITTED, () -> events.submit(group, now));
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
    report("loadReported", () -> events.loadReported(hostId, average, now));
  }

  /**
   * Reports that a placed instance is ready: its service begins. Does not make a pass due, unless
   * the {@linkplain #setBudget disruption budget} of its job allows to take another one down since.
   *
   * @throws EventRefusedException if it is not starting, or {@code now} is in the past
   */
  public void started(String instanceId, long now) {
    Objects.requireNonNull(instanceId, "Scheduler.started: instanceId was null, must not be null.");
    report(
        "started",
        () -> {
          events.started(instanceId, now);
          triggerIfOpened();
          triggerIfFreed(instanceId);
        });
  }

  /**
   * Reports that an attempt of an instance is ready, and since when: its service begins then. Makes
   * a pass due as {@link #started(String, long)} does. Use this form where messages can be late or
   * doubled.
   *
   * @param at when it was ready, at most {@code now}; if that is before its present state began,
   *     that moment counts
   * @throws StaleReportException if a later attempt exists, or it is not starting any more
   * @throws EventRefusedException if no plan has begun that attempt, {@code at} is after {@code
   *     now}, or {@code now} is in the past
   */
  public void started(Attempt attempt, long at, long now) {
    Objects.requireNonNull(attempt, "Scheduler.started: attempt was null, must not be null.");
    report(
        "started",
        () -> {
          attempts.started(attempt, at, now);
          triggerIfOpened();
          triggerIfFreed(attempt.instance());
        });
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
    report("usageReported", () -> events.usageReported(instanceId, used, shortfall, now));
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
        "failed",
        () -> {
          events.failed(instanceId, now);
          timer.trigger(Trigger.INSTANCE_FAILED);
        });
  }

  /**
   * Reports that an attempt of an instance failed, and when: it is pending since then, and keeps
   * its history; its host stays. Use this form where messages can be late or doubled.
   *
   * @param at when it failed, at most {@code now}; if that is before its present state began, that
   *     moment counts
   * @throws StaleReportException if a later attempt exists, or the instance is pending already
   * @throws EventRefusedException if no plan has begun that attempt, {@code at} is after {@code
   *     now}, or {@code now} is in the past
   */
  public void failed(Attempt attempt, long at, long now) {
    Objects.requireNonNull(attempt, "Scheduler.failed: attempt was null, must not be null.");
    report(
        "failed",
        () -> {
          attempts.failed(attempt, at, now);
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
        "completed",
        Trigger.INSTANCE_COMPLETED,
        () -> end(instanceId, now, false, OptionalLong.empty()));
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
        "completed",
        Trigger.INSTANCE_COMPLETED,
        () -> {
          OptionalLong nanos = OptionalLong.of(nanos(instanceId, cpuTime));
          return end(instanceId, now, false, nanos);
        });
  }

  private static long nanos(String instanceId, Duration cpuTime) {
    if (cpuTime.isNegative()) {
      throw new EventRefusedException(
          "instance %s completed after a CPU time of %s, must not be negative."
              .formatted(instanceId, cpuTime));
    }
    return Durations.toNanosSaturated(cpuTime);
  }

  /**
   * Reports that an attempt of an instance has completed its work, and when. Use this form where
   * messages can be late or doubled.
   *
   * <p>The instance may be in any state. If its start was not reported, it has had no service in
   * this attempt. If a plan has preempted it meanwhile, or it was reported as failed or its host as
   * gone, it finished first: its service ended then.
   *
   * @param at when it completed, at most {@code now}; if that is before its present state began,
   *     that moment counts
   * @return the service that it received
   * @throws StaleReportException if a later attempt exists
   * @throws EventRefusedException if no plan has begun that attempt, {@code at} is after {@code
   *     now}, or {@code now} is in the past
   */
  public InstanceReport completed(Attempt attempt, long at, long now) {
    Objects.requireNonNull(attempt, "Scheduler.completed: attempt was null, must not be null.");
    return event(
        "completed",
        Trigger.INSTANCE_COMPLETED,
        () -> ended(attempts.completed(attempt, OptionalLong.empty(), at, now)));
  }

  /**
   * Reports that an attempt of an instance has completed its work, when, and the CPU time that the
   * work took; see {@link #completed(Attempt, long, long)} and {@link #completed(String, Duration,
   * long)}. The CPU time does not count if the instance is on no host any more.
   *
   * @param cpuTime not negative
   * @param at when it completed, at most {@code now}
   * @return the service that the instance received
   * @throws StaleReportException as {@link #completed(Attempt, long, long)}
   * @throws EventRefusedException as {@link #completed(Attempt, long, long)}, or if the time is
   *     negative
   */
  public InstanceReport completed(Attempt attempt, Duration cpuTime, long at, long now) {
    Objects.requireNonNull(attempt, "Scheduler.completed: attempt was null, must not be null.");
    Objects.requireNonNull(cpuTime, "Scheduler.completed: cpuTime was null, must not be null.");
    return event(
        "completed",
        Trigger.INSTANCE_COMPLETED,
        () -> {
          OptionalLong nanos = OptionalLong.of(nanos(attempt.instance(), cpuTime));
          return ended(attempts.completed(attempt, nanos, at, now));
        });
  }

  /**
   * Reports that an action of a plan could not be carried out. It is undone as if it had never been
   * decided: no service, preemption or restart is charged. A placement leaves its instance pending;
   * a preemption, a pause or a migration leaves its instance where and as it was. Makes a pass due.
   *
   * <p>What depends on it is undone as well: later actions on the same instance; the placement for
   * which a victim was preempted; and, where an instance gets back what it held, later actions that
   * took it, the latest first, until the host holds everything again. A rejected placement leaves
   * its victims preempted, unless their preemptions are rejected.
   *
   * <p>Only an open action can be undone. An action is open until a report implies that it was
   * carried out, or until what it would return to is gone:
   *
   * <ul>
   *   <li>a placement, resumption or migration, until its attempt has started, failed or completed;
   *   <li>a preemption, until the next start of the victim is reported, or the victim is done;
   *   <li>a pause, suspension or resizing, until the next action on the instance, unless that one
   *       is undone first;
   *   <li>a request for hosts, until the first of them is added or removed;
   *   <li>a release, until the host is removed;
   *   <li>a rejection, assignment or cancellation, until the next pass;
   *   <li>each of them, until the instance fails or ends, or the host to return to is removed.
   * </ul>
   *
   * <p>If actions that are not open have taken the room of an instance that returns, the host holds
   * more than its capacity.
   *
   * @param action its id; see {@link Plan#id}
   * @param why the reason, for people
   * @return all actions that were undone
   * @throws StaleReportException if the action is not open
   * @throws EventRefusedException if {@code now} is in the past, or a host would hold amounts that
   *     are too great to add up
   */
  public Rejection rejected(ActionId action, String why, long now) {
    Objects.requireNonNull(action, "Scheduler.rejected: action was null, must not be null.");
    Objects.requireNonNull(why, "Scheduler.rejected: why was null, must not be null.");
    return event(
        "rejected",
        Trigger.ACTION_REJECTED,
        () -> {
          Rejection rejection = rejections.rejected(action, why, now);
          rejection.undone().forEach(each -> runner.undone(each.action()));
          log.undo(rejection);
          if (report != null) {
            report.add(rejection);
          }
          return rejection;
        });
  }

  /**
   * Adopts an instance that is on a host already, though no plan of this scheduler placed it there.
   * The host may hold more than its capacity then, and accepts nothing until it fits again.
   *
   * @param how its request and its history
   * @param seen where it is, in which state and since when; without a time, since now
   * @return a live view of the instance
   * @throws EventRefusedException if an instance of that id is not done, the service class or the
   *     host is unknown, the times contradict each other, a dimension is on another scale than
   *     before, the host would hold amounts that are too great to add up, or {@code now} is in the
   *     past
   */
  public Instance adopt(Adoption how, ObservedInstance seen, long now) {
    Objects.requireNonNull(how, "Scheduler.adopt: how was null, must not be null.");
    Objects.requireNonNull(seen, "Scheduler.adopt: seen was null, must not be null.");
    return event("adopt", Trigger.REQUEST_ADMITTED, () -> corrections.adopt(how, seen, now));
  }

  /**
   * Compares what this scheduler believes with what a fleet reports there is, and corrects what
   * differs. The fleet is right:
   *
   * <ul>
   *   <li>Hosts that are up are added, changed or, if they were not reported, removed.
   *   <li>A known instance on a host becomes what it was observed to be, where it was observed. Its
   *       service counts from {@link ObservedInstance#since}, but not from before the state it was
   *       believed in. A state that it had in between does not count.
   *   <li>An instance that is believed on a host and was not observed is pending again, or ended if
   *       the reconciler says so; what it served until now counts. It is no failed start.
   *   <li>An unknown instance is adopted, or what it holds is foreign load.
   * </ul>
   *
   * <p>Each difference is corrected by an event of its own. If one fails because a part of the
   * policy throws, the corrections before it stay, and the next call corrects the rest. Hosts that
   * a plan requested and that are not up yet are left alone. Pending instances stay pending unless
   * they were observed. Cost O(hosts + instances).
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
            "reconcile",
            () -> {
              List<Corrections.Correction> differing = corrections.of(observed, reconciler, now);
              events.advanceTo(now);
              return differing;
            });
    List<Difference> differences = new ArrayList<>();
    for (Corrections.Correction each : found) {
      report(
          "reconcile",
          () -> {
            each.event().run();
            if (each.difference() instanceof Difference.InstanceGone gone && gone.ended()) {
              runner.departed(gone.instance());
            }
            timer.trigger(each.trigger());
            triggerIfOpened();
          });
      differences.add(each.difference());
    }
    return new Reconciliation(differences);
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
        "cancel",
        Trigger.INSTANCE_COMPLETED,
        () -> end(instanceId, now, true, OptionalLong.empty()));
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
        "cancelBag",
        Trigger.INSTANCE_COMPLETED,
        () -> {
          BagReport ended = events.cancelBag(bagId, why, now);
          ended.cancelled().forEach(each -> runner.departed(each.id()));
          return ended;
        });
  }

  /**
   * Cancels a group, with all instances of it that are not done. To cancel a single member, use
   * {@link #cancel}; the group then does without it.
   *
   * @return the final accounting of these instances, in order of admission
   * @throws EventRefusedException if there is no such group, or {@code now} is in the past
   */
  public List<InstanceReport> cancelGroup(String groupId, long now) {
    Objects.requireNonNull(groupId, "Scheduler.cancelGroup: groupId was null, must not be null.");
    return event(
        "cancelGroup",
        Trigger.INSTANCE_COMPLETED,
        () -> events.cancelGroup(groupId, now).stream().map(this::ended).toList());
  }

  private void triggerIfOpened() {
    if (state.backoffs().takeHostOpened()) {
      timer.trigger(Trigger.HELD_BACK_ENDED);
    }
  }

  private void triggerIfFreed(String startedId) {
    if (state.budgets().isFreedBy(startedId)) {
      timer.trigger(Trigger.BUDGET_CHANGED);
    }
  }

  private InstanceReport end(String instanceId, long now, boolean cancelled, OptionalLong cpuTime) {
    return ended(events.done(instanceId, now, cancelled, cpuTime));
  }

  private InstanceReport ended(Instance done) {
    Plan lastPlan = runner.lastPlan();
    if (!lastPlan.deferrals().isEmpty()
        || !lastPlan.bagDeferrals().isEmpty()
        || !lastPlan.policyErrors().isEmpty()) {
      runner.departed(done.id());
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

  private <T> T event(String kind, Trigger trigger, Supplier<T> work) {
    return recorded(
        kind,
        () -> {
          T result = work.get();
          timer.trigger(trigger);
          return result;
        });
  }

  /** Reports an event that makes a pass due if it changed the host. */
  private void changeOfHost(String kind, BooleanSupplier work) {
    report(
        kind,
        () -> {
          if (work.getAsBoolean()) {
            timer.trigger(Trigger.HOST_CHANGED);
          }
        });
  }

  private void changeOfBudget(String kind, BooleanSupplier work) {
    report(
        kind,
        () -> {
          if (work.getAsBoolean()) {
            timer.trigger(Trigger.BUDGET_CHANGED);
          }
        });
  }

  private void report(String kind, Runnable work) {
    recorded(
        kind,
        () -> {
          work.run();
          return state;
        });
  }

  /** Reports an event, and records it for JFR if that is on. */
  private <T> T recorded(String kind, Supplier<T> work) {
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
      recording.end(kind, refused);
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
