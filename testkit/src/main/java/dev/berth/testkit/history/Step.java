package dev.berth.testkit.history;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A step of a {@link History}, before its subject is known.
 *
 * <p>A {@code pick} is resolved modulo the number of possible subjects (hosts, instances, pools or
 * bags) at that moment. A step without a possible subject has no effect. So every list of steps is
 * valid, and stays valid when it shrinks.
 */
public sealed interface Step {

  /** A request is submitted. */
  record Submit(RequestShape shape) implements Step {}

  /**
   * A bag of tasks is submitted.
   *
   * @param shapes its requests, at least one
   * @param timeToLive the time after which it is cancelled, positive; empty: never
   */
  record SubmitBag(List<RequestShape> shapes, Optional<Duration> timeToLive) implements Step {
    /** Copies the list. */
    public SubmitBag {
      shapes = List.copyOf(shapes);
      refuseIf(shapes.isEmpty(), "a bag had no requests, must have at least one.");
    }
  }

  /** The user cancels a bag. */
  record CancelBag(int pick) implements Step {}

  /**
   * A group is submitted.
   *
   * @param shapes its members, at least one
   * @param spare how many of them need not start together with the others; not negative. At least
   *     one member must start
   * @param releases whether a broken group is released, otherwise restored
   */
  record SubmitGroup(List<RequestShape> shapes, int spare, boolean releases) implements Step {
    /** Copies the list. */
    public SubmitGroup {
      shapes = List.copyOf(shapes);
      refuseIf(shapes.isEmpty(), "a group had no members, must have at least one.");
      refuseIf(spare < 0, "spare members were %s, must be 0 or more.", spare);
    }
  }

  /** The user cancels a group. */
  record CancelGroup(int pick) implements Step {}

  /** A starting instance is ready. */
  record Start(int pick) implements Step {}

  /** All starting instances are ready, in order of admission. */
  record StartAll() implements Step {}

  /** An instance on a host, whatever its state there, fails. */
  record Fail(int pick) implements Step {}

  /**
   * A running instance completes.
   *
   * @param pick which
   * @param cpuTime its CPU time, not negative; or empty
   */
  record Complete(int pick, Optional<Duration> cpuTime) implements Step {
    /** Creates a completion without a CPU time. */
    public Complete(int pick) {
      this(pick, Optional.empty());
    }
  }

  /**
   * A running instance reports its usage.
   *
   * @param pick which
   * @param eighths its usage in eighths of its grant
   * @param shortfall its shortfall, a small number for each of {@link Scale#DIMENSIONS}
   */
  record ReportUsage(int pick, int eighths, List<Integer> shortfall) implements Step {
    /** Checks the share and copies the list. */
    public ReportUsage {
      refuseIf(
          eighths < 0 || eighths > RequestOptions.EIGHTHS,
          "eighths were %s, must be from 0 to %s.",
          eighths,
          RequestOptions.EIGHTHS);
      shortfall = List.copyOf(shortfall);
    }
  }

  /**
   * A report about an attempt of an instance.
   *
   * @param what what it says
   * @param pick which instance, among those that were told to start
   * @param back how many attempts before the latest one; at most as many as there are
   * @param ago how long ago it happened, not negative
   */
  record ReportAttempt(Report what, int pick, int back, Duration ago) implements Step {

    /** What happened to an attempt. */
    public enum Report {
      /** It is ready. */
      STARTED,
      /** It failed. */
      FAILED,
      /** It is done. */
      COMPLETED
    }

    /** Checks the length. */
    public ReportAttempt {
      refuseIf(ago.isNegative(), "a report was %s late, must not be negative.", ago);
    }
  }

  /**
   * An action of a plan is rejected.
   *
   * @param pick which, counted from the latest one
   */
  record RejectAction(int pick) implements Step {}

  /**
   * A fleet reports all that it has: what the scheduler believes, but for some drifts.
   *
   * @param drifts how the fleet differs, in this order
   * @param unknown the request of an instance that is adopted
   */
  record Reconcile(List<Drift> drifts, RequestShape unknown) implements Step {
    /** Copies the list. */
    public Reconcile {
      drifts = List.copyOf(drifts);
    }
  }

