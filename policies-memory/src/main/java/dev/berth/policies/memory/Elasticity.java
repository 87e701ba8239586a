package dev.berth.policies.memory;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.Experimental;
import dev.berth.api.policy.Policy;
import java.time.Duration;

/**
 * Settings of the {@linkplain ElasticityController controller} that resizes the memory of running
 * instances, and of migration.
 *
 * @param control whether there is a controller; default true. If false, instances keep their
 *     grants, and only events make passes due
 * @param period longest time between two runs of the controller, at least 1 ms; default 5 s
 *     (section 5.1). Without the controller it has no effect
 * @param headroom the share of its need that an instance keeps in addition to it, in [0, 10];
 *     default 0.1. A greater share causes fewer resizes and leaves less memory for others
 * @param migration whether instances migrate off hosts with too little memory (Algorithm 2), in
 *     passes that are due anyway; default true
 * @param migrationRoom the free memory that a migration target needs, as a multiple of the need of
 *     the instance; from 1 to 1000; default 1.2 (Algorithm 2)
 */
@Experimental
public record Elasticity(
    @Described("whether a controller resizes the memory of running instances") boolean control,
    @Described(value = "longest time between two runs of the controller", range = "1ms or more")
        Duration period,
    @Described(
            value = "memory that an instance keeps beyond its need, as a share of the need",
            range = "from 0 to 10")
        double headroom,
    @Described("whether instances migrate off hosts with too little memory") boolean migration,
    @Described(
            value =
                "free memory that the target of a migration needs, as a multiple of the need of the instance",
            range = "from 1 to 1000")
        double migrationRoom) {

  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** The settings of the thesis. */
  public static final Elasticity DEFAULT =
      new Elasticity(true, Duration.ofSeconds(5), 0.1, true, 1.2);

  /** Checks the ranges. */
  public Elasticity {
    refuseIf(period.compareTo(SHORTEST) < 0, "period must be at least 1ms");
    refuseIf(!(headroom >= 0 && headroom <= 10), "headroom must be from 0 to 10");
    refuseIf(
        !(migrationRoom >= 1 && migrationRoom <= 1000), "migrationRoom must be from 1 to 1000");
  }

  /**
   * Returns a policy that runs {@link Migration} before and the {@link ElasticityController} after
   * each pass of another policy, as these settings say.
   */
  public Policy over(Policy policy) {
    Policy elastic = migration ? new Migration(migrationRoom).before(policy) : policy;
    return control ? new ElasticityController(period, headroom).over(elastic) : elastic;
  }

  /**
   * Returns settings whose period is the longest time between two passes that an experiment sets;
   * without the controller, these settings.
   *
   * @param watchdog positive; less than 1 ms counts as 1 ms
   */
  Elasticity withWatchdog(Duration watchdog) {
    return control
        ? new Elasticity(
            true,
            watchdog.compareTo(SHORTEST) < 0 ? SHORTEST : watchdog,
            headroom,
            migration,
            migrationRoom)
        : this;
  }

  /** Returns whether the controller or migration is on. */
  boolean isActive() {
    return control || migration;
  }
}
