package dev.berth.testkit.history;

import java.time.Duration;
import java.util.List;

/**
 * Something that happens in a {@link History}, before it is known to whom.
 *
 * <p>A {@code pick} is resolved modulo the number of hosts or instances it can happen to at that
 * moment; where there is none, nothing happens. So every list of steps makes sense, and remains so
 * when a failing one is shrunk.
 */
public sealed interface Step {

  /** Requests are submitted, all at one time. */
  record Submit(List<RequestShape> shapes) implements Step {
    /** Copies the list. */
    public Submit {
      shapes = List.copyOf(shapes);
    }
  }

  /** A starting instance is ready. */
  record Ready(int pick) implements Step {}

  /** A starting or running instance fails. */
  record Fail(int pick) implements Step {}

  /** A running instance completes. */
  record Complete(int pick) implements Step {}

  /** An instance is cancelled. */
  record Cancel(int pick) implements Step {}

  /**
   * A host that is absent joins.
   *
   * @param pick which
   * @param capacityOf whose capacity and attributes it comes with, modulo the number of hosts
   */
  record Join(int pick, int capacityOf) implements Step {}

  /** A host leaves. */
  record Leave(int pick) implements Step {}

  /** Time passes. */
  record Pause(Duration length) implements Step {}

  /** A pass runs. */
  record Pass() implements Step {}

  /**
   * A round in the life of a cluster: some time passes, all that is starting is ready, some more
   * passes, a pass runs.
   */
  record Round(Duration preparation, Duration service) implements Step {}
}
