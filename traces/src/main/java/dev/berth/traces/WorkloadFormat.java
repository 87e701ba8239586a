package dev.berth.traces;

import dev.berth.simulator.Arrival;

/**
 * A format of workloads; found with {@link java.util.ServiceLoader}.
 *
 * <p>Order of time, unique ids, known classes and how many bad lines are borne is checked by {@link
 * Readers}; a format says what a line means.
 */
public interface WorkloadFormat extends Format {

  /**
   * Prepares to read an input. May read it as a whole if that is needed to understand it, keeping
   * little of it; then it must pass over single bad lines in silence, as they are met again.
   *
   * @param input where it is read from
   * @param classes that requests may name
   * @return what starts each reading
   * @throws InputException if the input cannot be used
   */
  Opener<Arrival> prepare(Input input, Classes classes);
}
