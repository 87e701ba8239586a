package dev.berth.traces.format.openb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.Readers;
import dev.berth.traces.SharedData;
import dev.berth.traces.TextFiles;
import dev.berth.traces.input.Input;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenbTest {

  private static final List<ServiceClass> CLASSES = ServiceClasses.goldSilverBronze(Duration.ZERO);
  private static final String HEADER =
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
          + "deletion_time,scheduled_time";
  private static final Dimension GPU = new Dimension("gpu", 1_000_000);

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  private static List<Arrival> arrivals(FileWorkload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }

  // ---- Order

  @Property(tries = 50)
  void putsPodsInOrder(@ForAll("orders") List<Integer> order) {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    for (int each : order) {
      text.append("p%s,1000,0,0,0,,BE,Running,%s,900,%s\n".formatted(each, each, each));
    }
    FileWorkload workload =
        Readers.workload(
            new OpenbWorkloadFormat(),
            Input.of("pods.csv", text.toString().getBytes(UTF_8)),
            CLASSES,
            ReadOptions.STRICT);

    assertThat(arrivals(workload))
        .extracting(each -> each.request().id())
        .isEqualTo(IntStream.range(0, order.size()).mapToObj(each -> "p" + each).toList());
    assertThat(workload.report().isComplete()).isTrue();
  }

  @Provide
  Arbitrary<List<Integer>> orders() {
    return Arbitraries.integers()
        .between(1, 60)
        .flatMap(size -> Arbitraries.shuffle(IntStream.range(0, size).boxed().toList()));
  }

  @Test
  void podsOfEqualTimeKeepTheirOrder() {
    String file =
        files.write(
            "pods.csv",
            HEADER,
            "b,1000,0,0,0,,BE,Running,5,900,5",
            "c,1000,0,0,0,,BE,Running,4,900,4",
            "a,1000,0,0,0,,BE,Running,5,900,5");

    assertThat(arrivals(Readers.workload(file, CLASSES)))
        .extracting(each -> each.request().id())
        .containsExactly("c", "b", "a");
  }

  @Test
  void aShuffledListIsReadLikeThePublishedOne() throws IOException {
    Path list = SharedData.require("alibaba-openb-2023/openb_pod_list_default.csv.gz");
    List<String> lines = lines(list);
    List<String> pods = new ArrayList<>(lines.subList(1, lines.size()));
    Collections.shuffle(pods, new Random(1));
    pods.add(0, lines.get(0));
    String shuffled = files.write("pods.csv", pods.toArray(String[]::new));

    FileWorkload published = Readers.workload(list.toString(), CLASSES);
    FileWorkload sorted = Readers.workload(shuffled, CLASSES);
    assertThat(arrivals(sorted))
        .extracting(Arrival::toString)
        .containsExactlyInAnyOrderElementsOf(
            arrivals(published).stream().map(Arrival::toString).toList());
    assertThat(arrivals(sorted)).extracting(Arrival::at).isSorted();
    assertThat(sorted.report()).isEqualTo(published.report());
  }

  private static List<String> lines(Path gzip) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(gzip)), UTF_8))) {
      return reader.lines().toList();
    }
  }

  // ---- Columns of GPUs

  @Test
  void podsWithoutColumnsOfGpusDemandNone() {
    String file =
        files.write(
            "pods.csv",
            "name,cpu_milli,memory_mib,qos,pod_phase,creation_time,deletion_time,scheduled_time",
            "p0,1500,1024,LS,Running,0,100,10");

    assertThat(arrivals(Readers.workload(file, CLASSES)))
        .singleElement()
        .satisfies(
            pod -> {
              assertThat(pod.request().demand())
                  .isEqualTo(
                      Resources.of(Dimension.CPU, 1_500_000_000, Dimension.MEMORY, 1L << 30));
              assertThat(pod.request().constraints()).isEmpty();
            });
  }

  @Test
  void withoutAShareGpusAreWhole() {
    String file =
        files.write(
            "pods.csv",
            "name,cpu_milli,memory_mib,num_gpu,qos,creation_time,deletion_time,scheduled_time",
            "p0,1500,1024,2,LS,0,100,10");

    assertThat(arrivals(Readers.workload(file, CLASSES)).get(0).request().demand().amount(GPU))
        .isEqualTo(2_000_000);
  }

  @Test
  void refusesAShareWithoutANumber() {
    String file =
        files.write(
            "pods.csv",
            "name,cpu_milli,memory_mib,gpu_milli,qos,creation_time,deletion_time,scheduled_time",
            "p0,1500,1024,500,LS,0,100,10");

    files.assertRefused(
        "pods.csv, line 2: gpu_milli was \"500\", requires the column num_gpu.",
        () -> Readers.workload(file, CLASSES));
  }

  // ---- Lists without times

  @Test
  void podsWithoutTimesAreASnapshot() {
    String file =
        files.write(
            "pods.csv",
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli",
            "p1,6000,0,1,460",
            "p0,88000,0,8,1000");

    FileWorkload workload = Readers.workload(file, CLASSES);
    assertThat(workload.report().isComplete()).isTrue();
    assertThat(arrivals(workload))
        .extracting(Arrival::toString)
        .containsExactly(
            "Arrival[at=0, request=request p1 (bronze, cpu 6, gpu 0.46),"
                + " serviceTime=315360000000000000]",
            "Arrival[at=0, request=request p0 (bronze, cpu 88, gpu 8),"
                + " serviceTime=315360000000000000]");
  }

  @Test
  void refusesSomeOfTheTimes() {
    String file =
        files.write("pods.csv", "name,cpu_milli,memory_mib,creation_time", "p0,1500,1024,0");

    files.assertRefused(
        "pods.csv, line 1: must name all or none of the columns creation_time, deletion_time,"
            + " scheduled_time.",
        () -> Readers.workload(file, CLASSES));
  }

  @Test
  void hostsWithoutColumnsOfGpusHaveNone() {
    String file = files.write("nodes.csv", "sn,cpu_milli,memory_mib", "n0,32000,1024");

    assertThat(Readers.infrastructure(file).hosts())
        .containsExactly(
            new HostSpec(
                "n0",
                Resources.of(Dimension.CPU, 32_000_000_000L, Dimension.MEMORY, 1L << 30),
                Map.of()));
  }
}
