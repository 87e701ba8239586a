package dev.berth.experiments;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.Scenario;
import java.util.Comparator;
import java.util.List;

/**
 * What all contenders of an experiment are put into alike: one combination of its axes.
 *
 * @param number its place among the cases of the experiment, from 0
 * @param workload what tables call the workload
 * @param infrastructure what tables call the hosts
 * @param scale their share of the full capacity, in (0, 1]
 * @param settings the case itself
 * @param identity everything the settings were made of, to the last bit: two cases with the same
 *     identity are the same
 */
public record Case(
    int number,
    String workload,
    String infrastructure,
    double scale,
    RunSettings settings,
    ObjectNode identity) {

  /** Where the identity has the scale. */
  static final String SCALE = "scale";

  /** As much as sums of a few can still be counted in. */
  private static final long PLENTY = Long.MAX_VALUE / 64;

  /** Returns the seed of the case. */
  public long seed() {
    return settings.seed();
  }

  /** Returns the settings for a contender: upper bounds get a host with room for all. */
  RunSettings settingsFor(ComparedPolicy comparedPolicy) {
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
        scenario, settings.period(), settings.margin(), List.of(), settings.seed());
  }
}
