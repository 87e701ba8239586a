package dev.berth.simulator;

import java.util.Iterator;

/**
 * One reading of a {@link Workload}: its arrivals in order of time, pulled one by one, so that a
 * trace of any length can be simulated in the memory that its live requests take.
 *
 * <p>Belongs to whoever opened it, who closes it. Not thread-safe.
 */
public interface ArrivalSource extends Iterator<Arrival>, AutoCloseable {

  /** Releases what the source holds. Closing twice is harmless. */
  @Override
  void close();
}
