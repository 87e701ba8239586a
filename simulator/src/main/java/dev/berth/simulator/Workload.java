package dev.berth.simulator;

import dev.berth.api.ServiceClass;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * Requests over time, and the service classes they ask for.
 *
 * <p>Can be read any number of times, with the same arrivals each time; so policies can be compared
 * on it.
 */
public interface Workload {

  /** Returns what reports call it; not blank. */
  String name();

  /** Returns the service classes that its requests may name. */
  List<ServiceClass> serviceClasses();

  /** Returns the number of its requests, or empty where that is not known without reading it. */
  OptionalLong size();

  /** Starts reading it from the beginning. The caller closes the source. */
  ArrivalSource open();

  /**
   * A workload that is held in memory.
   *
   * @param name what reports call it
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
