package dev.berth.simulator.internal;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The future events, ordered by time, then by {@link Kind}, then by insertion.
 *
 * <p>Events can be {@linkplain #cancel cancelled}. The queue removes cancelled events before they
 * outnumber the others, so its memory use tracks live events, however often instances are
 * preempted. Adding, taking and cancelling cost O(log n), amortised.
 */
public final class EventQueue {

  /** The kinds of events; those of one instant happen in this order. */
  public enum Kind {
    /** First: completions free capacity, and work that is done when its host fails is done. */
    COMPLETION,
    /** The memory need of an instance changes. */
    NEED,
    /** Before failures: an instance can become ready at the instant its host fails. */
    READY,
    HOST_FAILURE,
    /** After failures: a host can fail and recover at one instant. */
    HOST_RECOVERY,
    /** Before arrivals: taints of hosts and limits are set. */
    CHANGE,
    /** A report that was delayed arrives, or a fault happens. */
    FAULT,
    ARRIVAL,
    /** Last: reports cover all other events of the instant. */
    REPORT
  }

  /** A future event. */
  public static final class Event implements Comparable<Event> {

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

    public long at() {
      return at;
    }

    public void happen() {
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

  /** The result of {@link #nextTime} for an empty queue. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int WORTH_SWEEPING = 64;

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long sequence;
  private int cancelled;

  /** Returns the time after a delay; {@link EventQueue#NEVER} on overflow. */
  public static long later(long now, long delay) {
    long time = now + delay;
    return time < 0 ? NEVER : time;
  }

  /** Adds an event. */
  public Event add(long at, Kind kind, Runnable effect) {
    Event event = new Event(at, kind, sequence++, effect);
    events.add(event);
    return event;
  }

  /** Cancels an event that has not happened. Cancelling twice, or null, has no effect. */
  public void cancel(@Nullable Event event) {
    if (event == null || event.cancelled) {
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
  public long nextTime() {
    Event next = peek();
    return next == null ? NEVER : next.at;
  }

  /** Removes and returns the next event if it is due at {@code now}; otherwise returns null. */
  public @Nullable Event pollDue(long now) {
    Event next = peek();
    return next == null || next.at > now ? null : events.poll();
  }

  /** Returns the number of future events. */
  public int size() {
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
