package dev.berth.core.internal.state;

import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A service class and its rank among those of a scheduler. */
public record ClassRecord(ServiceClass serviceClass, int rank, Slo slo, int importance) {

  /** Returns the classes with their ranks: most important first, equally important ones by name. */
  public static Map<String, ClassRecord> rank(Collection<? extends ServiceClass> classes) {
    List<? extends ServiceClass> ranked =
        classes.stream()
            .sorted(
                Comparator.<ServiceClass>comparingInt(ServiceClass::importance)
                    .thenComparing(ServiceClass::name))
            .toList();
    Map<String, ClassRecord> byName = new LinkedHashMap<>();
    for (ServiceClass each : ranked) {
      if (byName.putIfAbsent(
              each.name(), new ClassRecord(each, byName.size(), each.slo(), each.importance()))
          != null) {
        throw new IllegalArgumentException(
            "service class %s was given twice, names must be unique.".formatted(each.name()));
      }
    }
    if (byName.isEmpty()) {
      throw new IllegalArgumentException(
          "no service class was given. Maybe add ServiceClass.builder(\"standard\").build().");
    }
    return byName;
  }
}
