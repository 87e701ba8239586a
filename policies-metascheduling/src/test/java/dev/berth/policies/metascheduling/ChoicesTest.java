package dev.berth.policies.metascheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Plan;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.RequestDetail;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice of each policy among time-shared sites. */
class ChoicesTest {

  private static final int DRAWS = 3_000;

  /** A cluster whose hosts are sites. */
  private static final class SiteCluster {

    private final TestCluster cluster;
    private int runs;
    private int asked;

    SiteCluster(String policy, String config) {
      cluster = TestCluster.withPolicy(policy, config);
    }

    SiteCluster(String policy) {
      this(policy, "{}");
    }

    SiteCluster site(String id, int cores) {
      cluster
          .scheduler()
          .addHost(
              new HostSpec(
                  id,
                  Resources.of(Dimension.CPU, cores * Dimension.CPU.unitsPerWhole()),
                  Map.of(),
                  true),
              cluster.now());
      return this;
    }

    /** Records a CPU time of the application on a site, long before the requests. */
    SiteCluster ran(String site, int seconds) {
      String id = "run-" + runs++;
      cluster.running(request(id, true), site);
      cluster.scheduler().completed(id, Duration.ofSeconds(seconds), cluster.now());
      cluster.after(Duration.ofMinutes(2));
      return this;
    }

    SiteCluster reports(String site, double load) {
      cluster.scheduler().loadReported(site, load, cluster.now());
      return this;
    }

    /** Returns the sites of requests that arrive one per pass and end before the next pass. */
    Map<String, Integer> draw(boolean namesApplication) {
      Map<String, Integer> counts = new HashMap<>();
      for (int i = 0; i < DRAWS; i++) {
        String where = decide(1, namesApplication).get(0);
        counts.merge(where, 1, Integer::sum);
        cluster.cancel("asked-" + (asked - 1));
      }
      return counts;
    }

    /** Returns the sites of requests that arrive together. */
    List<String> decide(int count, boolean namesApplication) {
      for (int i = 0; i < count; i++) {
        cluster.submit(request("asked-" + asked++, namesApplication));
      }
      Plan plan = cluster.pass();
      return plan.actions(Action.Place.class).stream().map(Action.Place::host).toList();
    }

    private static Request request(String id, boolean namesApplication) {
      Request.Builder request =
          Request.builder(id, "bronze")
              .demand(Resources.of(Dimension.CPU, Dimension.CPU.unitsPerWhole()));
      return namesApplication ? request.application("linpack").build() : request.build();
    }
  }

  private static void assertShare(Map<String, Integer> counts, String site, double share) {
    // Five standard deviations
    double deviation = Math.sqrt(share * (1 - share) / DRAWS);
    assertThat((double) counts.getOrDefault(site, 0) / DRAWS)
        .as(site)
        .isCloseTo(share, within(5 * deviation + 1e-9));
  }

  @Test
  void randomIsUniform() {
    Map<String, Integer> counts =
        new SiteCluster("random")
            .site("a", 1)
            .site("b", 8)
            .site("c", 1)
            .reports("a", 5)
            .ran("b", 1)
            .draw(true);

    for (String site : List.of("a", "b", "c")) {
      assertShare(counts, site, 1 / 3.0);
    }
  }

  @Test
  void cpuLoadChoosesTheLeastLoadPerCore() {
    SiteCluster sites =
        new SiteCluster("cpu-load")
            .site("a", 1)
            .site("b", 8)
            .site("c", 4)
            .reports("a", 1)
            .reports("b", 4)
            .reports("c", 3);

    // The policy does not see its recent placements.
    assertThat(sites.decide(20, true)).hasSize(20).containsOnly("b");
    sites.reports("b", 7);
    assertThat(sites.decide(1, true)).containsExactly("c");
  }

