package dev.berth.traces.spi;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import java.util.List;

/**
 * A format for workloads. A {@link FormatProvider} supplies it.
 *
 * <p>A format translates lines into arrivals. {@code Readers} checks the order of time, unique ids
 * and known service classes, and enforces the limit on bad lines.
 */
public interface WorkloadFormat extends Format {

  /**
   * Returns the service classes that an input defines itself; by default none. They take the place
   * of the usual classes, unless the user names others.
   *
   * @throws InputException if the input cannot be used
   */
  default List<ServiceClass> serviceClasses(Input input) {
    return List.of();
  }

  /**
   * Returns whether inputs of this format also hold the hosts and their events; by default false.
   * The provider then has an infrastructure format and a host events format of the same name.
   */
  default boolean hasHosts() {
    return false;
  }

  /**
   * Prepares to read an input. A format may read the whole input here if a line cannot be
   * understood without the others, but should retain little of it. Such a pass ignores bad lines,
   * because the actual reading reports them.
   *
   * @param input the file or folder to read
   * @param classes the service classes that requests may name
   * @return a supplier of readers, each of which reads the input from the start
   * @throws InputException if the input cannot be used
   */
  ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes);
}
