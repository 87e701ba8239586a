package dev.berth.policies.memory;

import dev.berth.api.policy.Policy;
import java.time.Duration;

/**
 * Settings of the {@linkplain ElasticityController controller} that gives instances memory and
 * takes it away while they run, and of migration.
 *
 * @param control whether there is a controller; default true. False: instances keep what they were
 *     granted
 * @param period how often it looks at least, 1 ms or more; default 5 s (section 5.1)
 * @param headroom the share of its need that an instance is left on top before memory is taken from
 *     it, in [0, 10]; default 0.1. Greater: fewer resizes, less memory free for others
 * @param migration whether instances are moved off hosts that have too little memory (Algorithm 2);
 *     default true
 * @param migrationRoom how many times the need of an instance its new host must have free, at least
 *     1; default 1.2 (Algorithm 2)
 */
public record Elasticity(
    boolean control, Duration period, double headroom, boolean migration, double migrationRoom) {

  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** The thesis's settings. */
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
   * Lets a policy run as these settings say: with {@link Migration} before and the {@link
   * ElasticityController} after each of its passes.
   */
  public Policy over(Policy policy) {
    Policy elastic = migration ? new Migration(migrationRoom).before(policy) : policy;
    return control ? new ElasticityController(period, headroom).over(elastic) : elastic;
  }

  /** Returns whether there is anything to do beside placing. */
  boolean isActive() {
    return control || migration;
  }
}
