package dev.berth.kubernetes.lab;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Amounts of resources as kubelets count them: CPU in thousandths, all others in units. */
final class Amounts {

  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

  private Amounts() {}

  static Map<String, Long> of(@Nullable Map<String, Quantity> quantities) {
    Map<String, Long> amounts = new TreeMap<>();
    if (quantities != null) {
      quantities.forEach((name, quantity) -> amounts.put(name, amount(name, quantity)));
    }
    return amounts;
  }

  /**
   * Returns what a pod takes of a node: the sum of its containers, or its largest init container if
   * that is more, its overhead, and one pod.
   */
  static Map<String, Long> requests(Pod pod) {
    PodSpec spec = pod.getSpec();
    Map<String, Long> sum = new TreeMap<>();
    for (Container container : list(spec.getContainers())) {
      requests(container).forEach((name, amount) -> sum.merge(name, amount, Long::sum));
    }
    for (Container container : list(spec.getInitContainers())) {
      requests(container).forEach((name, amount) -> sum.merge(name, amount, Long::max));
    }
    of(spec.getOverhead()).forEach((name, amount) -> sum.merge(name, amount, Long::sum));
    // Kubelets check pods first, then the basic resources.
    Map<String, Long> requests = new LinkedHashMap<>();
    requests.put("pods", 1L);
    for (String name : List.of("cpu", "memory", "ephemeral-storage")) {
      @Nullable Long amount = sum.remove(name);
      if (amount != null) {
        requests.put(name, amount);
      }
    }
    requests.putAll(sum);
    return requests;
  }

  private static Map<String, Long> requests(Container container) {
    @Nullable ResourceRequirements resources = container.getResources();
    return of(resources == null ? null : resources.getRequests());
  }

  private static <T> List<T> list(@Nullable List<T> elements) {
    return elements == null ? List.of() : elements;
  }

  private static long amount(String name, Quantity quantity) {
    BigDecimal amount = quantity.getNumericalAmount();
    BigDecimal counted = name.equals("cpu") ? amount.multiply(THOUSAND) : amount;
    return counted.setScale(0, RoundingMode.CEILING).longValueExact();
  }
}
