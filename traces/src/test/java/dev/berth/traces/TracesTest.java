package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Resources;
import dev.berth.simulator.Arrival;
import dev.berth.simulator.ArrivalSource;
import dev.berth.simulator.HostEvent;
import dev.berth.simulator.Infrastructure;
import dev.berth.simulator.ServiceClasses;
import dev.berth.simulator.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads public traces in place and compares counts with their descriptions. */
class TracesTest {

  private static final long SECOND = 1_000_000_000;
  private static final long TEN_YEARS = 3_650L * 86_400 * SECOND;
  private static final String GOOGLE = "google2011-part0/task_events-part-00000-of-00500.csv.gz";
  private static final String MACHINES =
      "google2011-part0/machine_events-part-00000-of-00001.csv.gz";

  @ParameterizedTest
  @CsvSource({GOOGLE, "google2011-part0"})
  void googleTaskEvents(String path) {
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
    Arrival first = arrivals(workload("google2011-borgsim/prod-tasks-time-1.csv.gz")).get(0);

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

  @ParameterizedTest
  @CsvSource({
    "swf/CEA-Curie-2011-2.1-cln.swf.gz, 312826, 295540",
    "swf/HPC2N-2002-2.2-cln.swf.gz, 202871, 202871",
    "swf/KTH-SP2-1996-2.1-cln.swf.gz, 27992, 27992",
    "swf/METACENTRUM-2009-2.swf.gz, 103656, 99944",
    "metacentrum-zewura-2013/hpc2n-first3170.swf.gz, 3170, 3145",
    "metacentrum-zewura-2013/wagap-2013.swf.gz, 17900, 17898",
  })
  void logsOfParallelComputers(String path, int jobs, int ran) {
    FileWorkload workload = workload(path);

    assertThat(workload.size()).hasValue(ran);
    long skips = workload.report().skipped().values().stream().mapToLong(each -> each).sum();
    assertThat(ran + skips).isEqualTo(jobs);
    assertThat(workload.serviceClasses()).extracting(each -> each.name()).containsExactly("bronze");
    try (ArrivalSource source = workload.open()) {
      assertThat(source.next().at()).isZero();
    }
  }

  @Test
  void readsUserEstimateAndMemoryOfAnHpc2nJob() {
    Map<String, Arrival> jobs =
        arrivals(workload("swf/HPC2N-2002-2.2-cln.swf.gz")).stream()
            .collect(Collectors.toMap(each -> each.request().id(), Function.identity()));

    Arrival asked = jobs.get("184");
    assertThat(asked.user()).contains("6");
    assertThat(asked.at()).isEqualTo((561_553 - 342_072) * SECOND);
    assertThat(asked.serviceTime()).isEqualTo(61 * SECOND);
    assertThat(asked.request().estimatedRunTime()).hasValue(43_200 * SECOND);
    assertThat(asked.request().demand())
        .isEqualTo(
            Resources.of(Dimension.CPU, 16 * SECOND, Dimension.MEMORY, 16 * 819_200L * 1024));
    assertThat(jobs.get("5414").request().demand().amount(Dimension.MEMORY))
        .isEqualTo(36 * 25_600L * 1024); // used
  }

  @Test
  void readsMemoryAndClusterOfMetacentrumJobs() {
    List<Arrival> jobs = arrivals(workload("metacentrum-zewura-2013/wagap-2013.swf.gz"));

    assertThat(jobs.get(0).request().demand())
        .isEqualTo(Resources.of(Dimension.CPU, 64 * SECOND, Dimension.MEMORY, 68_719_476_736L));
    assertThat(jobs.get(0).serviceTime()).isEqualTo(56_011 * SECOND);
    assertThat(
            jobs.stream()
                .flatMap(each -> each.request().constraints().stream())
                .collect(Collectors.groupingBy(Constraint::describe, Collectors.counting())))
        .isEqualTo(
            Map.of("cluster == zewura", 575L, "cluster != zewura", 1L, "cluster == zegox", 320L));
    Infrastructure machines = infrastructure("metacentrum-zewura-2013/wagap-2013.swf.machines");
    assertThat(machines.hosts()).hasSize(68);
    assertThat(machines.hosts().get(67))
        .isEqualTo(
            new HostSpec(
                "zegox-47",
                Resources.of(Dimension.CPU, 12 * SECOND, Dimension.MEMORY, 94_035_968L * 1024),
                Map.of("cluster", "zegox")));
    assertThat(infrastructure("metacentrum-zewura-2013/hpc2n.swf.machines").hosts()).hasSize(120);
  }

  @Test
  void alibabaPods() {
    FileWorkload workload = workload("alibaba-openb-2023/openb_pod_list_default.csv.gz");
    List<Arrival> pods = arrivals(workload);

    assertThat(workload.report().lines()).isEqualTo(8_153); // and the header
    assertThat(workload.report().skipped()).isEqualTo(Map.of("pod that was never scheduled", 897L));
    assertThat(pods).hasSize(8_152 - 897);
    Arrival second = pods.get(1);
    assertThat(second.at()).isEqualTo(427_061 * SECOND);
    assertThat(second.serviceTime()).isEqualTo((12_902_960 - 427_061) * SECOND);
    assertThat(second.request().serviceClass()).isEqualTo("gold");
    assertThat(second.request().demand())
        .isEqualTo(
            Resources.builder()
                .put(Dimension.CPU, 6 * SECOND)
                .put(Dimension.MEMORY, 12_288L << 20)
                .put(new Dimension("gpu", 1_000_000), 460_000)
                .build());
  }

  @Test
  void alibabaNodes() {
    Infrastructure nodes = infrastructure("alibaba-openb-2023/openb_node_list_all_node.csv.gz");

    assertThat(nodes.hosts()).hasSize(1_523);
    assertThat(total(nodes, Dimension.CPU)).isEqualTo(125_514 * SECOND);
    assertThat(total(nodes, Dimension.MEMORY) >> 30).isEqualTo(597_684);
  }

  @Test
  void bitbrainsMachines() {
    List<Arrival> machines = arrivals(workload("bitbrains-rnd/dev"));

    assertThat(machines).hasSize(30);
    assertThat(machines).extracting(Arrival::at).isSorted();
    Arrival vm10 =
        machines.stream().filter(each -> each.request().id().equals("vm10")).findFirst().get();
    assertThat(vm10.request().demand())
        .isEqualTo(Resources.of(Dimension.CPU, SECOND, Dimension.MEMORY, 2L << 30));
    MemoryProfile profile = vm10.request().memoryProfile().orElseThrow();
    assertThat(profile.initial()).isEqualTo(549_755_290); // 536,870.4 KiB
    assertThat(profile.maximum()).isLessThanOrEqualTo(2L << 30);
    assertThat(arrivals(workload("bitbrains-rnd/dev/vm10.csv.gz")))
        .singleElement()
        .extracting(Arrival::request)
        .extracting(each -> each.memoryProfile())
        .isEqualTo(vm10.request().memoryProfile());
  }

  private static double share(List<Arrival> arrivals, Predicate<Arrival> which) {
    return arrivals.stream().filter(which).count() / (double) arrivals.size();
  }

  private static long total(Infrastructure infrastructure, Dimension dimension) {
    return infrastructure.hosts().stream()
        .mapToLong(each -> each.capacity().amount(dimension))
        .sum();
  }

  private static Infrastructure infrastructure(String path) {
    return Readers.infrastructure(SharedData.require(path).toString());
  }

  private static FileWorkload workload(String path) {
    return Readers.workload(
        SharedData.require(path).toString(),
        ServiceClasses.goldSilverBronze(Duration.ofSeconds(30)));
  }

  private static List<Arrival> arrivals(Workload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
