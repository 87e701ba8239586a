package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static dev.berth.core.Cluster.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.ApplicationHistory;
import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.TimeLimits;
import dev.berth.api.pipeline.Backfill;
import dev.berth.api.plan.Action;
import dev.berth.api.policy.SchedulingPass.Fork;
import dev.berth.core.error.EventRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hosts whose instances share the CPU, and their completions and histories. */
class TimeSharedHostsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");

  /** {@code ts} shares its core, {@code h1} does not; both have 4 GB of memory. */
  private final Cluster cluster = sharing(Cluster.byHand());

  private static Cluster sharing(Cluster cluster) {
    cluster.scheduler().addHost(new HostSpec("ts", cores(1, 4), Map.of("name", "ts"), true), 0);
    return cluster;
  }

  private static Request.Builder job(String id, double memory) {
    return request(id, 1).demand(cores(1, memory));
  }

  private double freeMemory() {
    assertThat(cluster.host("ts").free(Dimension.CPU)).isEqualTo(SECOND);
    return cluster.host("ts").free(Dimension.MEMORY) / 1e9;
  }

  @Test
  void instancesHoldMemoryButNoCpu() {
    cluster.running(job("a", 1), "ts").running(job("b", 2), "ts").starting(job("c", 1), "ts");

    assertThat(freeMemory()).isZero();
    assertThat(cluster.instance("a").granted()).isEqualTo(cores(1, 1));
    cluster.pending(job("d", 1));
    cluster.pass(
        pass ->
            assertThat(pass.place(cluster.instance("d"), cluster.host("ts")).refusal())
                .contains(new Reason.ShortOfCapacity(Dimension.MEMORY, SECOND)));
  }

  @Test
  void refusesDemandOfMoreCoresThanTheHostHas() {
    cluster.pending("a", 2);

    cluster.pass(
        pass ->
            assertThat(pass.place(cluster.instance("a"), cluster.host("ts")).refusal())
                .contains(new Reason.LargerThanHost(Dimension.CPU, SECOND)));
  }

  @Test
  void everyActionReturnsWhatWasHeld() {
    cluster.host("h1", cores(1, 4)).running(job("a", 1), "ts").running(job("b", 2), "ts");
    cluster.pass(pass -> pass.pause(cluster.instance("a"), WHY));
    assertThat(freeMemory()).isEqualTo(1);

    cluster.pass(pass -> pass.resume(cluster.instance("a"), cores(1, 2), WHY));
    assertThat(freeMemory()).isZero();
    cluster.started("a");

    cluster.pass(pass -> pass.suspend(cluster.instance("a"), WHY));
    assertThat(freeMemory()).isEqualTo(2);

    cluster.pass(pass -> pass.migrate(cluster.instance("b"), cluster.host("h1"), cores(1, 2), WHY));
    assertThat(freeMemory()).isEqualTo(4);
    assertThat(cluster.host("h1").free()).isEqualTo(cores(0, 2));

    cluster.started("b").pass(pass -> back("b"));
    cluster.pass(pass -> pass.migrate(cluster.instance("b"), cluster.host("ts"), cores(1, 3), WHY));
    assertThat(freeMemory()).isEqualTo(1);
    assertThat(cluster.host("h1").free()).isEqualTo(cores(1, 4));

    cluster.pass(pass -> pass.resize(cluster.instance("b"), cores(1, 4), WHY));
    assertThat(freeMemory()).isZero();

    cluster.pending(job("c", 4)).place("c", "ts", "b");
    assertThat(freeMemory()).isZero();
    cluster.failed("c");
    assertThat(freeMemory()).isEqualTo(4);
  }

  private void back(String id) {
    assertThat(cluster.instance(id).host()).contains(cluster.host("h1"));
  }

  @Test
  void listsRecentCompletions() {
    cluster.running(job("a", 1), "ts").running(job("b", 1), "ts").running(job("c", 1), "ts");
    cluster.at(10).completed("a");
    cluster.at(30).pass(pass -> pass.pause(cluster.instance("b"), WHY));
    assertThat(recentCompletions()).containsExactly(10 * SECOND, 30 * SECOND);
    cluster.at(35).cancel("b"); // did not run any more
    assertThat(recentCompletions()).containsExactly(10 * SECOND, 30 * SECOND);

    cluster.at(70).completed("c");

    assertThat(recentCompletions()).containsExactly(10 * SECOND, 30 * SECOND, 70 * SECOND);
    cluster.running(job("d", 1), "ts").atNanos(70 * SECOND + 1).failed("d");
    assertThat(recentCompletions()).containsExactly(30 * SECOND, 70 * SECOND, 70 * SECOND + 1);
  }

  @Test
  void discardedForkRestoresRecentCompletions() {
    cluster.running(job("a", 1), "ts").running(job("b", 1), "ts").running(job("c", 1), "ts");
    cluster.at(10).completed("a");
    cluster
        .at(100)
        .pass(
            pass -> {
              try (Fork fork = pass.fork()) {
                fork.pause(cluster.instance("b"), WHY);
                fork.suspend(cluster.instance("c"), WHY);
                assertThat(recentCompletions()).containsExactly(100 * SECOND, 100 * SECOND);
              }
            });

    assertThat(recentCompletions()).containsExactly(10 * SECOND);
  }

  @Test
  void countsCompletionsAtTheMinimumTime() {
    Cluster early = sharingFrom(TimeLimits.EARLIEST);
    early.running(job("a", 1), "ts").running(job("b", 1), "ts");
    early.completed("a");
    early.atNanos(TimeLimits.EARLIEST + 5).completed("b");

    assertThat(early.host("ts").recentCompletions())
        .containsExactly(TimeLimits.EARLIEST, TimeLimits.EARLIEST + 5);
  }

  private static Cluster sharingFrom(long now) {
    Cluster early = Cluster.byHand().atNanos(now);
    early.scheduler().addHost(new HostSpec("ts", cores(1, 4), Map.of(), true), now);
    return early;
  }

  private List<Long> recentCompletions() {
    return cluster.host("ts").recentCompletions();
  }

  @Test
  void historySummarizesRunsOfAnApplication() {
    cluster.running(job("a", 1).application("app"), "ts").running(job("b", 1), "ts");
    cluster.running(job("c", 1).application("app"), "ts");

    cluster.scheduler().completed("a", Duration.ofNanos(100), 5);
    cluster.scheduler().completed("b", Duration.ofNanos(999), 5);
    cluster.scheduler().completed("c", Duration.ofNanos(201), 6);

    assertThat(cluster.host("ts").history("app")).contains(new ApplicationHistory(2, 125));
    assertThat(cluster.host("ts").history("other")).isEmpty();
  }

  @Test
  void completionWithACpuTimeReportsTheService() {
    cluster.running(job("a", 1), "ts");

    assertThat(cluster.scheduler().completed("a", Duration.ofNanos(3), 5).serviceTime())
        .isEqualTo(5);
  }

  /** An embedder may name an application for each run; a host lives for years. */
  @Test
  void hostForgetsTheApplicationThatCompletedLeastRecently() {
    complete("first");
    complete("second");
    complete("first");
    for (int i = 2; i < Host.MAX_HISTORIES; i++) {
      complete("app" + i);
    }
    assertThat(cluster.host("ts").history("second")).isPresent();

    complete("one more");

    assertThat(cluster.host("ts").history("second")).isEmpty();
    assertThat(cluster.host("ts").history("first")).contains(new ApplicationHistory(2, 7));
    assertThat(cluster.host("ts").history("one more")).contains(new ApplicationHistory(1, 7));

    complete("second");
    assertThat(cluster.host("ts").history("second")).contains(new ApplicationHistory(1, 7));
    assertThat(cluster.host("ts").history("first")).isEmpty();
    assertThat(cluster.host("ts").history("app2")).isPresent();
  }

  private void complete(String application) {
    cluster.running(job("a", 1).application(application), "ts");
    cluster.scheduler().completed("a", Duration.ofNanos(7), cluster.now());
  }

  @Test
  void historyAcceptsVeryLongRuns() {
    for (String id : List.of("a", "b", "c")) {
      cluster.running(job(id, 1).application("app"), "ts");
      cluster.scheduler().completed(id, Duration.ofDays(400_000_000), 0);
    }

    assertThat(cluster.host("ts").history("app"))
        .contains(new ApplicationHistory(3, Long.MAX_VALUE));
    assertThat(cluster.scheduler().instances()).isEmpty();
  }

  @Test
  void refusesNegativeCpuTime() {
    cluster.running(job("a", 1).application("app"), "ts");
    Snapshot before = cluster.snapshot();

    assertThatExceptionOfType(EventRefusedException.class)
        .isThrownBy(() -> cluster.scheduler().completed("a", Duration.ofNanos(-1), 5))
        .withMessage(
            "instance a completed after a CPU time of PT-0.000000001S, must not be negative.");

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource(Backfill.class)
  void reservationsHoldNoSharedCpu(Backfill backfill) {
    Cluster batch = sharing(Cluster.of(parts -> parts.backfill(backfill)));
    Duration run = Duration.ofSeconds(10);
    batch.running(job("r", 3).estimatedRunTime(run), "ts").at(1);
    batch.pending(job("head", 4).estimatedRunTime(run));
    batch.at(2).pending(job("b", 1).estimatedRunTime(Duration.ofSeconds(4)));
    batch.at(3).pending(job("c", 0).estimatedRunTime(run));
    batch.pending(job("d", 0).estimatedRunTime(run));

    assertThat(batch.pass().placements())
        .extracting(Action.Place::instance)
        .containsExactlyElementsOf(backfill == Backfill.NONE ? List.of() : List.of("b", "c", "d"));
  }
}
