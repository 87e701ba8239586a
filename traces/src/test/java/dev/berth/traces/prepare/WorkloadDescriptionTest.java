package dev.berth.traces.prepare;

import static dev.berth.traces.prepare.UserWorkloads.SECOND;
import static dev.berth.traces.prepare.UserWorkloads.cpuAndMemory;
import static dev.berth.traces.prepare.UserWorkloads.request;
import static dev.berth.traces.prepare.UserWorkloads.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class WorkloadDescriptionTest {

  private static final Offset<Double> ROUNDING = within(1e-9);

  /**
   * CPU in use: 1 from 10 s, 3 from 20 s to 40 s, when the first ends and the third comes with 2:
   * 4, to 50 s; then 2 to 60 s.
   */
  private static final Workload THREE =
      workload(
          List.of(
              request("1", "gold", "ada", 10, 30, 1, 8),
              request("2", "bronze", "", 20, 30, 2, 0),
              request("3", "gold", "ada", 40, 20, 2, 1)));

  @Test
  void countsAndPeaksByHand() {
    WorkloadDescription description = WorkloadDescription.of(THREE);
    assertThat(description.firstAdmission()).isEqualTo(10 * SECOND);
    assertThat(description.lastAdmission()).isEqualTo(40 * SECOND);
    assertThat(description.lastEnd()).isEqualTo(60 * SECOND);
    assertThat(description.byClass()).containsOnlyKeys("gold", "bronze");

    WorkloadDescription.Figures all = description.all();
    assertThat(all.requests()).isEqualTo(3);
    assertThat(all.jobs()).isEqualTo(1);
    assertThat(all.users()).isEqualTo(1);
    assertThat(all.withoutUser()).isEqualTo(1);
    assertThat(all.peak()).isEqualTo(cpuAndMemory(4, 8));
    WorkloadDescription.Demand cpu = all.demand().get(Dimension.CPU);
    assertThat(cpu.peakAt()).isEqualTo(40 * SECOND);
    assertThat(cpu.mean()).isEqualTo((30 + 60 + 40) / 50.0, ROUNDING);
    assertThat(cpu.perRequest().mean()).isEqualTo(5 / 3.0, ROUNDING);
    assertThat(cpu.perRequest().median()).isEqualTo(2);
    assertThat(all.serviceTime().min()).isEqualTo(20);
    assertThat(all.serviceTime().max()).isEqualTo(30);
    assertThat(all.serviceTime().estimated()).isFalse();

    WorkloadDescription.Figures gold = description.byClass().get("gold");
    assertThat(gold.peak()).isEqualTo(cpuAndMemory(2, 8));
    assertThat(gold.demand().get(Dimension.MEMORY).peakAt()).isEqualTo(10 * SECOND);
    WorkloadDescription.Demand none =
        description.byClass().get("bronze").demand().get(Dimension.MEMORY);
    assertThat(none.peak()).isZero();
    assertThat(none.perRequest().max()).isZero();
  }

  @Test
  void samplesTheDemandUntilAllInstancesComplete() {
    List<DemandSample> series = new ArrayList<>();
    WorkloadDescription.of(THREE, Duration.ofSeconds(20), series::add);
    assertThat(series)
        .containsExactly(
            new DemandSample(
                20 * SECOND, inOrder("gold", cpuAndMemory(1, 8), "bronze", cpuAndMemory(2, 0))),
            new DemandSample(
                40 * SECOND, inOrder("gold", cpuAndMemory(2, 1), "bronze", cpuAndMemory(2, 0))),
            new DemandSample(
                60 * SECOND, inOrder("gold", Resources.none(), "bronze", Resources.none())));
  }

  /** A log of 1000 s: every tenth instance is a long one that the end of the log cuts off. */
  @Test
  void countsInstancesThatEndWithTheLog() {
    List<Arrival> cutOff = new ArrayList<>();
    List<Arrival> alike = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int at = 9 * i;
      int waited = i % 7; // before its first start, which is no service
      int service = i % 10 == 0 ? 1000 - at - waited : 20;
      cutOff.add(request("r" + i, "gold", "ada", at, service, 1, 1));
      alike.add(request("r" + i, "gold", "ada", i % 20 == 0 ? 0 : i % 5, 1000, 1, 1));
    }
    alike.sort(Comparator.comparingLong(Arrival::at));
    assertThat(WorkloadDescription.of(workload(cutOff)).endWithLog()).isEqualTo(10);
    assertThat(WorkloadDescription.of(workload(alike)).endWithLog())
        .as("they end together because they start together")
        .isZero();
    assertThat(WorkloadDescription.of(THREE).endWithLog()).isZero();
  }

  private static Map<String, Resources> inOrder(
      String first, Resources one, String second, Resources other) {
    return Map.of(first, one, second, other);
  }

  @Test
  void aLateDimensionIsZeroForEarlierRequests() {
    Dimension gpu = new Dimension("gpu", 1);
    Request late =
        Request.builder("late", "gold")
            .demand(Resources.of(gpu, 2))
            .job("j")
            .antiAffinity(true)
            .constraint(new Constraint.Exists("gpu"))
            .build();
    WorkloadDescription.Figures all =
        WorkloadDescription.of(
                workload(
                    List.of(
                        request("1", "gold", "ada", 0, 1, 1, 1),
                        new Arrival(5 * SECOND, late, SECOND))))
            .all();
    assertThat(all.demand()).containsOnlyKeys(Dimension.CPU, Dimension.MEMORY, gpu);
    assertThat(all.demand().get(gpu).perRequest().min()).isZero();
    assertThat(all.demand().get(gpu).perRequest().mean()).isEqualTo(1);
    assertThat(all.antiAffine()).isEqualTo(1);
    assertThat(all.constrained()).isEqualTo(1);
    assertThat(all.jobs()).isEqualTo(2);
  }

  @Test
  void instancesBeyondTheEndOfTimeNeverEnd() {
    Arrival endless =
        new Arrival(
            5, Request.builder("1", "gold").demand(cpuAndMemory(1, 1)).build(), Long.MAX_VALUE);
    List<DemandSample> series = new ArrayList<>();
    WorkloadDescription description =
        WorkloadDescription.of(
            workload(List.of(endless)), Duration.ofNanos(Long.MAX_VALUE / 2), series::add);
    assertThat(description.lastEnd()).isEqualTo(Long.MAX_VALUE);
    assertThat(series).hasSize(3);
  }

  @Test
  void requiresARequestAndAnInterval() {
    assertThatThrownBy(() -> WorkloadDescription.of(workload(List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("workload test has no request");
    assertThatThrownBy(() -> WorkloadDescription.of(THREE, Duration.ZERO, sample -> {}))
        .hasMessage("interval was PT0S, must be positive.");
  }

  /** A hundred thousand values, evenly spread from 0 to 1: the percentiles are estimated. */
  @Test
  void percentilesOfManyValuesAreCloseEstimates() {
    Distribution.Collector collector = new Distribution.Collector();
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      collector.add(i / (count - 1.0));
    }
    Distribution distribution = collector.get();
    assertThat(distribution.estimated()).isTrue();
    assertThat(distribution.min()).isZero();
    assertThat(distribution.max()).isEqualTo(1);
    assertThat(distribution.mean()).isEqualTo(0.5, ROUNDING);
    assertThat(
            List.of(
                distribution.p5(),
                distribution.p25(),
                distribution.median(),
                distribution.p75(),
                distribution.p95(),
                distribution.p99()))
        .usingElementComparator((one, other) -> Math.abs(one - other) < 0.005 ? 0 : 1)
        .containsExactly(0.05, 0.25, 0.5, 0.75, 0.95, 0.99);
  }

  @Test
  void percentilesOfFewValuesAreExact() {
    Distribution.Collector collector = new Distribution.Collector();
    Collections.nCopies(50, 1.0).forEach(collector::add);
    Collections.nCopies(51, 3.0).forEach(collector::add);
    Distribution few = collector.get();
    assertThat(few.mean()).isEqualTo((50 + 153) / 101.0, ROUNDING);
    assertThat(few).isEqualTo(new Distribution(1, 1, 1, 3, 3, 3, 3, 3, few.mean(), false));
  }
}
