package dev.berth.core.internal.cluster;

import dev.berth.api.ServiceClass;
import dev.berth.api.Slo;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A service class and its rank among those of a scheduler. */
public record ClassRecord(ServiceClass serviceClass, int rank, Slo slo, int importance) {

  private static final Duration LONGEST_MARGIN = Duration.ofDays(36_500);

  /**
   * Returns the classes with their ranks: most important first, equally important ones by name.
   *
   * @throws IllegalArgumentException if there is none, two have one name, or a property of one is
   *     outside its range; users may implement {@link ServiceClass}
   */
  public static Map<String, ClassRecord> rank(Collection<? extends ServiceClass> classes) {
    classes.forEach(ClassRecord::check);
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

  private static void check(ServiceClass each) {
    Objects.requireNonNull(each, "service class");
    @Nullable String name = each.name();
    require(name != null && !name.isBlank(), name, "name", orBlank(name), "not be");
    @Nullable Slo slo = each.slo();
    require(slo != null, name, "slo", slo, "be from 0.001 to 1");
    require(
        each.importance() >= 1,
        name,
        "importance",
        each.importance(),
        "be at least 1 (the most important)");
    @Nullable Duration margin = each.safetyMargin();
    require(
        margin != null && !margin.isNegative() && margin.compareTo(LONGEST_MARGIN) <= 0,
        name,
        "safety margin",
        margin,
        "be from 0 to a century");
    double limit = each.preemptionOverheadLimit();
    require(limit >= 0 && limit <= 1, name, "preemption-overhead limit", limit, "be in [0, 1]");
  }

  private static @Nullable Object orBlank(@Nullable String name) {
    return name == null ? null : "blank";
  }

  private static void require(
      boolean holds, @Nullable String name, String what, @Nullable Object value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(
          "service class %s: %s was %s, must %s.".formatted(name, what, value, rule));
    }
  }
}
