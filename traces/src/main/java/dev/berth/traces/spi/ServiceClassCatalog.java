package dev.berth.traces.spi;

import static dev.berth.api.Arguments.refuseIf;

import com.google.common.collect.Lists;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The service classes that the requests of a workload may name. Immutable. */
public final class ServiceClassCatalog {

  private final Map<String, ServiceClass> byName = new LinkedHashMap<>();

  /**
   * Creates a catalog.
   *
   * @throws IllegalArgumentException if it would be empty, or two classes have the same name
   */
  public ServiceClassCatalog(Collection<? extends ServiceClass> classes) {
    refuseIf(classes.isEmpty(), "service classes were empty, must hold at least one.");
    for (ServiceClass each : classes) {
      refuseIf(
          byName.put(each.name(), each) != null, "service class %s was given twice.", each.name());
    }
  }

  /** Returns the least important class; the first of several equally important ones. */
  public ServiceClass leastImportant() {
    return Collections.max(Lists.reverse(all()), Comparator.comparingInt(ServiceClass::importance));
  }

  /** Returns all classes, in the order in which they were given. */
  public List<ServiceClass> all() {
    return List.copyOf(byName.values());
  }

  /** Returns whether a class has a name. */
  public boolean contains(String name) {
    return byName.containsKey(name);
  }

  /**
   * Returns the class that a field names.
   *
   * @throws InputException if the catalog lacks it
   */
  public ServiceClass named(Field field) {
    ServiceClass found = byName.get(field.required());
    if (found == null) {
      throw field.error("must be one of %s".formatted(String.join(", ", byName.keySet())));
    }
    return found;
  }

  /**
   * Returns the class for a priority of the Google cluster trace of 2011 (QoS-driven scheduling,
   * section 4.2): gold for 9 to 11, silver for 2 to 8, bronze for 0 and 1.
   *
   * @throws InputException if the priority is out of range, or the catalog lacks the class
   */
  public ServiceClass ofPriority(Field field) {
    int priority = (int) field.wholeLong(0, 11);
    return mapped(
        field,
        priority >= 9
            ? ServiceClasses.GOLD
            : priority >= 2 ? ServiceClasses.SILVER : ServiceClasses.BRONZE);
  }

  /**
   * Returns the class to which a format maps a field.
   *
   * @param field the field to name in an error
   * @param name the name of the class
   * @throws InputException if the catalog lacks the class
   */
  public ServiceClass mapped(Field field, String name) {
    ServiceClass found = byName.get(name);
    if (found == null) {
      throw field.error(
          "means class %s, which is not one of %s"
              .formatted(name, String.join(", ", byName.keySet())));
    }
    return found;
  }
}
