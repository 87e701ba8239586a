package dev.berth.traces;

import dev.berth.api.HostSpec;

/** A format of infrastructures; found with {@link java.util.ServiceLoader}. */
public interface InfrastructureFormat extends Format {

  /**
   * Starts reading an input.
   *
   * @param input where it is read from
   * @param leftOut is told of what is not a host
   * @throws InputException if the input cannot be used
   */
  EntryReader<HostSpec> open(Input input, LeftOut leftOut);
}
