package dev.berth.policies.memory;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.Experimental;
import dev.berth.api.policy.Policy;
import java.time.Duration;
import java.util.Locale;

/**
 * Settings of the {@linkplain ElasticityController controller} that resizes the memory of running
 * instances, and of migration.
 *
 * @param control whether there is a controller; default true. If false, instances keep their
 *     grants, and only events make passes due
 * @param rule how the controller decides; default that of the thesis
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
    @Described("need and growth decide, or only whether free memory is 80 to 120 % of the headroom")
        Rule rule,
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

  /** How the controller decides. */
  public enum Rule {
    /** By need and growth; it also pauses and suspends (section 5.1). */
    MEC,
    /**
     * Memory overprovisioning percentage (Moltó et al., 2013; section 3.3): an instance whose free
     * memory is less than 80 % or more than 120 % of the headroom gets its need and the headroom,
     * as far as its host has free memory. Nothing else happens.
     */
    MOP;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** The settings of the thesis. */
  public static final Elasticity DEFAULT =
      new Elasticity(true, Rule.MEC, Duration.ofSeconds(5), 0.1, true, 1.2);

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
    return control ? new ElasticityController(period, headroom, rule).over(elastic) : elastic;
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
            rule,
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
