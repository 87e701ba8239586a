package dev.berth.traces;

import static dev.berth.traces.PublicTraces.arrivals;
import static dev.berth.traces.PublicTraces.infrastructure;
import static dev.berth.traces.PublicTraces.total;
import static dev.berth.traces.PublicTraces.workload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Resources;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads public logs and compares counts with their descriptions. */
class PublicLogsTest {

  private static final long SECOND = 1_000_000_000;

  @ParameterizedTest
  @CsvSource({
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

  @ParameterizedTest
  @Tag("long")
  @CsvSource({
    "swf/CEA-Curie-2011-2.1-cln.swf.gz, 312826, 295540",
    "swf/HPC2N-2002-2.2-cln.swf.gz, 202871, 202871",
  })
  void longLogsOfParallelComputers(String path, int jobs, int ran) {
    logsOfParallelComputers(path, jobs, ran);
  }

  @Test
  void readsUserEstimateAndMemoryOfAnHpc2nJob() {
    Map<String, Arrival> jobs = new HashMap<>();
    try (ArrivalSource source = workload("swf/HPC2N-2002-2.2-cln.swf.gz").open()) {
      while (!jobs.keySet().containsAll(Set.of("184", "5414"))) {
        Arrival next = source.next();
        jobs.put(next.request().id(), next);
      }
    }

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
}
