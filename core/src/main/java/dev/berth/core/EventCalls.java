package dev.berth.core;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Rejection;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Event;
import dev.berth.core.internal.state.ClusterState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Events as calls: a method for each {@link Event}, which has its meaning, its ranges and its
 * errors. Each call makes the event and applies it, as {@link #apply} does. Calls that admit or add
 * something return a live view of it.
 *
 * <p>{@code now} is the time at which the scheduler hears of the event, in nanoseconds since its
 * epoch.
 */
public abstract class EventCalls extends ClusterView {

  EventCalls(ClusterState state, CallGate gate) {
    super(state, gate);
  }

  /**
   * Reports an event.
   *
   * @param now the time at which the scheduler hears of it, in nanoseconds since its epoch
   * @return the answer to the event
   * @throws StaleReportException if it is a report that is late or doubled
   * @throws EventRefusedException if it is invalid, or {@code now} is in the past. Then nothing has
   *     changed
   */
  public abstract <R> R apply(Event<R> event, long now);

  /** Reports an event that adds or admits something, and returns a live view of that. */
  abstract Object added(Event<?> event, long now);

  // ---- Hosts

  /** Adds a host; see {@link Event.HostAdded}. Returns a live view of it. */
  public final Host addHost(HostSpec spec, long now) {
    return (Host) added(new Event.HostAdded(spec), now);
  }

  /** Removes a host; see {@link Event.HostRemoved}. */
  public final void removeHost(String host, long now) {
    apply(new Event.HostRemoved(host), now);
  }

  /** Changes a host; see {@link Event.HostChanged}. */
  public final void changeHost(HostSpec spec, long now) {
    apply(new Event.HostChanged(spec), now);
  }

  /** Reports what others hold on a host; see {@link Event.ForeignLoadReported}. */
  public final void foreignLoad(String host, Resources foreign, long now) {
    apply(new Event.ForeignLoadReported(host, foreign), now);
  }

  /** Reports the load of a host; see {@link Event.LoadReported}. */
  public final void loadReported(String host, double average, long now) {
    apply(new Event.LoadReported(host, average), now);
  }

  /** Closes a host and has passes empty it; see {@link Event.HostDrained}. */
  public final void drain(String host, Drain how, long now) {
    apply(new Event.HostDrained(host, how), now);
  }

  /** Closes a host; see {@link Event.HostCordoned}. */
  public final void cordon(String host, long now) {
    apply(new Event.HostCordoned(host), now);
  }

  /** Opens a host that was cordoned or drained; see {@link Event.HostUncordoned}. */
  public final void uncordon(String host, long now) {
    apply(new Event.HostUncordoned(host), now);
  }

  // ---- Pools, limits and budgets

  /** Offers a pool of hosts, or changes the offer; see {@link Event.PoolOffered}. */
  public final void offerPool(PoolSpec pool, long now) {
    apply(new Event.PoolOffered(pool), now);
  }

  /** Sets how much there is of a counted limit; see {@link Event.LimitSet}. */
  public final void setLimit(String limit, long amount, long now) {
    apply(new Event.LimitSet(limit, amount), now);
  }

  /** Sets the disruption budget of a job; see {@link Event.BudgetSet}. */
  public final void setBudget(String job, DisruptionBudget budget, long now) {
    apply(new Event.BudgetSet(job, budget), now);
  }

  /** Removes the disruption budget of a job; see {@link Event.BudgetRemoved}. */
  public final void removeBudget(String job, long now) {
    apply(new Event.BudgetRemoved(job), now);
  }

  // ---- Requests

  /** Admits a request; see {@link Event.Submitted}. Returns a live view of its instance. */
  public final Instance submit(Request request, long now) {
    return (Instance) added(new Event.Submitted(request), now);
  }

  /**
   * Admits a request whose instance has a history; see {@link Event.Submitted}. Returns a live view
   * of the instance.
   */
  public final Instance submit(Request request, History history, long now) {
    Objects.requireNonNull(history, "history");
    return (Instance) added(new Event.Submitted(request, Optional.of(history)), now);
  }

  /** Submits a bag of tasks; see {@link Event.BagSubmitted}. Returns a live view of it. */
  public final Bag submit(BagSpec bag, long now) {
    return (Bag) added(new Event.BagSubmitted(bag), now);
  }

  /**
   * Submits a group of requests that start together; see {@link Event.GroupSubmitted}. Returns live
   * views of the instances, in the order of the members.
   */
  public final List<Instance> submit(GroupSpec group, long now) {
    @SuppressWarnings("unchecked") // as the handler of this event gives them
    List<Instance> members = (List<Instance>) added(new Event.GroupSubmitted(group), now);
    return members;
  }

  /** Adopts an instance; see {@link Event.Adopted}. Returns a live view of it. */
  public final Instance adopt(Adoption how, ObservedInstance seen, long now) {
    return (Instance) added(new Event.Adopted(how, seen), now);
  }

  /** Cancels a request; see {@link Event.Cancelled}. */
  public final InstanceReport cancel(String instance, long now) {
    return apply(new Event.Cancelled(instance), now);
  }

  /** Cancels a bag of tasks; see {@link Event.BagCancelled}. */
  public final BagReport cancelBag(String bag, Reason why, long now) {
    return apply(new Event.BagCancelled(bag, why), now);
  }

  /** Cancels a group; see {@link Event.GroupCancelled}. */
  public final List<InstanceReport> cancelGroup(String group, long now) {
    return apply(new Event.GroupCancelled(group), now);
  }

  // ---- Reports

  /** Reports that an instance is ready; see {@link Event.StartedNow}. */
  public final void started(String instance, long now) {
    apply(new Event.StartedNow(instance), now);
  }

  /** Reports that an attempt is ready, and since when; see {@link Event.Started}. */
  public final void started(Attempt attempt, long at, long now) {
    apply(new Event.Started(attempt, OptionalLong.of(at)), now);
  }

  /** Reports what an instance uses; see {@link Event.UsageReported}. */
  public final void usageReported(String instance, Resources used, Resources shortfall, long now) {
    apply(new Event.UsageReported(instance, used, shortfall), now);
  }

  /** Reports that an instance failed; see {@link Event.FailedNow}. */
  public final void failed(String instance, long now) {
    apply(new Event.FailedNow(instance), now);
  }

  /** Reports that an attempt failed, and when; see {@link Event.Failed}. */
  public final void failed(Attempt attempt, long at, long now) {
    apply(new Event.Failed(attempt, OptionalLong.of(at)), now);
  }

  /** Reports that an instance has completed its work; see {@link Event.CompletedNow}. */
  public final InstanceReport completed(String instance, long now) {
    return apply(new Event.CompletedNow(instance, Optional.empty()), now);
  }

  /** Reports that an instance has completed its work; see {@link Event.CompletedNow}. */
  public final InstanceReport completed(String instance, Duration cpuTime, long now) {
    Objects.requireNonNull(cpuTime, "cpuTime");
    return apply(new Event.CompletedNow(instance, Optional.of(cpuTime)), now);
  }

  /** Reports that an attempt has completed its work, and when; see {@link Event.Completed}. */
  public final InstanceReport completed(Attempt attempt, long at, long now) {
    return apply(new Event.Completed(attempt, Optional.empty(), OptionalLong.of(at)), now);
  }

  /** Reports that an attempt has completed its work, and when; see {@link Event.Completed}. */
  public final InstanceReport completed(Attempt attempt, Duration cpuTime, long at, long now) {
    Objects.requireNonNull(cpuTime, "cpuTime");
    return apply(new Event.Completed(attempt, Optional.of(cpuTime), OptionalLong.of(at)), now);
  }

  /** Reports that an action could not be carried out; see {@link Event.ActionRejected}. */
  public final Rejection rejected(ActionId action, String why, long now) {
    return apply(new Event.ActionRejected(action, why), now);
  }
}
