package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.pipeline.Backfill;
import dev.berth.api.pipeline.TieBreak;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Instances that cannot start cost nothing: a pass evaluates only those that may start. */
class WaitingCostTest {

  private static final int WAITING = 2_000;

  private final AtomicLong evaluations = new AtomicLong(); // one for each host with room

  private Cluster with(Backfill backfill) {
    return Cluster.of(
        pipeline ->
            pipeline
                .backfill(backfill)
                .ties(TieBreak.BY_ID)
                .filter(
                    (instance, host, now) -> {
                      evaluations.incrementAndGet();
                      return Optional.empty();
                    }));
  }

  private static void queue(Cluster cluster, double cores, int runTime) {
    for (int i = 0; i < WAITING; i++) {
      cluster.pending(Jobs.job("w%04d".formatted(i), cores, runTime));
    }
  }

  @ParameterizedTest
  @EnumSource(Backfill.class)
  void instancesBeyondFreeCapacityAreNotEvaluated(Backfill backfill) {
    Cluster cluster = with(backfill).host("h1", 8);
    cluster.running(Jobs.job("r", 6, 100), "h1").at(1);
    queue(cluster, 3, 10);
    cluster.pass();
    evaluations.set(0);

    cluster.at(2).pending(Jobs.job("large", 4, 10));
    cluster.pass();

    assertThat(evaluations).hasValueLessThanOrEqualTo(1); // to reserve for the head
  }

  @Test
  void instancesBehindTheHeadAreNotEvaluated() {
    Cluster cluster = with(Backfill.NONE).host("h1", 8);
    cluster.running(Jobs.job("r", 6, 100), "h1").at(1);
    cluster.pending(Jobs.job("head", 8, 10)).at(2);
    queue(cluster, 1, 10);
    evaluations.set(0);

    cluster.pass();

    assertThat(evaluations).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = Backfill.class,
      names = {"EASY", "CONSERVATIVE"})
  void instancesThatWouldDelayAReservationAreNotEvaluated(Backfill backfill) {
    Cluster cluster = with(backfill).host("h1", 8);
    cluster.running(Jobs.job("r", 6, 100), "h1").at(1);
    cluster.pending(Jobs.job("head", 8, 10)).at(2);
    queue(cluster, 1, 200);
    evaluations.set(0);

    cluster.pass();

    assertThat(evaluations).hasValueLessThanOrEqualTo(1); // to reserve for the head
  }

  /** Otherwise those that wait for the head would fill every plan. */
  @ParameterizedTest
  @EnumSource(
      value = Backfill.class,
      names = {"NONE", "EASY", "CONSERVATIVE"})
  void planNamesTheHeadAlone(Backfill backfill) {
    Cluster cluster = with(backfill).host("h1", 8);
    cluster.running(Jobs.job("r", 6, 100), "h1").at(1);
    cluster.pending(Jobs.job("head", 8, 10)).at(2);
    queue(cluster, 1, 200);

    var plan = cluster.pass();

    assertThat(plan.blockedHead()).contains("head");
    assertThat(plan.deferrals()).isEmpty();
    assertThat(cluster.scheduler().explain().whyPending("w0007", cluster.now()).deferral())
        .contains(Jobs.behind("head"));
  }
}
