package dev.berth.core.event;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciliation;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Rejection;
import dev.berth.api.plan.Trigger;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What an embedder tells a scheduler: what happened, without the time at which the scheduler hears
 * of it. This is the only list of events; {@link dev.berth.core.Scheduler#apply} accepts them.
 *
 * <p>Events are immutable and safe for use by several threads. Their constructors refuse null with
 * a {@link NullPointerException}. They accept all other values, even those that a scheduler
 * refuses. Two events are equal if their components are; a {@link Request} equals only itself.
 *
 * <p>"Refused" means that the scheduler throws an {@link
 * dev.berth.core.error.EventRefusedException}, "stale" that it throws a {@link
 * dev.berth.core.error.StaleReportException}; then nothing has changed. Every event is also refused
 * if its time is in the past or outside the {@link dev.berth.api.TimeLimits}.
 *
 * <p>An event makes a pass due, with the {@linkplain Kind#trigger trigger} of its kind, unless it
 * says that it changes nothing.
 *
 * @param <R> the type of the answer: an immutable value, safe on any thread; {@link Accepted} if
 *     there is nothing to say
 */
public sealed interface Event<R> {

  /** Returns what is common to all events of this type: the kind of its name. */
  default Kind kind() {
    return Kinds.of(getClass());
  }

  /**
   * An event of one instance.
   *
   * @param <R> the type of the answer
   */
  sealed interface OfInstance<R> extends Event<R> {
    /** Returns the id of the instance. */
    String instance();
  }

  /**
   * A report about a start of an instance, which says that the start was carried out.
   *
   * @param <R> the type of the answer
   */
  sealed interface OfAttempt<R> extends OfInstance<R> {
    /** Returns the number of the attempt; empty, the default: the latest one. */
    default OptionalInt number() {
      return OptionalInt.empty();
    }
  }

  /**
   * A report that says which attempt it is about, for where messages can be late or doubled.
   *
   * @param <R> the type of the answer
   */
  sealed interface OfNumberedAttempt<R> extends OfAttempt<R> {
    /** Returns the attempt. */
    Attempt attempt();

    /** Returns when it happened; empty: at the time of the report. */
    OptionalLong at();

    @Override
    default String instance() {
      return attempt().instance();
    }

    @Override
    default OptionalInt number() {
      return OptionalInt.of(attempt().number());
    }
  }

  /** Requests are admitted. */
  sealed interface Submission extends Event<Accepted> {
    /** Returns the requests, in order of admission. */
    List<Request> requests();
  }

  /**
   * A user cancels instances.
   *
   * @param <R> the type of the answer
   */
  sealed interface Cancellation<R> extends Event<R> {}

  /** What an observation of a fleet lacks if it was made before an event. */
  enum Observed {
    /** Nothing: fleets do not report what the event changes. */
    NOTHING,
    /** What has become of the {@linkplain OfInstance#instance instance}. */
    INSTANCE,
    /** The foreign load of a host. */
    FOREIGN_LOAD,
    /** A host, or several instances. */
    HOSTS
  }

  /** The types of events, one for each record. */
  enum Kind {
    /** {@link Event.PoolOffered}. */
    POOL_OFFERED("offerPool", Trigger.POOL_OFFERED, Observed.NOTHING),
    /** {@link Event.LimitSet}. */
    LIMIT_SET("setLimit", Trigger.LIMIT_CHANGED, Observed.NOTHING),
    /** {@link Event.HostAdded}. */
    HOST_ADDED("addHost", Trigger.HOST_ADDED, Observed.HOSTS),
    /** {@link Event.HostRemoved}. */
    HOST_REMOVED("removeHost", Trigger.HOST_REMOVED, Observed.HOSTS),
    /** {@link Event.HostChanged}. */
    HOST_CHANGED("changeHost", Trigger.HOST_CHANGED, Observed.HOSTS),
    /** {@link Event.ForeignLoadReported}. */
    FOREIGN_LOAD_REPORTED("foreignLoad", Trigger.HOST_CHANGED, Observed.FOREIGN_LOAD),
    /** {@link Event.HostDrained}. */
    HOST_DRAINED("drain", Trigger.HOST_CHANGED, Observed.NOTHING),
    /** {@link Event.HostCordoned}. */
    HOST_CORDONED("cordon", Trigger.HOST_CHANGED, Observed.NOTHING),
    /** {@link Event.HostUncordoned}. */
    HOST_UNCORDONED("uncordon", Trigger.HOST_CHANGED, Observed.NOTHING),
    /** {@link Event.BudgetSet}. */
    BUDGET_SET("setBudget", Trigger.BUDGET_CHANGED, Observed.NOTHING),
    /** {@link Event.BudgetRemoved}. */
    BUDGET_REMOVED("removeBudget", Trigger.BUDGET_CHANGED, Observed.NOTHING),
    /** {@link Event.Submitted}. */
    SUBMITTED("submit", Trigger.REQUEST_ADMITTED, Observed.NOTHING),
    /** {@link Event.BagSubmitted}. */
    BAG_SUBMITTED("submit", Trigger.REQUEST_ADMITTED, Observed.NOTHING),
    /** {@link Event.GroupSubmitted}. */
    GROUP_SUBMITTED("submit", Trigger.REQUEST_ADMITTED, Observed.NOTHING),
    /** {@link Event.LoadReported}. */
    LOAD_REPORTED("loadReported", null, Observed.NOTHING),
    /** {@link Event.Started}. */
    STARTED("started", null, Observed.INSTANCE),
    /** {@link Event.StartedNow}. */
    STARTED_NOW("started", null, Observed.INSTANCE),
    /** {@link Event.UsageReported}. */
    USAGE_REPORTED("usageReported", null, Observed.NOTHING),
    /** {@link Event.Failed}. */
    FAILED("failed", Trigger.INSTANCE_FAILED, Observed.INSTANCE),
    /** {@link Event.FailedNow}. */
    FAILED_NOW("failed", Trigger.INSTANCE_FAILED, Observed.INSTANCE),
    /** {@link Event.Completed}. */
    COMPLETED("completed", Trigger.INSTANCE_COMPLETED, Observed.INSTANCE),
    /** {@link Event.CompletedNow}. */
    COMPLETED_NOW("completed", Trigger.INSTANCE_COMPLETED, Observed.INSTANCE),
    /** {@link Event.ActionRejected}. */
    ACTION_REJECTED("rejected", Trigger.ACTION_REJECTED, Observed.HOSTS),
    /** {@link Event.Adopted}. */
    ADOPTED("adopt", Trigger.REQUEST_ADMITTED, Observed.INSTANCE),
    /** {@link Event.Reconciled}. */
    RECONCILED("reconcile", null, Observed.HOSTS),
    /** {@link Event.Cancelled}. */
    CANCELLED("cancel", Trigger.INSTANCE_COMPLETED, Observed.INSTANCE),
    /** {@link Event.BagCancelled}. */
    BAG_CANCELLED("cancelBag", Trigger.INSTANCE_COMPLETED, Observed.HOSTS),
    /** {@link Event.GroupCancelled}. */
    GROUP_CANCELLED("cancelGroup", Trigger.INSTANCE_COMPLETED, Observed.HOSTS);

    private final String call;
    private final Optional<Trigger> trigger;
    private final Observed observed;

    Kind(String call, @Nullable Trigger trigger, Observed observed) {
      this.call = call;
      this.trigger = Optional.ofNullable(trigger);
      this.observed = observed;
    }

    /** Returns the name of the method of a scheduler that reports it, such as {@code "addHost"}. */
    public String call() {
      return call;
    }

    /** Returns why a pass is due after an event of this kind that changed something, or empty. */
    public Optional<Trigger> trigger() {
      return trigger;
    }

    /** Returns what an observation of a fleet lacks if it was made before. */
    public Observed observed() {
      return observed;
    }
  }

  /**
   * A provider offers a pool of hosts, or changes its offer. If the new offer is smaller than the
   * number of hosts in use, they stay, and no plan requests more.
   *
   * <p>Refused if a dimension is on another scale than before.
   *
   * @param pool the offer
   */
  record PoolOffered(PoolSpec pool) implements Event<Accepted> {
    /** Refuses null. */
    public PoolOffered {
      Objects.requireNonNull(pool, "pool");
    }
  }

  /**
   * There is so much of a counted limit of the cluster, such as the licences of a program. A limit
   * that was never set is 0, so requests that {@linkplain dev.berth.api.LimitUse use} it wait.
   * Lowering a limit below what is used stops no instance, but nothing that uses it is placed until
   * it suffices again. Changes nothing if it is so already.
   *
   * <p>Refused if the name is blank or the amount is negative.
   *
   * @param limit its name; not blank
   * @param amount how much, not negative
   */
  record LimitSet(String limit, long amount) implements Event<Accepted> {
    /** Refuses null. */
    public LimitSet {
      Objects.requireNonNull(limit, "limit");
    }
  }

  /**
   * A host joins or returns. A host that a plan {@linkplain dev.berth.api.plan.Action.Provision
   * provisions} is added when it is up, with its actual capacity.
   *
   * <p>Refused if a host of that id is present, or was released and is not yet removed, or a
   * dimension is on another scale than before.
   *
   * @param spec the host
   */
  record HostAdded(HostSpec spec) implements Event<Accepted> {
    /** Refuses null. */
    public HostAdded {
      Objects.requireNonNull(spec, "spec");
    }
  }

  /**
   * A host leaves or fails. Its instances are pending again and keep their history. Also reports
   * that a provisioned host will not start, or that a released host is gone.
   *
   * <p>Refused if there is no such host.
   *
   * @param host its id
   */
  record HostRemoved(String host) implements Event<Accepted> {
    /** Refuses null. */
    public HostRemoved {
      Objects.requireNonNull(host, "host");
    }
  }

  /**
   * The capacity, the attributes or the taints of a host that is up change.
   *
   * <p>Its instances stay, even if they no longer fit or their constraints no longer hold; the
   * constraints of later placements refer to the new attributes. A new taint counts from now; one
   * that the host had before, with the same key, value and effect, counts on. Instances leave only
   * if a taint has the effect {@link dev.berth.api.Taint.Effect#LEAVE}: passes evict them when
   * their time is over, and the next pass is due by then. A host that holds more than its capacity
   * is {@linkplain dev.berth.api.Host#closed closed} until everything fits again: because instances
   * end, or because the policy suspends, shrinks or moves some. To have it emptied, {@linkplain
   * HostDrained drain} it. Changes nothing if nothing differs.
   *
   * <p>Refused if no such host is up, whether its CPU is {@linkplain HostSpec#timeShared
   * time-shared} differs, or a dimension is on another scale than before.
   *
   * @param spec the host from now on
   */
  record HostChanged(HostSpec spec) implements Event<Accepted> {
    /** Refuses null. */
    public HostChanged {
      Objects.requireNonNull(spec, "spec");
    }
  }

  /**
   * Others than this scheduler hold amounts on a host. They count like capacity that is gone, and
   * as used when hosts are scored. A host that holds more than its capacity with them is closed, as
   * after {@link HostChanged}. Changes nothing if the amounts are the same as before.
   *
   * <p>Refused if no such host is up, a dimension is on another scale than before, or the amounts
   * are too great to add up.
   *
   * @param host its id
   * @param foreign replaces what was reported before; CPU counts only on hosts whose CPU is not
   *     {@linkplain HostSpec#timeShared time-shared}
   */
  record ForeignLoadReported(String host, Resources foreign) implements Event<Accepted> {
    /** Refuses null. */
    public ForeignLoadReported {
      Objects.requireNonNull(host, "host");
      Objects.requireNonNull(foreign, "foreign");
    }
  }

  /**
   * A host takes no more instances, and the following passes empty it, until it is {@linkplain
   * HostUncordoned opened} or removed. Replaces an earlier drain of the host. A host that is empty
   * reports {@link dev.berth.api.Reason.Drained}. Changes nothing if it is drained in this way
   * already.
   *
   * <p>Refused if no such host is up, or {@code how} names an unknown service class.
   *
   * @param host its id
   * @param how when and how its instances leave
   */
  record HostDrained(String host, Drain how) implements Event<Accepted> {
    /** Refuses null. */
    public HostDrained {
      Objects.requireNonNull(host, "host");
      Objects.requireNonNull(how, "how");
    }
  }

  /**
   * No plan starts anything on a host until it is {@linkplain HostUncordoned opened}. Its instances
   * stay. Changes nothing if it is cordoned already.
   *
   * <p>Refused if no such host is up.
   *
   * @param host its id
   */
  record HostCordoned(String host) implements Event<Accepted> {
    /** Refuses null. */
    public HostCordoned {
      Objects.requireNonNull(host, "host");
    }
  }

  /**
   * A host that was cordoned or drained takes instances again, and its drain ends. Changes nothing
   * if it was neither. It may stay {@linkplain dev.berth.api.Host#closed closed} for another
   * reason.
   *
   * <p>Refused if no such host is up.
   *
   * @param host its id
   */
  record HostUncordoned(String host) implements Event<Accepted> {
    /** Refuses null. */
    public HostUncordoned {
      Objects.requireNonNull(host, "host");
    }
  }

  /**
   * A job has a disruption budget, in place of an earlier one. It holds for the instances whose
   * requests name the {@linkplain Request#job job}, now and later, until it is {@linkplain
   * BudgetRemoved removed}; the job need not have instances yet. Changes nothing if it has that
   * budget already. Cost O(log budgets) if the job has no instances or a budget already, otherwise
   * O(instances on its hosts + pending instances).
   *
   * <p>Refused if the job is blank.
   *
   * @param job the job; not blank
   * @param budget its budget from now on
   */
  record BudgetSet(String job, DisruptionBudget budget) implements Event<Accepted> {
    /** Refuses null. */
    public BudgetSet {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(budget, "budget");
    }
  }

  /**
   * A job has no disruption budget any more: all its instances may be taken down. Changes nothing
   * if it has none.
   *
   * <p>Refused if the job is blank.
   *
   * @param job the job; not blank
   */
  record BudgetRemoved(String job) implements Event<Accepted> {
    /** Refuses null. */
    public BudgetRemoved {
      Objects.requireNonNull(job, "job");
    }
  }

  /**
   * A request is admitted. Its instance is pending; if it is to start {@linkplain Request#after
   * after} others that have not completed, no policy decides about it until they have.
   *
   * <p>The instance may have a history that this scheduler does not know: it continues one that has
   * ended, or that another scheduler had. It is pending since now. Its accounting continues, and so
   * do its place in the queue, its deadline and its numbers of {@linkplain Attempt attempts}. A
   * scheduler lives for the {@linkplain dev.berth.api.TimeLimits longest life} from the earliest
   * admission.
   *
   * <p>Refused if an instance of that id is not done, the service class is unknown, a dimension is
   * on another scale than before, it is to start after an instance that is neither present nor
   * among the last 4,096 that ended, or was cancelled, or waits for this one, or the history begins
   * later than now or too long before, or has more service and restarts than time since then.
   *
   * @param request the request
   * @param history what its instance had before, see {@link History#of}; empty: nothing
   */
  record Submitted(Request request, Optional<History> history) implements Submission {
    /** Refuses null. */
    public Submitted {
      Objects.requireNonNull(request, "request");
      Objects.requireNonNull(history, "history");
    }

    /** A request whose instance has no history. */
    public Submitted(Request request) {
      this(request, Optional.empty());
    }

    @Override
    public List<Request> requests() {
      return List.of(request);
    }
  }

  /**
   * A bag of tasks is submitted. Either all of its requests are admitted or none is.
   *
   * <p>Refused if a bag of that id has not ended, or if one of its requests would be.
   *
   * @param bag the bag
   */
  record BagSubmitted(BagSpec bag) implements Submission {
    /** Refuses null. */
    public BagSubmitted {
      Objects.requireNonNull(bag, "bag");
    }

    @Override
    public List<Request> requests() {
      return bag.requests();
    }
  }

  /**
   * A group of requests that start together is submitted. Either all of them are admitted or none
   * is.
   *
   * <p>Refused if a group of that id has not ended, or if one of its members would be.
   *
   * @param group the group
   */
  record GroupSubmitted(GroupSpec group) implements Submission {
    /** Refuses null. */
    public GroupSubmitted {
      Objects.requireNonNull(group, "group");
    }

    @Override
    public List<Request> requests() {
      return group.members();
    }
  }

  /**
   * A host reports its load. Policies that choose among time-shared hosts depend on such reports.
   * Makes no pass due.
   *
   * <p>Refused if no such host is up, or the average is out of range.
   *
   * @param host its id
   * @param average mean number of instances that used the CPU or waited for it, over the last
   *     {@link dev.berth.api.HostLoad#WINDOW}; not negative, finite
   */
  record LoadReported(String host, double average) implements Event<Accepted> {
    /** Refuses null. */
    public LoadReported {
      Objects.requireNonNull(host, "host");
    }
  }

  /**
   * An attempt of an instance is ready: its service begins. Makes a pass due only if the
   * {@linkplain BudgetSet disruption budget} of its job allows to take another one down since. Use
   * this form where messages can be late or doubled.
   *
   * <p>Stale if a later attempt exists, or it is not starting any more. Refused if no plan has
   * begun that attempt, or {@code at} is later than now.
   *
   * @param attempt the attempt
   * @param at since when, in nanoseconds; if that is before its present state began, that moment
   *     counts; empty: since now
   */
  record Started(Attempt attempt, OptionalLong at) implements OfNumberedAttempt<Accepted> {
    /** Refuses null. */
    public Started {
      Objects.requireNonNull(attempt, "attempt");
      Objects.requireNonNull(at, "at");
    }
  }

  /**
   * A starting instance is ready, in whatever attempt: its service begins now. Makes a pass due as
   * {@link Started} does.
   *
   * <p>Refused if it is not starting.
   *
   * @param instance its id
   */
  record StartedNow(String instance) implements OfAttempt<Accepted> {
    /** Refuses null. */
    public StartedNow {
      Objects.requireNonNull(instance, "instance");
    }
  }

  /**
   * An instance reports what it uses. Policies with vertical elasticity depend on such reports.
   * Makes no pass due.
   *
   * <p>Refused if it is on no host, or a dimension is on another scale than before.
   *
   * @param instance its id
   * @param used the part of its grant that it uses
   * @param shortfall the amounts that it would use in addition to its grant; for memory, the amount
   *     it keeps in swap
   */
  record UsageReported(String instance, Resources used, Resources shortfall)
      implements Event<Accepted> {
    /** Refuses null. */
    public UsageReported {
      Objects.requireNonNull(instance, "instance");
      Objects.requireNonNull(used, "used");
      Objects.requireNonNull(shortfall, "shortfall");
    }
  }

  /**
   * An attempt of an instance failed: the instance is pending since then, and keeps its history;
   * its host stays. Use this form where messages can be late or doubled.
   *
   * <p>Stale if a later attempt exists, or the instance is pending already. Refused if no plan has
   * begun that attempt, or {@code at} is later than now.
   *
   * @param attempt the attempt
   * @param at when, in nanoseconds; if that is before its present state began, that moment counts;
   *     empty: now
   */
  record Failed(Attempt attempt, OptionalLong at) implements OfNumberedAttempt<Accepted> {
    /** Refuses null. */
    public Failed {
      Objects.requireNonNull(attempt, "attempt");
      Objects.requireNonNull(at, "at");
    }
  }

  /**
   * An instance on a host failed, in any state and in whatever attempt. It is pending again and
   * keeps its history; its host stays.
   *
   * <p>Refused if it is on no host.
   *
   * @param instance its id
   */
  record FailedNow(String instance) implements OfAttempt<Accepted> {
    /** Refuses null. */
    public FailedNow {
      Objects.requireNonNull(instance, "instance");
    }
  }

  /**
   * An attempt of an instance has completed its work. Use this form where messages can be late or
   * doubled. The answer is the service that the instance received.
   *
   * <p>The instance may be in any state. If its start was not reported, it has had no service in
   * this attempt. If a plan has preempted it meanwhile, or it was reported as failed or its host as
   * gone, it finished first: its service ended then.
   *
   * <p>Stale if a later attempt exists. Refused if no plan has begun that attempt, the CPU time is
   * negative, or {@code at} is later than now.
   *
   * @param attempt the attempt
   * @param cpuTime the CPU time that the work took, as for {@link CompletedNow}; does not count if
   *     the instance is on no host any more; empty if unknown
   * @param at when, in nanoseconds; if that is before its present state began, that moment counts;
   *     empty: now
   */
  record Completed(Attempt attempt, Optional<Duration> cpuTime, OptionalLong at)
      implements OfNumberedAttempt<InstanceReport> {
    /** Refuses null. */
    public Completed {
      Objects.requireNonNull(attempt, "attempt");
      Objects.requireNonNull(cpuTime, "cpuTime");
      Objects.requireNonNull(at, "at");
    }
  }

  /**
   * A running instance has completed its work, in whatever attempt. The answer is the service that
   * it received.
   *
   * <p>Refused if it is not running, or the CPU time is negative.
   *
   * @param instance its id
   * @param cpuTime the CPU time that the work took, not negative. The scheduler adds it to the
   *     completions of the {@linkplain Request#application application} on that host, which keeps a
   *     {@linkplain dev.berth.api.Host#history history} of its {@value
   *     dev.berth.api.Host#MAX_HISTORIES} latest applications; empty if unknown
   */
  record CompletedNow(String instance, Optional<Duration> cpuTime)
      implements OfAttempt<InstanceReport> {
    /** Refuses null. */
    public CompletedNow {
      Objects.requireNonNull(instance, "instance");
      Objects.requireNonNull(cpuTime, "cpuTime");
    }
  }

  /**
   * An action of a plan could not be carried out. It is undone as if it had never been decided: no
   * service, preemption or restart is charged. A placement leaves its instance pending; a
   * preemption, a pause or a migration leaves its instance where and as it was. The answer lists
   * all actions that were undone.
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
   * <p>Stale if the action is not open. Refused if a host would hold amounts that are too great to
   * add up.
   *
   * @param action its id; see {@link dev.berth.api.plan.Plan#id}
   * @param why the reason, for people
   */
  record ActionRejected(ActionId action, String why) implements Event<Rejection> {
    /** Refuses null. */
    public ActionRejected {
      Objects.requireNonNull(action, "action");
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * An instance is on a host already, though no plan of this scheduler placed it there. The host
   * may hold more than its capacity then, and accepts nothing until it fits again.
   *
   * <p>Refused if an instance of that id is not done, the service class or the host is unknown, the
   * times contradict each other, a dimension is on another scale than before, or the host would
   * hold amounts that are too great to add up.
   *
   * @param how its request and its history
   * @param seen where it is, in which state and since when; without a time, since now
   */
  record Adopted(Adoption how, ObservedInstance seen) implements OfInstance<Accepted> {
    /** Refuses null. */
    public Adopted {
      Objects.requireNonNull(how, "how");
      Objects.requireNonNull(seen, "seen");
    }

    @Override
    public String instance() {
      return seen.id();
    }
  }

  /**
   * A fleet reports all that it has. What the scheduler believes is compared with it, and what
   * differs is corrected. The fleet is right:
   *
   * <ul>
   *   <li>Hosts that are up are added, changed or, if they were not reported, removed.
   *   <li>A known instance on a host becomes what it was observed to be, where it was observed. Its
   *       service counts from {@link ObservedInstance#since}, but not from before the state it was
   *       believed in. A state that it had in between does not count.
   *   <li>An instance that is believed on a host and was not observed is pending again, or ended if
   *       it is in {@code ended}; what it served until now counts. It is no failed start. If its
   *       host is observed but {@linkplain dev.berth.api.Taint#UNREACHABLE cannot be reached}, it
   *       stays as it is believed to be.
   *   <li>An unknown instance is adopted, or what it holds is foreign load.
   * </ul>
   *
   * <p>Each difference is corrected by an event of its own. If one fails because a part of the
   * policy throws, the corrections before it stay, and the next call corrects the rest. Hosts that
   * a plan requested and that are not up yet are left alone. Pending instances stay pending unless
   * they were observed. Cost O(hosts + instances). The answer is what differed, in the order in
   * which it was corrected.
   *
   * <p>Refused if an event that the observation requires would be; then nothing has changed.
   *
   * @param observed all that the fleet has
   * @param adoptions how to adopt unknown instances, by the id of the request; others are foreign
   *     load
   * @param ended the ids of the instances that have ended if they are on no host; others are
   *     pending again
   */
  record Reconciled(Observation observed, List<Adoption> adoptions, List<String> ended)
      implements Event<Reconciliation> {
    /** Refuses null, and copies the lists. */
    public Reconciled {
      Objects.requireNonNull(observed, "observed");
      Objects.requireNonNull(adoptions, "adoptions");
      Objects.requireNonNull(ended, "ended");
      adoptions = List.copyOf(adoptions);
      ended = List.copyOf(ended);
    }

    /** Returns how to adopt an instance; empty: it is foreign load. Cost O(adoptions). */
    public Optional<Adoption> adoption(String instance) {
      Objects.requireNonNull(instance, "instance");
      return adoptions.stream().filter(each -> each.request().id().equals(instance)).findFirst();
    }
  }

  /**
   * A user cancels a request, in any state of its instance. The answer is the service that the
   * instance received.
   *
   * <p>Refused if there is no such instance.
   *
   * @param instance its id
   */
  record Cancelled(String instance)
      implements OfInstance<InstanceReport>, Cancellation<InstanceReport> {
    /** Refuses null. */
    public Cancelled {
      Objects.requireNonNull(instance, "instance");
    }
  }

  /**
   * A user cancels a bag of tasks, with all instances of it that are not done. The answer is the
   * outcome of the bag; the next plan repeats it.
   *
   * <p>Refused if there is no such bag.
   *
   * @param bag its id
   * @param why the reason that reports state
   */
  record BagCancelled(String bag, Reason why) implements Cancellation<BagReport> {
    /** Refuses null. */
    public BagCancelled {
      Objects.requireNonNull(bag, "bag");
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * A user cancels a group, with all instances of it that are not done. The answer is the final
   * accounting of these instances, in order of admission. If a single member is {@linkplain
   * Cancelled cancelled}, the group does without it.
   *
   * <p>Refused if there is no such group.
   *
   * @param group its id
   */
  record GroupCancelled(String group) implements Cancellation<List<InstanceReport>> {
    /** Refuses null. */
    public GroupCancelled {
      Objects.requireNonNull(group, "group");
    }
  }
}
