package dev.berth.traces.spi;

import java.util.List;

/**
 * Supplies file formats. {@code Readers} and {@code Writers} find providers with {@link
 * java.util.ServiceLoader}: a jar lists its provider in {@code
 * META-INF/services/dev.berth.traces.spi.FormatProvider}.
 *
 * <p>A provider overrides the methods for the content that it supports. Formats themselves need not
 * be public.
 */
public interface FormatProvider {

  /** Returns the formats for workloads; by default none. */
  default List<WorkloadFormat> workloadFormats() {
    return List.of();
  }

  /** Returns the formats for infrastructures; by default none. */
  default List<InfrastructureFormat> infrastructureFormats() {
    return List.of();
  }

  /** Returns the formats for host events; by default none. */
  default List<HostEventsFormat> hostEventsFormats() {
    return List.of();
  }

  /** Returns the formats that can be written; by default none. */
  default List<FormatWriter> writers() {
    return List.of();
  }
}
