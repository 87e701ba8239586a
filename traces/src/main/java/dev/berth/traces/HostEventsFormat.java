package dev.berth.traces;

import dev.berth.simulator.HostEvent;

/** A format of failures and recoveries of hosts; found with {@link java.util.ServiceLoader}. */
public interface HostEventsFormat extends Format {

  /**
   * Starts reading an input.
   *
   * @param input where it is read from
   * @param leftOut is told of what is not an event
   * @throws InputException if the input cannot be used
   */
  EntryReader<HostEvent> open(Input input, LeftOut leftOut);
}
