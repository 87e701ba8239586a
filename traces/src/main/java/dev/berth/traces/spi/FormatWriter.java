package dev.berth.traces.spi;

import dev.berth.api.HostSpec;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.util.Collection;

/**
 * Writes workloads, infrastructures and host events in one format, such that reading the result
 * returns the same content. A {@link FormatProvider} supplies it.
 */
public interface FormatWriter {

  /** Returns the name of the format, the same as that of the {@link Format} that reads it. */
  String name();

  /**
   * Prepares to write a workload. May read the whole workload, for example to find the columns that
   * it needs.
   *
   * @throws IllegalArgumentException if the format cannot represent a request; the message names
   *     the request and the reason
   */
  EntryWriter<Arrival> workload(Workload workload);

  /**
   * Prepares to write hosts.
   *
   * @throws IllegalArgumentException if the format cannot represent a host; the message names the
   *     host and the reason
   */
  EntryWriter<HostSpec> hosts(Collection<HostSpec> hosts);

  /**
   * Prepares to write host events. By default, the format cannot represent them.
   *
   * @throws IllegalArgumentException if the format cannot represent an event; the message names the
   *     event and the reason
   */
  default EntryWriter<HostEvent> hostEvents(Collection<HostEvent> events) {
    throw new IllegalArgumentException("format %s has no host events.".formatted(name()));
  }
}
