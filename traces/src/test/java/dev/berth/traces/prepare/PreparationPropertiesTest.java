package dev.berth.traces.prepare;

import static dev.berth.traces.prepare.UserWorkloads.WHOLE;
import static dev.berth.traces.prepare.UserWorkloads.cpuAndMemory;
import static dev.berth.traces.prepare.UserWorkloads.read;
import static dev.berth.traces.prepare.UserWorkloads.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class PreparationPropertiesTest {

  // ---- Samples

  @Property(tries = 200)
  void aSampleHasAllRequestsOfItsUsersInOrder(
      @ForAll("workloads") Workload workload,
      @ForAll @IntRange(min = 1, max = 6) int groups,
      @ForAll @DoubleRange(min = 0.01, max = 1) double share,
      @ForAll long seed) {
    UserClusters clusters = UserClusters.of(workload, groups, seed);
    WorkloadSample sample = WorkloadSample.of(workload, clusters, share, 1, seed);
    List<Arrival> expected =
        read(workload).stream()
            .filter(each -> sample.users().contains(each.user().orElseThrow()))
            .toList();
    assertThat(read(sample)).isEqualTo(expected).isEqualTo(read(sample));
    assertThat(sample.size()).hasValue(expected.size());
    for (List<String> group : clusters.groups()) {
      long drawn = group.stream().filter(sample.users()::contains).count();
      assertThat(drawn).isEqualTo(Math.max(1, Math.round(share * group.size())));
    }
  }

  @Property(tries = 200)
  void everyUserIsInOneGroup(
      @ForAll("workloads") Workload workload,
      @ForAll @IntRange(min = 1, max = 6) int groups,
      @ForAll long seed) {
    UserClusters clusters = UserClusters.of(workload, groups, seed);
    assertThat(clusters.groups()).hasSizeBetween(1, groups).noneMatch(List::isEmpty);
    assertThat(clusters.groups().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(
            clusters.users().stream().map(UserFeatures::user).toList())
        .doesNotHaveDuplicates();
  }

  // ---- Descriptions

  @Property(tries = 300)
  void peaksAndSeriesEqualARecomputation(
      @ForAll("workloads") Workload workload, @ForAll @IntRange(min = 1, max = 20) int seconds) {
    List<DemandSample> series = new ArrayList<>();
    WorkloadDescription description =
        WorkloadDescription.of(workload, Duration.ofSeconds(seconds), series::add);
    List<Arrival> all = read(workload);
    for (String each : List.of("gold", "silver", "bronze")) {
      List<Arrival> ofClass =
          all.stream().filter(arrival -> arrival.request().serviceClass().equals(each)).toList();
      assertThat(description.byClass().containsKey(each)).isEqualTo(!ofClass.isEmpty());
      if (!ofClass.isEmpty()) {
        assertPeaks(description.byClass().get(each), ofClass);
      }
      for (DemandSample sample : series) {
        assertThat(sample.byClass().getOrDefault(each, Resources.none()))
            .isEqualTo(inUse(ofClass, sample.at()));
      }
    }
    assertPeaks(description.all(), all);
    long interval = seconds * UserWorkloads.SECOND;
    assertThat(series).allMatch(sample -> sample.at() % interval == 0);
    assertThat(series.get(0).at() - all.get(0).at()).isBetween(0L, interval - 1);
    assertThat(series.get(series.size() - 1).at() - description.lastEnd())
        .isBetween(0L, interval - 1);
    for (int i = 1; i < series.size(); i++) {
      assertThat(series.get(i).at() - series.get(i - 1).at()).isEqualTo(interval);
    }
  }

  private static void assertPeaks(WorkloadDescription.Figures figures, List<Arrival> arrivals) {
    assertThat(figures.requests()).isEqualTo(arrivals.size());
    Map<Dimension, Long> peaks = new HashMap<>();
    Map<Dimension, Long> at = new HashMap<>();
    for (Arrival arrival : arrivals) { // demand rises only at arrivals
      Resources now = inUse(arrivals, arrival.at());
      for (Dimension each : now.dimensions()) {
        if (now.amount(each) > peaks.getOrDefault(each, 0L)) {
          peaks.put(each, now.amount(each));
          at.put(each, arrival.at());
        }
      }
    }
    figures
        .demand()
        .forEach(
            (dimension, demand) -> {
              assertThat(demand.peak()).isEqualTo(peaks.getOrDefault(dimension, 0L));
              assertThat(demand.peakAt()).isEqualTo(at.getOrDefault(dimension, 0L));
            });
  }

  private static Resources inUse(List<Arrival> arrivals, long at) {
    long cpu = 0;
    long memory = 0;
    for (Arrival each : arrivals) {
      if (each.at() <= at && at < each.at() + each.serviceTime()) {
        cpu += each.request().demand().amount(Dimension.CPU);
        memory += each.request().demand().amount(Dimension.MEMORY);
      }
    }
    return Resources.of(Dimension.CPU, cpu, Dimension.MEMORY, memory);
  }

  // ---- Sizes

  @Property(tries = 300)
  void hostsAreDrawnUntilTheSizeIsReached(
      @ForAll("mixes") Infrastructure mix,
      @ForAll @IntRange(min = 1, max = 200) int wholes,
      @ForAll long seed) {
    long size = wholes * WHOLE;
    Infrastructure drawn = InfrastructureSizing.drawn("drawn", mix, Dimension.CPU, size, seed);
    List<HostSpec> hosts = drawn.hosts();
    long last = hosts.get(hosts.size() - 1).capacity().amount(Dimension.CPU);
    long total = InfrastructureSizing.total(drawn, Dimension.CPU).longValueExact();
    assertThat(total).isGreaterThanOrEqualTo(size);
    assertThat(total - last).isLessThan(size);
    for (HostSpec host : hosts) {
      String original = host.id().substring(0, host.id().lastIndexOf('~'));
      assertThat(mix.hosts())
          .anyMatch(
              each ->
                  each.id().equals(original)
                      && each.capacity().equals(host.capacity())
                      && each.attributes().equals(host.attributes()));
    }
    assertThat(InfrastructureSizing.drawn("drawn", mix, Dimension.CPU, size, seed))
        .isEqualTo(drawn);
  }

  @Property(tries = 300)
  void smallerSizesAreSubsetsOfLargerOnes(
      @ForAll("mixes") Infrastructure base,
      @ForAll @DoubleRange(min = 0.01, max = 1) double one,
      @ForAll @DoubleRange(min = 0.01, max = 1) double other,
      @ForAll long seed) {
    BigInteger total = InfrastructureSizing.total(base, Dimension.CPU);
    long larger = Math.round(total.doubleValue() * Math.max(one, other));
    long smaller = Math.round(total.doubleValue() * Math.min(one, other));
    Infrastructure large = InfrastructureSizing.reduced("large", base, Dimension.CPU, larger, seed);
    Infrastructure small =
        InfrastructureSizing.reduced("small", base, Dimension.CPU, smaller, seed);
    assertThat(base.hosts()).containsAll(large.hosts());
    assertThat(large.hosts()).containsAll(small.hosts());
    assertThat(InfrastructureSizing.total(large, Dimension.CPU))
        .isBetween(BigInteger.valueOf(larger), total);
    long biggest =
        base.hosts().stream()
            .mapToLong(each -> each.capacity().amount(Dimension.CPU))
            .max()
            .orElseThrow();
    assertThat(InfrastructureSizing.total(large, Dimension.CPU).longValueExact())
        .isLessThan(larger + biggest);
  }

  // ---- Generators

  @Provide
  Arbitrary<Workload> workloads() {
    Arbitrary<Integer> few = Arbitraries.integers().between(1, 5);
    return Combinators.combine(
            Arbitraries.of("gold", "silver", "bronze"),
            Arbitraries.integers().between(1, 12),
            Arbitraries.integers().between(0, 60),
            Arbitraries.integers().between(1, 40),
            few,
            Arbitraries.integers().between(0, 3))
        .as(
            (serviceClass, user, at, runs, cpu, memory) ->
                request("r", serviceClass, "user-" + user, at, runs, cpu, memory))
        .list()
        .ofMinSize(1)
        .ofMaxSize(40)
        .map(UserWorkloads::workload);
  }

  @Provide
  Arbitrary<Infrastructure> mixes() {
    return Arbitraries.integers()
        .between(1, 8)
        .list()
        .ofMinSize(1)
        .ofMaxSize(12)
        .map(
            cores -> {
              List<HostSpec> hosts = new ArrayList<>();
              for (int each : cores) {
                String id = "h" + (hosts.size() + 1) + "~1";
                hosts.add(new HostSpec(id, cpuAndMemory(each, 1), Map.of("rack", "r" + each)));
              }
              return new Infrastructure("mix", hosts);
            });
  }
}
