package dev.berth.runtime.entry;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Backoff;
import dev.berth.api.ServiceClass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The settings of a scheduler that decide its plans: two schedulers with the same settings and the
 * same events return the same plans. Immutable.
 *
 * @param policy the id of the policy
 * @param policyConfig the effective configuration of the policy as JSON
 * @param policyVersion the version of the module or jar that the policy is in; empty if unknown
 * @param seed the seed of all random choices
 * @param serviceClasses the service classes, at least one, copied by their properties
 * @param watchdog the longest time between two passes; empty if there is no limit
 * @param maxPlacements the most instances that a pass places; empty if there is no limit
 * @param hostBackoff for how long hosts are held back; empty if they are not
 * @param instanceBackoff for how long instances are held back; empty if they are not
 */
public record Settings(
    String policy,
    String policyConfig,
    Optional<String> policyVersion,
    long seed,
    List<ServiceClass> serviceClasses,
    Optional<Duration> watchdog,
    OptionalInt maxPlacements,
    Optional<Backoff> hostBackoff,
    Optional<Backoff> instanceBackoff) {

  /**
   * Copies the service classes.
   *
   * @throws IllegalArgumentException if there is no service class, a property of one is out of its
   *     range, or the watchdog or the limit of placements is not positive
   */
  public Settings {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(policyConfig, "policyConfig");
    Objects.requireNonNull(policyVersion, "policyVersion");
    Objects.requireNonNull(serviceClasses, "serviceClasses");
    Objects.requireNonNull(watchdog, "watchdog");
    Objects.requireNonNull(maxPlacements, "maxPlacements");
    Objects.requireNonNull(hostBackoff, "hostBackoff");
    Objects.requireNonNull(instanceBackoff, "instanceBackoff");
    serviceClasses = serviceClasses.stream().map(Settings::copy).toList();
    refuseIf(serviceClasses.isEmpty(), "settings have no service class, must have at least one.");
    if (watchdog.isPresent() && (watchdog.get().isNegative() || watchdog.get().isZero())) {
      throw new IllegalArgumentException(
          "watchdog was %s, must be positive.".formatted(watchdog.get()));
    }
    if (maxPlacements.isPresent() && maxPlacements.getAsInt() < 1) {
      throw new IllegalArgumentException(
          "placements of a pass were limited to %s, must be 1 or more."
              .formatted(maxPlacements.getAsInt()));
    }
  }

  /** Returns a class that equals others with the same properties. */
  private static ServiceClass copy(ServiceClass given) {
    return ServiceClass.builder(given.name())
        .slo(given.slo().share())
        .importance(given.importance())
        .safetyMargin(given.safetyMargin())
        .preemptionOverheadLimit(given.preemptionOverheadLimit())
        .build();
  }

  /**
   * Returns the settings of a scheduler.
   *
   * @param registry where to look for the policy, whose version is recorded; a policy that is not
   *     there has no version
   */
  public static Settings of(Scheduler scheduler, PolicyRegistry registry) {
    Objects.requireNonNull(scheduler, "scheduler");
    Objects.requireNonNull(registry, "registry");
    String policy = scheduler.policyId();
    return new Settings(
        policy,
        scheduler.policyConfig(),
        registry.ids().contains(policy)
            ? Versions.of(registry.get(policy).getClass())
            : Optional.empty(),
        scheduler.seed(),
        scheduler.serviceClasses(),
        scheduler.watchdog(),
        scheduler.maxPlacements(),
        scheduler.hostBackoff(),
        scheduler.instanceBackoff());
  }

  /**
   * Returns in words what differs in later settings; empty if schedulers with both decide alike, by
   * any version of the policy.
   */
  public List<String> differences(Settings later) {
    List<String> differences = new ArrayList<>();
    compare("policy", policy, later.policy, differences);
    compare("configuration", policyConfig, later.policyConfig, differences);
    compare("seed", seed, later.seed, differences);
    compare("service classes", serviceClasses, later.serviceClasses, differences);
    compare("watchdog", watchdog, later.watchdog, differences);
    compare("maxPlacements", maxPlacements, later.maxPlacements, differences);
    compare("hostBackoff", hostBackoff, later.hostBackoff, differences);
    compare("instanceBackoff", instanceBackoff, later.instanceBackoff, differences);
    return differences;
  }

  private static void compare(String name, Object was, Object is, List<String> differences) {
    if (!was.equals(is)) {
      differences.add("%s was %s and is %s".formatted(name, was, is));
    }
  }

  /**
   * Returns a builder of schedulers with these settings. It looks the policy up by id; for a policy
   * that is in no registry, use {@link #applyTo}.
   */
  public Scheduler.Builder toBuilder() {
    return applyTo(Scheduler.builder().policy(policy, policyConfig));
  }

  /**
   * Sets all but the policy in a builder.
   *
   * @return the builder
   */
  public Scheduler.Builder applyTo(Scheduler.Builder builder) {
    Objects.requireNonNull(builder, "builder");
    builder.seed(seed).serviceClasses(serviceClasses);
    watchdog.ifPresent(builder::watchdog);
    maxPlacements.ifPresent(builder::maxPlacements);
    hostBackoff.ifPresent(builder::hostBackoff);
    instanceBackoff.ifPresent(builder::instanceBackoff);
    return builder;
  }
}
