package dev.berth.traces.spi;

import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;

/**
 * A format for events of hosts, and of the limits that they share. A {@link FormatProvider}
 * supplies it.
 */
public interface HostEventsFormat extends Format {

  /**
   * Opens an input for reading.
   *
   * @param input the file or folder to read
   * @param skips receives each item that the format does not turn into a host event
   * @return a reader, which the caller closes
   * @throws InputException if the input cannot be used
   */
  EntryReader<HostEvent> open(Input input, SkipReport skips);
}
