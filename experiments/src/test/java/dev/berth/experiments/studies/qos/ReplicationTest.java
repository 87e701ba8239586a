package dev.berth.experiments.studies.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.experiments.figures.ClassFigures;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.input.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicationTest {

  private static final Duration UNTIL = Duration.ofSeconds(100);
  private static final List<ServiceClass> CLASSES =
      ServiceClasses.goldSilverBronze(Duration.ofSeconds(30));

  /** Requests 1 (gold, at 0 s), 2 (bronze, at 10 s) and 3 (bronze, at 20 s). */
  private static final Workload WORKLOAD =
      Workload.of(
          "three",
          CLASSES,
          List.of(request("1", "gold", 0), request("2", "bronze", 10), request("3", "bronze", 20)));

  private static final String WAITING =
      """
      1000,prod-1-aa-x,prod-1-aa
      1010,free-2-bb-x,free-2-bb
      1020,free-3-cc-x,free-3-cc
      1060,free-2-bb-y,free-2-bb
      """;

  private static final String TERMINATION =
      """
      1060,free-2-bb-x,free-2-bb,45.000000
      1105,prod-1-aa-x,prod-1-aa,103.000000
      1104,free-2-bb-y,free-2-bb,10.000000
      """;

  @TempDir private Path folder;

  private static Arrival request(String id, String serviceClass, long second) {
    return new Arrival(
        second * 1_000_000_000,
        Request.builder(id, serviceClass).demand(Resources.none()).build(),
        Duration.ofHours(2).toNanos());
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  private PublishedRun read() {
    return PublishedRun.read(folder.toString(), WORKLOAD, UNTIL);
  }

  private static ClassFigures figures(PublishedRun replication, String serviceClass) {
    return replication.classes().stream()
        .filter(each -> each.name().equals(serviceClass))
        .findFirst()
        .orElseThrow();
  }

  @Nested
  class OfKubernetes {

    @Test
    void figuresFollowFromPods() throws IOException {
      write("waiting.dat", WAITING);
      write("termination.dat", TERMINATION);
      PublishedRun replication = read();
      assertThat(replication.name()).isEqualTo(folder.getFileName().toString());
      assertThat(replication.source()).isEqualTo(PublishedRun.Source.KUBERNETES);
      assertThat(replication.preemptions()).hasValue(1);
      assertThat(replication.classes())
          .extracting(ClassFigures::name)
          .containsExactly("gold", "bronze");

      ClassFigures gold = figures(replication, "gold");
      assertThat(gold.count()).isEqualTo(1);
      assertThat(gold.only(ClassFigures.MEAN).orElseThrow()).as("1002 to 1100").isEqualTo(0.98);
      assertThat(gold.only(ClassFigures.FULFILMENT)).hasValue(0);
      assertThat(gold.only(ClassFigures.MAX_DEFICIT).orElseThrow()).isCloseTo(0.02, within(1e-12));
      ClassFigures bronze = figures(replication, "bronze");
      assertThat(bronze.count()).isEqualTo(2);
      assertThat(bronze.only(ClassFigures.MIN)).as("never ran").hasValue(0);
      assertThat(bronze.only(ClassFigures.MAX).orElseThrow())
          .as("45 s and 6 s of 90 s")
          .isEqualTo(51.0 / 90);
      assertThat(bronze.only(ClassFigures.FULFILMENT)).hasValue(0.5);
      assertThat(bronze.only(ClassFigures.MEAN_DEFICIT)).hasValue(0.5);
      assertThat(bronze.only(ClassFigures.NEVER_RAN)).hasValue(1);
      assertThat(bronze.only(ClassFigures.PREEMPTIONS)).hasValue(1);
    }

    @Test
    void readsRunningAndCompressedLogs() throws IOException {
      write("waiting.dat", WAITING);
      write("termination.dat", TERMINATION);
      PublishedRun plain = read();
      Files.delete(folder.resolve("termination.dat"));
      Files.delete(folder.resolve("waiting.dat"));
      compress("running.dat.gz", TERMINATION);
      compress("waiting.dat.gz", WAITING);
      assertThat(read()).isEqualTo(plain);
    }

    private void compress(String name, String content) throws IOException {
      try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
        out.write(content.getBytes(StandardCharsets.UTF_8));
      }
    }

    @Test
    void podsThatStartedAndDidNotTerminateRunUntilTheEnd() throws IOException {
      write("waiting.dat", WAITING);
      write("termination.dat", TERMINATION);
      write(
          "starting.dat",
          """
          1002,prod-1-aa-x,prod-1-aa,h1,2.0
          1070,free-3-cc-x,free-3-cc,h1,2.0
          """);
      assertThat(figures(read(), "bronze").only(ClassFigures.MIN).orElseThrow())
          .isEqualTo(30.0 / 80);
      assertThat(figures(read(), "gold").only(ClassFigures.MEAN).orElseThrow()).isEqualTo(0.98);
    }

    @Test
    void podsThatNeverStartedWereNotPreempted() throws IOException {
      write("waiting.dat", WAITING);
      write("termination.dat", TERMINATION);
      assertThat(read().preemptions()).as("starts are unknown").hasValue(1);
      String starts = "1002,prod-1-aa-x,prod-1-aa,h1,2.0\n1094,free-2-bb-y,free-2-bb,h1,2.0\n";
      write("starting.dat", starts);
      assertThat(read().preemptions()).hasValue(0);
      write("starting.dat", starts + "1015,free-2-bb-x,free-2-bb,h1,2.0\n");
      assertThat(read().preemptions()).hasValue(1);
    }

    @Test
    void needsNoWorkloadWithSameIds() throws IOException {
      write("waiting.dat", WAITING);
      write("termination.dat", TERMINATION);
      Workload other = Workload.of("other", CLASSES, List.of(request("gold-1", "gold", 0)));
      assertThat(PublishedRun.read(folder.toString(), other, UNTIL)).isEqualTo(read());
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "waiting|1000,prod-1-aa-x|waiting.dat, line 1: has 2 fields, must have 3:"
              + " time,pod,deployment.",
          "waiting|soon,prod-1-aa-x,prod-1-aa|waiting.dat, line 1: time was \"soon\", must be a"
              + " number of seconds",
          "waiting|1000,prod-1-aa-x,prod|waiting.dat, line 1: deployment was \"prod\", must be a"
              + " class, an id and a code",
          "waiting|1000,x,best-1-aa|must begin with a class of workload three: prod, batch, free.",
          "waiting|1000,x,free-1-aa|must be of class gold as request 1 of workload three. Maybe it"
              + " ran another workload.",
          "waiting|# nothing|waiting.dat: holds no pods.",
          "termination|1060,free-9-bb-x,free-9-bb,45|line 1: deployment was \"free-9-bb\", must be"
              + " a deployment of waiting.dat.",
          "termination|1060,free-2-bb-x,free-2-bb,-1|line 1: run time was \"-1\", must not be"
              + " negative.",
          "termination|1060,free-2-bb-x,free-2-bb,51|line 1: run time was \"51\", must not begin"
              + " before the deployment waits.",
          "termination|1060,free-2-bb-x,free-2-bb,45|holds logs of 1m, must last as long as the"
              + " runs, 1m40s. Maybe set --until 1m.",
          "starting|1060,free-2-bb-x,free-2-bb,h1,2,3|starting.dat, line 1: has 6 fields, must have"
              + " 5"
        })
    void errorsNameFileLineValueAndRule(String log, String content, String message)
        throws IOException {
      write("waiting.dat", WAITING);
      write("termination.dat", TERMINATION);
      write(log + ".dat", content + "\n");
      assertThatThrownBy(ReplicationTest.this::read)
          .isInstanceOf(InputException.class)
          .hasMessageContaining(message);
    }

    @Test
    void deploymentsThatWaitAfterTheEndDoNotCount() throws IOException {
      write("waiting.dat", WAITING);
      write("termination.dat", TERMINATION);
      PublishedRun before = read();
      write("waiting.dat", WAITING + "1100,free-4-dd-x,free-4-dd\n1101,prod-5-ee-x,prod-5-ee\n");
      write("termination.dat", TERMINATION + "1120,prod-5-ee-x,prod-5-ee,10\n");
      assertThat(read()).isEqualTo(before);
    }

    @Test
    void refusesPodsOfDeploymentThatRunTogether() throws IOException {
      write("waiting.dat", WAITING);
      write("termination.dat", TERMINATION + "1100,prod-1-aa-z,prod-1-aa,50\n");
      assertThatThrownBy(ReplicationTest.this::read)
          .isInstanceOf(InputException.class)
          .hasMessageContaining(
              "line 4: deployment was \"prod-1-aa\", must not run two pods at the same time.");
    }
  }

  @Nested
  class OfSimulator {

    private static final String ALLOCATION =
        """
        # Probe name: 'Allocation Infra Manager 1'.
        0  1 7 3.75 3.75 1 2
        10 2 7 3.75 3.75 2 2
        60 2 8 3.75 3.75 3 3
        """;

    private void writeLogs() throws IOException {
      write("Allocation_Infra_Manager_1.dat", ALLOCATION);
      write("Preemption_Infra_Manager_1.dat", "40  2 7\n");
      write(
          "Termination_Infra_Manager_1.dat",
          """
          100  1 7 3.75 3.75 100 1
          100  2 8 3.75 3.75 67 1
          """);
    }

    @Test
    void figuresFollowFromTasks() throws IOException {
      writeLogs();
      PublishedRun replication = read();
      assertThat(replication.source()).isEqualTo(PublishedRun.Source.SIMULATOR);
      assertThat(replication.placements()).hasValue(3);
      assertThat(replication.preemptions()).hasValue(1);
      assertThat(figures(replication, "gold").only(ClassFigures.MEAN))
          .as("the first start is free")
          .hasValue(1);
      ClassFigures bronze = figures(replication, "bronze");
      assertThat(bronze.only(ClassFigures.MAX).orElseThrow())
          .as("30 s and 40 s less 3 s of 90 s")
          .isEqualTo(67.0 / 90);
      assertThat(bronze.only(ClassFigures.MIN)).hasValue(0);
      assertThat(bronze.only(ClassFigures.NEVER_RAN)).hasValue(1);
    }

    @Test
    void overheadsLongerThanTheRunLeaveNoService() throws IOException {
      writeLogs();
      StringBuilder allocation = new StringBuilder(ALLOCATION.replace(" 3 3\n", " 3 3000000000\n"));
      StringBuilder preemption = new StringBuilder("40  2 7\n");
      for (int second = 61; second < 70; second++) {
        preemption.append("%s 2 8\n".formatted(second));
        allocation.append("%s 2 8 3.75 3.75 3 3000000000\n".formatted(second));
      }
      write("Allocation_Infra_Manager_1.dat", allocation.toString());
      write("Preemption_Infra_Manager_1.dat", preemption.toString());
      assertThat(figures(read(), "bronze").only(ClassFigures.MAX)).hasValue(0);
    }

    @Test
    void earlierEndIgnoresWhatFollows() throws IOException {
      writeLogs();
      PublishedRun replication =
          PublishedRun.read(folder.toString(), WORKLOAD, Duration.ofSeconds(50));
      assertThat(replication.placements()).hasValue(2);
      assertThat(figures(replication, "bronze").only(ClassFigures.MAX).orElseThrow())
          .isEqualTo(30.0 / 40);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "Allocation|0 1 7 3.75|line 1: has 4 fields, must have 7: time task host cpu ram index"
              + " overhead.",
          "Allocation|0 9 7 3.75 3.75 1 2|line 1: task was \"9\", must be a request of workload"
              + " three. Maybe name the workload",
          "Allocation|5 2 7 3.75 3.75 1 2|line 1: time was \"5\", must not be before the request is"
              + " admitted.",
          "Allocation|0 1 7 3.75 3.75 1 x|line 1: overhead was \"x\", must be a number of seconds",
          "Preemption|40 3 7|line 1: task was \"3\", must be on a host, as it leaves one.",
          "Termination|90 1 7 3.75 3.75 90 1|holds logs of 1m30s, must last as long as the runs,"
              + " 1m40s."
        })
    void errorsNameFileLineValueAndRule(String log, String content, String message)
        throws IOException {
      writeLogs();
      write(log + "_Infra_Manager_1.dat", content + "\n");
      assertThatThrownBy(ReplicationTest.this::read)
          .isInstanceOf(InputException.class)
          .hasMessageContaining(message);
    }

    @Test
    void refusesSecondPlacementOfPlacedTask() throws IOException {
      writeLogs();
      write("Allocation_Infra_Manager_1.dat", ALLOCATION + "70 1 7 3.75 3.75 1 2\n");
      assertThatThrownBy(ReplicationTest.this::read)
          .hasMessageContaining(
              "line 5: task was \"1\", must leave its host before it is placed again.");
    }
  }

  @Property(tries = 50)
  void clockAndOrderOfLinesDoNotMatter(
      @ForAll @IntRange(max = 2_000_000_000) int shift, @ForAll Random random) throws IOException {
    Path first = Files.createTempDirectory("berth-logs-");
    List<String> waiting = new ArrayList<>();
    List<String> termination = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      String name = List.of("prod", "batch", "free").get(random.nextInt(3)) + "-7" + i + "-code";
      int time = random.nextInt(20);
      for (int pod = 0; time < 100; pod++) {
        int since = time + random.nextInt(30);
        int until = since + random.nextInt(60);
        waiting.add("%s,%s-%s,%s".formatted(time, name, pod, name));
        termination.add("%s,%s-%s,%s,%s.0".formatted(until, name, pod, name, until - since));
        time = until;
      }
    }
    PublishedRun before = readShifted(first, waiting, termination, 0);
    Collections.shuffle(waiting, random);
    Collections.shuffle(termination, random);
    assertThat(readShifted(first, waiting, termination, shift).toString())
        .isEqualTo(before.toString().replace(before.name(), first.getFileName().toString()));
    Files.delete(first);
  }

  private static PublishedRun readShifted(
      Path folder, List<String> waiting, List<String> termination, int shift) throws IOException {
    Files.write(folder.resolve("waiting.dat"), shifted(waiting, shift));
    Files.write(folder.resolve("termination.dat"), shifted(termination, shift));
    try {
      PublishedRun read = PublishedRun.read(folder.toString(), WORKLOAD, Duration.ofSeconds(70));
      for (ClassFigures each : read.classes()) {
        assertThat(each.only(ClassFigures.MIN).orElseThrow())
            .isBetween(0.0, each.only(ClassFigures.MEAN).orElseThrow() + 1e-12);
        assertThat(each.only(ClassFigures.MAX).orElseThrow())
            .isBetween(each.only(ClassFigures.MEAN).orElseThrow() - 1e-12, 1.0);
      }
      return read;
    } finally {
      Files.delete(folder.resolve("waiting.dat"));
      Files.delete(folder.resolve("termination.dat"));
    }
  }

  private static List<String> shifted(List<String> lines, int shift) {
    return lines.stream()
        .map(
            each -> {
              int comma = each.indexOf(',');
              return Long.parseLong(each.substring(0, comma)) + shift + each.substring(comma);
            })
        .toList();
  }

  @Test
  void refusesFolderWithoutLogs() throws IOException {
    assertThatThrownBy(this::read)
        .isInstanceOf(InputException.class)
        .hasMessage(
            folder + ": must hold waiting.dat of Kubernetes, or Allocation_Infra_Manager_1.dat.");
    write("waiting.dat", WAITING);
    assertThatThrownBy(this::read)
        .hasMessage(folder + ": must hold termination.dat or running.dat.");
    write("termination.dat", TERMINATION);
    write("running.dat.gz", TERMINATION);
    assertThatThrownBy(this::read)
        .hasMessage(
            folder + ": holds running.dat.gz and termination.dat, must hold only one of them.");
    String missing = folder.resolve("missing").toString();
    assertThatThrownBy(() -> PublishedRun.read(missing, WORKLOAD, UNTIL))
        .hasMessage(missing + ": does not exist.");
    String file = folder.resolve("waiting.dat").toString();
    assertThatThrownBy(() -> PublishedRun.read(file, WORKLOAD, UNTIL))
        .hasMessage(file + ": is a file, must be a folder with logs.");
  }
}
