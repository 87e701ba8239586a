package dev.berth.testkit.history;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Something that happens in a {@link History}, before it is known to whom.
 *
 * <p>A {@code pick} is resolved modulo the number of hosts, instances, pools or bags it can happen
 * to at that moment; where there is none, nothing happens. So every list of steps makes sense, and
 * remains so when a failing one is shrunk.
 */
public sealed interface Step {

  /** A request is submitted. */
  record Submit(RequestShape shape) implements Step {}

  /**
   * A bag of tasks is submitted.
   *
   * @param shapes its requests, at least one
   * @param timeToLive how long after that it is cancelled, positive; empty: never
   */
  record SubmitBag(List<RequestShape> shapes, Optional<Duration> timeToLive) implements Step {
    /** Copies the list. */
    public SubmitBag {
      shapes = List.copyOf(shapes);
      if (shapes.isEmpty()) {
        throw new IllegalArgumentException("a bag had no requests, must have at least one.");
      }
    }
  }

  /** A bag is taken back by its user. */
  record CancelBag(int pick) implements Step {}

  /** A starting instance is ready. */
  record Start(int pick) implements Step {}

  /** All that is starting is ready, in order of admission. */
  record StartAll() implements Step {}

  /** An instance on a host, whatever its state there, fails. */
  record Fail(int pick) implements Step {}

  /**
   * A running instance completes.
   *
   * @param pick which
   * @param cpuTime the CPU time that took, if it is told; not negative
   */
  record Complete(int pick, Optional<Duration> cpuTime) implements Step {
    /** One of which the CPU time is not told. */
    public Complete(int pick) {
      this(pick, Optional.empty());
    }
  }

  /**
   * A running instance is measured.
   *
   * @param pick which
   * @param eighths how many of eight parts of what it is granted it uses
   * @param shortfall small numbers, one for each of {@link Scale#DIMENSIONS}: what it lacks
   */
  record ReportUsage(int pick, int eighths, List<Integer> shortfall) implements Step {
    /** Checks the share and copies the list. */
    public ReportUsage {
      if (eighths < 0 || eighths > RequestOptions.EIGHTHS) {
        throw new IllegalArgumentException(
            "eighths were %s, must be from 0 to %s.".formatted(eighths, RequestOptions.EIGHTHS));
      }
      shortfall = List.copyOf(shortfall);
    }
  }

  /** An instance is cancelled. */
  record Cancel(int pick) implements Step {}

  /** A host that is absent joins, or comes back, as it is in the history's list. */
  record AddHost(int pick) implements Step {}

  /**
   * A host that is absent joins, or comes back, as another machine.
   *
   * @param pick which
   * @param like whose capacity and attributes it has, modulo the number of hosts in the history
   */
  record AddOtherHost(int pick, int like) implements Step {}

  /** A host that is up leaves. */
  record RemoveHost(int pick) implements Step {}

  /**
   * A provider changes its offer.
   *
   * @param pick which pool of the history
   * @param limit how many hosts it offers from now on, not negative
   */
  record OfferPool(int pick, int limit) implements Step {}

  /** A host that was asked for is up, and is what was offered. */
  record HostUp(int pick) implements Step {}

  /**
   * A host that was asked for is up, and is another machine than what was offered.
   *
   * @param pick which
   * @param like whose capacity it has, modulo the number of hosts in the history
   */
  record OtherHostUp(int pick, int like) implements Step {}

  /** All that was asked for and is starting is up. */
  record AllHostsUp() implements Step {}

  /** A host that was asked for will not come up. */
  record HostStartFails(int pick) implements Step {}

  /** A host that was given back is gone. */
  record HostGone(int pick) implements Step {}

  /**
   * A host that shares its CPU says how busy it is.
   *
   * @param pick which
   * @param quarters mean number of instances that used the CPU or waited for it, in quarters; not
   *     negative
   */
  record ReportLoad(int pick, int quarters) implements Step {}

  /**
   * Time passes: so much, but at most half of what is left until {@link History#horizon}.
   *
   * @param length not negative
   */
  record Elapse(Duration length) implements Step {
    /** Checks the length. */
    public Elapse {
      if (length.isNegative()) {
        throw new IllegalArgumentException(
            "a pause was %s, must not be negative.".formatted(length));
      }
    }
  }

  /** A pass runs. */
  record Pass() implements Step {}
}
