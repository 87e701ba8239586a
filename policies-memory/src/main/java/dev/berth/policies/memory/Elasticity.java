package dev.berth.policies.memory;

import dev.berth.api.Experimental;
import dev.berth.api.policy.Policy;
import java.time.Duration;

/**
 * Settings of the {@linkplain ElasticityController controller} that resizes the memory of running
 * instances, and of migration.
 *
 * @param control whether there is a controller; default true. If false, instances keep their grants
 * @param period longest time between two runs of the controller, at least 1 ms; default 5 s
 *     (section 5.1)
 * @param headroom the share of its need that an instance keeps in addition to it, in [0, 10];
 *     default 0.1. A greater share causes fewer resizes and leaves less memory for others
 * @param migration whether instances migrate off hosts with too little memory (Algorithm 2);
 *     default true
 * @param migrationRoom the free memory that a migration target needs, as a multiple of the need of
 *     the instance; from 1 to 1000; default 1.2 (Algorithm 2)
 */
@Experimental
public record Elasticity(
    boolean control, Duration period, double headroom, boolean migration, double migrationRoom) {

  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** The settings of the thesis. */
  public static final Elasticity DEFAULT =
      new Elasticity(true, Duration.ofSeconds(5), 0.1, true, 1.2);

  /** Checks the ranges. */
  public Elasticity {
    if (period.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException("period must be at least 1ms");
    }
    if (!(headroom >= 0 && headroom <= 10)) {
      throw new IllegalArgumentException("headroom must be from 0 to 10");
    }
    if (!(migrationRoom >= 1 && migrationRoom <= 1000)) {
      throw new IllegalArgumentException("migrationRoom must be from 1 to 1000");
    }
  }

  /**
   * Returns a policy that runs {@link Migration} before and the {@link ElasticityController} after
   * each pass of another policy, as these settings say.
   */
  public Policy over(Policy policy) {
    Policy elastic = migration ? new Migration(migrationRoom).before(policy) : policy;
    return control ? new ElasticityController(period, headroom).over(elastic) : elastic;
  }

  /** Returns whether the controller or migration is on. */
  boolean isActive() {
    return control || migration;
  }
}
