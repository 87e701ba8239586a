package dev.berth.traces.spi;

import dev.berth.api.HostSpec;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;

/** A format for infrastructures. A {@link FormatProvider} supplies it. */
public interface InfrastructureFormat extends Format {

  /**
   * Opens an input for reading.
   *
   * @param input the file or folder to read
   * @param skips receives each item that the format does not turn into a host
   * @return a reader, which the caller closes
   * @throws InputException if the input cannot be used
   */
  EntryReader<HostSpec> open(Input input, SkipReport skips);
}
