package dev.berth.core.snapshot;

import dev.berth.core.snapshot.RequestData.ConstraintData;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A {@link dev.berth.api.PlacementSpec}.
 *
 * @param tolerations its tolerations, in order
 * @param rules its rules, in order
 * @param preferences its preferences, in order
 * @param limits what it uses of counted limits, in order
 */
public record PlacementData(
    List<TolerationData> tolerations,
    List<RuleData> rules,
    List<PreferenceData> preferences,
    List<LimitUseData> limits) {

  /** Copies the lists. */
  public PlacementData {
    tolerations = List.copyOf(tolerations);
    rules = List.copyOf(rules);
    preferences = List.copyOf(preferences);
    limits = List.copyOf(limits);
  }

  /**
   * A {@link dev.berth.api.LimitUse}.
   *
   * @param limit name of the limit
   * @param kind name of its kind
   * @param amount its amount
   */
  public record LimitUseData(String limit, String kind, long amount) {}

  /**
   * A {@link dev.berth.api.Toleration}.
   *
   * @param key its key, if any
   * @param value its value, if any
   * @param effect name of its effect, if any
   * @param atMostNanos how long, in nanoseconds; empty for ever
   */
  public record TolerationData(
      Optional<String> key,
      Optional<String> value,
      Optional<String> effect,
      OptionalLong atMostNanos) {}

  /**
   * A {@link dev.berth.api.Peers}.
   *
   * @param type the simple name of its record: {@code "Labelled"}
   * @param name name of the job or of the label
   * @param value value of the label; empty for a job
   */
  public record PeersData(String type, String name, Optional<String> value) {}

  /**
   * A {@link dev.berth.api.PlacementRule}.
   *
   * @param type the simple name of its record: {@code "Spread"}
   * @param peers the instances that it is about
   * @param attribute the attribute of its domain; empty if each host is a place
   * @param maxSkew the greatest difference of a spread; 0 for another rule
   */
  public record RuleData(String type, PeersData peers, Optional<String> attribute, int maxSkew) {}

  /**
   * A {@link dev.berth.api.Preference}.
   *
   * @param type the simple name of its record: {@code "OnHost"}
   * @param weight its weight
   * @param constraint the condition on the host, if it is about that
   * @param peers the instances that it is about, if any
   * @param attribute the attribute of its domain; empty if each host is a place
   */
  public record PreferenceData(
      String type,
      int weight,
      Optional<ConstraintData> constraint,
      Optional<PeersData> peers,
      Optional<String> attribute) {}
}
