package dev.berth.traces.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoogleLikeMonthTest {

  private static final Duration MONTH = Duration.ofDays(GoogleLikeMonth.DAYS);

  private static ArrivalSource month(double scale, long seed) {
    return new GoogleLikeWorkload(
            GoogleLikeMonth.profile(scale),
            ServiceClasses.goldSilverBronze(Duration.ZERO),
            Long.MAX_VALUE,
            MONTH.toNanos(),
            seed)
        .open();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aSmallMonthHasAProportionalNumberOfRequests(long seed) {
    long requests = 0;
    try (ArrivalSource source = month(0.01, seed)) {
      for (; source.hasNext(); source.next()) {
        requests++;
      }
    }
    requireProportional(requests, 0.01);
  }

  private static void requireProportional(long requests, double scale) {
    assertThat(requests / scale / 25e6).isEqualTo(1, within(0.04));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void theClusterStaysBusy(long seed) {
    requireBusy(seed);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(longs = {3, 4, 5, 6})
  void theClusterStaysBusyWithMoreSeeds(long seed) {
    requireBusy(seed);
  }

  /** Without replacements, 0.15 would remain after a week, and 0.08 at the end. */
  private static void requireBusy(long seed) {
    double capacity = 0;
    for (HostSpec host : GoogleLikeMonth.hosts(0.1, seed).hosts()) {
      capacity += host.capacity().amount(Dimension.CPU);
    }
    double[] demand = new double[GoogleLikeMonth.DAYS]; // at the end of each day
    long requests = 0;
    try (ArrivalSource source = month(0.1, seed)) {
      for (; source.hasNext(); requests++) {
        Arrival each = source.next();
        long day = Duration.ofDays(1).toNanos();
        long last = Math.min(demand.length, (each.at() + each.serviceTime()) / day);
        for (long end = each.at() / day + 1; end <= last; end++) {
          demand[(int) end - 1] += each.request().demand().amount(Dimension.CPU) / capacity;
        }
      }
    }
    assertThat(Arrays.stream(demand).boxed())
        .as("share of the CPU, by day")
        .allMatch(each -> each > 0.15 && each < 2.5);
    assertThat(demand[demand.length - 1]).isGreaterThan(0.25);
    requireProportional(requests, 0.1);
  }

  /** The parts of the rates of replacements. */
  @Test
  void initialJobsRunAsLongAsSpecified() {
    Map<String, Double> seconds = new HashMap<>();
    Map<String, Integer> jobs = new HashMap<>();
    for (long seed = 1; seed <= 20; seed++) {
      try (ArrivalSource source = month(1, seed)) {
        for (Arrival each = source.next(); each.at() == 0; each = source.next()) {
          if (each.request().id().endsWith("/1")) {
            seconds.merge(each.request().serviceClass(), each.serviceTime() / 1e9, Double::sum);
            jobs.merge(each.request().serviceClass(), 1, Integer::sum);
          }
        }
      }
    }
    Map.of(ServiceClasses.GOLD, 149.1, ServiceClasses.SILVER, 20.95, ServiceClasses.BRONZE, 72.68)
        .forEach(
            (name, hours) ->
                assertThat(seconds.get(name) / jobs.get(name) / 3_600 / hours)
                    .as(name)
                    .isEqualTo(1, within(0.06)));
  }

  @Test
  void hostsAreProportionalToTheScale() {
    assertThat(GoogleLikeMonth.hosts(1, 1).hosts()).hasSize(12_500);
    assertThat(GoogleLikeMonth.hosts(0.1, 1).hosts()).hasSize(1_250);
    assertThat(GoogleLikeMonth.hosts(0.0001, 1).hosts()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 0.00009, 10.1, Double.NaN})
  void refusesAScaleOutOfRange(double scale) {
    assertThatThrownBy(() -> GoogleLikeMonth.profile(scale))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("scale was %s, must be from 0.0001, one host, to 10.".formatted(scale));
    assertThatThrownBy(() -> GoogleLikeMonth.hosts(scale, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
