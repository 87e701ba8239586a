package dev.berth.simulator;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * What is still to happen, in order of time; at one instant in the order of {@link Kind}; within
 * that in the order of adding.
 *
 * <p>An event that will not happen after all is {@linkplain #cancel cancelled}. Cancelled ones are
 * swept out before they outnumber the others, so the queue takes the memory of what is live,
 * however often instances are preempted. Adding, taking and cancelling cost O(log n), amortised.
 */
final class EventQueue {

  /** The kinds of events; those of one instant happen in this order. */
  enum Kind {
    /** First, for it frees capacity; and what is done at the instant its host fails is done. */
    COMPLETION,
    /** An instance comes to a point of its work where it needs another amount of memory. */
    NEED,
    /** What becomes ready at the instant its host fails did become ready. */
    READY,
    HOST_FAILURE,
    /** After failures: a host may fail and recover at one instant. */
    HOST_RECOVERY,
    ARRIVAL,
    /** Last: what instances use is measured when all else has happened. */
    REPORT
  }

  /** Something that is to happen. */
  static final class Event implements Comparable<Event> {

    private final long at;
    private final Kind kind;
    private final long sequence;
    private final Runnable effect;
    private boolean cancelled;

    private Event(long at, Kind kind, long sequence, Runnable effect) {
      this.at = at;
      this.kind = kind;
      this.sequence = sequence;
      this.effect = effect;
    }

    long at() {
      return at;
    }

    void happen() {
      effect.run();
    }

    @Override
    public int compareTo(Event other) {
      int order = Long.compare(at, other.at);
      if (order == 0) {
        order = kind.compareTo(other.kind);
      }
      return order != 0 ? order : Long.compare(sequence, other.sequence);
    }
  }

  /** What {@link #nextTime} returns when there is nothing to come. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int WORTH_SWEEPING = 64;

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long sequence;
  private int cancelled;

  /** Adds an event. */
  Event add(long at, Kind kind, Runnable effect) {
    Event event = new Event(at, kind, sequence++, effect);
    events.add(event);
    return event;
  }

  /** Takes back an event that has not happened; twice is harmless. */
  void cancel(Event event) {
    if (event.cancelled) {
      return;
    }
    event.cancelled = true;
    cancelled++;
    if (cancelled > WORTH_SWEEPING && cancelled > events.size() / 2) {
      events.removeIf(each -> each.cancelled);
      cancelled = 0;
    }
  }

  /** Returns the time of the next event, or {@link #NEVER}. */
  long nextTime() {
    Event next = peek();
    return next == null ? NEVER : next.at;
  }

  /** Takes the next event out if it is due at {@code now}. */
  @Nullable Event pollDue(long now) {
    Event next = peek();
    return next == null || next.at > now ? null : events.poll();
  }

  /** Returns how many events are to come. */
  int size() {
    return events.size() - cancelled;
  }

  private @Nullable Event peek() {
    Event next = events.peek();
    while (next != null && next.cancelled) {
      events.poll();
      cancelled--;
      next = events.peek();
    }
    return next;
  }
}
