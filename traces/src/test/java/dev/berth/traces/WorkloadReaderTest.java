package dev.berth.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.input.InputException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WorkloadReaderTest {

  private static final String HEADER = "admitted,id,class,service_time,cpu,memory";
  private static final List<ServiceClass> CLASSES =
      ServiceClasses.goldSilverBronze(Duration.ofSeconds(30));

  @TempDir private Path folder;
  private TextFiles files;

  @BeforeEach
  void setUp() {
    files = new TextFiles(folder);
  }

  @Nested
  class Ours {

    @Test
    void readsAPlainFile() {
      Workload workload =
          read(
              files.write(
                  "w.csv",
                  "# two requests",
                  HEADER,
                  "0,r1,gold,7200,0.375,1.5",
                  "",
                  "0.5,r2,bronze,10m,2,0"));

      assertThat(workload.name()).isEqualTo("w.csv");
      assertThat(workload.size()).hasValue(2);
      assertThat(workload.serviceClasses())
          .extracting(ServiceClass::name)
          .containsExactly("gold", "bronze");
      List<Arrival> arrivals = arrivals(workload);
      assertThat(arrivals).extracting(Arrival::at).containsExactly(0L, 500_000_000L);
      assertThat(arrivals)
          .extracting(Arrival::serviceTime)
          .containsExactly(7_200_000_000_000L, 600_000_000_000L);
      Request first = arrivals.get(0).request();
      assertThat(first.id()).isEqualTo("r1");
      assertThat(first.serviceClass()).isEqualTo("gold");
      assertThat(first.demand())
          .isEqualTo(Resources.of(Dimension.CPU, 375_000_000, Dimension.MEMORY, 1_500_000_000));
      assertThat(first.job()).isEmpty();
      assertThat(first.antiAffinity()).isFalse();
      assertThat(first.constraints()).isEmpty();
      assertThat(arrivals.get(1).request().demand())
          .isEqualTo(Resources.of(Dimension.CPU, 2_000_000_000));
    }

    @Test
    void readsColumnsInAnyOrderAndOptionalColumns() {
      Workload workload =
          read(
              files.write(
                  "w.csv",
                  "id , gpu,memory,cpu,constraints,job,anti_affinity,class,service_time,admitted",
                  "\"r,1\",0.5,1,1,\"zone==a;rank<5\",j1,true,gold,1,0",
                  "r2,0,1,1,,j1,,gold,1,1",
                  "r3,8,1,1,,,0,gold,1,1"));

      List<Arrival> arrivals = arrivals(workload);
      Request first = arrivals.get(0).request();
      assertThat(first.id()).isEqualTo("r,1");
      assertThat(first.demand().amount(new Dimension("gpu", 1_000_000))).isEqualTo(500_000);
      assertThat(first.job()).contains("j1");
      assertThat(first.antiAffinity()).isTrue();
      assertThat(first.constraints())
          .containsExactly(new Constraint.Equal("zone", "a"), new Constraint.LessThan("rank", 5));
      assertThat(arrivals.get(1).request().antiAffinity()).isFalse();
      assertThat(arrivals.get(2).request().job()).isEmpty();
    }

    @Test
    void acceptsUserDefinedClasses() {
      ServiceClass best = ServiceClass.builder("best").build();
      String file = files.write("w.csv", HEADER, "0,r1,best,1,1,1");

      assertThat(Readers.workload(file, List.of(best)).serviceClasses()).containsExactly(best);
    }

    @Test
    void readsAFileRepeatedly() {
      Workload workload =
          read(files.gzip("w.csv.gz", HEADER, "0,r1,gold,1,1,1", "3,r2,gold,1,1,1"));

      assertThat(arrivals(workload)).hasSize(2);
      assertThat(arrivals(workload)).hasSize(2);
      try (ArrivalSource source = workload.open()) {
        source.next();
        source.next();
        assertThat(source.hasNext()).isFalse();
        assertThatThrownBy(source::next).isInstanceOf(NoSuchElementException.class);
      }
    }

    @Test
    void checksEveryLineBeforeASimulation() {
      assertRefused(
          "line 3: cpu was \"-1\", must not be negative.", "0,r1,gold,1,1,1", "0,r2,gold,1,-1,1");
    }

    @Test
    void refusesInvalidFields() {
      assertRefused("line 2: admitted was \"-1\", must not be negative.", "-1,r1,gold,1,1,1");
      assertRefused("line 2: id was \"\", must not be empty.", "0,,gold,1,1,1");
      assertRefused(
          "line 2: class was \"Gold\", must be one of gold, silver, bronze.", "0,r1,Gold,1,1,1");
      assertRefused("line 2: service_time was \"0\", must be longer than 0 s.", "0,r1,gold,0,1,1");
      assertRefused(
          "line 2: cpu \"1e999999999\" is too large or has too many decimals.",
          "0,r1,gold,1,1e999999999,1");
      assertRefused("line 2: memory was \"\", must be a number.", "0,r1,gold,1,1,");
    }

    @Test
    void refusesTruncatedLines() {
      assertRefused(
          "line 3: has 4 fields, must have 6: " + HEADER + ".", "0,r1,gold,1,1,1", "0,r2,gold,1");
      assertRefused("line 2: has 7 fields, must have 6: " + HEADER + ".", "0,r1,gold,1,1,1,1");
      assertRefused(
          "line 2: has a quoted field that does not end. Maybe a \" is missing or one too many.",
          "0,\"r1,gold,1,1,1");
    }

    @Test
    void refusesRequestsOutOfOrder() {
      assertRefused(
          "line 4: admitted was \"59.5\", must not be before the time of an earlier line, 1m; lines"
              + " must be in order of time.",
          "1,r1,gold,1,1,1",
          "1m,r2,gold,1,1,1",
          "59.5,r3,gold,1,1,1");
    }

    @Test
    void refusesDuplicateIds() {
      assertRefused(
          "line 4: id was \"r1\", must be unique, line 2 has the same.",
          "0,r1,gold,1,1,1",
          "1,r2,gold,1,1,1",
          "2,r1,gold,1,1,1");
    }

    @Test
    void acceptsManyUniqueIds() {
      String[] lines =
          IntStream.rangeClosed(0, 5000)
              .mapToObj(i -> i == 0 ? HEADER : i + ",r" + i + ",gold,1,1,1")
              .toArray(String[]::new);

      assertThat(read(files.write("w.csv", lines)).size()).hasValue(5000);
    }

    @Test
    void antiAffinityRequiresAJob() {
      String file =
          files.write(
              "w.csv", HEADER + ",job,anti_affinity", "0,r1,gold,1,1,1,j,1", "0,r2,gold,1,1,1,,1");

      files.assertRefused(
          "w.csv, line 3: anti_affinity was \"1\", requires a job, whose instances it keeps on different hosts.",
          () -> read(file));
    }

    @Test
    void refusesInvalidHeaders() {
      assertHeaderRefused("id,class,cpu,memory,service_time", "must name the column admitted");
      assertHeaderRefused(HEADER + ",cpu", "must not name a column twice");
      assertHeaderRefused(HEADER + ",Anti-Affinity", "is not a column");
      assertHeaderRefused(HEADER + ",constraint", "is not a column");
      assertHeaderRefused(HEADER + ",", "must not be empty");
    }

    @Test
    void refusesEmptyFiles() {
      String empty = files.write("w.csv", "");
      files.assertRefused("w.csv: holds nothing.", () -> read(empty));
      String header = files.write("h.csv", HEADER);
      files.assertRefused("h.csv: holds no request.", () -> read(header));
    }

    private void assertRefused(String message, String... rows) {
      String[] lines = new String[rows.length + 1];
      lines[0] = HEADER;
      System.arraycopy(rows, 0, lines, 1, rows.length);
      String file = files.write("w.csv", lines);
      files.assertRefused("w.csv, " + message, () -> read(file));
    }

    private void assertHeaderRefused(String header, String rule) {
      String file = files.write("w.csv", header, "0,r1,gold,1,1,1");
      assertThatThrownBy(() -> read(file))
          .isInstanceOfSatisfying(
              InputException.class,
              error -> {
                assertThat(error.line()).hasValue(1);
                assertThat(error.field()).contains("header");
                assertThat(error.rule()).isEqualTo(rule);
              });
    }
  }

  @Nested
  class QosSimulation {

    @Test
    void readsAPlainFile() {
      Workload workload =
          read(
              files.write(
                  "w.csv",
                  "% comment",
                  "{0,251,9,7200,0.375,0.5,1,0,[]}.",
                  "{1,2,9,7200.5,0.375,0.375,11,1,[{\"zone\",\"==\",\"a\"},{\"rank\",'>',2}]}.",
                  "{1,3,8,7200,1,0.375,2,0,[]}."));

      assertThat(workload.serviceClasses())
          .extracting(ServiceClass::name)
          .containsExactly("gold", "silver", "bronze");
      List<Arrival> arrivals = arrivals(workload);
      assertThat(arrivals)
          .extracting(each -> each.request().id() + " " + each.request().serviceClass())
          .containsExactly("251 bronze", "2 gold", "3 silver");
      assertThat(arrivals.get(0).request().demand())
          .isEqualTo(Resources.of(Dimension.CPU, 375_000_000, Dimension.MEMORY, 500_000_000));
      assertThat(arrivals.get(0).request().job()).contains("9");
      assertThat(arrivals.get(1).at()).isEqualTo(1_000_000_000L);
      assertThat(arrivals.get(1).serviceTime()).isEqualTo(7_200_500_000_000L);
      assertThat(arrivals.get(1).request().antiAffinity()).isTrue();
      assertThat(arrivals.get(1).request().constraints())
          .containsExactly(
              new Constraint.Equal("zone", "a"), new Constraint.GreaterThan("rank", 2));
    }

    @Test
    void prefixesTheJobToTaskIdsThatJobsShare() {
      Workload workload =
          read(
              files.write(
                  "w.csv",
                  "{0,1,a,7200,0.375,0.5,1,0,[]}.",
                  "{0,2,a,7200,0.375,0.5,1,0,[]}.",
                  "{1,1,b,7200,0.375,0.375,11,0,[]}."));

      assertThat(arrivals(workload))
          .extracting(each -> each.request().id())
          .containsExactly("a/1", "a/2", "b/1");
      assertThat(workload.size()).hasValue(3);
    }

    @Test
    void refusesADuplicateTaskOfAJob() {
      assertRefused(
          "line 2: id was \"a/1\", must be unique, line 1 has the same.",
          "{0,1,a,7200,0.375,0.5,1,0,[]}.",
          "{1,1,a,7200,0.375,0.375,11,0,[]}.");
    }

    @Test
    void refusesInvalidEvents() {
      assertRefused(
          "line 1: has 8 fields, must have 9: admission, task id, job id, duration, cpu, ram,"
              + " priority, anti-affinity, constraints.",
          "{0,1,1,7200,0.375,0.5,1,0}.");
      assertRefused(
          "line 1: ends in the middle of a term, must end in \"}.\". Maybe it was cut off.",
          "{0,1,1,7200,0.375,0.5,1,0,[]");
      assertRefused(
          "line 1: priority was \"12\", must be a whole number from 0 to 11.",
          "{0,1,1,7200,0.375,0.5,12,0,[]}.");
      assertRefused(
          "line 1: anti-affinity was \"2\", must be true or false (or 1 or 0).",
          "{0,1,1,7200,0.375,0.5,1,2,[]}.");
      assertRefused(
          "line 1: constraints was \"none\", must be a list, [...].",
          "{0,1,1,7200,0.375,0.5,1,0,none}.");
      assertRefused(
          "line 1: constraints was \"{zone,a}\", must be a constraint like"
              + " {\"attribute\",\"==\",\"value\"}.",
          "{0,1,1,7200,0.375,0.5,1,0,[{\"zone\",\"a\"}]}.");
      assertRefused(
          "line 1: cpu was \"[]\", must be a single value.", "{0,1,1,7200,[],0.5,1,0,[]}.");
    }

    @Test
    void refusesAPriorityWithoutItsClass() {
      String file = files.write("w.csv", "{0,1,1,7200,0.375,0.5,5,0,[]}.");

      files.assertRefused(
          "w.csv, line 1: priority was \"5\", means class silver, which is not one of gold.",
          () -> Readers.workload("qos-simulation:" + file, CLASSES.subList(0, 1)));
    }

    private void assertRefused(String message, String... lines) {
      String file = files.write("w.csv", lines);
      files.assertRefused("w.csv, " + message, () -> read("qos-simulation:" + file));
    }
  }

  @Nested
  class QosExperiment {

    @Test
    void readsAPlainFile() {
      List<Arrival> arrivals =
          arrivals(
              read(
                  files.write(
                      "w.csv",
                      "0,251,251,any,0,1,7200,-1,0.375,0.5,free,0.5",
                      "1,2,2,any,1,11,7200,-1,0.375,0.375,prod,1",
                      "2,97,97,any,0,7,7200,-1,0.375,0.375,batch,0.9")));

      assertThat(arrivals)
          .extracting(each -> each.request().id() + " " + each.request().serviceClass())
          .containsExactly("251 bronze", "2 gold", "97 silver");
      assertThat(arrivals.get(0).request().demand())
          .isEqualTo(Resources.of(Dimension.CPU, 375_000_000, Dimension.MEMORY, 500_000_000));
      assertThat(arrivals.get(1).request().antiAffinity()).isTrue();
      assertThat(arrivals.get(2).at()).isEqualTo(2_000_000_000L);
    }

    @Test
    void refusesAnObjectiveThatDiffersFromTheClass() {
      String file = files.write("w.csv", "2,97,97,any,0,7,7200,-1,0.375,0.375,batch,0.95");

      files.assertRefused(
          "w.csv, line 1: slo was \"0.95\", must be the objective of class silver, 0.9.",
          () -> read("qos-experiment:" + file));
    }
  }

  @Nested
  class Formats {

    @Test
    void prefixSelectsTheFormat() {
      String file = files.write("w.csv", HEADER, "0,r1,gold,1,1,1");

      assertThat(read("csv:" + file).size()).hasValue(1);
      files.assertRefused(
          "w.csv, line 1: is not an Erlang term: \",\" is unexpected at character 9.",
          () -> read("qos-simulation:" + file));
      assertThatThrownBy(() -> read("qos-experiment:" + file))
          .isInstanceOf(InputException.class)
          .hasMessageContaining("line 1: has 6 fields, must have 12: ");
    }

    @Test
    void listsFormatsForAnUnknownFormat() {
      assertThatThrownBy(() -> read("other:" + files.write("w.csv", HEADER)))
          .isInstanceOf(InputException.class)
          .hasMessageEndingWith(
              "does not exist. Maybe you meant one of the formats alibaba-openb,"
                  + " alibaba-spot-2026, bitbrains, borg-simulator, csv, google-2011, jsonl, kubectl, qos-experiment, qos-simulation, sacct, swf"
                  + " in front of the colon.");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // no such names there
    void acceptsAColonInAPath() {
      assertThat(read(files.write("a:b.csv", HEADER, "0,r1,gold,1,1,1")).name())
          .isEqualTo("a:b.csv");
    }

    @Test
    void reportsAMissingFile() {
      files.assertRefused(
          "none.csv: does not exist.", () -> read(folder.resolve("none.csv").toString()));
      assertThatThrownBy(() -> read("a\u0000b"))
          .isInstanceOf(InputException.class)
          .hasMessageStartingWith("a\\u0000b: is not a path");
    }
  }

  private static Workload read(String location) {
    return Readers.workload(location, CLASSES);
  }

  private static List<Arrival> arrivals(Workload workload) {
    List<Arrival> arrivals = new ArrayList<>();
    try (ArrivalSource source = workload.open()) {
      source.forEachRemaining(arrivals::add);
    }
    return arrivals;
  }
}
