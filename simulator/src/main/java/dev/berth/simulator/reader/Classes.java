package dev.berth.simulator.reader;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.ServiceClasses;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The service classes that a workload may name. */
final class Classes {

  private final Map<String, ServiceClass> byName = new LinkedHashMap<>();

  Classes(Collection<? extends ServiceClass> classes) {
    for (ServiceClass each : classes) {
      if (byName.put(each.name(), each) != null) {
        throw new IllegalArgumentException(
            "service class %s was given twice.".formatted(each.name()));
      }
    }
  }

  List<ServiceClass> all() {
    return List.copyOf(byName.values());
  }

  ServiceClass named(Field field) {
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
  ServiceClass ofPriority(Field field) {
    int priority = field.whole(0, 11);
    String name =
        priority >= 9
            ? ServiceClasses.GOLD
            : priority >= 2 ? ServiceClasses.SILVER : ServiceClasses.BRONZE;
    ServiceClass found = byName.get(name);
    if (found == null) {
      throw field.wrong(
          "stands for class %s, which is not among %s"
              .formatted(name, String.join(", ", byName.keySet())));
    }
    return found;
  }
}
