package dev.berth.traces.format.sacct;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SacctTest {

  private static final List<ServiceClass> CLASSES = ServiceClasses.goldSilverBronze(Duration.ZERO);
  private static final String HEADER = "JobID|QOS|Submit|Elapsed|State|NNodes|AllocCPUS|ReqMem";

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  private FileWorkload read(int skipBad, String... lines) {
    return Readers.workload(files.write("jobs.txt", lines), CLASSES, new ReadOptions(skipBad));
  }

  private static List<Arrival> arrivals(FileWorkload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }

  private static List<String> requests(FileWorkload workload) {
    return arrivals(workload).stream().map(each -> each.request().toString()).toList();
  }

  /** Returns the only request of a file with one row, whose columns follow the usual ones. */
  private Arrival only(String columns, String values) {
    List<Arrival> arrivals =
        arrivals(read(0, "JobID|Submit|" + columns, "7|2026-03-01T12:00:00|" + values));
    assertThat(arrivals).hasSize(1);
    return arrivals.get(0);
  }

  @Test
  void aJobIsARequestOnEachOfItsNodes() {
    List<Arrival> arrivals =
        arrivals(
            read(
                0,
                HEADER,
                "7|normal|2026-03-01T12:00:00|00:10:00|COMPLETED|1|4|8G",
                "8|normal|2026-03-01T12:00:05|1-02:03:04|TIMEOUT|3|8|10K"));

    assertThat(arrivals)
        .extracting(each -> each.at() + " " + each.request() + " " + each.serviceTime())
        .containsExactly(
            "0 request 7 (silver, cpu 4, memory 8.589934592, job 7, labels {qos=normal})"
                + " 600000000000",
            "5000000000 request 8/0 (silver, cpu 3, memory 0.000003414, job 8, labels {qos=normal})"
                + " 93784000000000",
            "5000000000 request 8/1 (silver, cpu 3, memory 0.000003413, job 8, labels {qos=normal})"
                + " 93784000000000",
            "5000000000 request 8/2 (silver, cpu 2, memory 0.000003413, job 8, labels {qos=normal})"
                + " 93784000000000");
    Arrival.InGroup group = new Arrival.InGroup("8", OptionalInt.empty(), OnLoss.RELEASE);
    assertThat(arrivals.get(0).group()).isEmpty();
    assertThat(arrivals.subList(1, 4)).allMatch(each -> each.group().orElseThrow().equals(group));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Elapsed|NCPUS|ReqMem; 00:00:09|4|4000M; cpu 4, memory 4.194304",
        "Elapsed|NCPUS|ReqMem|NNodes; 00:00:09|4|4Gn|1; cpu 4, memory 4.294967296",
        "Elapsed|NCPUS|ReqMem; 00:00:09|4|2Gc; cpu 4, memory 8.589934592",
        "Elapsed|NCPUS|ReqMem; 00:00:09|4|0n; cpu 4",
        "Elapsed|NCPUS|ReqMem; 00:00:09|4|1.5G; cpu 4, memory 1.610612736",
        "Elapsed|NCPUS|ReqMem; 00:00:09|4|100; cpu 4, memory 0.1048576",
        "Elapsed|ReqCPUS|AllocCPUS; 00:00:09|2|4; cpu 4",
        "Elapsed|ReqCPUS|AllocCPUS; 00:00:09|2|0; cpu 2",
        "Elapsed|AllocCPUS; 00:00:09|1K; cpu 1024",
        "Elapsed|AllocTRES; 00:00:09|billing=4,cpu=4,gres/gpu=1,mem=16G,node=1;"
            + " cpu 4, gpu 1, memory 17.179869184",
        "Elapsed|AllocTRES; 00:00:09|cpu=4,gres/gpu:a100=2,gres/gpu=2; cpu 4, gpu 2",
        "Elapsed|AllocTRES; 00:00:09|cpu=4,gres/gpu:a100=2,gres/gpu:h100=1; cpu 4, gpu 3",
        "Elapsed|AllocTRES|ReqTRES; 00:00:09||cpu=2,gres/gpu=1,mem=1M; cpu 2, gpu 1, memory 0.001048576",
        "Elapsed|AllocTRES|ReqMem; 00:00:09|cpu=4,mem=1M|9G; cpu 4, memory 0.001048576"
      })
  void findsCoresMemoryAndGpus(String columns, String values, String demand) {
    assertThat(only(columns, values).request().demand()).hasToString(demand);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "NCPUS|Elapsed; 1|00:01:30; 90",
        "NCPUS|Elapsed|ElapsedRaw; 1|00:01:30|91; 91",
        "NCPUS|Start|End; 1|2026-03-01T12:00:10|2026-03-02T12:00:00; 86390",
        "NCPUS|Elapsed|Start|End; 1|00:01:30|2026-03-01T12:00:10|2026-03-02T12:00:00; 90"
      })
  void findsTheRunTime(String columns, String values, long seconds) {
    assertThat(only(columns, values).serviceTime())
        .isEqualTo(Duration.ofSeconds(seconds).toNanos());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Timelimit; 01:00:00; 3600",
        "Timelimit; 2-00:00:00; 172800",
        "TimelimitRaw; 90; 5400",
        "Timelimit; UNLIMITED; 0",
        "Timelimit; Partition_Limit; 0",
        "TimelimitRaw; UNLIMITED; 0",
        "Timelimit; ''; 0"
      })
  void theTimeLimitIsTheEstimate(String column, String value, long seconds) {
    assertThat(
            only("NCPUS|Elapsed|" + column + "|Note", "1|00:01:30|" + value + "|x")
                .request()
                .estimatedRunTime()
                .orElse(0))
        .isEqualTo(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void describesAJob() {
    assertThat(
            only(
                    "NCPUS|Elapsed|JobName|User|Account|Partition|QOS|",
                    "1|00:01:30|say \"hi\", please|ana|phys|gpu|normal|")
                .request()
                .toString())
        .isEqualTo(
            "request 7 (silver, cpu 1, job 7, runs say \"hi\", please, user ana, labels"
                + " {account=phys, partition=gpu, qos=normal})");
  }

  @Test
  void admitsAJobWhenItIsEligible() {
    List<Arrival> arrivals =
        arrivals(
            read(
                0,
                "JobIDRaw|Submit|Eligible|Elapsed|NCPUS",
                "2|2026-03-01T12:00:00|2026-03-01T12:30:00|00:00:09|1",
                "3|2026-03-01T12:00:10|Unknown|00:00:09|1",
                "1|2026-03-01T12:00:00|2026-03-01T11:00:00|00:00:09|1"));

    assertThat(arrivals)
        .extracting(each -> each.request().id() + " " + each.at() / 1_000_000_000)
        .containsExactly("1 0", "3 10", "2 1800");
  }

  @Test
  void reportsWhatIsNoRequest() {
    String submit = "|normal|2026-03-01T12:00:00|";
    FileWorkload workload =
        read(
            0,
            HEADER,
            "1" + submit + "00:10:00|COMPLETED|1|4|8G",
            "1.batch" + submit + "00:10:00|COMPLETED|1|4|",
            "1.extern" + submit + "00:10:00|COMPLETED|1|4|",
            "1.0" + submit + "00:10:00|COMPLETED|1|4|",
            "2" + submit + "00:00:00|CANCELLED by 1000|1|4|8G",
            "3" + submit + "00:10:00|CANCELLED by 1000|1|4|8G",
            "4" + submit + "00:10:00|RUNNING|1|4|8G",
            "5_[1-10%2]" + submit + "00:00:00|PENDING|1|0|8G",
            "5_11" + submit + "00:00:01|OUT_OF_MEMORY|1|4|8G",
            "6" + submit + "00:00:01|REQUEUED|1|4|8G",
            "7" + submit + "00:00:01|FAILED|1|0|8G",
            "8|normal|Unknown|00:00:01|FAILED|1|1|8G");

    assertThat(arrivals(workload))
        .extracting(each -> each.request().id())
        .containsExactly("1", "3", "5_11");
    assertThat(workload.report().skipped())
        .isEqualTo(
            Map.of(
                SacctWorkloadFormat.STEP,
                3L,
                SacctWorkloadFormat.DID_NOT_RUN,
                2L,
                SacctWorkloadFormat.NOT_ENDED,
                2L,
                SacctWorkloadFormat.NO_CORES,
                1L,
                SacctWorkloadFormat.NO_SUBMIT_TIME,
                1L));
  }

  @Test
  void aJobWithoutAnEndStillRuns() {
    FileWorkload workload =
        read(
            0,
            "JobID|Submit|Start|End|Elapsed|NCPUS",
            "1|2026-03-01T12:00:00|2026-03-01T12:00:00|Unknown|00:10:00|1",
            "2|2026-03-01T12:00:00|Unknown|Unknown|00:00:00|1",
            "3|2026-03-01T12:00:00|2026-03-01T12:00:00|2026-03-01T12:10:00|00:10:00|1");

    assertThat(requests(workload)).containsExactly("request 3 (silver, cpu 1, job 3)");
    assertThat(workload.report().skipped())
        .isEqualTo(Map.of(SacctWorkloadFormat.DID_NOT_RUN, 1L, SacctWorkloadFormat.NOT_ENDED, 1L));
  }

  @ParameterizedTest
  @CsvSource({
    "normal, silver",
    "'', silver",
    "High-Mem, gold",
    "urgent, gold",
    "prio_2, gold",
    "low, bronze",
    "lowprio, bronze",
    "Scavenger, bronze",
    "preemptible, bronze",
    "spot, bronze",
    "idle, bronze",
    "gold, gold"
  })
  void theClassFollowsFromTheQos(String qos, String serviceClass) {
    assertThat(only("NCPUS|Elapsed|QOS|Note", "1|00:00:09|" + qos + "|x").request().serviceClass())
        .isEqualTo(serviceClass);
  }

  @Test
  void aClassWithTheNameOfAQosPartitionAccountOrUserHasItsJobs() {
    List<ServiceClass> classes =
        Stream.of("long", "gpu", "phys", "ana", "silver")
            .map(each -> ServiceClass.builder(each).build())
            .toList();
    String file =
        files.write(
            "jobs.txt",
            "JobID|User|Account|Partition|QOS|Submit|Elapsed|NCPUS",
            "1|ana|phys|gpu|long|2026-03-01T12:00:00|00:00:09|1",
            "2|ana|phys|gpu|x|2026-03-01T12:00:00|00:00:09|1",
            "3|ana|phys|x|x|2026-03-01T12:00:00|00:00:09|1",
            "4|ana|x|x|x|2026-03-01T12:00:00|00:00:09|1",
            "5|x|x|x|x|2026-03-01T12:00:00|00:00:09|1");

    assertThat(arrivals(Readers.workload(file, classes)))
        .extracting(each -> each.request().serviceClass())
        .containsExactly("long", "gpu", "phys", "ana", "silver");
    files.assertRefused(
        "jobs.txt, line 2: QOS was \"long\", means class silver, which is not one of other.",
        () -> Readers.workload(file, List.of(ServiceClass.builder("other").build())));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Submit; 7|x|2026-03-01 12:00|00:01:00|FAILED|1|4|8G; 2026-03-01 12:00;"
            + " must be a time such as 2026-03-01T12:34:56",
        "Submit; 7|x|1926-03-01T12:00:00|00:01:00|FAILED|1|4|8G; 1926-03-01T12:00:00;"
            + " must be a time of this century",
        "Elapsed; 7|x|2026-03-01T12:00:00|1:0|FAILED|1|4|8G; 1:0;"
            + " must be a duration such as 02:30:00 or 1-12:00:00",
        "State; 7|x|2026-03-01T12:00:00|00:01:00|DONE|1|4|8G; DONE;"
            + " must be a state of a job, such as COMPLETED",
        "NNodes; 7|x|2026-03-01T12:00:00|00:01:00|FAILED|1n|4|8G; 1n; must be a number such as 4",
        "NNodes; 7|x|2026-03-01T12:00:00|00:01:00|FAILED|10001|4|8G; 10001; must be at most 10000",
        "AllocCPUS; 7|x|2026-03-01T12:00:00|00:01:00|FAILED|1|-4|8G; -4; must be a number such as 4",
        "AllocCPUS; 7|x|2026-03-01T12:00:00|00:01:00|FAILED|1|1G|8G; 1G; must be at most 100000000",
        "ReqMem; 7|x|2026-03-01T12:00:00|00:01:00|FAILED|1|4|8GB; 8GB;"
            + " must be an amount such as 16G, 4Gn or 2000Mc",
        "ReqMem; 7|x|2026-03-01T12:00:00|00:01:00|FAILED|1|4|9E; 9E; is too large to count"
      })
  void refusesOrSkipsBadLines(String column, String line, String value, String rule) {
    String good = "8|x|2026-03-01T12:00:00|00:10:00|COMPLETED|1|4|8G";
    String was = rule.startsWith("is ") ? "%s \"%s\" %s" : "%s was \"%s\", %s";

    files.assertRefused(
        "jobs.txt, line 2: " + was.formatted(column, value, rule) + ".",
        () -> read(0, HEADER, line, good));
    FileWorkload workload = read(1, HEADER, line, good);
    assertThat(arrivals(workload)).hasSize(1);
    assertThat(workload.report().badLines()).isEqualTo(1);
  }

  @Test
  void refusesAnEndBeforeTheStart() {
    files.assertRefused(
        "jobs.txt, line 2: End was \"2026-03-01T11:00:00\", must not be before Start,"
            + " 2026-03-01T12:00:00.",
        () ->
            read(
                0,
                "JobID|Submit|Start|End|NCPUS",
                "7|2026-03-01T12:00:00|2026-03-01T12:00:00|2026-03-01T11:00:00|1"));
  }

  @Test
  void refusesANameWithTheSeparator() {
    files.assertRefused(
        "jobs.txt, line 2: has 6 fields, must have 5: JobID,JobName,Submit,Elapsed,NCPUS.",
        () ->
            read(0, "JobID|JobName|Submit|Elapsed|NCPUS", "7|a|b|2026-03-01T12:00:00|00:00:09|1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "JobName|Submit|Elapsed|NCPUS|JobId; header \"JobId\" is not a column. Maybe you meant \"JobID\".",
        "JobID|Elapsed|NCPUS; header was \"JobID|Elapsed|NCPUS\", must name the column Submit.",
        "JobID|Submit|NCPUS|Start; must name a column of the run time: Elapsed, ElapsedRaw, or both"
            + " Start and End.",
        "JobID|Submit|Elapsed; must name a column of the number of cores: AllocCPUS, NCPUS,"
            + " AllocTRES, ReqCPUS, ReqTRES."
      })
  void namesWhatAHeaderLacks(String header, String message) {
    String file = files.write("jobs.txt", header, "x");
    files.assertRefused(
        "jobs.txt, line 1: " + message, () -> Readers.workload("sacct:" + file, CLASSES));
  }

  /** Fields of {@code sacct --helpformat} of several versions of Slurm. */
  @ValueSource(
      strings =
          "Account|AdminComment|AllocCPUS|AllocGRES|AllocNodes|AllocTRES|AssocID|AveCPU|AveCPUFreq|"
              + "AveDiskRead|AveDiskWrite|AvePages|AveRSS|AveVMSize|BlockID|Cluster|Comment|"
              + "Constraints|ConsumedEnergy|ConsumedEnergyRaw|Container|CPUTime|CPUTimeRAW|DBIndex|"
              + "DerivedExitCode|Elapsed|ElapsedRaw|Eligible|End|ExitCode|Extra|FailedNode|Flags|"
              + "GID|Group|JobID|JobIDRaw|JobName|Layout|Licenses|MaxDiskRead|MaxDiskReadNode|"
              + "MaxDiskReadTask|MaxDiskWrite|MaxDiskWriteNode|MaxDiskWriteTask|MaxPages|"
              + "MaxPagesNode|MaxPagesTask|MaxRSS|MaxRSSNode|MaxRSSTask|MaxVMSize|MaxVMSizeNode|"
              + "MaxVMSizeTask|McsLabel|MinCPU|MinCPUNode|MinCPUTask|NCPUS|NNodes|NodeList|NTasks|"
              + "Partition|Planned|PlannedCPU|PlannedCPURAW|Priority|QOS|QOSRAW|QOSREQ|Reason|"
              + "ReqCPUFreq|ReqCPUFreqGov|ReqCPUFreqMax|ReqCPUFreqMin|ReqCPUS|ReqGRES|ReqMem|ReqNodes|"
              + "ReqTRES|Reservation|ReservationId|Reserved|Restarts|ResvCPU|ResvCPURAW|SLUID|"
              + "Start|State|StdErr|StdIn|StdOut|Submit|SubmitLine|Suspended|SystemComment|"
              + "SystemCPU|Timelimit|TimelimitRaw|TotalCPU|TRESUsageInAve|TRESUsageInMax|"
              + "TRESUsageInMaxNode|TRESUsageInMaxTask|TRESUsageInMin|TRESUsageInTot|"
              + "TRESUsageOutAve|TRESUsageOutTot|UID|User|UserCPU|WCKey|WCKeyID|WorkDir")
  @ParameterizedTest
  void readsAllColumns(String header) {
    Map<String, String> values =
        Map.of("JobID", "7", "Submit", "2026-03-01T12:00:00", "ElapsedRaw", "9", "NCPUS", "4");
    String row =
        Stream.of(header.split("\\|", -1))
            .map(each -> values.getOrDefault(each, ""))
            .reduce((all, each) -> all + "|" + each)
            .orElseThrow();

    assertThat(requests(read(0, header, row))).containsExactly("request 7 (silver, cpu 4, job 7)");
  }

  @Test
  void refusesAListThatIsOutOfOrderBeyondTheWindow() {
    List<String> lines = new ArrayList<>(List.of("JobID|Elapsed|NCPUS|Submit"));
    for (int i = 0; i <= 100_000; i++) {
      lines.add(i + "|00:00:09|1|2026-03-02T12:00:00");
    }
    lines.add("late|00:00:09|1|2026-03-01T12:00:00");

    files.assertRefused(
        "jobs.txt, line 100003: Submit was \"2026-03-01T12:00:00\", must not be before"
            + " 2026-03-02T12:00:00, which is more than 100000 lines before. Maybe sort the lines"
            + " below the header with sort -t'|' -k4,4.",
        () -> read(0, lines.toArray(String[]::new)));
  }
}
