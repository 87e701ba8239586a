package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Backoff;
import dev.berth.api.Reason;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.plan.Attempt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many instances are pending, and why. */
class WaitingStatsTest {

  private static final Reason WHY = new Reason.PolicyChoice("its-choice", "the policy says so");

  /** Returns the counts, after a check that each pending instance counts once. */
  private static WaitingStats waiting(Cluster cluster) {
    Scheduler scheduler = cluster.scheduler();
    long digest = scheduler.digest();
    WaitingStats waiting = scheduler.waiting();
    assertThat(waiting.total()).isEqualTo(scheduler.pendingCount());
    assertThat(scheduler.digest()).isEqualTo(digest);
    return waiting;
  }

  @Test
  void areZeroForAllClassesAtFirst() {
    WaitingStats waiting = waiting(Cluster.of(parts -> parts));

    assertThat(waiting.byClass()).containsOnlyKeys("gold", "silver", "bronze");
    assertThat(waiting.byClass().values()).containsOnly(Map.of());
    assertThat(waiting.oldestSince()).isEmpty();
  }

  @Test
  void whatNoPassHasSeenIsUndecidedAndThenHasNoRoom() {
    Cluster cluster = Cluster.of(parts -> parts).host("h1", 1).at(1).pending("a", 2);
    cluster.at(2).pending(request("b", "bronze", 3));

    assertThat(waiting(cluster).byClass())
        .containsEntry("gold", Map.of("undecided", 1))
        .containsEntry("bronze", Map.of("undecided", 1));
    cluster.at(3).pass();
    cluster.at(4).pending("c", 1);
    assertThat(waiting(cluster).byClass())
        .containsEntry("gold", Map.of("no-room", 1, "undecided", 1))
        .containsEntry("bronze", Map.of("no-room", 1));
    assertThat(waiting(cluster).oldestSince()).hasValue(SECOND);
  }

  @Test
  void aReasonOfThePolicyCounts() {
    Cluster cluster = Cluster.byHand().host("h1", 1).pending("a", 1).pending("b", 1);
    cluster.at(1).pass(pass -> pass.defer(cluster.instance("a"), WHY));

    assertThat(waiting(cluster).byClass().get("gold"))
        .containsExactly(Map.entry("its-choice", 1), Map.entry("no-room", 1));
  }

  @Test
  void anotherInstanceOfTheSameIdHasNotItsReason() {
    Cluster cluster = Cluster.byHand().host("h1", 1).pending("a", 1);
    cluster.at(1).pass(pass -> pass.defer(cluster.instance("a"), WHY));
    cluster.scheduler().cancel("a", cluster.now());
    cluster.pending("a", 1);

    assertThat(waiting(cluster).byClass().get("gold")).containsExactly(Map.entry("undecided", 1));
  }

  @Test
  void thoseBehindTheHeadOfTheQueueCountAsThat() {
    Cluster cluster =
        Cluster.of(parts -> parts.backfill(Backfill.NONE))
            .host("h1", 4)
            .running("r", "gold", 2, "h1");
    cluster.pending("head", 3).at(1).pending("a", 1).pending("b", 1);
    cluster.at(2).pass();

    assertThat(waiting(cluster).byClass().get("gold"))
        .containsExactly(Map.entry("no-room", 1), Map.entry("queued-behind", 2));
  }

  @Test
  void aFullPassIsAReason() {
    Cluster cluster = Cluster.of(Scheduler.builder().maxPlacements(1), parts -> parts);
    cluster.host("h1", 9).pending("a", 1).pending("b", 1).pending("c", 1).at(1).pass();

    assertThat(waiting(cluster).byClass().get("gold")).containsExactly(Map.entry("pass-full", 2));
  }

  @Test
  void thoseHeldBackCountAsThat() {
    Backoff times = new Backoff(Duration.ofSeconds(60), Duration.ofSeconds(60));
    Cluster cluster = Cluster.of(Scheduler.builder().instanceBackoff(times), parts -> parts);
    cluster.host("h1", 2).pending("a", 1).pass();
    Attempt attempt = new Attempt("a", cluster.instance("a").attempt());
    cluster.at(1).scheduler().failed(attempt, cluster.now(), cluster.now());

    assertThat(waiting(cluster).byClass().get("gold")).containsExactly(Map.entry("held-back", 1));
    assertThat(waiting(cluster).oldestSince()).hasValue(SECOND);
  }

  @Test
  void aReasonOfThePolicyForABagCountsForItsMembers() {
    Cluster cluster = Cluster.byHand().pending("a", 1);
    cluster
        .scheduler()
        .submit(new BagSpec("bag", List.of(request("m", 1).build(), request("n", 1).build())), 0);
    cluster.pass(pass -> pass.defer(pass.bags().get(0), WHY));

    assertThat(waiting(cluster).byClass().get("gold"))
        .containsExactly(Map.entry("its-choice", 2), Map.entry("no-room", 1));
  }
}
