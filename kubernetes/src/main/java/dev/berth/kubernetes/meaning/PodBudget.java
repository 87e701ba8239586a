package dev.berth.kubernetes.meaning;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A PodDisruptionBudget of any version of the API.
 *
 * @param namespace its namespace, in which it selects pods
 * @param name its name
 * @param selector the pods that it is about; empty for none
 * @param minAvailable how many pods stay up, or which share of them
 * @param maxUnavailable how many pods may be down, or which share of them
 * @param expectedPods how many pods the API server expects, as its status says; 0 if unknown
 */
public record PodBudget(
    String namespace,
    String name,
    Optional<LabelSelector> selector,
    Optional<IntOrString> minAvailable,
    Optional<IntOrString> maxUnavailable,
    int expectedPods) {

  /** Returns a budget of {@code policy/v1}. */
  public static PodBudget of(io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget given) {
    var spec = given.getSpec();
    Integer expected = given.getStatus() == null ? null : given.getStatus().getExpectedPods();
    return spec == null
        ? of(given.getMetadata(), null, null, null, expected)
        : of(
            given.getMetadata(),
            spec.getSelector(),
            spec.getMinAvailable(),
            spec.getMaxUnavailable(),
            expected);
  }

  /** Returns a budget of {@code policy/v1beta1}, whose empty selector selects no pod. */
  public static PodBudget of(
      io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudget given) {
    var spec = given.getSpec();
    Integer expected = given.getStatus() == null ? null : given.getStatus().getExpectedPods();
    if (spec == null) {
      return of(given.getMetadata(), null, null, null, expected);
    }
    LabelSelector selector = spec.getSelector();
    boolean empty =
        selector == null
            || (Nulls.map(selector.getMatchLabels()).isEmpty()
                && Nulls.list(selector.getMatchExpressions()).isEmpty());
    return of(
        given.getMetadata(),
        empty ? null : selector,
        spec.getMinAvailable(),
        spec.getMaxUnavailable(),
        expected);
  }

  private static PodBudget of(
      @Nullable ObjectMeta meta,
      @Nullable LabelSelector selector,
      @Nullable IntOrString minAvailable,
      @Nullable IntOrString maxUnavailable,
      @Nullable Integer expectedPods) {
    return new PodBudget(
        meta == null ? "" : Nulls.text(meta.getNamespace()),
        meta == null ? "" : Nulls.text(meta.getName()),
        Optional.ofNullable(selector),
        Optional.ofNullable(minAvailable),
        Optional.ofNullable(maxUnavailable),
        expectedPods == null ? 0 : Math.max(0, expectedPods));
  }

  /** Returns whether the budget is about a pod with these labels. */
  boolean selects(String podNamespace, Map<String, String> labels) {
    return namespace.equals(podNamespace)
        && selector.isPresent()
        && Selectors.matches(selector.get(), labels);
  }
}
