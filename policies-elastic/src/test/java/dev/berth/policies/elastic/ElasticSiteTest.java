package dev.berth.policies.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.BagReport;
import dev.berth.simulator.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ElasticSiteTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final ElasticSiteFactory FACTORY = new ElasticSiteFactory();
  private static final long SECOND = 1_000_000_000;

  /** Four tasks of 104 s are worth four hosts, and have 252 s. */
  private static Runs.Tasks bag(int at) {
    return new Runs.Tasks(
        Duration.ofSeconds(at),
        IntStream.range(0, 4).mapToObj(i -> 104).toList(),
        Optional.empty());
  }

  private static Runs.Ran run(boolean hold, Runs.Tasks... bags) {
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
    return Runs.run(FACTORY, config, List.of(bags), 100, Provider.reliable(), DAY, 1);
  }

  @Test
  void keepsOneClusterUntilItExpires() {
    Runs.Ran ran = run(true, bag(0), bag(1));

    assertThat(ran.bags())
        .extracting(BagReport::endedAt)
        .containsExactly(114 * SECOND, (252 + 10 + 104) * SECOND);
    assertThat(ran.result().pools().requested()).isEqualTo(8);
    assertThat(ran.bags()).extracting(BagReport::cluster).doesNotHaveDuplicates();
    assertThat(ran.result().pools().hostNanos())
        .isEqualTo(2 * 4 * (252 + 3) * (double) SECOND); // paid for until they are gone
  }

  @Test
  void keepsOneClusterUntilItsBagEnds() {
    Runs.Ran ran = run(false, bag(0), bag(1));

    assertThat(ran.bags())
        .extracting(BagReport::endedAt)
        .containsExactly(114 * SECOND, (114 + 10 + 104) * SECOND);
    assertThat(ran.result().pools().hostNanos()).isEqualTo(2 * 4 * (114 + 3) * (double) SECOND);
  }
}
