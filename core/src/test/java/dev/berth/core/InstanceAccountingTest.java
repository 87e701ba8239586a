package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Service, waiting and earned time of an instance, exact to the nanosecond. */
class InstanceAccountingTest {

  /** {@code a} (silver) and {@code b} (gold) compete for a host with room for one of them. */
  private final Cluster cluster = Cluster.byHand().atNanos(100).host("h1", 1);

  @Test
  void availabilityIsUndefinedAtAdmission() {
    Instance a = cluster.pending("a", "silver", 1).instance("a");

    assertThat(a.state()).isEqualTo(InstanceState.PENDING);
    assertThat(a.host()).isEmpty();
    assertThat(a.admittedAt()).isEqualTo(100);
    assertThat(a.stateSince()).isEqualTo(100);
    assertThat(a.serviceTime(100)).isZero();
    assertThat(a.waitingTime(100)).isZero();
    assertThat(a.earnedTime(100)).isZero();
    assertThat(a.availability(100)).isEmpty();
    assertThat(a.placements()).isZero();
    assertThat(a.preemptions()).isZero();
  }

  @Test
  void pendingTimeIsWaitingTime() {
    Instance a = cluster.pending("a", "silver", 1).instance("a");

    assertThat(a.serviceTime(137)).isZero();
    assertThat(a.waitingTime(137)).isEqualTo(37);
    assertThat(a.availability(137)).hasValue(0);
  }

  @Test
  void startingTimeIsWaitingTime() {
    Instance a = cluster.pending("a", "silver", 1).atNanos(107).place("a", "h1").instance("a");

    assertThat(a.state()).isEqualTo(InstanceState.STARTING);
    assertThat(a.stateSince()).isEqualTo(107);
    assertThat(a.host().map(Host::id)).contains("h1");
    assertThat(a.serviceTime(110)).isZero();
    assertThat(a.waitingTime(110)).isEqualTo(10);
    assertThat(a.placements()).isEqualTo(1);
  }

  @Test
  void serviceTimeStartsWhenReady() {
    Instance a = runningSince110();

    assertThat(a.state()).isEqualTo(InstanceState.RUNNING);
    assertThat(a.serviceTime(110)).isZero();
    assertThat(a.serviceTime(1010)).isEqualTo(900);
    assertThat(a.waitingTime(1010)).isEqualTo(10);
    assertThat(a.availability(1010)).hasValue(900 / 910.0);
  }

  @Test
  void earnedTimeFollowsTheObjective() {
    Instance a = runningSince110();

    // At 0.9 the meter reads 122 at 110 ns (122.2), 1122 at 1010 ns (1122.2), 123 at 111 ns.
    assertThat(a.earnedTime(110)).isZero();
    assertThat(a.earnedTime(111)).isEqualTo(1);
    assertThat(a.earnedTime(1010)).isEqualTo(1000);
  }

  @Test
  void completionReportsAllTimes() {
    runningSince110();

    InstanceReport report = cluster.atNanos(1010).completed("a");

    assertThat(report)
        .isEqualTo(new InstanceReport("a", Cluster.SILVER, 100, 1010, 900, 10, 0, 1, 0));
    assertThat(report.availability()).hasValue(900 / 910.0);
  }

  @Test
  void completedInstanceIsUnknownAndItsViewFrozen() {
    Instance a = runningSince110();

    cluster.atNanos(1010).completed("a");

    assertThat(a.state()).isEqualTo(InstanceState.DONE);
    assertThat(a.host()).isEmpty();
    assertThat(a.serviceTime(5000)).isEqualTo(900);
    assertThat(a.earnedTime(5000)).isEqualTo(1000);
    assertThat(cluster.scheduler().instance("a")).isEmpty();
    assertThat(cluster.scheduler().instances()).isEmpty();
    assertThat(cluster.host("h1").free()).isEqualTo(Cluster.cores(1));
  }

