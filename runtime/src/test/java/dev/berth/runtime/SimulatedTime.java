package dev.berth.runtime;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Simulated time, and what is to happen in it. Events at one instant happen in order of entry. */
final class SimulatedTime {

  private record Event(long at, long order, Runnable what) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private long now;
  private long count;

  long now() {
    return now;
  }

  void after(long delay, Runnable what) {
    events.add(new Event(now + delay, count++, what));
  }

  /** Returns when the next event happens, or {@link Long#MAX_VALUE}. */
  long next() {
    return events.isEmpty() ? Long.MAX_VALUE : events.peek().at();
  }

  /** Advances to a time that is not after the next event. */
  void advanceTo(long time) {
    now = Math.max(now, time);
  }

  void runNext() {
    Event event = events.remove();
    now = event.at();
    event.what().run();
  }
}
