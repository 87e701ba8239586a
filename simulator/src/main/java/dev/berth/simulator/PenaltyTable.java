package dev.berth.simulator;

import dev.berth.api.ServiceClass;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a provider pays for a violated objective on top of what it did not deliver (QoS-driven
 * scheduling, section 5.2, table 2).
 *
 * @param tiers by name of the service class, the least availability first; classes without tiers
 *     get those {@linkplain #tiersOf derived from their objective}
 */
public record PenaltyTable(Map<String, List<Tier>> tiers) {

  /** What the paper takes over from the terms of a public cloud. */
  public static final PenaltyTable PUBLISHED =
      new PenaltyTable(
          Map.of(
              ServiceClasses.GOLD, tiers(0.95, 0.99, 0.9999),
              ServiceClasses.SILVER, tiers(0.8556, 0.8911, 0.9),
              ServiceClasses.BRONZE, tiers(0.475, 0.495, 0.5)));

  /**
   * A range of availabilities.
   *
   * @param below its end, excluded, in (0, 1]; it begins where the range before it ends
   * @param bonus b: what is paid beyond the deficit, as a share of it; 0 or more
   */
  public record Tier(double below, double bonus) {

    /** Checks the ranges. */
    public Tier {
      if (!(below > 0 && below <= 1)) {
        throw new IllegalArgumentException("below was %s, must be in (0, 1].".formatted(below));
      }
      if (!(bonus >= 0 && bonus < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("bonus was %s, must be 0 or more.".formatted(bonus));
      }
    }
  }

  /**
   * Copies the tiers and checks their order.
   *
   * @throws IllegalArgumentException if those of a class are not in ascending order
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

  private static List<Tier> tiers(double all, double much, double little) {
    return List.of(new Tier(all, 1), new Tier(much, 0.3), new Tier(little, 0.1));
  }

  /**
   * Returns the tiers of a class: those of this table, or else at 95 %, 99 % and 100 % of its
   * objective, as the paper sets them for its lesser classes.
   */
  public List<Tier> tiersOf(ServiceClass serviceClass) {
    double slo = serviceClass.slo().share();
    return tiers.getOrDefault(serviceClass.name(), tiers(0.95 * slo, 0.99 * slo, slo));
  }

  /**
   * Returns what is due for a request that missed its objective: {@code D · d · c · (1 + b)} (Eqs.
   * 10 and 11), in core-hours.
   *
   * @param serviceClass what it was promised
   * @param availability what it got, below the objective
   * @param hours d: what it would have run without waiting
   * @param cores c: what it demanded
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
