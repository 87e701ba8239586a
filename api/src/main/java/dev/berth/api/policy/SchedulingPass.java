package dev.berth.api.policy;

import dev.berth.api.Bag;
import dev.berth.api.BagReport;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Plan;
import dev.berth.api.Pool;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Trigger;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * One run of a policy over the cluster: a read-only view, and the actions the policy may record.
 *
 * <p>Actions are tentative. Each is checked at once; one that would break a law is refused with a
 * {@linkplain Reason reason} and leaves nothing behind. The laws: no host holds more than its
 * capacity in any dimension; nobody is granted less than is guaranteed, nor, unless the policy
 * {@linkplain Policy#oversubscribes oversubscribes}, less than its demand; placement constraints
 * and anti-affinity hold; only pending instances are placed; an instance is the subject of at most
 * one action in a pass, so a victim waits for the next pass and what was just placed is no victim;
 * no pool has more hosts than its provider offers; a host with somebody on it is not released; the
 * instances of a bag that was assigned to a cluster go to its hosts only.
 *
 * <p>The view shows the cluster <em>as this pass has left it so far</em>. When the policy returns,
 * the actions become the {@link Plan}; when it throws, nothing of them remains.
 *
 * <p>Valid until {@link Policy#schedule} returns; any later use throws {@link
 * IllegalStateException}. Single-threaded.
 */
public interface SchedulingPass {

  /** Returns the number of this pass, counting from 1. */
  long number();

  /** Returns the time of this pass; no event is later. */
  long now();

  /** Returns what made the pass due; never empty. */
  Set<Trigger> triggers();

  /**
   * Returns a source of randomness that depends on the scheduler's seed and the number of the pass
   * alone. A {@linkplain Fork fork} goes on where the pass stands; what was drawn in one that is
   * discarded, the pass draws again. While a fork is open, only its own source may be drawn from.
   *
   * <p>A policy that skips work should break ties by {@link #tieBreak} instead: it does not depend
   * on what was skipped.
   */
  RandomGenerator random();

  /**
   * Returns a hash of the scheduler's seed, this pass, and the two subjects: the greatest wins a
   * tie among hosts. In a cluster of 64 hosts or more, its first bits depend on the group of some
   * dozens that a host is in, so that the winner among many can be found without asking them all.
   *
   * <p>Cost O(1).
   */
  long tieBreak(Instance instance, Host host);

  /** Returns the hosts that are up, in the order in which they joined. Cost O(1). */
  List<Host> hosts();

  /** Returns the host with that id, if it is up, or empty. */
  Optional<Host> host(String id);

  /**
   * Returns the pools that hosts may be asked for from, in the order in which they were offered.
   */
  List<Pool> pools();

  /** Returns the pool of that name, or empty. */
  default Optional<Pool> pool(String name) {
    return pools().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** Returns the bags of tasks that are not at an end, in order of submission. */
  List<Bag> bags();

  /**
   * Returns what became of the bags that came to an end since the pass before, those included whose
   * time this pass found run out, in that order. Unchanged by what the pass does.
   */
  List<BagReport> endedBags();

  /**
   * Returns the instances that were pending when the pass began and have not been placed by it, in
   * order of admission. Unchanged by later actions of the pass. Cost O(pending).
   */
  List<Instance> pending();

  /**
   * Returns all instances that are not done; no order is promised, but it is the same on every
   * machine.
   */
  Collection<Instance> instances();

  /** Returns the instance with that id, or empty. */
  Optional<Instance> instance(String id);

  /**
   * Returns why {@link #place(Instance, Host, List)} would be refused, without doing anything;
   * empty if it would not. Cost O(dimensions + constraints + victims).
   */
  default Optional<Reason> obstacle(Instance instance, Host host, List<Instance> victims) {
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
    return place(instance, host, List.of());
  }

  /**
   * Places a pending instance on a host, preempting the victims, all or nothing: the victims leave
   * in the same plan in which the instance is placed, or not at all.
   *
   * @param instance pending since before this pass
   * @param host where to
   * @param victims instances that hold capacity on {@code host} since before this pass, without
   *     repetition; may be empty
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  default Outcome place(Instance instance, Host host, List<Instance> victims) {
    return place(instance, host, victims, instance.request().demand());
  }

  /**
   * Places a pending instance as {@link #place(Instance, Host, List)} does, but with a grant other
   * than its demand: more, or, as far as the instance can be {@linkplain Request#moldability
   * molded} or the policy {@linkplain Policy#oversubscribes oversubscribes}, less.
   *
   * @param grant what it is to hold; in no dimension less than is {@linkplain Request#guaranteed
   *     guaranteed}, save for cores it is molded to
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome place(Instance instance, Host host, List<Instance> victims, Resources grant);

  /**
   * Changes what a starting, running or paused instance is granted on its host.
   *
   * @param grant what it is to hold from now on; see {@link #place(Instance, Host, List,
   *     Resources)}
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome resize(Instance instance, Resources grant, Reason why);

  /**
   * Pauses a running instance: it stands still and gives up its CPU, but keeps all else.
   *
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome pause(Instance instance, Reason why);

  /**
   * Suspends a running or paused instance: it stands still and gives up all it holds, but belongs
   * to its host still.
   *
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome suspend(Instance instance, Reason why);

  /**
   * Resumes a paused or suspended instance on its host, if that has room; it is starting until it
   * is reported ready.
   *
   * @param grant what it is to hold; see {@link #place(Instance, Host, List, Resources)}
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome resume(Instance instance, Resources grant, Reason why);

  /**
   * Moves a running, paused or suspended instance to another host, if that has room, with all it
   * has done; it leaves its host at once and is starting on the other until it is reported ready.
   *
   * @param host where to; another than it is on
   * @param grant what it is to hold there; see {@link #place(Instance, Host, List, Resources)}
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome migrate(Instance instance, Host host, Resources grant, Reason why);

  /**
   * Turns down the request of a pending instance that was never placed: it will not be served.
   *
   * @param why what to tell the user
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome reject(Instance instance, Reason why);

  /**
   * Asks for hosts of a pool. They are {@linkplain Pool#starting starting} until the embedder
   * reports each of them up, or not to be had; nothing can be placed on them before.
   *
   * @param pool with {@linkplain Pool#room room} for so many
   * @param count how many, positive
   * @param cluster the cluster they are to belong to, not blank, or empty for none
   * @param expiresAt until when they are wanted; when that comes, a pass is due, and never if it
   *     has passed; empty: always
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome provision(
      Pool pool, int count, Optional<String> cluster, OptionalLong expiresAt, Reason why);

  /**
   * Gives a host back to its pool. It is out of the cluster at once; until it is reported gone it
   * counts against the limit of its pool.
   *
   * @param host of a pool, up or starting, with nobody on it as the pass has left it so far
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome release(Host host, Reason why);

  /**
   * Lets a bag of tasks run on the hosts of a cluster, and on no others, from now on; whoever of it
   * is elsewhere stays there. Hosts of the cluster that were wanted for a shorter time are now
   * wanted until the bag expires. A bag may be assigned anew.
   *
   * @param cluster not blank; it need not have hosts yet
   * @param expiresAt when it is to be cancelled unless it is done, not in the past; empty: never.
   *     What its user said holds if that is sooner.
   * @param why for the decision log
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome assign(Bag bag, String cluster, OptionalLong expiresAt, Reason why);

  /**
   * Cancels what is left of a bag of tasks; all its instances are done. The scheduler does so
   * itself, before the policy is asked, with bags whose time has run out.
   *
   * @param bag none of whose instances was acted on in this pass
   * @param why what to tell the user
   * @return accepted, or refused with the reason
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  Outcome cancel(Bag bag, Reason why);

  /**
   * Leaves a pending instance waiting and says why. An instance without a deferral waits too, and
   * is explained by what the hosts lack; so one that a host has room for should be deferred.
   *
   * @return accepted, or refused if the instance is not pending
   */
  Outcome defer(Instance instance, Reason why);

  /**
   * Leaves all pending instances of a bag waiting and says why, as {@link #defer(Instance, Reason)}
   * does for one. Cost O(1).
   *
   * @return accepted, or refused if the bag is at an end
   */
  Outcome defer(Bag bag, Reason why);

  /**
   * Asks for a pass at some time, whatever happens until then: when a cool-down is over, say. It
   * holds until the next pass, which may ask anew; of several times the earliest counts.
   *
   * @param time after {@link #now}
   * @throws IllegalArgumentException if it is not
   * @throws IllegalStateException if the pass is over or a fork of it is open
   */
  void wakeAt(long time);

  /**
   * Opens a what-if: a pass on top of this one, whose actions are undone when it is closed, unless
   * it was {@linkplain Fork#keep kept}. Until then this pass accepts no action. Cost of undoing:
   * O(actions of the fork). Forks nest.
   */
  Fork fork();

  /** A what-if on top of a pass; discarded by default. */
  interface Fork extends SchedulingPass, AutoCloseable {

    /** Makes the actions of the fork part of the pass it was opened on, and ends the fork. */
    void keep();

    /** Ends the fork; unless it was kept, undoes its actions. Closing twice is harmless. */
    @Override
    void close();
  }
}
