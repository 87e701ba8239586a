package dev.berth.policies.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.batch.BagReport;
import dev.berth.api.policy.PolicyFactory;
import dev.berth.testkit.simulation.BagRun;
import dev.berth.testkit.simulation.BagScenario;
import dev.berth.testkit.simulation.TaskBag;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ElasticSiteTest {

  private static final PolicyFactory<ElasticSiteConfig> FACTORY = ElasticPolicies.ELASTIC_SITE;
  private static final long SECOND = 1_000_000_000;

  /** Four tasks of 104 s: worth four hosts, with a time to live of 252 s. */
  private static TaskBag bag(int at) {
    return TaskBag.of(Duration.ofSeconds(at), 4, Duration.ofSeconds(104));
  }

  private static BagRun run(boolean hold, TaskBag... bags) {
    ElasticSiteConfig d = FACTORY.defaults();
    ElasticSiteConfig config =
        new ElasticSiteConfig(
            d.pool(),
            d.waste(),
            d.timeToLive(),
            d.slack(),
            d.assumedRunTime(),
            d.retryAfter(),
            hold);
    return BagScenario.reliable(100, bags).run(FACTORY, config, Duration.ofDays(1));
  }

  @Test
  void keepsOneClusterUntilItExpires() {
    BagRun run = run(true, bag(0), bag(1));

    assertThat(run.bags())
        .extracting(BagReport::endedAt)
        .containsExactly(114 * SECOND, (252 + 10 + 104) * SECOND);
    assertThat(run.result().pools().requested()).isEqualTo(8);
    assertThat(run.bags()).extracting(BagReport::cluster).doesNotHaveDuplicates();
    assertThat(run.result().pools().hostNanos())
        .isEqualTo(2 * 4 * (252 + 3) * (double) SECOND); // hosts count until they are removed
  }

  @Test
  void keepsOneClusterUntilItsBagEnds() {
    BagRun run = run(false, bag(0), bag(1));

    assertThat(run.bags())
        .extracting(BagReport::endedAt)
        .containsExactly(114 * SECOND, (114 + 10 + 104) * SECOND);
    assertThat(run.result().pools().hostNanos()).isEqualTo(2 * 4 * (114 + 3) * (double) SECOND);
  }
}
