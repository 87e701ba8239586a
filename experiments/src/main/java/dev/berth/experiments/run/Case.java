package dev.berth.experiments.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.fleet.Infrastructure;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One combination of the axes of an experiment; all compared policies run in it.
 *
 * @param number its place among the cases of the experiment, from 0
 * @param workload name of the workload in tables
 * @param infrastructure name of the hosts in tables
 * @param scale their share of the full capacity; above 1, hosts were added
 * @param variant what distinguishes its watchdog and margin from others, for tables: {@code
 *     "watchdog 10s, margin 30s"}; empty if neither varies
 * @param settings the case itself
 * @param identity everything but the seed that the settings depend on; many cases share one. Cases
 *     with the same identity and seed are the same
 */
public record Case(
    int number,
    String workload,
    String infrastructure,
    double scale,
    String variant,
    RunSettings settings,
    ObjectNode identity) {

  /** Where the identity has the scale. */
  public static final String SCALE = "scale";

  /** Where an identity may have a place for the seed, which otherwise follows it. */
  public static final String SEED = "seed";

  /** A capacity so large that sums of a few still do not overflow. */
  private static final long PLENTY = Long.MAX_VALUE / 64;

  /** Returns what the cases that are summed up together have in common. */
  public List<Object> group() {
    return List.of(infrastructure, scale, settings.watchdog(), settings.margin());
  }

  /** Returns a name, followed by the variant if there are several. */
  public String withVariant(String name) {
    return variant.isEmpty() ? name : name + ", " + variant;
  }

  /** Returns the seed of the case. */
  public long seed() {
    return settings.seed();
  }

  /** Returns the settings for a policy: upper bounds get one host with room for all requests. */
  public RunSettings settingsFor(ComparedPolicy comparedPolicy) {
    return comparedPolicy.role() == ComparedPolicy.Role.UPPER_BOUND ? onOneBigHost() : settings;
  }

  private RunSettings onOneBigHost() {
    Scenario real = settings.scenario();
    Resources.Builder capacity = Resources.builder();
    real.infrastructure().hosts().stream()
        .flatMap(each -> each.capacity().dimensions().stream())
        .distinct()
        .sorted(Comparator.comparing(Dimension::name))
        .forEach(each -> capacity.put(each, PLENTY));
    Infrastructure big =
        new Infrastructure(
            "one infinite host", List.of(new HostSpec("infinite", capacity.build())));
    Scenario scenario =
        new Scenario(
            new Unconstrained(real.workload()),
            big,
            real.until(),
            real.overheads(),
            real.migrationCost(),
            real.resumeCost());
    return new RunSettings(
        scenario,
        settings.watchdog(),
        settings.apart(),
        settings.margin(),
        List.of(),
        settings.seed(),
        settings.decisionTimes(),
        Optional.empty());
  }
}
