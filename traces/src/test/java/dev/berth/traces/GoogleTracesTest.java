package dev.berth.traces;

import static dev.berth.traces.PublicTraces.arrivals;
import static dev.berth.traces.PublicTraces.infrastructure;
import static dev.berth.traces.PublicTraces.share;
import static dev.berth.traces.PublicTraces.total;
import static dev.berth.traces.PublicTraces.workload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads Google's public traces and compares counts with their descriptions. */
class GoogleTracesTest {

  private static final long SECOND = 1_000_000_000;
  private static final long TEN_YEARS = 3_650L * 86_400 * SECOND;
  private static final String GOOGLE = "google2011-part0/task_events-part-00000-of-00500.csv.gz";
  private static final String MACHINES =
      "google2011-part0/machine_events-part-00000-of-00001.csv.gz";

  @Test
  @Tag("long")
  void googleTaskEvents() {
    readsAllTaskEvents(GOOGLE);
  }

  @Test
  @Tag("long")
  void folderOfGoogleTaskEvents() {
    readsAllTaskEvents("google2011-part0");
  }

  private static void readsAllTaskEvents(String path) {
    FileWorkload workload = workload(path);

    assertThat(workload.report())
        .isEqualTo(
            new ReadReport(
                179_677,
                450_146,
                new TreeMap<>(Map.of("task that was never scheduled in the log", 11_249L)),
                0,
                List.of()));
    List<Arrival> arrivals = arrivals(workload);
    assertThat(
            arrivals.stream()
                .collect(
                    Collectors.groupingBy(
                        each -> each.request().serviceClass(), Collectors.counting())))
        .isEqualTo(Map.of("gold", 56_224L, "silver", 64_154L, "bronze", 59_299L));
    assertThat(arrivals.stream().mapToLong(each -> each.serviceTime() / 1_000).sum())
        .isEqualTo(676_804_044_395_360L); // microseconds, counted without the reader
  }

  @Test
  void googleMachineEvents() {
    ReadResult<Infrastructure> read =
        Readers.infrastructure(SharedData.require(MACHINES).toString(), ReadOptions.STRICT);

    assertThat(read.value().hosts()).hasSize(12_477);
    assertThat(total(read.value(), Dimension.CPU)).isEqualTo(6_603_250_000_000L);
    assertThat(Dimension.MEMORY.format(total(read.value(), Dimension.MEMORY)))
        .startsWith("5862.75");
    assertThat(read.report().lines()).isEqualTo(37_780);
    assertThat(read.report().skipped())
        .isEqualTo(Map.of("event after the start of the trace", 37_780L - 12_477));
  }

  @Test
  void googleHostEvents() {
    ReadResult<List<HostEvent>> read =
        Readers.hostEvents(SharedData.require(MACHINES).toString(), ReadOptions.STRICT);

    assertThat(read.report())
        .isEqualTo(
            new ReadReport(
                8_683 + 8_591,
                37_780,
                new TreeMap<>(
                    Map.of(
                        "change of a machine's capacities",
                        7_062L,
                        "event of a machine that is absent when the trace begins",
                        967L)),
                0,
                List.of()));
    assertThat(read.value().stream().filter(HostEvent.Fails.class::isInstance)).hasSize(8_683);
  }

  @ParameterizedTest
  @CsvSource({"1, 59265", "5, 55264", "15, 61290"})
  void borgSnapshots(int number, int size) {
    FileWorkload workload =
        workload("google2011-borgsim/prod-tasks-time-%s.csv.gz".formatted(number));
    List<Arrival> arrivals = arrivals(workload);

    assertThat(arrivals).hasSize(size);
    assertThat(workload.report().isComplete()).isTrue();
    assertThat(arrivals).allMatch(each -> each.at() == 0);
    assertThat(share(arrivals, each -> !each.request().constraints().isEmpty()))
        .isBetween(0.5, 0.7);
    assertThat(share(arrivals, each -> each.request().antiAffinity())).isBetween(0.35, 0.5);
  }

  @Test
  void readsAllFieldsOfABorgTask() {
    Arrival first;
    try (ArrivalSource source = workload("google2011-borgsim/prod-tasks-time-1.csv.gz").open()) {
      first = source.next();
    }

    assertThat(first.request().id()).isEqualTo("4028922835/0");
    assertThat(first.request().job()).contains("4028922835");
    assertThat(first.request().serviceClass()).isEqualTo("gold");
    assertThat(first.request().demand())
        .isEqualTo(Resources.of(Dimension.CPU, 93_750_000, Dimension.MEMORY, 31_980_000));
    assertThat(first.request().antiAffinity()).isTrue();
    assertThat(first.request().constraints())
        .containsExactly(
            new Constraint.GreaterThan("Ql", 4),
            new Constraint.LessThan("Ql", 14),
            new Constraint.Equal("wN", "2"));
    assertThat(first.serviceTime()).isEqualTo(TEN_YEARS);
  }

  @ParameterizedTest
  @CsvSource({"machines-12477-attributes.txt.gz", "machines-12477-attributes-fuller.txt.gz"})
  void borgMachines(String name) {
    Infrastructure machines = infrastructure("google2011-borgsim/" + name);

    assertThat(machines.hosts()).hasSize(12_477);
    assertThat(total(machines, Dimension.CPU)).isEqualTo(6_603_250_000_000L);
    assertThat(machines.hosts().get(0).id()).isEqualTo("5");
    assertThat(machines.hosts().get(0).attributes()).containsEntry("GK", "Ap");
  }

  @Test
  void jobsThatAreTightOnTheBorgMachines() {
    List<HostSpec> hosts =
        infrastructure("google2011-borgsim/machines-12477-attributes.txt.gz").hosts();
    Map<String, List<Arrival>> jobs =
        arrivals(workload("google2011-borgsim/prod-tasks-time-1.csv.gz")).stream()
            .collect(Collectors.groupingBy(each -> each.request().job().orElseThrow()));
    List<Arrival> job = jobs.get("4028922835");

    assertThat(job).hasSize(2_016);
    assertThat(
            hosts.stream()
                .filter(
                    host ->
                        job.get(0).request().constraints().stream()
                            .allMatch(each -> each.holdsWith(host.attributes()))))
        .hasSize(1998);
  }
}
