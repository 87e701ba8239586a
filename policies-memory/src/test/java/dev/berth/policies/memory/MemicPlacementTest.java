package dev.berth.policies.memory;

import static dev.berth.testkit.TestCluster.cpuAndMemory;
import static dev.berth.testkit.assertions.BerthAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.MemoryProfile;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.error.ConfigException;
import dev.berth.testkit.TestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemicPlacementTest {

  private static final long GB = 1_000_000_000L;
  private static final long SECOND = 1_000_000_000L;

  /** Accepts some delay. */
  private static TestCluster patient() {
    return TestCluster.withPolicy("memic", "{\"patience\": 0.5}");
  }

  private static TestCluster memic() {
    return TestCluster.withPolicy("memic");
  }

  private static Resources host(double gigabytes) {
    return cpuAndMemory(8, gigabytes);
  }

  /** Runs for 100 s and demands one core and 1 GB, of which nothing is guaranteed. */
  private static Request.Builder job(String id) {
    return Request.builder(id, "gold")
        .demand(cpuAndMemory(1, 1))
        .guaranteed(Resources.none())
        .estimatedRunTime(Duration.ofSeconds(100));
  }

  private static Request needing(String id, double gigabytes) {
    return job(id).memoryProfile(MemoryProfile.constant((long) (gigabytes * GB))).build();
  }

  /** Needs one amount of memory at first, and another from a time on. */
  private static Request changing(String id, double first, long second, double then) {
    return job(id)
        .memoryProfile(
            MemoryProfile.of(
                List.of(
                    new MemoryProfile.Step(0, (long) (first * GB)),
                    new MemoryProfile.Step(second * SECOND, (long) (then * GB)))))
        .build();
  }

  // ---- memic

  @Test
  void prefersTheIdleHostWithMostFreeMemory() {
    TestCluster cluster =
        memic()
            .host("h1", host(64))
            .host("h2", host(4))
            .host("h3", host(6))
            .running(needing("r1", 1), "h1")
            .submit(needing("r2", 1))
            .submit(needing("r3", 1))
            .submit(needing("r4", 1));

    assertThat(cluster.pass()).places("r2").on("h3").places("r3").on("h2").places("r4").on("h1");
  }

  @Test
  void anIdleHostWithTooLittleMemoryIsNotFirst() {
    TestCluster cluster =
        memic()
            .host("small", host(2))
            .host("large", host(64))
            .running(needing("r1", 1), "large")
            .submit(needing("r2", 4));

    assertThat(cluster.pass()).places("r2").on("large");
  }

  /** Only the middle and the short job find room: 6 GB on the large host, 3 on the small one. */
  @ParameterizedTest
  @CsvSource({"fifo, none, false", "fifo, aggressive, true", "sjf, none, true"})
  void servesAnyQueueOnUnlikeHosts(String queue, String backfill, boolean places) {
    TestCluster cluster =
        TestCluster.withPolicy(
                "memic", "{\"queue\":\"%s\",\"backfill\":\"%s\"}".formatted(queue, backfill))
            .host("small", host(4))
            .host("large", host(16))
            .running(needing("r1", 1), "small")
            .running(needing("r2", 10), "large")
            .submit(lasting("long", 100, 8))
            .after(Duration.ofNanos(1))
            .submit(lasting("short", 50, 5))
            .after(Duration.ofNanos(1))
            .submit(lasting("middle", 80, 2));

    if (places) {
      assertThat(cluster.pass())
          .placesExactly("short", "middle")
          .places("short")
          .on("large")
          .places("middle")
          .on("small");
    } else {
      assertThat(cluster.pass()).isEmpty();
    }
  }

  private static Request lasting(String id, long seconds, double gigabytes) {
    return job(id)
        .estimatedRunTime(Duration.ofSeconds(seconds))
        .memoryProfile(MemoryProfile.constant((long) (gigabytes * GB)))
        .build();
  }

  @Test
  void leastPredictedDelayWins() {
    TestCluster cluster =
        patient()
            .host("h1", host(10))
            .host("h2", host(10))
            .running(changing("r1", 1, 50, 8), "h1") // grows in the newcomer's way
            .running(changing("r2", 8, 10, 1), "h2") // soon gives way
            .submit(needing("r3", 4));

    assertThat(cluster.pass()).places("r3").on("h2");
  }

  @Test
  void countsDelaysOfRunningInstances() {
    TestCluster cluster =
        patient()
            .host("h1", host(10))
            .host("h2", host(10))
            .running(
                job("r1")
                    .estimatedRunTime(Duration.ofSeconds(20))
                    .memoryProfile(MemoryProfile.constant(6 * GB))
                    .build(),
                "h2")
            .after(Duration.ofNanos(1))
            .submit(needing("r2", 5))
            .after(Duration.ofNanos(1))
            .running(needing("r3", 7), "h1");

    // On h1 it would have enough, and r3, admitted later, lack 2 of 7 for 100 s. On h2 it would
    // lack 1 of 5 for 20 s.
    assertThat(cluster.pass()).places("r2").on("h2");
  }

  @Test
  void lowerPeakBreaksTies() {
    TestCluster cluster =
        memic()
            .host("h1", host(20))
            .host("h2", host(20))
            .running(needing("r1", 6), "h1")
            .running(needing("r2", 3), "h2")
            .submit(needing("r3", 4));

    assertThat(cluster.pass()).places("r3").on("h2"); // no delay on either host
  }

  @Test
  void idBreaksRemainingTies() {
    TestCluster cluster =
        memic()
            .host("h2", host(20))
            .host("h1", host(20))
            .running(needing("r1", 3), "h1")
            .running(needing("r2", 3), "h2")
            .submit(needing("r3", 4));

    assertThat(cluster.pass()).places("r3").on("h1");
  }

  @Test
  void waitsIfTheDelayIsTooLong() {
    TestCluster cluster =
        memic()
            .host("h1", host(10))
            .running(needing("r1", 8), "h1")
            .submit(needing("r2", 8))
            .submit(needing("r3", 1));

    // A quarter of its need: 100 s until r1 ends, in which 25 s of its work are done.
    assertThat(cluster.pass())
        .doesNotPlace("r2")
        .doesNotPlace("r3")
        .defers("r2")
        .because("memory would run short: 75 s of delay in all");
    assertThat(cluster.scheduler().explain().whyPending("r3", cluster.now()).deferral())
        .contains(new Reason.QueuedBehind("r2"));

    TestCluster patient =
        TestCluster.withPolicy("memic", "{\"patience\": 0.75}")
            .host("h1", host(10))
            .running(needing("r1", 8), "h1")
            .submit(needing("r2", 8));
    assertThat(patient.pass()).places("r2").on("h1");
  }

  @Test
  void withoutProfileAssumesConstantUse() {
    TestCluster cluster =
        memic()
            .host("h1", host(10))
            .host("h2", host(10))
            .running(job("r1").build(), "h1")
            .running(job("r2").build(), "h2")
            .usageReported("r1", cpuAndMemory(1, 1), cpuAndMemory(0, 7))
            .usageReported("r2", cpuAndMemory(1, 1))
            .submit(needing("r3", 4));

    assertThat(cluster.pass()).places("r3").on("h2");
  }

  @Test
  void withoutEstimateUsesTheAssumedRunTime() {
    Request unknown =
        Request.builder("r2", "gold")
            .demand(cpuAndMemory(1, 1))
            .guaranteed(Resources.none())
            .memoryProfile(MemoryProfile.constant(4 * GB))
            .build();
    // Half of its need for 100 s is a delay of 50 s: too much for 10 s of work, not for an hour.
    for (String assumed : List.of("1h", "10s")) {
      TestCluster cluster =
          TestCluster.withPolicy(
                  "memic", "{\"assumedRunTime\": \"%s\", \"patience\": 0.5}".formatted(assumed))
              .host("h1", host(10))
              .running(needing("r1", 8), "h1")
              .submit(unknown);
      if (assumed.equals("1h")) {
        assertThat(cluster.pass()).places("r2").on("h1");
      } else {
        assertThat(cluster.pass()).doesNotPlace("r2").defers("r2");
      }
    }
  }

  @Test
  void runTimesOfAnyLengthAreNoDelay() {
    TestCluster cluster = memic().host("h1", host(10)).running(needing("r1", 1), "h1");
    for (Duration each :
        List.of(Duration.ofNanos(1), Duration.ofMillis(1_200), Duration.ofDays(36_500))) {
      String id = "r" + each;
      cluster.submit(job(id).estimatedRunTime(each).build());
      assertThat(cluster.pass()).places(id).on("h1");
      cluster.ready(id).completed(id);
    }
  }

  // ---- The fits

  /** Two hosts with an instance each; the first has more memory reserved. */
  private static TestCluster fit(String policy, String reservation) {
    return TestCluster.withPolicy(policy, "{\"reservation\": \"%s\"}".formatted(reservation))
        .host("h1", host(10))
        .host("h2", host(10))
        .running(changing("r1", 2, 50, 6), "h1")
        .running(needing("r2", 3), "h2");
  }

  @ParameterizedTest
  @CsvSource({
    // r1 reserves 1 by demand, 6 at most, 2 at first, 4 on average; r2 reserves 1, 3, 3, 3.
    "first-fit, demand, h1", "first-fit, maximum, h2", "first-fit, initial, h1",
    "first-fit, average, h1", "best-fit, demand, h1", "best-fit, maximum, h2",
    "best-fit, initial, h2", "best-fit, average, h1", "worst-fit, demand, h1",
    "worst-fit, maximum, h2", "worst-fit, initial, h1", "worst-fit, average, h2",
  })
  void fitsByReservedMemory(String policy, String reservation, String host) {
    // It reserves 1 by demand, and otherwise 5 of the 10: more than h1 has left by maximum.
    TestCluster cluster = fit(policy, reservation).submit(needing("r3", 5));

    assertThat(cluster.pass()).places("r3").on(host);
  }

  @Test
  void waitsIfTooMuchIsReserved() {
    TestCluster cluster = fit("first-fit", "maximum").submit(needing("r3", 7.5));

    assertThat(cluster.pass()).doesNotPlace("r3").defers("r3");
  }

  @Test
  void reservationBeyondEveryHostGetsAnIdleHost() {
    TestCluster cluster = fit("first-fit", "maximum").submit(needing("r3", 12));
    assertThat(cluster.pass()).doesNotPlace("r3");

    cluster.completed("r2");
    assertThat(cluster.pass()).places("r3").on("h2").granting(cpuAndMemory(1, 10));
  }

  // ---- round-robin and dedicated

  @Test
  void roundRobinIgnoresMemory() {
    TestCluster cluster =
        TestCluster.withPolicy("round-robin")
            .host("h1", host(10))
            .host("h2", host(0.25))
            .host("h3", host(10));
    for (String id : List.of("r1", "r2", "r3", "r4", "r5")) {
      cluster.submit(needing(id, 3));
    }

    assertThat(cluster.pass())
        .places("r1")
        .on("h1")
        .places("r2")
        .on("h2")
        .granting(cpuAndMemory(1, 0.25))
        .places("r3")
        .on("h3")
        .places("r4")
        .on("h1")
        .places("r5")
        .on("h2")
        .granting(cpuAndMemory(1, 0));
  }

  @Test
  void dedicatedNeverShares() {
    TestCluster cluster =
        TestCluster.withPolicy("dedicated")
            .host("h1", host(10))
            .host("h2", host(5))
            .submit(needing("r1", 1))
            .submit(needing("r2", 1))
            .submit(needing("r3", 1));

    assertThat(cluster.pass())
        .places("r1")
        .on("h1")
        .granting(host(10))
        .places("r2")
        .on("h2")
        .granting(host(5))
        .doesNotPlace("r3");

    cluster.ready("r1");
    cluster.completed("r1");
    assertThat(cluster.pass()).places("r3").on("h1");
  }

  @Test
  void dedicatedNeverSharesWithAnEmptyDemand() {
    TestCluster cluster =
        TestCluster.withPolicy("dedicated")
            .host("h1", host(10))
            .running("r1", "gold", Resources.none(), "h1")
            .pending("r2", "gold", Resources.none())
            .pending("r3", "gold", cpuAndMemory(1, 1));

    assertThat(cluster.pass())
        .placesExactly()
        .defers("r2")
        .because("no host is free, and it is to have one alone");
  }

  // ---- Configuration

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "memic | {\"patience\": -0.1} | patience",
        "memic | {\"patience\": 1000001} | patience",
        "memic | {\"assumedRunTime\": \"0s\"} | assumedRunTime",
        "memic | {\"assumedRunTime\": \"36501d\"} | assumedRunTime",
        "memic | {\"elasticity\": {\"headroom\": -1}} | headroom",
        "round-robin | {\"elasticity\": {\"headroom\": 11}} | elasticity",
        "first-fit | {\"elasticity\": {\"period\": \"0s\"}} | elasticity",
        "best-fit | {\"elasticity\": {\"migrationRoom\": 0.9}} | elasticity",
        "worst-fit | {\"elasticity\": {\"migrationRoom\": 1001}} | elasticity",
        "worst-fit | {\"molding\": {\"maxSlowdown\": 0.5}} | molding",
        "first-fit | {\"reservation\": \"median\"} | reservation",
        "dedicated | {\"elasticity\": {}} | elasticity",
      })
  void refusesValuesOutOfRange(String policy, String json, String path) {
    assertThatThrownBy(() -> TestCluster.withPolicy(policy, json))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(path);
  }
}