  @Test
  void lotteryGivesTicketsBySpeed() {
    Map<String, Integer> counts =
        new SiteCluster("lottery")
            .site("a", 1)
            .site("b", 1)
            .site("c", 1)
            .ran("a", 60)
            .ran("b", 130) // 480 / 130 is 3.7: four tickets
            .ran("c", 480)
            .reports("a", 50)
            .draw(true);

    assertShare(counts, "a", 8 / 13.0);
    assertShare(counts, "b", 4 / 13.0);
    assertShare(counts, "c", 1 / 13.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lottery", "lottery-with-load", "wall-time-estimated"})
  void explorationComesFirst(String policy) {
    SiteCluster sites = new SiteCluster(policy).site("a", 1).site("b", 1).site("c", 1);
    Map<String, Integer> counts = sites.ran("a", 1).reports("b", 9).reports("c", 9).draw(true);

    assertThat(counts.getOrDefault("a", 0)).isZero();
    assertShare(counts, "b", 0.5);
    assertShare(counts, "c", 0.5);
  }

  @Test
  void lotteryWithLoadCountsSharingInstances() {
    Map<String, Integer> counts =
        new SiteCluster("lottery-with-load")
            .site("a", 1)
            .site("b", 2)
            .site("c", 1)
            .ran("a", 60)
            .ran("b", 60)
            .ran("c", 480)
            .reports("a", 3) // 4 with one more: 240 s, two tickets
            .reports("b", 3) // 2 for each core: 120 s, four tickets
            .reports("c", 0)
            .draw(true);

    assertShare(counts, "a", 2 / 7.0);
    assertShare(counts, "b", 4 / 7.0);
    assertShare(counts, "c", 1 / 7.0);
  }

  @Test
  void wallTimeChoosesTheShortest() {
    SiteCluster sites =
        new SiteCluster("wall-time-estimated")
            .site("fast", 1)
            .site("slow", 1)
            .ran("fast", 60)
            .ran("slow", 130)
            .reports("fast", 0)
            .reports("slow", 0);

    // 60, 120, then 130 against 180, 180 against 260: each request sees the earlier ones.
    assertThat(sites.decide(6, true))
        .containsExactly("fast", "fast", "slow", "fast", "fast", "slow");
  }

  @Test
  void withoutEstimateRecentPlacementsAreInvisible() {
    SiteCluster sites =
        new SiteCluster("wall-time-estimated", "{\"estimate\":false}")
            .site("fast", 1)
            .site("slow", 1)
            .ran("fast", 60)
            .ran("slow", 130)
            .reports("fast", 0)
            .reports("slow", 0);

    assertThat(sites.decide(6, true)).containsOnly("fast");
  }

  @Test
  void wallTimeUsesLoadWithoutAnApplication() {
    SiteCluster sites =
        new SiteCluster("wall-time-estimated")
            .site("a", 1)
            .site("b", 4)
            .ran("a", 1)
            .ran("b", 100)
            .reports("a", 1)
            .reports("b", 1);

    assertThat(sites.decide(1, false)).containsExactly("b");
  }

  @Test
  void twoChoicesNeverChooseTheMostLoaded() {
    SiteCluster sites =
        new SiteCluster("power-of-two-choices")
            .site("a", 1)
            .site("b", 1)
            .site("c", 1)
            .reports("a", 3)
            .reports("b", 2)
            .reports("c", 1);
    Map<String, Integer> counts = sites.draw(true);

    assertThat(counts).doesNotContainKey("a");
    assertShare(counts, "b", 1 / 3.0);
    assertShare(counts, "c", 2 / 3.0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random",
        "cpu-load",
        "lottery",
        "lottery-with-load",
        "wall-time-estimated",
        "power-of-two-choices"
      })
  void choosesAnotherSiteIfTheFirstIsFull(String policy) {
    for (int free = 0; free < 4; free++) {
      TestCluster cluster = TestCluster.withPolicy(policy);
      for (int i = 0; i < 4; i++) {
        cluster.host("h" + i, TestCluster.cpu(1));
        if (i != free) {
          cluster.running("there-" + i, "bronze", TestCluster.cpu(1), "h" + i);
        }
      }
      cluster.pending("one", "bronze", TestCluster.cpu(1));
      cluster.pending("two", "bronze", TestCluster.cpu(1));

      Plan plan = cluster.pass();

      assertThat(plan.actions(Action.Place.class))
          .singleElement()
          .satisfies(each -> assertThat(each.instance()).isEqualTo("one"));
      assertThat(plan.actions(Action.Place.class).get(0).host()).isEqualTo("h" + free);
      assertThat(plan.policyErrors()).isEmpty();
    }
  }

  @Test
  void requireTheApplication() {
    for (PolicyFactory<LoadConfig> each :
        List.of(
            MetaschedulingPolicies.WALL_TIME_ESTIMATED, MetaschedulingPolicies.LOTTERY_WITH_LOAD)) {
      assertThat(each.requiredDetails(each.defaults())).containsExactly(RequestDetail.APPLICATION);
    }
    assertThat(MetaschedulingPolicies.POWER_OF_TWO_CHOICES.requiredDetails(LoadConfig.DEFAULT))
        .isEmpty();
  }

  @Test
  void windowsAreAMinuteAtMost() {
    assertThatThrownBy(() -> new LoadConfig(true, Duration.ofSeconds(61)))
        .hasMessage("window must be from 1ms to 1m");
    assertThatThrownBy(() -> new LoadConfig(true, Duration.ZERO))
        .hasMessage("window must be from 1ms to 1m");
  }
}