  @Test
  void reusedIdStartsAfresh() {
    runningSince110();
    cluster.atNanos(1010).completed("a");

    Instance a = cluster.atNanos(2000).pending("a", 1).instance("a");

    assertThat(a.admittedAt()).isEqualTo(2000);
    assertThat(a.serviceTime(2000)).isZero();
    assertThat(a.placements()).isZero();
  }

  @Test
  void failedInstanceIsPendingAndKeepsItsTimes() {
    Instance a = runningSince110();

    cluster.atNanos(1010).failed("a");

    assertThat(a.state()).isEqualTo(InstanceState.PENDING);
    assertThat(a.host()).isEmpty();
    assertThat(a.serviceTime(1110)).isEqualTo(900);
    assertThat(a.waitingTime(1110)).isEqualTo(110);
    assertThat(a.earnedTime(1110)).isEqualTo(1000);
    assertThat(a.preemptions()).isZero();
    assertThat(cluster.host("h1").free()).isEqualTo(Cluster.cores(1));
  }

  @Test
  void serviceTimeAddsUpOverInterruptions() {
    Instance a = runningSince110();

    cluster.atNanos(1010).failed("a").atNanos(1020).place("a", "h1").atNanos(1100).started("a");

    assertThat(a.serviceTime(1200)).isEqualTo(1000);
    assertThat(a.waitingTime(1200)).isEqualTo(100);
    // The meter reads 1222 at 1100 ns (1222.2) and 1333 at 1200 ns (1333.3).
    assertThat(a.earnedTime(1200)).isEqualTo(1000 + 111);
    assertThat(a.placements()).isEqualTo(2);
  }

  @Test
  void preemptedInstanceIsPendingAndCounted() {
    Instance a = runningSince110();

    cluster.atNanos(500).pending("b", 1).place("b", "h1", "a");

    assertThat(a.state()).isEqualTo(InstanceState.PENDING);
    assertThat(a.stateSince()).isEqualTo(500);
    assertThat(a.serviceTime(500)).isEqualTo(390);
    assertThat(a.preemptions()).isEqualTo(1);
    assertThat(cluster.instance("b").state()).isEqualTo(InstanceState.STARTING);
  }

  @Test
  void restartOverheadRunsFromPlacementToReady() {
    Instance a = preemptedAt500();

    cluster.atNanos(600).place("a", "h1").atNanos(630).started("a");

    assertThat(a.restartOverhead()).isEqualTo(30);
    assertThat(a.serviceTime(640)).isEqualTo(400);
    assertThat(a.preemptionOverhead(640)).isEqualTo(30 / 430.0);
  }

  @Test
  void restartOverheadAddsUpOverPreemptions() {
    Instance a = preemptedAt500();
    cluster.atNanos(600).place("a", "h1").atNanos(630).started("a");

    cluster.atNanos(700).pending("b", 1).place("b", "h1", "a").cancel("b");
    cluster.atNanos(800).place("a", "h1").atNanos(812).started("a");

    assertThat(a.restartOverhead()).isEqualTo(42);
    assertThat(a.preemptions()).isEqualTo(2);
  }

  @Test
  void firstStartIsNoRestart() {
    Instance a = runningSince110();

    assertThat(a.restartOverhead()).isZero();
    assertThat(a.preemptionOverhead(110)).isZero();
  }

  @Test
  void startAfterFailureIsNoRestart() {
    Instance a = runningSince110();

    cluster.atNanos(1010).failed("a").atNanos(1020).place("a", "h1").atNanos(1100).started("a");

    assertThat(a.restartOverhead()).isZero();
  }

  @Test
  void startAfterHostLossIsNoRestart() {
    Instance a = runningSince110();

    cluster.atNanos(1010).removed("h1").host("h2", 1).place("a", "h2").atNanos(1100).started("a");

    assertThat(a.restartOverhead()).isZero();
    assertThat(a.preemptions()).isZero();
  }

