package dev.berth.traces;

import com.google.common.collect.Lists;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.ServiceClasses;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The service classes that a workload may name. */
public final class Classes {

  private final Map<String, ServiceClass> byName = new LinkedHashMap<>();

  /**
   * Collects them.
   *
   * @throws IllegalArgumentException if there is none, or two have one name
   */
  public Classes(Collection<? extends ServiceClass> classes) {
    if (classes.isEmpty()) {
      throw new IllegalArgumentException("no service class was given.");
    }
    for (ServiceClass each : classes) {
      if (byName.put(each.name(), each) != null) {
        throw new IllegalArgumentException(
            "service class %s was given twice.".formatted(each.name()));
      }
    }
  }

  /** Returns the least important; of equally important ones the first. */
  public ServiceClass leastImportant() {
    return Collections.max(Lists.reverse(all()), Comparator.comparingInt(ServiceClass::importance));
  }

  /** Returns them all, in the order in which they were given. */
  public List<ServiceClass> all() {
    return List.copyOf(byName.values());
  }

  /**
   * Returns the class that a field names.
   *
   * @throws InputException if there is none
   */
  public ServiceClass named(Field field) {
    ServiceClass found = byName.get(field.required());
    if (found == null) {
      throw field.wrong("must be one of %s".formatted(String.join(", ", byName.keySet())));
    }
    return found;
  }

  /**
   * Returns the class of a priority of the Google cluster trace of 2011 (QoS-driven scheduling,
   * section 4.2): 9 to 11 gold, 2 to 8 silver, 0 and 1 bronze.
   */
  public ServiceClass ofPriority(Field field) {
    int priority = (int) field.wholeLong(0, 11);
    return standingFor(
        field,
        priority >= 9
            ? ServiceClasses.GOLD
            : priority >= 2 ? ServiceClasses.SILVER : ServiceClasses.BRONZE);
  }

  /**
   * Returns the class of a name that a field stands for.
   *
   * @throws InputException if there is none of that name
   */
  public ServiceClass standingFor(Field field, String name) {
    ServiceClass found = byName.get(name);
    if (found == null) {
      throw field.wrong(
          "stands for class %s, which is not among %s"
              .formatted(name, String.join(", ", byName.keySet())));
    }
    return found;
  }
}
