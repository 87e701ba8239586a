package dev.berth.simulator.workload;

import java.util.Iterator;

/**
 * An iterator over the arrivals of a {@link Workload} in order of time. Arrivals are read one by
 * one, so the memory use of a simulation does not depend on the length of the trace.
 *
 * <p>The caller that opened the source must close it. Not thread-safe.
 */
public interface ArrivalSource extends Iterator<Arrival>, AutoCloseable {

  /** Returns a source of the arrivals of an iterator that does something when it is closed. */
  static ArrivalSource of(Iterator<Arrival> arrivals, Runnable onClose) {
    return new ArrivalSource() {
      @Override
      public boolean hasNext() {
        return arrivals.hasNext();
      }

      @Override
      public Arrival next() {
        return arrivals.next();
      }

      @Override
      public void close() {
        onClose.run();
      }
    };
  }

  /** Releases the resources of the source. Closing twice has no effect. */
  @Override
  void close();
}
