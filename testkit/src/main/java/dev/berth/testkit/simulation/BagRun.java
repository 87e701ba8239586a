package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.batch.BagReport;
import dev.berth.simulator.fleet.FleetSample;
import dev.berth.simulator.fleet.Provider;
import dev.berth.simulator.result.RunResult;
import java.util.List;

/**
 * The outcome of a simulated {@link BagScenario}.
 *
 * @param scenario what was simulated
 * @param result the figures of the run
 * @param bags the reports of the bags, in the order in which they ended
 * @param samples the fleet after each of its changes
 */
public record BagRun(
    BagScenario scenario, RunResult result, List<BagReport> bags, List<FleetSample> samples) {

  /** Copies the lists. */
  public BagRun {
    bags = List.copyOf(bags);
    samples = List.copyOf(samples);
  }

  /**
   * Requires that each bag ended exactly once, that no instance still waits, that the figures agree
   * with each other, and that the policy kept to the limit of the pool.
   *
   * @throws AssertionError otherwise
   */
  public void assertNoBagLost() {
    assertThat(result.unfinished()).as("instances that still wait").isZero();
    assertThat(bags)
        .as("each bag ends once, with a report")
        .extracting(BagReport::bag)
        .doesNotHaveDuplicates()
        .hasSize(scenario.bags().size());
    for (BagReport each : bags) {
      assertThat(each.completed() + each.cancelled().size()).isEqualTo(each.size());
      assertThat(each.why().isPresent()).isEqualTo(!each.isComplete());
    }
    assertThat(result.completed()).isEqualTo(bags.stream().mapToLong(BagReport::completed).sum());
    assertThat(samples).allMatch(each -> each.all() <= scenario.limit());
    assertThat(result.pools().peak()).isLessThanOrEqualTo(scenario.limit());
    if (isReliable(scenario.provider())
        && scenario.bags().stream().allMatch(each -> each.timeToLive().isEmpty())) {
      assertThat(result.pools().failed()).as("hosts that failed").isZero();
    }
  }

  private static boolean isReliable(Provider provider) {
    return provider.refused() == 0
        && provider.failing() == 0
        && provider.lives().isEmpty()
        && provider.most().isEmpty();
  }
}
