package dev.berth.core;

import static dev.berth.core.Cluster.SECOND;
import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.api.DisruptionBudget;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.pipeline.QueueDiscipline;
import dev.berth.api.plan.Action;
import dev.berth.api.plan.Attempt;
import dev.berth.api.plan.Plan;
import dev.berth.api.plan.Trigger;
import dev.berth.core.error.StaleReportException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Instances with a longest run time are stopped for good when it is over. */
class RunLimitsTest {

  private static final Reason OVER = new Reason.RanTooLong(100 * SECOND);

  private final Scheduler.Builder settings =
      Scheduler.builder()
          .serviceClasses(Cluster.GOLD)
          .policy("fifo", context -> context.pipeline().queue(QueueDiscipline.FIFO).build());
  private Scheduler scheduler = settings.build();

  RunLimitsTest() {
    scheduler.addHost(new HostSpec("h1", cores(1)), 0);
  }

  private static Request.Builder request(String id) {
    return Request.builder(id, Cluster.GOLD.name()).demand(cores(1));
  }

  private static Request.Builder limited(String id) {
    return request(id).maxRunTime(Duration.ofSeconds(100));
  }

  /** Places what waits and starts it. Returns its attempt. */
  private Attempt start(long now) {
    Attempt placed = scheduler.schedule(now).placements().get(0).toAttempt();
    scheduler.started(placed, now, now);
    return placed;
  }

  private Action.Stop stop(long now, long service) {
    InstanceReport report =
        new InstanceReport("a", Cluster.GOLD, 0, now, service, now - service, 0, 1, 0);
    return new Action.Stop(report, "h1", OVER);
  }

  @Test
  void stoppedWhenItsTimeIsOver() {
    scheduler.submit(limited("a").build(), 0);
    scheduler.submit(request("b").build(), 0);
    Attempt attempt = start(7 * SECOND);
    long over = 107 * SECOND;

    assertThat(scheduler.nextPassAt()).hasValue(over);
    assertThat(scheduler.schedule(over - 1).actions()).isEmpty();
    assertThat(scheduler.nextPassAt()).hasValue(over);
    Plan plan = scheduler.schedule(over);

    assertThat(plan.triggers()).containsExactly(Trigger.EXPIRY);
    assertThat(plan.actions())
        .containsExactly(stop(over, 100 * SECOND), new Action.Place("b", "h1", List.of()));
    assertThat(plan.actions().get(0).describe())
        .isEqualTo("stop a on h1: its longest run time of PT1M40S is over");
    assertThat(scheduler.instance("a")).isEmpty();
    assertThatExceptionOfType(StaleReportException.class)
        .isThrownBy(() -> scheduler.completed(attempt, over, over + 1));
    assertThat(scheduler.stats().actions()).containsEntry("stop", 1L);
    assertThat(scheduler.decisions().adjustments().get(0).describe())
        .isEqualTo("stop a on h1 at 1m47s, in pass 3: its longest run time of PT1M40S is over");
  }

  @Test
  void serviceOfAllRunsCountsIfProgressIsKept() {
    scheduler.submit(limited("a").build(), 0);
    scheduler.failed(start(0), 60 * SECOND, 60 * SECOND);
    start(70 * SECOND);

    assertThat(scheduler.nextPassAt()).hasValue(110 * SECOND);
  }

  @Test
  void onlyTheLatestRunCountsIfProgressIsLost() {
    scheduler.submit(limited("a").losesProgress(true).build(), 0);
    scheduler.failed(start(0), 60 * SECOND, 60 * SECOND);
    start(70 * SECOND);

    assertThat(scheduler.nextPassAt()).hasValue(170 * SECOND);
  }

  @Test
  void oneWithoutTimeLeftIsStoppedAsSoonAsItRuns() {
    scheduler.submit(limited("a").build(), 0);
    scheduler.failed(start(0), 100 * SECOND, 100 * SECOND);
    start(110 * SECOND);

    assertThat(scheduler.nextPassAt()).hasValue(110 * SECOND);
    assertThat(scheduler.schedule(110 * SECOND).actions()).hasOnlyElementsOfType(Action.Stop.class);
  }

  @Test
  void completionAtTheSameInstantComesFirst() {
    scheduler.submit(limited("a").build(), 0);
    Attempt attempt = start(0);
    scheduler.completed(attempt, 100 * SECOND, 100 * SECOND);

    assertThat(scheduler.schedule(100 * SECOND).actions()).isEmpty();
    assertThat(scheduler.nextPassAt()).isEmpty();
  }

  @Test
  void notProtectedByABudget() {
    scheduler.setBudget("j", DisruptionBudget.minUp(1), 0);
    scheduler.submit(limited("a").job("j").build(), 0);
    start(0);

    assertThat(scheduler.schedule(100 * SECOND).actions()).hasSize(1);
  }

  @Test
  void aStopThatTheFleetRejectsIsDecidedAgainAfterAMinute() {
    scheduler.submit(limited("a").build(), 0);
    scheduler.submit(request("b").build(), 0);
    start(0);
    Plan plan = scheduler.schedule(100 * SECOND);

    scheduler.rejected(plan.id(0), "it hangs", 105 * SECOND);

    Instance back = scheduler.instance("a").orElseThrow();
    assertThat(back.host()).isPresent();
    assertThat(back.serviceTime(105 * SECOND)).isEqualTo(105 * SECOND);
    assertThat(scheduler.instance("b").orElseThrow().host()).isEmpty();
    assertThat(scheduler.schedule(105 * SECOND).actions()).isEmpty();
    assertThat(scheduler.nextPassAt()).hasValue(165 * SECOND);

    scheduler = settings.restore(scheduler.snapshot()).build();
    assertThat(scheduler.schedule(164 * SECOND).actions()).isEmpty();
    assertThat(scheduler.nextPassAt()).hasValue(165 * SECOND);
  }

  @Test
  void snapshotsKeepTheLimit() {
    scheduler.submit(limited("a").build(), 0);
    start(0);

    scheduler = settings.restore(scheduler.snapshot()).build();

    assertThat(scheduler.nextPassAt()).hasValue(100 * SECOND);
    assertThat(scheduler.schedule(100 * SECOND).actions())
        .containsExactly(stop(100 * SECOND, 100 * SECOND));
  }

  @Test
  void aBagEndsWithItsLastTask() {
    scheduler.submit(new BagSpec("bag", List.of(limited("a").build())), 0);
    start(0);

    Plan plan = scheduler.schedule(100 * SECOND);

    assertThat(plan.endedBags()).hasSize(1);
    assertThat(plan.endedBags().get(0).completed()).isZero();
    assertThat(plan.endedBags().get(0).serviceTime()).isEqualTo(100 * SECOND);
    scheduler.rejected(plan.id(0), "it hangs", 100 * SECOND);
    assertThat(scheduler.bag("bag").orElseThrow().instances()).hasSize(1);
  }

  @Test
  void aMemberOfAGroupEndsAlone() {
    scheduler.addHost(new HostSpec("h2", cores(1)), 0);
    scheduler.submit(new GroupSpec("g", List.of(limited("a").build(), request("b").build())), 0);
    Plan plan = scheduler.schedule(0);
    plan.placements().forEach(each -> scheduler.started(each.toAttempt(), 0, 0));

    assertThat(scheduler.schedule(100 * SECOND).actions()).hasSize(1);

    assertThat(scheduler.group("g").orElseThrow().onHosts()).isEqualTo(1);
    assertThat(scheduler.group("g").orElseThrow().required()).isEqualTo(1);
  }
}
