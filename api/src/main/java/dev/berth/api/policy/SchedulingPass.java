package dev.berth.api.policy;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.batch.Bag;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.GroupStatus;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * One run of a policy over the cluster: a read-only view, and the actions that the policy can
 * record.
 *
 * <p>Actions are tentative. Each is checked at once. An action that would break a law is refused
 * with a {@linkplain Reason reason} and has no effect. The laws:
 *
 * <ul>
 *   <li>No action makes a host hold more than its capacity in any dimension. A host that shrank may
 *       hold more.
 *   <li>Nothing is placed on, migrates to or resumes on a {@linkplain Host#closed closed} host.
 *   <li>No instance is granted less than its guaranteed resources, nor less than its demand unless
 *       the policy {@linkplain Policy#oversubscribes oversubscribes}.
 *   <li>Placement constraints and anti-affinity hold where an instance is placed or migrates to.
 *   <li>Only pending instances are placed, and only those that are not held back after failed
 *       starts and wait for no others.
 *   <li>An instance is the subject of at most one action in a pass. A victim therefore waits for
 *       the next pass, and an instance placed in this pass cannot be a victim. Moves off draining
 *       hosts count, which the scheduler makes before it calls the policy; a refusal for that
 *       reason is no error of the policy.
 *   <li>No running instance is preempted, migrated, paused, suspended or cancelled with its bag
 *       beyond the {@linkplain DisruptionBudget disruption budget} of its job.
 *   <li>A pass places no more instances than its scheduler allows.
 *   <li>No pool has more hosts than its provider offers.
 *   <li>Only an empty host is released.
 *   <li>The instances of a bag that is assigned to a cluster are placed on hosts of that cluster
 *       only.
 * </ul>
 *
 * <p>The view reflects the actions <em>recorded so far</em>. When the policy returns, the actions
 * become the {@link Plan}; when it throws, they are discarded.
 *
 * <p>Valid until {@link Policy#schedule} returns; any later use throws {@link
 * IllegalStateException}. So does any use by another thread than the one that runs the pass.
 *
 * <p>If that thread is {@linkplain Thread#interrupt interrupted}, each call throws a {@link
 * java.util.concurrent.CancellationException}. The pass fails, even if the policy catches that.
 */
public interface SchedulingPass {

  /** Returns the number of this pass, counting from 1. */
  long number();

  /** Returns the time of this pass; no event is later. Constant during the pass. */
  long now();

  /** Returns the events that made the pass due; never empty. */
  Set<Trigger> triggers();

  /**
   * Returns a source of randomness that depends only on the seed of the scheduler and the number of
   * the pass. A {@linkplain Fork fork} continues the sequence of its pass; after a discarded fork,
   * the pass repeats the same draws. While a fork is open, only its own source may be used.
   *
   * <p>A policy that skips work should break ties by {@link #tieBreak} instead, which does not
   * depend on skipped draws.
   */
  RandomGenerator random();

  /**
   * Returns a hash of the seed, this pass, the instance and the host; the greatest wins a tie among
   * hosts. In a cluster of 64 hosts or more, the first bits depend on a group of some dozens of
   * hosts, so that the engine can find the winner without hashing every host.
   *
   * <p>Cost O(1).
   */
  long tieBreak(Instance instance, Host host);

  /** Returns the hosts that are up, in the order in which they joined. Cost O(1). */
  List<Host> hosts();

  /**
   * Returns the hosts that take instances now: those that are up and not {@linkplain Host#closed
   * closed}, in the order in which they joined. Cost O(1) if none is closed, otherwise O(hosts).
   */
  default List<Host> openHosts() {
    return hosts().stream().filter(each -> each.closed().isEmpty()).toList();
  }

  /** Returns the host with that id, if it is up, or empty. */
  Optional<Host> host(String id);

  /**
   * Returns the pools that hosts can be requested from, in the order in which they were offered.
   */
  List<Pool> pools();

  /** Returns the pool of that name, or empty. */
  default Optional<Pool> pool(String name) {
    Objects.requireNonNull(name, "name");
    return pools().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** Returns the bags of tasks that have not ended, in order of submission. */
  List<Bag> bags();

  /**
   * Returns what has become of a {@linkplain dev.berth.api.batch.GroupSpec group}, as this pass has
   * left it so far; empty if there is none of that id. Cost O(1).
   *
   * <p>The placements of a group that has not started are accepted one by one. If fewer members
   * than {@linkplain GroupStatus#required required} are on hosts at the end of the pass, the engine
   * undoes them, with the preemptions for them. It then carries out the later actions of the pass
   * again, and drops those that are no longer possible.
   */
  default Optional<GroupStatus> group(String id) {
    Objects.requireNonNull(id, "id");
    return Optional.empty();
  }

  /**
   * Returns the reports of the bags that ended since the previous pass, in order, including those
   * that expired at the start of this pass. Actions of the pass do not change it.
   */
  List<BagReport> endedBags();

  /**
   * Returns the instances that completed since the previous pass, in the order of the reports;
   * those that failed or were cancelled or rejected did not complete. Actions of the pass do not
   * change it. The list is an immutable copy and may be kept. Cost O(completions). The default
   * knows none.
   */
  default List<Completion> completions() {
    return List.of();
  }

  /**
   * Returns the instances that were pending when the pass began and that it has not placed so far,
   * in order of admission, without those that are held back after failed starts, or that are to
   * start {@linkplain dev.berth.api.Request#after after} others. The list is a copy; later actions
   * do not change it. Cost O(pending).
   */
  List<Instance> pending();

  /**
   * Returns all instances that are not done. The order is unspecified but the same on every
   * machine. The collection is a copy; later actions do not change it. Cost O(instances).
   */
  Collection<Instance> instances();

  /** Returns the instance with that id, or empty. */
  Optional<Instance> instance(String id);

  /**
   * Returns the disruption budget of a job, or empty if it has none. Cost O(log budgets). The
   * default knows no budgets.
   */
  default Optional<DisruptionBudget> budget(String job) {
    Objects.requireNonNull(job, "job");
    return Optional.empty();
  }

  /**
   * Returns why no action may take an instance down now: it is running, and the {@linkplain
   * DisruptionBudget disruption budget} of its job allows no more; empty if an action may. The
   * actions recorded so far count. Cost O(1). The default knows no budgets.
   */
  default Optional<Reason> protection(Instance instance) {
    Objects.requireNonNull(instance, "instance");
    return Optional.empty();
  }

  /**
   * Returns why {@link #place(Instance, Host, List)} would be refused, without doing anything;
   * empty if it would not. Cost O(dimensions + constraints + victims).
   */
  default Optional<Reason> obstacle(Instance instance, Host host, List<Instance> victims) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(victims, "victims");
    return obstacle(instance, host, victims, instance.request().demand());
  }

  /**
   * Returns why {@link #place(Instance, Host, List, Resources)} would be refused, without doing
   * anything; empty if it would not. Cost O(dimensions + constraints + victims).
   */
  Optional<Reason> obstacle(Instance instance, Host host, List<Instance> victims, Resources grant);

  /**
   * Places a pending instance on a host with room for it; see {@link #place(Instance, Host, List)}.
   */
  default Outcome place(Instance instance, Host host) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(host, "host");
    return place(instance, host, List.of());
  }

  /**
   * Places a pending instance on a host and preempts the victims, all or nothing: a victim is
   * preempted only if its beneficiary is placed in the same plan.
   *
   * @param instance pending since before this pass
   * @param host the target
   * @param victims instances that have held capacity on {@code host} since before this pass,
   *     without repetition; may be empty. If fewer members of a {@linkplain
   *     dev.berth.api.batch.GroupSpec group} would be left on hosts than are {@linkplain
   *     GroupStatus#required required}, they must be all of its members on hosts, also on other
   *     ones, and not for a member of it
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  default Outcome place(Instance instance, Host host, List<Instance> victims) {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(victims, "victims");
    return place(instance, host, victims, instance.request().demand());
  }

  /**
   * Places a pending instance as {@link #place(Instance, Host, List)} does, but with a grant other
   * than its demand. The grant may be smaller only if the instance can be {@linkplain
   * Request#moldability molded} or the policy {@linkplain Policy#oversubscribes oversubscribes}.
   *
   * @param grant its grant; in no dimension less than its {@linkplain Request#guaranteed
   *     guaranteed} amount, except for cores when it is molded
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome place(Instance instance, Host host, List<Instance> victims, Resources grant);

  /**
   * Changes the grant of a starting, running or paused instance on its host.
   *
   * @param grant its grant from now on; see {@link #place(Instance, Host, List, Resources)}
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome resize(Instance instance, Resources grant, Reason why);

  /**
   * Pauses a running instance. It stops and gives up its CPU, but keeps all other resources.
   *
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome pause(Instance instance, Reason why);

  /**
   * Suspends a running or paused instance. It stops and gives up all its resources, but still
   * belongs to its host.
   *
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome suspend(Instance instance, Reason why);

  /**
   * Resumes a paused or suspended instance on its host, if the host has room. The instance is
   * starting until it is reported ready.
   *
   * @param grant its grant from now on; see {@link #place(Instance, Host, List, Resources)}
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome resume(Instance instance, Resources grant, Reason why);

  /**
   * Migrates a running, paused or suspended instance to another host, if that host has room,
   * without losing its progress. The instance leaves its host at once and is starting on the other
   * host until it is reported ready.
   *
   * @param host the target; not its current host
   * @param grant its grant on the new host; see {@link #place(Instance, Host, List, Resources)}
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome migrate(Instance instance, Host host, Resources grant, Reason why);

  /**
   * Rejects the request of a pending instance that was never placed: it will not be served.
   *
   * @param why the reason to show to the user
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome reject(Instance instance, Reason why);

  /**
   * Requests hosts from a pool. They are {@linkplain Pool#starting starting} until the embedder
   * reports each one up or failed. No instance can be placed on a host before it is up.
   *
   * @param pool the pool; it has {@linkplain Pool#room room} for {@code count} hosts
   * @param count how many, positive
   * @param cluster the cluster that the hosts will belong to, not blank, or empty for none
   * @param expiresAt until when the hosts are needed. A pass becomes due at that time, unless it is
   *     already past. Empty: without limit
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome provision(
      Pool pool, int count, Optional<String> cluster, OptionalLong expiresAt, Reason why);

  /**
   * Releases a host to its pool. It leaves the cluster at once, but counts against the limit of its
   * pool until it is reported gone.
   *
   * @param host a host of a pool, up or starting, that is empty after the actions recorded so far
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome release(Host host, Reason why);

  /**
   * Assigns a bag of tasks to a cluster. Its instances are placed only on hosts of that cluster
   * from now on; instances that are elsewhere stay there. Hosts of the cluster that were needed for
   * a shorter time are now needed until the bag expires. A bag can be reassigned.
   *
   * @param cluster not blank; it need not have hosts yet
   * @param expiresAt when the bag is cancelled if it is not done, not in the past; empty: never.
   *     The user's time to live applies if it ends sooner
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome assign(Bag bag, String cluster, OptionalLong expiresAt, Reason why);

  /**
   * Cancels the remaining instances of a bag of tasks; all of them are done. The scheduler itself
   * cancels expired bags before it calls the policy.
   *
   * @param bag a bag of which no instance is the subject of an action of this pass
   * @param why the reason to show to the user
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome cancel(Bag bag, Reason why);

  /**
   * Records why a pending instance is left waiting. An instance that is not deferred waits too, and
   * its explanation lists the obstacles on all hosts. A policy should therefore defer an instance
   * that waits although a host has room for it.
   *
   * @return accepted, or refused if the instance is not pending
   */
  Outcome defer(Instance instance, Reason why);

  /**
   * Records why all pending instances of a bag are left waiting, as {@link #defer(Instance,
   * Reason)} does for one. Cost O(1).
   *
   * @return accepted, or refused if the bag has ended
   */
  Outcome defer(Bag bag, Reason why);

  /**
   * Requests a pass at a time, for example at the end of a cool-down. The request holds until the
   * next pass, which can repeat it. If there are several requests, the earliest applies.
   *
   * @param time after {@link #now}
   * @throws IllegalArgumentException if it is not
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  void wakeAt(long time);

  /**
   * Opens a fork: a pass on top of this one, to try actions out. Closing it undoes its actions,
   * unless it was {@linkplain Fork#keep kept}. While it is open, this pass accepts no action.
   * Undoing costs O(actions of the fork). Forks nest.
   */
  Fork fork();

  /** A tentative pass on top of another one; discarded unless it is kept. */
  interface Fork extends SchedulingPass, AutoCloseable {

    /** Adds the actions of the fork to the pass that opened it, and ends the fork. */
    void keep();

    /**
     * Ends the fork and undoes its actions, unless it was kept. Closing a second time has no
     * effect.
     */
    @Override
    void close();
  }
}
