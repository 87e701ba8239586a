package dev.berth.core;

import static dev.berth.core.Plans.instances;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.pipeline.Admission;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.policy.PipelineBuilder;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Queue orders whose tiers depend on the time. */
class QueueTiersTest {

  /** The oldest first, but gold that waits for 10 s or longer precedes all others. */
  private static final class GoldAfterTenSeconds implements QueueOrder {

    @Override
    public long key(Instance pending) {
      return pending.admittedAt();
    }

    @Override
    public int tier(Instance pending, long now) {
      boolean gold = pending.serviceClass().name().equals("gold");
      return gold && now - pending.admittedAt() >= 10 * Cluster.SECOND ? 0 : 1;
    }

    @Override
    public long tierUntil(Instance pending, long now) {
      return tier(pending, now) == 0
          ? Long.MAX_VALUE
          : Math.max(now, pending.admittedAt() + 10 * Cluster.SECOND);
    }
  }

  private static Cluster cluster(UnaryOperator<PipelineBuilder> parts) {
    Cluster cluster = Cluster.of(builder -> parts.apply(builder.queue(new GoldAfterTenSeconds())));
    cluster.pending("b1", "bronze", 1);
    cluster.at(1).pending("g1", "gold", 1);
    cluster.at(2).pending("b2", "bronze", 1);
    return cluster.at(3).pending("g2", "gold", 1);
  }

  @ParameterizedTest
  @MethodSource
  void tiersAreThoseOfTheTimeOfThePass(UnaryOperator<PipelineBuilder> parts) {
    assertThat(instances(cluster(parts).host("h1", 4).at(10).pass()))
        .containsExactly("b1", "g1", "b2", "g2");
    assertThat(instances(cluster(parts).host("h1", 4).at(11).pass()))
        .containsExactly("g1", "b1", "b2", "g2");
    assertThat(instances(cluster(parts).host("h1", 4).at(13).pass()))
        .containsExactly("g1", "g2", "b1", "b2");
  }

  static Stream<UnaryOperator<PipelineBuilder>> tiersAreThoseOfTheTimeOfThePass() {
    return Stream.of(
        parts -> parts,
        // A rule that is not monotone: failures are not shared
        parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT),
        parts -> parts.backfill(Backfill.NONE),
        parts -> parts.admission(Admission.IN_TIME),
        parts -> parts.filter((instance, host, time) -> Optional.empty()));
  }

  @Test
  void instanceThatWaitsThroughPassesIsServedInItsNewTier() {
    Cluster cluster = cluster(parts -> parts);
    cluster.at(4).pass(); // without a host
    cluster.at(11).pass();

    assertThat(instances(cluster.host("h1", 1).pass())).containsExactly("g1");
  }

  @Test
  void previewsAndThePassGiveTheSameTiers() {
    Cluster cluster = cluster(parts -> parts).host("h1", 1);
    long later = 11 * Cluster.SECOND;

    for (int preview = 0; preview < 2; preview++) {
      assertThat(instances(cluster.scheduler().whatIf().plan(later).plan())).containsExactly("g1");
    }
    assertThat(instances(cluster.at(11).pass())).containsExactly("g1");
  }

  @Test
  void aRestoredSchedulerAsksForTheTiers() {
    Cluster cluster = cluster(parts -> parts);
    cluster.at(11).pass(); // without a host
    Scheduler restored =
        Scheduler.builder()
            .policy("test", context -> context.pipeline().queue(new GoldAfterTenSeconds()).build())
            .restore(cluster.scheduler().snapshot())
            .build();
    restored.addHost(new HostSpec("h1", Cluster.cores(1)), cluster.now());

    assertThat(instances(restored.schedule(cluster.now()))).containsExactly("g1");
  }
}
