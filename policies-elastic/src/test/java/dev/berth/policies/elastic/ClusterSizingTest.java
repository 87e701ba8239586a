package dev.berth.policies.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policies.elastic.ClusterSizing.Cluster;
import dev.berth.policies.elastic.ClusterSizing.Growth;
import dev.berth.policies.elastic.ClusterSizing.Limits;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterSizingTest {

  private static final Duration WASTE = Duration.ofSeconds(13);
  private static final Limits LIMITS = new Limits(0.65, 100);
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  /** Tables 2 and 3. The thesis has 117 for 6,000 min; the formula gives 117.67. */
  @ParameterizedTest
  @CsvSource({
    "400, 30",
    "2000, 68",
    "1500, 59",
    "600, 37",
    "4000, 96",
    "20000, 215",
    "15000, 186",
    "6000, 118"
  })
  void matchesHostsOfTheThesisBags(long minutes, int hosts) {
    assertThat(ClusterSizing.hostsFor(minutes * MINUTE, WASTE)).isEqualTo(hosts);
  }

  /** A waste of 13 s, rounded, gives all eight numbers of the thesis. */
  @ParameterizedTest
  @CsvSource({
    "400, 30",
    "2000, 68",
    "1500, 59",
    "600, 37",
    "4000, 96",
    "20000, 215",
    "15000, 186",
    "6000, 117"
  })
  void matchesEveryHostOfTheThesisBags(long minutes, int hosts) {
    assertThat(ClusterSizing.hostsFor(minutes * MINUTE, Duration.ofMillis(13_038)))
        .isEqualTo(hosts);
  }

  @Test
  void bagGetsAtLeastOneHost() {
    assertThat(ClusterSizing.hostsFor(0, WASTE)).isEqualTo(1);
  }

  @Test
  void timeToLiveIsTheWallTimeShareWithSlack() {
    assertThat(ClusterSizing.timeToLive(1500 * MINUTE, 59, Duration.ofMinutes(1)))
        .isEqualTo(1500 * MINUTE / 59 + MINUTE);
  }

  /** No list schedule takes longer than the bound. */
  @Property(tries = 200)
  void listScheduleEndsWithinTheTimeToLive(
      @ForAll List<@LongRange(min = 1, max = 1000) Long> tasks,
      @ForAll @IntRange(min = 1, max = 8) int hosts) {
    long[] free = new long[hosts];
    for (long task : tasks) {
      int first = 0;
      for (int i = 1; i < hosts; i++) {
        first = free[i] < free[first] ? i : first;
      }
      free[first] += task;
    }
    long end = Arrays.stream(free).max().orElse(0);
    long walltime = tasks.stream().mapToLong(Long::longValue).sum();
    long longest = tasks.stream().mapToLong(Long::longValue).max().orElse(0);

    assertThat(end)
        .isLessThanOrEqualTo(ClusterSizing.listSchedulingTime(walltime, longest, hosts) + 1);
  }

  @Test
  void createsAClusterIfThereIsNone() {
    assertThat(ClusterSizing.grow(7, List.of(), LIMITS)).isEqualTo(new Growth(Optional.empty(), 7));
  }

  @Test
  void reusesIdleHostsOfABusyCluster() {
    Cluster busy = new Cluster("a", 50, 0.8); // 10 idle

    assertThat(ClusterSizing.grow(10, List.of(busy), LIMITS))
        .isEqualTo(new Growth(Optional.of("a"), 0));
    assertThat(ClusterSizing.grow(11, List.of(busy), LIMITS))
        .isEqualTo(new Growth(Optional.empty(), 11)); // no growth beyond U_max
  }

  @Test
  void clusterGrowsByMissingHostsUpToItsLimit() {
    Cluster half = new Cluster("a", 60, 0.5); // 30 idle

    assertThat(ClusterSizing.grow(70, List.of(half), LIMITS))
        .isEqualTo(new Growth(Optional.of("a"), 40));
    assertThat(ClusterSizing.grow(71, List.of(half), LIMITS))
        .isEqualTo(new Growth(Optional.empty(), 71));
  }

  @Test
  void adaptsTheMostAvailableCluster() {
    Cluster small = new Cluster("small", 10, 0.5);
    Cluster large = new Cluster("large", 20, 0.5);
    Cluster idle = new Cluster("idle", 10, 0.3);

    assertThat(ClusterSizing.grow(1, List.of(small, large), LIMITS).cluster()).contains("large");
    assertThat(ClusterSizing.grow(1, List.of(small, idle), LIMITS).cluster()).contains("idle");
    assertThat(ClusterSizing.grow(1, List.of(small, small), LIMITS).cluster()).contains("small");
  }

  @Property
  void neverExceedsTheLimits(
      @ForAll @IntRange(min = 1, max = 200) int wanted,
      @ForAll @IntRange(min = 1, max = 200) int hosts,
      @ForAll @DoubleRange(min = 0, max = 1) double utilisation) {
    Cluster cluster = new Cluster("a", hosts, utilisation);
    Growth growth = ClusterSizing.grow(wanted, List.of(cluster), LIMITS);

    if (growth.cluster().isPresent() && growth.start() > 0) {
      assertThat(utilisation).isLessThanOrEqualTo(LIMITS.maxUtilisation());
      assertThat(hosts + growth.start()).isLessThanOrEqualTo(LIMITS.maxHosts());
    }
    assertThat(growth.start()).isBetween(0, wanted);
    if (growth.cluster().isPresent()) {
      assertThat(growth.start() + hosts * (1 - utilisation)).isGreaterThanOrEqualTo(wanted - 0.5);
    }
  }

  @Test
  void endedBagReleasesItsShareMinusTheQueueDemand() {
    assertThat(ClusterSizing.shrink(50, 0.5, 0)).isEqualTo(25);
    assertThat(ClusterSizing.shrink(50, 0.5, 10)).isEqualTo(15);
    assertThat(ClusterSizing.shrink(50, 0.5, 30)).isZero();
  }
}
