package dev.berth.core;

import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.SchedulerFailedException;
import dev.berth.core.error.StaleReportException;
import dev.berth.core.event.Event;
import dev.berth.core.internal.state.ClusterState;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Admits the calls of a scheduler: one at a time, and none after a call has failed in the middle of
 * a change. Counts the events that are refused.
 */
final class CallGate {

  /** Why a policy may not call its scheduler. */
  static final String NESTED =
      "a policy called its scheduler from within a pass. Maybe act on the pass instead.";

  private static final String ASKING =
      "a question reported an event or ran a pass. Maybe do that outside the question.";

  private static final String LISTENING =
      "a decision listener called its scheduler. Maybe report the event after the pass.";

  private static final AtomicReferenceFieldUpdater<CallGate, @Nullable Thread> CALLER =
      AtomicReferenceFieldUpdater.newUpdater(CallGate.class, Thread.class, "caller");

  private final ClusterState state;
  private final @Nullable DecisionReport report; // null: there is no listener

  /**
   * The thread whose call is under way, or null. A call ends with an assignment instead of a
   * method, since no method can be called if the stack has overflowed.
   */
  private volatile @Nullable Thread caller;

  private boolean asking; // only questions are allowed
  private boolean unfinished; // whether a call is under way, or failed in the middle of a change
  private @Nullable Throwable failure; // of that call
  private long eventsRefused;
  private long staleReports;

  CallGate(ClusterState state, @Nullable DecisionReport report) {
    this.state = state;
    this.report = report;
  }

  /** Returns the number of invalid events, without stale reports. */
  long eventsRefused() {
    return eventsRefused;
  }

  /** Returns the number of reports that were late or doubled. */
  long staleReports() {
    return staleReports;
  }

  /** Refuses to read during a call of another thread. */
  void requireNoOther() {
    Thread other = caller;
    Thread current = Thread.currentThread();
    if (other != null && other != current) {
      throw new IllegalStateException(
          "threads %s and %s use one scheduler at the same time."
              .formatted(other.getName(), current.getName()));
    }
  }

  /** Reports an event, and records it for JFR if that is on. */
  <T> T event(Event.Kind kind, Supplier<T> work) {
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
      try {
        recording.end(kind.call(), refused);
      } catch (Throwable lost) { // the record is; the event has happened
      }
    }
  }

  /** Runs code whose calls may ask, but change nothing. */
  <T> T ask(Supplier<T> questions) {
    boolean before = asking;
    asking = true;
    try {
      return questions.get();
    } finally {
      asking = before;
    }
  }

  /** Makes a call that changes the cluster. */
  <T> T change(Supplier<T> work) {
    if (asking) {
      throw new IllegalStateException(ASKING);
    }
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

  /** Makes a call that explains, which may change what a pipeline keeps. */
  <T> T explain(Supplier<T> explanation) {
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

  /**
   * Makes a call.
   *
   * @param nested the message for one that comes from within another call
   */
  <T> T call(String nested, Supplier<T> work) {
    Thread current = Thread.currentThread();
    if (caller == current) {
      throw new IllegalStateException(report != null && report.isUnderWay() ? LISTENING : nested);
    }
    try {
      enter(current);
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
      if (caller == current) {
        caller = null; // without a call, which might overflow the stack
      }
    }
  }

  private void enter(Thread current) {
    if (!CALLER.compareAndSet(this, null, current)) {
      requireNoOther();
      throw new IllegalStateException("another thread uses the scheduler at the same time.");
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
}
