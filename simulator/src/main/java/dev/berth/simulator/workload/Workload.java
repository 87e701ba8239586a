package dev.berth.simulator.workload;

import dev.berth.api.ServiceClass;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * The requests of a simulation over time, and their service classes.
 *
 * <p>A workload can be read any number of times and has the same arrivals each time. So policies
 * can be compared on it.
 */
public interface Workload {

  /** Returns its name in reports; not blank. */
  String name();

  /** Returns the service classes that its requests may name. */
  List<ServiceClass> serviceClasses();

  /** Returns the number of its requests; empty if it is unknown before reading. */
  OptionalLong size();

  /** Opens a source of all arrivals. The caller must close it. */
  ArrivalSource open();

  /**
   * Returns a workload held in memory.
   *
   * @param name its name in reports
   * @param serviceClasses the classes that the requests name
   * @param arrivals in order of time
   * @throws IllegalArgumentException if the name is blank or an arrival is earlier than the one
   *     before it
   */
  static Workload of(
      String name, Collection<? extends ServiceClass> serviceClasses, List<Arrival> arrivals) {
    return new InMemoryWorkload(name, List.copyOf(serviceClasses), List.copyOf(arrivals));
  }
}
