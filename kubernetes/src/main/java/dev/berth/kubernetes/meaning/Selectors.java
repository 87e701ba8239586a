package dev.berth.kubernetes.meaning;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides whether labels match a selector, exactly as Kubernetes does. */
public final class Selectors {

  private Selectors() {}

  /**
   * Returns whether labels match a selector. A selector that says nothing matches all labels, and
   * one that is missing matches none. An operator that is unknown matches none.
   */
  public static boolean matches(@Nullable LabelSelector selector, Map<String, String> labels) {
    if (selector == null) {
      return false;
    }
    return Nulls.map(selector.getMatchLabels()).entrySet().stream()
            .allMatch(each -> each.getValue().equals(labels.get(each.getKey())))
        && Nulls.list(selector.getMatchExpressions()).stream()
            .allMatch(each -> matches(each, labels));
  }

  private static boolean matches(LabelSelectorRequirement requirement, Map<String, String> labels) {
    String value = labels.get(Nulls.text(requirement.getKey()));
    List<String> values = Nulls.list(requirement.getValues());
    return switch (Nulls.text(requirement.getOperator())) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