  @Test
  void unfinishedRestartAddsNoOverhead() {
    Instance a = preemptedAt500();

    cluster.atNanos(600).place("a", "h1").atNanos(650).failed("a");
    cluster.atNanos(660).place("a", "h1").atNanos(670).started("a");

    assertThat(a.restartOverhead()).isZero();
  }

  @Test
  void preemptionWhileStartingLeadsToRestartOverhead() {
    cluster.starting("a", "silver", 1, "h1");
    cluster.atNanos(200).pending("b", 1).place("b", "h1", "a").cancel("b");

    cluster.atNanos(300).place("a", "h1").atNanos(305).started("a");

    assertThat(cluster.instance("a").restartOverhead()).isEqualTo(5);
    assertThat(cluster.instance("a").serviceTime(305)).isZero();
    assertThat(cluster.instance("a").preemptionOverhead(305)).isEqualTo(1);
  }

  @Test
  void cancellingAPendingInstanceReportsItsTimes() {
    cluster.pending("a", "silver", 1);

    assertThat(cluster.atNanos(130).cancel("a"))
        .isEqualTo(new InstanceReport("a", Cluster.SILVER, 100, 130, 0, 30, 0, 0, 0));
    assertThat(cluster.scheduler().pendingCount()).isZero();
  }

  @Test
  void cancellingAStartingInstanceFreesItsHost() {
    cluster.starting("a", "silver", 1, "h1");

    assertThat(cluster.atNanos(130).cancel("a"))
        .isEqualTo(new InstanceReport("a", Cluster.SILVER, 100, 130, 0, 30, 0, 1, 0));
    assertThat(cluster.host("h1").instances()).isEmpty();
  }

  @Test
  void cancellingARunningInstanceCountsItsService() {
    runningSince110();

    assertThat(cluster.atNanos(130).cancel("a"))
        .isEqualTo(new InstanceReport("a", Cluster.SILVER, 100, 130, 20, 10, 0, 1, 0));
  }

  @Test
  void zeroLifetimeHasNoAvailability() {
    InstanceReport report = cluster.pending("a", 1).cancel("a");

    assertThat(report.availability()).isEqualTo(OptionalDouble.empty());
    assertThat(report.sloMet()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "90, 10, true",
    "89, 11, false",
    "900_000_000_000_000_000, 100_000_000_000_000_001, false"
  })
  void objectiveIsMetExactly(String service, String waiting, boolean met) {
    long served = Long.parseLong(service.replace("_", ""));
    long waited = Long.parseLong(waiting.replace("_", ""));
    ServiceClass silver = ServiceClass.builder("silver").slo(0.9).importance(1).build();
    InstanceReport report =
        new InstanceReport("a", silver, 0, served + waited, served, waited, 0, 1, 0);

    assertThat(report.sloMet()).isEqualTo(met);
  }

  @Test
  void negativeTimesGiveTheSameFigures() {
    Cluster past = Cluster.byHand().atNanos(-1000).host("h1", 1).pending("a", "silver", 1);

    past.atNanos(-890).place("a", "h1").started("a");

    assertThat(past.instance("a").serviceTime(10)).isEqualTo(900);
    assertThat(past.instance("a").waitingTime(10)).isEqualTo(110);
    // The meter reads -989 at -890 ns (-988.9) and 11 at 10 ns (11.1).
    assertThat(past.instance("a").earnedTime(10)).isEqualTo(1000);
  }

  /** Admitted at 100, placed at 107, ready at 110. */
  private Instance runningSince110() {
    return cluster
        .pending("a", "silver", 1)
        .atNanos(107)
        .place("a", "h1")
        .atNanos(110)
        .started("a")
        .instance("a");
  }

  /** Served 390 ns; its beneficiary has ended. */
  private Instance preemptedAt500() {
    Instance a = runningSince110();
    cluster.atNanos(500).pending("b", 1).place("b", "h1", "a").cancel("b");
    return a;
  }
}
