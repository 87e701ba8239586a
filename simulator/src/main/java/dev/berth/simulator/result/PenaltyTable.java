package dev.berth.simulator.result;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.ServiceClasses;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The penalties that a provider pays for violated objectives, in addition to the deficit itself
 * (QoS-driven scheduling, section 5.2, table 2).
 *
 * @param tiers by name of the service class, in ascending order of availability; a class without
 *     tiers has {@linkplain #tiersOf tiers derived from its objective}
 */
public record PenaltyTable(Map<String, List<Tier>> tiers) {

  /** The table of the paper, taken from the terms of a public cloud. */
  public static final PenaltyTable PUBLISHED =
      new PenaltyTable(
          Map.of(
              ServiceClasses.GOLD, tiers(0.95, 0.99, 0.9999),
              ServiceClasses.SILVER, tiers(0.8556, 0.8911, 0.9),
              ServiceClasses.BRONZE, tiers(0.475, 0.495, 0.5)));

  /**
   * A range of availabilities.
   *
   * @param below its exclusive end, in (0, 1]; the range begins at the end of the previous tier
   * @param bonus b: the payment beyond the deficit, as a share of the deficit; 0 or more
   */
  public record Tier(double below, double bonus) {

    /** Checks the ranges. */
    public Tier {
      refuseIf(!(below > 0 && below <= 1), "below was %s, must be in (0, 1].", below);
      refuseIf(
          !(bonus >= 0 && bonus < Double.POSITIVE_INFINITY),
          "bonus was %s, must be 0 or more.",
          bonus);
    }
  }

  /**
   * Copies the tiers and checks their order.
   *
   * @throws IllegalArgumentException if the tiers of a class are not in ascending order
   */
  public PenaltyTable {
    Map<String, List<Tier>> copy = new LinkedHashMap<>();
    tiers.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> copy.put(each.getKey(), List.copyOf(each.getValue())));
    copy.forEach(PenaltyTable::checkOrder);
    tiers = Collections.unmodifiableMap(copy);
  }

  /** Returns this table with other tiers for some classes. */
  public PenaltyTable with(Map<String, List<Tier>> others) {
    Map<String, List<Tier>> all = new LinkedHashMap<>(tiers);
    all.putAll(others);
    return new PenaltyTable(all);
  }

  private static void checkOrder(String serviceClass, List<Tier> tiers) {
    for (int i = 1; i < tiers.size(); i++) {
      if (tiers.get(i).below() <= tiers.get(i - 1).below()) {
        throw new IllegalArgumentException(
            "tiers of %s: below %s follows below %s, must ascend."
                .formatted(serviceClass, tiers.get(i).below(), tiers.get(i - 1).below()));
      }
    }
  }

  private static List<Tier> tiers(double low, double middle, double high) {
    return List.of(new Tier(low, 1), new Tier(middle, 0.3), new Tier(high, 0.1));
  }

  /**
   * Returns the tiers of a class. A class without tiers in this table has tiers at 95 %, 99 % and
   * 100 % of its objective, as the paper sets them for its lower classes.
   */
  public List<Tier> tiersOf(ServiceClass serviceClass) {
    double slo = serviceClass.slo().share();
    return tiers.getOrDefault(serviceClass.name(), tiers(0.95 * slo, 0.99 * slo, slo));
  }

  /**
   * Returns the penalty of a request that missed its objective: {@code D · d · c · (1 + b)} (Eqs.
   * 10 and 11), in core-hours.
   *
   * @param serviceClass its service class, with the objective
   * @param availability its availability, below the objective
   * @param hours d: its run time without waiting
   * @param cores c: its demand
   */
  public double penalty(
      ServiceClass serviceClass, double availability, double hours, double cores) {
    double deficit = Math.max(0, serviceClass.slo().share() - availability);
    double bonus =
        tiersOf(serviceClass).stream()
            .filter(tier -> availability < tier.below())
            .findFirst()
            .map(Tier::bonus)
            .orElse(0.0);
    return deficit * hours * cores * (1 + bonus);
  }
}
