package dev.berth.simulator.workload;

import dev.berth.api.ServiceClass;
import java.time.Duration;
import java.util.List;

/** The service classes of the QoS-driven scheduling paper (section 4.2). */
public final class ServiceClasses {

  /** The highest class: σ = 1, importance 1. */
  public static final String GOLD = "gold";

  /** The middle class: σ = 0.9, importance 2. */
  public static final String SILVER = "silver";

  /** The lowest class: σ = 0.5, importance 3. */
  public static final String BRONZE = "bronze";

  private ServiceClasses() {}

  /**
   * Returns gold, silver and bronze, each with the overhead limit 1 − σ.
   *
   * @param safetyMargin φ of all three; 10 s in the text of the paper, the time between two passes
   *     in its published runs
   * @throws IllegalArgumentException if the margin is negative
   */
  public static List<ServiceClass> goldSilverBronze(Duration safetyMargin) {
    return List.of(
        of(GOLD, 1, 1, safetyMargin), of(SILVER, 0.9, 2, safetyMargin), bronze(safetyMargin));
  }

  /**
   * Returns bronze alone.
   *
   * @param safetyMargin φ
   * @throws IllegalArgumentException if the margin is negative
   */
  public static ServiceClass bronze(Duration safetyMargin) {
    return of(BRONZE, 0.5, 3, safetyMargin);
  }

  /**
   * Returns a class with the overhead limit 1 − σ.
   *
   * @param slo σ
   * @param importance the lower, the more important
   * @param safetyMargin φ
   * @throws IllegalArgumentException if the margin is negative, or σ not in (0, 1]
   */
  public static ServiceClass of(String name, double slo, int importance, Duration safetyMargin) {
    return ServiceClass.builder(name)
        .slo(slo)
        .importance(importance)
        .safetyMargin(safetyMargin)
        .build();
  }
}
