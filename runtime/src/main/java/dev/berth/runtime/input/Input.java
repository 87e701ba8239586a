package dev.berth.runtime.input;

import dev.berth.api.ActionId;
import dev.berth.api.Adoption;
import dev.berth.api.Attempt;
import dev.berth.api.BagReport;
import dev.berth.api.BagSpec;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.GroupSpec;
import dev.berth.api.History;
import dev.berth.api.HostSpec;
import dev.berth.api.InstanceReport;
import dev.berth.api.Observation;
import dev.berth.api.ObservedInstance;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Reconciler;
import dev.berth.api.Reconciliation;
import dev.berth.api.Rejection;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An event of a {@link Scheduler} as a value: what happened, without the time at which the
 * scheduler hears of it. There is one record for each event method of the scheduler.
 *
 * <pre>{@code
 * Input<Accepted> input = new Input.AddHost(new HostSpec("h1", capacity));
 * input.applyTo(scheduler, now); // scheduler.addHost(spec, now)
 * }</pre>
 *
 * <p>Inputs are immutable and safe for use by several threads. Their constructors refuse null with
 * a {@link NullPointerException}. They accept all other values, even those that a scheduler
 * refuses. Two inputs are equal if their components are; a {@link Request} equals only itself.
 *
 * <p>The components have the meaning and the units of the parameters of the method that {@link
 * #applyTo} calls.
 *
 * @param <R> the type of the result: an immutable value, safe on any thread
 */
public sealed interface Input<R> {

  /**
   * Reports the event to a scheduler. Must be called on the thread that may call the scheduler.
   *
   * @param now the time at which the scheduler hears of the event, in nanoseconds since the epoch
   *     of the scheduler
   * @return what the scheduler returns; {@link Accepted#ACCEPTED} if it returns nothing, or a view
   *     that may not leave the thread
   * @throws dev.berth.core.error.EventRefusedException as the method of the scheduler; then nothing
   *     has changed
   */
  R applyTo(Scheduler scheduler, long now);

  /**
   * Offers a pool of hosts; see {@link Scheduler#offerPool}.
   *
   * @param pool the offer
   */
  record OfferPool(PoolSpec pool) implements Input<Accepted> {
    /** Refuses null. */
    public OfferPool {
      Objects.requireNonNull(pool, "Input.OfferPool: pool was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.offerPool(pool, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Sets a counted limit; see {@link Scheduler#setLimit}.
   *
   * @param limit its name
   * @param amount how much there is
   */
  record SetLimit(String limit, long amount) implements Input<Accepted> {
    /** Refuses null. */
    public SetLimit {
      Objects.requireNonNull(limit, "Input.SetLimit: limit was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.setLimit(limit, amount, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Adds a host; see {@link Scheduler#addHost}.
   *
   * @param spec the host
   */
  record AddHost(HostSpec spec) implements Input<Accepted> {
    /** Refuses null. */
    public AddHost {
      Objects.requireNonNull(spec, "Input.AddHost: spec was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.addHost(spec, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Removes a host; see {@link Scheduler#removeHost}.
   *
   * @param host its id
   */
  record RemoveHost(String host) implements Input<Accepted> {
    /** Refuses null. */
    public RemoveHost {
      Objects.requireNonNull(host, "Input.RemoveHost: host was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.removeHost(host, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Changes a host; see {@link Scheduler#changeHost}.
   *
   * @param spec the host from now on
   */
  record ChangeHost(HostSpec spec) implements Input<Accepted> {
    /** Refuses null. */
    public ChangeHost {
      Objects.requireNonNull(spec, "Input.ChangeHost: spec was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.changeHost(spec, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Reports what others hold on a host; see {@link Scheduler#foreignLoad}.
   *
   * @param host its id
   * @param foreign the amounts
   */
  record ForeignLoad(String host, Resources foreign) implements Input<Accepted> {
    /** Refuses null. */
    public ForeignLoad {
      Objects.requireNonNull(host, "Input.ForeignLoad: host was null, must not be null.");
      Objects.requireNonNull(foreign, "Input.ForeignLoad: foreign was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.foreignLoad(host, foreign, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Drains a host; see {@link Scheduler#drain}.
   *
   * @param host its id
   * @param how when and how its instances leave
   */
  record DrainHost(String host, Drain how) implements Input<Accepted> {
    /** Refuses null. */
    public DrainHost {
      Objects.requireNonNull(host, "Input.DrainHost: host was null, must not be null.");
      Objects.requireNonNull(how, "Input.DrainHost: how was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.drain(host, how, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Closes a host; see {@link Scheduler#cordon}.
   *
   * @param host its id
   */
  record Cordon(String host) implements Input<Accepted> {
    /** Refuses null. */
    public Cordon {
      Objects.requireNonNull(host, "Input.Cordon: host was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.cordon(host, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Opens a host; see {@link Scheduler#uncordon}.
   *
   * @param host its id
   */
  record Uncordon(String host) implements Input<Accepted> {
    /** Refuses null. */
    public Uncordon {
      Objects.requireNonNull(host, "Input.Uncordon: host was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.uncordon(host, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Sets the disruption budget of a job; see {@link Scheduler#setBudget}.
   *
   * @param job the job
   * @param budget its budget from now on
   */
  record SetBudget(String job, DisruptionBudget budget) implements Input<Accepted> {
    /** Refuses null. */
    public SetBudget {
      Objects.requireNonNull(job, "Input.SetBudget: job was null, must not be null.");
      Objects.requireNonNull(budget, "Input.SetBudget: budget was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.setBudget(job, budget, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Removes the disruption budget of a job; see {@link Scheduler#removeBudget}.
   *
   * @param job the job
   */
  record RemoveBudget(String job) implements Input<Accepted> {
    /** Refuses null. */
    public RemoveBudget {
      Objects.requireNonNull(job, "Input.RemoveBudget: job was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.removeBudget(job, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Admits a request; see {@link Scheduler#submit(Request, long)} and {@link
   * Scheduler#submit(Request, History, long)}.
   *
   * @param request the request
   * @param history the history that its instance continues; empty: none
   */
  record Submit(Request request, Optional<History> history) implements Input<Accepted> {
    /** Refuses null. */
    public Submit {
      Objects.requireNonNull(request, "Input.Submit: request was null, must not be null.");
      Objects.requireNonNull(history, "Input.Submit: history was null, must not be null.");
    }

    /** Admits a request whose instance has no history. */
    public Submit(Request request) {
      this(request, Optional.empty());
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      if (history.isPresent()) {
        scheduler.submit(request, history.get(), now);
      } else {
        scheduler.submit(request, now);
      }
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Submits a bag of tasks; see {@link Scheduler#submit(BagSpec, long)}.
   *
   * @param bag the bag
   */
  record SubmitBag(BagSpec bag) implements Input<Accepted> {
    /** Refuses null. */
    public SubmitBag {
      Objects.requireNonNull(bag, "Input.SubmitBag: bag was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.submit(bag, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Submits a group of requests that start together; see {@link Scheduler#submit(GroupSpec, long)}.
   *
   * @param group the group
   */
  record SubmitGroup(GroupSpec group) implements Input<Accepted> {
    /** Refuses null. */
    public SubmitGroup {
      Objects.requireNonNull(group, "Input.SubmitGroup: group was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.submit(group, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Reports the load of a host; see {@link Scheduler#loadReported}.
   *
   * @param host its id
   * @param average its mean load
   */
  record LoadReported(String host, double average) implements Input<Accepted> {
    /** Refuses null. */
    public LoadReported {
      Objects.requireNonNull(host, "Input.LoadReported: host was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.loadReported(host, average, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Reports that an attempt is ready; see {@link Scheduler#started(Attempt, long, long)}.
   *
   * @param attempt the attempt
   * @param at since when; empty: since the scheduler hears of it
   */
  record Started(Attempt attempt, OptionalLong at) implements Input<Accepted> {
    /** Refuses null. */
    public Started {
      Objects.requireNonNull(attempt, "Input.Started: attempt was null, must not be null.");
      Objects.requireNonNull(at, "Input.Started: at was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.started(attempt, at.orElse(now), now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Reports that an instance is ready, in whatever attempt; see {@link Scheduler#started(String,
   * long)}.
   *
   * @param instance its id
   */
  record StartedNow(String instance) implements Input<Accepted> {
    /** Refuses null. */
    public StartedNow {
      Objects.requireNonNull(instance, "Input.StartedNow: instance was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.started(instance, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Reports what an instance uses; see {@link Scheduler#usageReported}.
   *
   * @param instance its id
   * @param used the part of its grant that it uses
   * @param shortfall what it would use in addition
   */
  record UsageReported(String instance, Resources used, Resources shortfall)
      implements Input<Accepted> {
    /** Refuses null. */
    public UsageReported {
      Objects.requireNonNull(instance, "Input.UsageReported: instance was null, must not be null.");
      Objects.requireNonNull(used, "Input.UsageReported: used was null, must not be null.");
      Objects.requireNonNull(
          shortfall, "Input.UsageReported: shortfall was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.usageReported(instance, used, shortfall, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Reports that an attempt failed; see {@link Scheduler#failed(Attempt, long, long)}.
   *
   * @param attempt the attempt
   * @param at when; empty: when the scheduler hears of it
   */
  record Failed(Attempt attempt, OptionalLong at) implements Input<Accepted> {
    /** Refuses null. */
    public Failed {
      Objects.requireNonNull(attempt, "Input.Failed: attempt was null, must not be null.");
      Objects.requireNonNull(at, "Input.Failed: at was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.failed(attempt, at.orElse(now), now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Reports that an instance failed, in whatever attempt; see {@link Scheduler#failed(String,
   * long)}.
   *
   * @param instance its id
   */
  record FailedNow(String instance) implements Input<Accepted> {
    /** Refuses null. */
    public FailedNow {
      Objects.requireNonNull(instance, "Input.FailedNow: instance was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.failed(instance, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Reports that an attempt has completed its work; see {@link Scheduler#completed(Attempt, long,
   * long)} and {@link Scheduler#completed(Attempt, Duration, long, long)}.
   *
   * @param attempt the attempt
   * @param cpuTime the CPU time that the work took; empty if unknown
   * @param at when; empty: when the scheduler hears of it
   */
  record Completed(Attempt attempt, Optional<Duration> cpuTime, OptionalLong at)
      implements Input<InstanceReport> {
    /** Refuses null. */
    public Completed {
      Objects.requireNonNull(attempt, "Input.Completed: attempt was null, must not be null.");
      Objects.requireNonNull(cpuTime, "Input.Completed: cpuTime was null, must not be null.");
      Objects.requireNonNull(at, "Input.Completed: at was null, must not be null.");
    }

    @Override
    public InstanceReport applyTo(Scheduler scheduler, long now) {
      long when = at.orElse(now);
      return cpuTime.isPresent()
          ? scheduler.completed(attempt, cpuTime.get(), when, now)
          : scheduler.completed(attempt, when, now);
    }
  }

  /**
   * Reports that an instance has completed its work, in whatever attempt; see {@link
   * Scheduler#completed(String, long)} and {@link Scheduler#completed(String, Duration, long)}.
   *
   * @param instance its id
   * @param cpuTime the CPU time that the work took; empty if unknown
   */
  record CompletedNow(String instance, Optional<Duration> cpuTime)
      implements Input<InstanceReport> {
    /** Refuses null. */
    public CompletedNow {
      Objects.requireNonNull(instance, "Input.CompletedNow: instance was null, must not be null.");
      Objects.requireNonNull(cpuTime, "Input.CompletedNow: cpuTime was null, must not be null.");
    }

    @Override
    public InstanceReport applyTo(Scheduler scheduler, long now) {
      return cpuTime.isPresent()
          ? scheduler.completed(instance, cpuTime.get(), now)
          : scheduler.completed(instance, now);
    }
  }

  /**
   * Reports that an action could not be carried out; see {@link Scheduler#rejected}.
   *
   * @param action its id
   * @param why the reason, for people
   */
  record Rejected(ActionId action, String why) implements Input<Rejection> {
    /** Refuses null. */
    public Rejected {
      Objects.requireNonNull(action, "Input.Rejected: action was null, must not be null.");
      Objects.requireNonNull(why, "Input.Rejected: why was null, must not be null.");
    }

    @Override
    public Rejection applyTo(Scheduler scheduler, long now) {
      return scheduler.rejected(action, why, now);
    }
  }

  /**
   * Adopts an instance that is on a host already; see {@link Scheduler#adopt}.
   *
   * @param how its request and its history
   * @param seen where it is
   */
  record Adopt(Adoption how, ObservedInstance seen) implements Input<Accepted> {
    /** Refuses null. */
    public Adopt {
      Objects.requireNonNull(how, "Input.Adopt: how was null, must not be null.");
      Objects.requireNonNull(seen, "Input.Adopt: seen was null, must not be null.");
    }

    @Override
    public Accepted applyTo(Scheduler scheduler, long now) {
      scheduler.adopt(how, seen, now);
      return Accepted.ACCEPTED;
    }
  }

  /**
   * Corrects what differs from what a fleet reports; see {@link Scheduler#reconcile}. The answers
   * of a {@link Reconciler} are part of the input, so that a replay gives the same ones.
   *
   * @param observed all that the fleet has
   * @param adoptions how to adopt unknown instances, by the id of the request; others are foreign
   *     load
   * @param ended the ids of the instances that have ended if they are on no host; others are
   *     pending again
   */
  record Reconcile(Observation observed, List<Adoption> adoptions, List<String> ended)
      implements Input<Reconciliation> {
    /** Copies the lists. */
    public Reconcile {
      Objects.requireNonNull(observed, "Input.Reconcile: observed was null, must not be null.");
      Objects.requireNonNull(adoptions, "Input.Reconcile: adoptions was null, must not be null.");
      Objects.requireNonNull(ended, "Input.Reconcile: ended was null, must not be null.");
      adoptions = List.copyOf(adoptions);
      ended = List.copyOf(ended);
    }

    @Override
    public Reconciliation applyTo(Scheduler scheduler, long now) {
      return scheduler.reconcile(observed, new Answers(adoptions, ended), now);
    }
  }

  /**
   * Cancels a request at the wish of its user; see {@link Scheduler#cancel}.
   *
   * @param instance its id
   */
  record Cancel(String instance) implements Input<InstanceReport> {
    /** Refuses null. */
    public Cancel {
      Objects.requireNonNull(instance, "Input.Cancel: instance was null, must not be null.");
    }

    @Override
    public InstanceReport applyTo(Scheduler scheduler, long now) {
      return scheduler.cancel(instance, now);
    }
  }

  /**
   * Cancels a bag of tasks; see {@link Scheduler#cancelBag}.
   *
   * @param bag its id
   * @param why the reason that reports state
   */
  record CancelBag(String bag, Reason why) implements Input<BagReport> {
    /** Refuses null. */
    public CancelBag {
      Objects.requireNonNull(bag, "Input.CancelBag: bag was null, must not be null.");
      Objects.requireNonNull(why, "Input.CancelBag: why was null, must not be null.");
    }

    @Override
    public BagReport applyTo(Scheduler scheduler, long now) {
      return scheduler.cancelBag(bag, why, now);
    }
  }

  /**
   * Cancels a group; see {@link Scheduler#cancelGroup}.
   *
   * @param group its id
   */
  record CancelGroup(String group) implements Input<List<InstanceReport>> {
    /** Refuses null. */
    public CancelGroup {
      Objects.requireNonNull(group, "Input.CancelGroup: group was null, must not be null.");
    }

    @Override
    public List<InstanceReport> applyTo(Scheduler scheduler, long now) {
      return scheduler.cancelGroup(group, now);
    }
  }
}