  /** An instance is cancelled. */
  record Cancel(int pick) implements Step {}

  /**
   * An instance is cancelled, and its request is submitted again at once, with its history.
   *
   * @param pick which
   * @param preempted whether the history says that it was preempted, if it is on a host
   */
  record Return(int pick, boolean preempted) implements Step {}

  /** An absent host joins, as the history lists it. */
  record AddHost(int pick) implements Step {}

  /**
   * An absent host joins as another machine.
   *
   * @param pick which
   * @param like the host whose capacity and attributes it has, modulo the number of hosts
   */
  record AddOtherHost(int pick, int like) implements Step {}

  /** A host that is up leaves. */
  record RemoveHost(int pick) implements Step {}

  /**
   * A host that is up changes.
   *
   * @param pick which
   * @param like the host whose capacity and attributes it has from now on, modulo the number of
   *     hosts
   */
  record ChangeHost(int pick, int like) implements Step {}

  /**
   * A host that is up reports foreign load.
   *
   * @param pick which
   * @param amounts a small number for each of {@link Scale#DIMENSIONS}
   */
  record ReportForeignLoad(int pick, List<Integer> amounts) implements Step {
    /** Copies the list. */
    public ReportForeignLoad {
      amounts = List.copyOf(amounts);
    }
  }

  /**
   * There is so much of a counted limit.
   *
   * @param number its number in {@link RequestOptions#LIMITS}
   * @param amount not negative
   */
  record SetLimit(int number, int amount) implements Step {
    /** Checks the numbers. */
    public SetLimit {
      if (number < 0 || number >= RequestOptions.LIMITS.size() || amount < 0) {
        throw new IllegalArgumentException(
            "limit %s was set to %s, must be from 0 to %s and not negative."
                .formatted(number, amount, RequestOptions.LIMITS.size() - 1));
      }
    }
  }

  /** A host that is up is cordoned. */
  record Cordon(int pick) implements Step {}

  /** A host that is cordoned or draining is uncordoned. */
  record Uncordon(int pick) implements Step {}

  /**
   * A host that is up is drained.
   *
   * @param pick which
   * @param how the drain; its deadline counts from now
   * @param restarted a class that restarts instead of migrating, modulo one more than the number of
   *     classes; the first of them means none
   */
  record DrainHost(int pick, Drain how, int restarted) implements Step {}

  /**
   * A job has a disruption budget from now on.
   *
   * @param job number of the job, as in a {@link RequestShape}
   */
  record SetBudget(int job, DisruptionBudget budget) implements Step {}

  /** A job has no disruption budget any more. */
  record RemoveBudget(int pick) implements Step {}

  /**
   * A provider changes its offer.
   *
   * @param pick which pool of the history
   * @param limit how many hosts it offers from now on, not negative
   */
  record OfferPool(int pick, int limit) implements Step {}

  /** A requested host is up, as offered. */
  record HostUp(int pick) implements Step {}

  /**
   * A requested host is up, but is another machine than offered.
   *
   * @param pick which
   * @param like the host whose capacity it has, modulo the number of hosts
   */
  record OtherHostUp(int pick, int like) implements Step {}

  /** All requested hosts that are starting are up. */
  record AllHostsUp() implements Step {}

  /** A requested host does not start. */
  record HostStartFails(int pick) implements Step {}

  /** A released host is gone. */
  record HostGone(int pick) implements Step {}

  /**
   * A time-shared host reports its load.
   *
   * @param pick which
   * @param quarters mean number of instances that used the CPU or waited for it, in quarters; not
   *     negative
   */
  record ReportLoad(int pick, int quarters) implements Step {}

  /**
   * Time advances, but at most by half of the time until {@link History#horizon}.
   *
   * @param length not negative
   */
  record Elapse(Duration length) implements Step {
    /** Checks the length. */
    public Elapse {
      refuseIf(length.isNegative(), "a pause was %s, must not be negative.", length);
    }
  }

  /** A pass runs. */
  record Pass() implements Step {}
}
