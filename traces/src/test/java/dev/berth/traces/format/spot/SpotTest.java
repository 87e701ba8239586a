package dev.berth.traces.format.spot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.api.HostSpec;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.GroupSpec.OnLoss;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.FileWorkload;
import dev.berth.traces.ReadOptions;
import dev.berth.traces.Readers;
import dev.berth.traces.TextFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpotTest {

  private static final List<ServiceClass> CLASSES = ServiceClasses.goldSilverBronze(Duration.ZERO);
  private static final String HEADER =
      "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,"
          + "job_type";

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  private FileWorkload read(int skipBad, String... lines) {
    return Readers.workload(files.write("jobs.csv", lines), CLASSES, new ReadOptions(skipBad));
  }

  private static List<Arrival> arrivals(FileWorkload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }

  private static List<String> ids(FileWorkload workload) {
    return arrivals(workload).stream().map(each -> each.request().id()).toList();
  }

  @Test
  void workersOfAJobAreAGroup() {
    List<Arrival> arrivals =
        arrivals(read(0, HEADER, "8,57,A10,15,1,3,6,60,Spot", "9,57,A10,15,1,1,6,60,HP"));

    Arrival.InGroup group = new Arrival.InGroup("8", OptionalInt.empty(), OnLoss.RELEASE);
    assertThat(arrivals.subList(0, 3)).allMatch(each -> each.group().orElseThrow().equals(group));
    assertThat(arrivals.subList(0, 3)).allMatch(each -> each.request().job().get().equals("8"));
    assertThat(arrivals)
        .extracting(each -> each.request().id())
        .containsExactly("8/0", "8/1", "8/2", "9");
    assertThat(arrivals.get(3).group()).isEmpty();
  }

  @Test
  void findsColumnsByName() {
    FileWorkload plain = read(0, HEADER, "7,13,A10,20,1,2,0,90,HP");
    List<String> expected = arrivals(plain).stream().map(Arrival::toString).toList();

    FileWorkload other =
        read(
            0,
            ",duration,job_type,note,submit_time,worker_num,gpu_request,cpu_request,gpu_model,"
                + "organization,job_name",
            "0,90.0,HP,\"a,b\",0.0,2.0,1.0,20.0,A10,13,7");
    assertThat(arrivals(other)).extracting(Arrival::toString).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"''", "NaN", "nan"})
  void aJobWithoutAModelRunsOnAny(String none) {
    assertThat(arrivals(read(0, HEADER, "7,%s,%s,20,1,1,0,90,HP".formatted(none, none))))
        .extracting(each -> each.request().toString())
        .containsExactly("request 7 (gold, cpu 20, gpu 1, job 7)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "job_type | 7,13,A10,20,1,1,0,90,spot | spot | must be HP or Spot",
        "worker_num | 7,13,A10,20,1,0,0,90,HP | 0 | must be a whole number from 1 to 10000",
        "worker_num | 7,13,A10,20,1,1.5,0,90,HP | 1.5 | must be a whole number from 1 to 10000",
        "gpu_request | 7,13,A10,20,-1,1,0,90,HP | -1 | must not be negative",
        "cpu_request | 7,13,A10,x,1,1,0,90,HP | x | must be a number",
        "submit_time | 7,13,A10,20,1,1,-5,90,HP | -5 | must not be negative",
        "duration | 7,13,A10,20,1,1,0,-90,HP | -90 | must not be negative",
        "duration | 7,13,A10,20,1,1,0,1e12,HP | 1e12 | must be at most a century",
        "job_name | ,13,A10,20,1,1,0,90,HP | '' | must not be empty"
      })
  void refusesOrSkipsBadLines(String column, String line, String value, String rule) {
    String good = "8,13,A10,20,1,2,0,90,HP";

    files.assertRefused(
        "jobs.csv, line 2: %s was \"%s\", %s.".formatted(column, value, rule),
        () -> read(0, HEADER, line, good));
    FileWorkload workload = read(1, HEADER, line, good);
    assertThat(ids(workload)).containsExactly("8/0", "8/1");
    assertThat(workload.report().badLines()).isEqualTo(1);
  }

  @Test
  void reportsJobsThatRanForNoTime() {
    FileWorkload workload = read(0, HEADER, "7,13,A10,20,1,3,0,0,HP", "8,13,A10,20,1,1,0,90,Spot");

    assertThat(ids(workload)).containsExactly("8");
    assertThat(workload.report().skipped()).isEqualTo(Map.of(SpotWorkloadFormat.NO_TIME, 1L));
  }

  @Test
  void putsJobsInOrder() {
    assertThat(
            ids(
                read(
                    0,
                    HEADER,
                    "b,13,A10,20,1,2,5,90,HP",
                    "c,13,A10,20,1,1,4,90,HP",
                    "a,13,A10,20,1,1,5,90,HP")))
        .containsExactly("c", "b/0", "b/1", "a");
  }

  @Test
  void namesAMissingColumn() {
    String header = HEADER.replace("gpu_model", "GPU model");
    files.assertRefused(
        "jobs.csv, line 1: header \"GPU model\" is not a column. Maybe you meant \"gpu_model\".",
        () -> read(9, header, "7,13,A10,20,1,1,0,90,HP"));
    files.assertRefused(
        "nodes.csv, line 1: header was \"node_name,gpu_model,cpu_num\", must name the column"
            + " gpu_capacity_num.",
        () -> Readers.infrastructure(files.write("nodes.csv", "node_name,gpu_model,cpu_num", "")));
  }

  @Test
  void hostsHaveTheirModel() {
    String file =
        files.write(
            "nodes.csv",
            ",gpu_model,gpu_capacity_num,cpu_num,node_name,rack",
            "0,A10,1.0,128.0,2,x",
            "1,NaN,0,64,3,x");

    assertThat(Readers.infrastructure(file).hosts())
        .extracting(HostSpec::id, each -> each.capacity().toString(), HostSpec::attributes)
        .containsExactly(
            tuple("2", "cpu 128, gpu 1", Map.of("model", "A10")), tuple("3", "cpu 64", Map.of()));
  }
}
