package dev.berth.traces.format.kubectl;

import com.google.common.collect.ImmutableMap;
import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.traces.input.Field;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.JsonObject;
import dev.berth.traces.internal.util.Shape;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;

/** Amounts of resources in Kubernetes. */
final class KubectlAmounts {

  private static final Dimension GPU = FileDimensions.of("gpu");
  private static final ImmutableMap<String, Dimension> DIMENSIONS =
      ImmutableMap.of("cpu", Dimension.CPU, "memory", Dimension.MEMORY, "nvidia.com/gpu", GPU);

  private static final Shape QUANTITY =
      Shape.of(
          "([0-9]{1,19}(?:\\.[0-9]{0,9})?|\\.[0-9]{1,9})"
              + "(?:[eE]([+-]?[0-9]{1,2})|([numkMGTPE]?|[KMGTPE]i))");
  private static final List<String> DECIMAL =
      List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
  private static final String BINARY = "KMGTPE";
  private static final int MOST_BITS = 62;

  private KubectlAmounts() {}

  /** Returns what a node can give. */
  static Resources capacity(JsonObject node) {
    Optional<JsonObject> all = node.object("status").flatMap(each -> each.object("allocatable"));
    return resources(node, RoundingMode.FLOOR, name -> amount(all, name));
  }

  /**
   * Returns what the containers of a pod demand together, or what one that initializes it demands,
   * if that is more.
   */
  static Resources demand(JsonObject pod, JsonObject spec) {
    return resources(pod, RoundingMode.CEILING, name -> demand(spec, name));
  }

  private static Resources resources(
      JsonObject object, RoundingMode rounding, Function<String, BigDecimal> amounts) {
    Resources.Builder resources = Resources.builder();
    DIMENSIONS.forEach(
        (name, dimension) -> {
          long unitsPerOne = dimension.equals(Dimension.MEMORY) ? 1 : dimension.unitsPerWhole();
          BigDecimal units =
              amounts.apply(name).multiply(BigDecimal.valueOf(unitsPerOne)).setScale(0, rounding);
          if (units.unscaledValue().bitLength() > MOST_BITS) {
            throw object.location().error("has an amount of %s that is too large".formatted(name));
          }
          resources.put(dimension, units.longValueExact());
        });
    return resources.build();
  }

  private static BigDecimal demand(JsonObject spec, String name) {
    BigDecimal running = BigDecimal.ZERO;
    for (JsonObject each : spec.objects("containers").orElse(List.of())) {
      running = running.add(request(each, name));
    }
    BigDecimal sidecars = BigDecimal.ZERO;
    BigDecimal starting = BigDecimal.ZERO;
    for (JsonObject each : spec.objects("initContainers").orElse(List.of())) {
      BigDecimal own = sidecars.add(request(each, name));
      starting = starting.max(own);
      if (each.text("restartPolicy").filter("Always"::equals).isPresent()) {
        sidecars = own;
      }
    }
    return running.add(sidecars).max(starting).add(amount(spec.object("overhead"), name));
  }

  private static BigDecimal request(JsonObject container, String name) {
    return amount(container.object("resources").flatMap(each -> each.object("requests")), name);
  }

  private static BigDecimal amount(Optional<JsonObject> amounts, String name) {
    return amounts
        .flatMap(each -> each.optional(name))
        .map(KubectlAmounts::quantity)
        .orElse(BigDecimal.ZERO);
  }

  private static BigDecimal quantity(Field field) {
    MatchResult parts =
        QUANTITY
            .match(field.text())
            .orElseThrow(
                () -> field.error("must be a quantity such as 2, 0.5, 500m, 1e3, 64Mi or 10G"));
    BigDecimal number = new BigDecimal(parts.group(1));
    String suffix = parts.group(3);
    if (suffix == null) {
      return number.scaleByPowerOfTen(Integer.parseInt(parts.group(2)));
    }
    return suffix.endsWith("i")
        ? number.multiply(BigDecimal.valueOf(1L << (10 * (1 + BINARY.indexOf(suffix.charAt(0))))))
        : number.scaleByPowerOfTen(3 * (DECIMAL.indexOf(suffix) - DECIMAL.indexOf("")));
  }
}
