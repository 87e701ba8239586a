package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.Readers;
import dev.berth.traces.Writers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What files say about placement acts in a simulation by the command, and explanations name it: in
 * {@code csv}, and in {@code jsonl} that is written from it.
 */
class PlacementFilesTest {

  private static final String REQUESTS = "admitted,id,class,service_time,cpu,memory";

  /** A folder with a workload, hosts and events. */
  private record Run(String format, Path folder) {

    Run requests(String columns, String... rows) throws IOException {
      Path csv = csv("requests", REQUESTS + columns, rows);
      if (format.equals("jsonl")) {
        StringBuilder text = new StringBuilder();
        Writers.workload(
            Readers.workload(
                csv.toString(), ServiceClasses.goldSilverBronze(Duration.ofSeconds(30))),
            format,
            text);
        Files.writeString(csv, text);
      }
      return this;
    }

    Run hosts(String columns, String... rows) throws IOException {
      Path csv = csv("hosts", "id,cpu,memory" + columns, rows);
      if (format.equals("jsonl")) {
        StringBuilder text = new StringBuilder();
        Writers.infrastructure(Readers.infrastructure(csv.toString()), format, text);
        Files.writeString(csv, text);
      }
      return this;
    }

    Run events(String... rows) throws IOException {
      Path csv = csv("events", "time,host,event,value", rows);
      if (format.equals("jsonl")) {
        StringBuilder text = new StringBuilder();
        Writers.hostEvents(Readers.hostEvents(csv.toString()), format, text);
        Files.writeString(csv, text);
      }
      return this;
    }

    private Path csv(String name, String header, String... rows) throws IOException {
      return Files.writeString(
          folder.resolve(name), header + "\n" + String.join("\n", rows) + "\n");
    }

    private String[] arguments(String... more) {
      List<String> arguments = new ArrayList<>(Arrays.asList(more));
      arguments.addAll(
          List.of(
              "--workload",
              folder.resolve("requests").toString(),
              "--infrastructure",
              folder.resolve("hosts").toString()));
      if (Files.exists(folder.resolve("events"))) {
        arguments.addAll(List.of("--events", folder.resolve("events").toString()));
      }
      return arguments.toArray(String[]::new);
    }

    /** Returns the explanation in one line. */
    String explain(String instance, String at) {
      return explain(instance, at, "priority");
    }

    String explain(String instance, String at, String policy) {
      Cli.Result result =
          Cli.run(
              arguments("explain", instance, "--at", at, "--policy", policy, "--overheads", "0s"));
      assertThat(result.exitCode()).as(result.err()).isZero();
      return result.out().replaceAll("\\s+", " ");
    }

    String host(String instance, String at) {
      String text = explain(instance, at);
      assertThat(text).contains("running on h");
      int from = text.indexOf("running on ") + "running on ".length();
      return text.substring(from, text.indexOf(' ', from));
    }

    JsonNode compare(String... more) throws IOException {
      List<String> all = new ArrayList<>(List.of("compare", "--json", "-"));
      all.addAll(Arrays.asList(more));
      Cli.Result result = Cli.run(arguments(all.toArray(String[]::new)));
      assertThat(result.exitCode()).as(result.err()).isZero();
      return new ObjectMapper().readTree(result.out());
    }
  }

  @Nested
  @ParameterizedClass
  @ValueSource(strings = {"csv", "jsonl"})
  class InEachFormat {

    @TempDir private Path folder;
    @Parameter private String format = "";

    private Run run() {
      return new Run(format, folder);
    }

    @Test
    void limitsOverTime() throws IOException {
      Run run =
          run()
              .requests(
                  ",limits",
                  "0,a,gold,1h,1,1,1 matlab",
                  "1,b,gold,1h,1,1,1 matlab",
                  "2,c,gold,1h,1,1,")
              .hosts("", "h1,4,4")
              .events("0,,limit,1 matlab", "60,,limit,2 matlab");

      assertThat(run.explain("b", "30s"))
          .contains("why it waits 0 of 1 hosts: 1 waiting for 1 more of matlab");
      assertThat(run.explain("b", "70s")).contains("running on h1 since 1m,");
      assertThat(run.explain("c", "30s")).contains("running on h1 since 2s,");
      assertThat(run.compare().has("notes")).isFalse();
    }

    @Test
    void limitsOfEachHost() throws IOException {
      Run run =
          run()
              .requests(
                  ",limits",
                  "0,a,gold,1h,3,1,1 maple per host",
                  "1,b,gold,1h,1,1,1 maple per host",
                  "2,c,gold,1h,1,1,1 maple per host")
              .hosts("", "h1,4,4", "h2,2,4")
              .events("0,,limit,1 maple");

      assertThat(run.host("a", "30s")).isEqualTo("h1");
      assertThat(run.host("b", "30s")).isEqualTo("h1"); // which has the licence already
      assertThat(run.explain("c", "30s"))
          .contains("0 of 2 hosts:", "1 full (cpu short by 1)", "1 waiting for 1 more of maple");
    }

    @Test
    void limitsThatAreNeverSet() throws IOException {
      Run run =
          run()
              .requests(",limits", "0,a,gold,1h,1,1,1 matlab", "0,b,gold,1h,1,1,1 maple")
              .hosts("", "h1,4,4")
              .events("0,,limit,1 maple");

      assertThat(run.explain("a", "30s")).contains("waiting for 1 more of matlab");
      assertThat(run.compare("--policies", "priority").at("/notes"))
          .extracting(JsonNode::textValue)
          .containsExactly(
              "1 requests use the limit matlab and wait for ever: it is 0, since no line of"
                  + " --events sets it.");
    }

    @Test
    void taintsAndTolerations() throws IOException {
      Run run =
          run()
              .requests(
                  ",tolerations", "0,plain,gold,1h,1,1,", "0,tolerant,gold,1h,1,1,gpu=a:no-new")
              .hosts(",taints", "h1,4,4,gpu=a:no-new");

      assertThat(run.explain("plain", "30s"))
          .contains("0 of 1 hosts: 1 with the taint gpu=a (no new)");
      assertThat(run.explain("tolerant", "30s")).contains("running on h1");
    }

    @Test
    void taintsOverTime() throws IOException {
      Run run =
          run()
              .requests(",tolerations", "0,a,gold,1h,1,1,", "0,b,gold,1h,1,1,disk for 2m")
              .hosts("", "h1,4,4")
              .events("60,h1,taints,disk=bad:leave after 30s", "10m,h1,taints,");

      assertThat(run.explain("a", "80s")).contains("running on h1");
      assertThat(run.explain("a", "100s"))
          .contains(
              "pending since 1m30s",
              "0 of 1 hosts: 1 with the taint disk=bad (leave)",
              "last other action on it evict a from h1");
      assertThat(run.explain("b", "170s")).contains("running on h1");
      assertThat(run.explain("b", "190s")).contains("last other action on it evict b from h1");
      assertThat(run.explain("a", "11m")).contains("running on h1 since 10m,");
    }

    @Test
    void recoveredHostsHaveTheirLatestTaints() throws IOException {
      Run run =
          run()
              .requests("", "0,a,gold,1h,1,1")
              .hosts("", "h1,4,4")
              .events("60,h1,fails,", "70,h1,taints,disk:no-new", "80,h1,recovers,");

      assertThat(run.explain("a", "90s")).contains("1 with the taint disk (no new)");
    }

    @Test
    void rulesThatKeepApart() throws IOException {
      Run run =
          run()
              .requests(
                  ",job,rules",
                  "0,web-1,gold,1h,1,1,web,apart job web by host",
                  "1,web-2,gold,1h,1,1,web,apart job web by host",
                  "2,web-3,gold,1h,1,1,web,apart job web by zone",
                  "3,cache,gold,1h,1,1,cache,near job db by zone")
              .hosts(",attributes", "h1,4,4,zone=a", "h2,4,4,zone=b");

      List<String> first = List.of(run.host("web-1", "30s"), run.host("web-2", "30s"));
      assertThat(first).containsExactlyInAnyOrder("h1", "h2");
      assertThat(run.explain("web-3", "30s"))
          .contains("why it waits 0 of 2 hosts: 2 with another instance of job web");
      assertThat(run.explain("cache", "30s"))
          .contains("why it waits 0 of 2 hosts:", "has no instance of job db");
    }

    @Test
    void rulesThatSpread() throws IOException {
      Run run =
          run()
              .requests(
                  ",job,rules",
                  "0,web-1,gold,1h,1,1,web,spread job web by zone within 1",
                  "1,web-2,gold,1h,1,1,web,spread job web by zone within 1",
                  "2,web-3,gold,1h,1,1,web,spread job web by zone within 1",
                  "3,web-4,gold,1h,1,1,web,spread job web by zone within 1")
              .hosts(",attributes", "h1,8,8,zone=a", "h2,1,8,zone=b");

      List<String> first = List.of(run.host("web-1", "30s"), run.host("web-2", "30s"));
      assertThat(first).containsExactlyInAnyOrder("h1", "h2");
      assertThat(run.host("web-3", "30s")).isEqualTo("h1");
      assertThat(run.explain("web-4", "30s"))
          .contains("zone a would have 3 of job web and zone b has 1", "maxSkew 2, would do");
    }

    @Test
    void preferencesAndLabels() throws IOException {
      Run run =
          run()
              .requests(
                  ",labels,preferences",
                  "0,a,gold,1h,1,1,tier=db,5 zone==b",
                  "1,b,gold,1h,1,1,,5 apart label tier=db by host",
                  "2,c,gold,1h,1,1,,5 near label tier=db by zone")
              .hosts(",attributes", "h1,4,4,zone=a", "h2,4,4,zone=b");

      assertThat(run.explain("a", "30s")).contains("running on h2");
      assertThat(run.explain("b", "30s")).contains("running on h1");
      assertThat(run.explain("c", "30s")).contains("running on h2");
    }

    @Test
    void groups() throws IOException {
      Run run =
          run()
              .requests(
                  ",group,group_min_count,group_on_loss",
                  "0,first,bronze,60s,1,1,,,",
                  "1,g-1,bronze,1h,1,1,g,2,release",
                  "1,g-2,bronze,1h,1,1,g,2,release",
                  "2,last,bronze,10s,1,1,,,",
                  "100,vip,gold,10s,1,1,,,")
              .hosts("", "h1,2,4");

      assertThat(run.explain("g-1", "30s"))
          .contains("pending since 1s", "1 of 2 members of group g have a host");
      assertThat(run.explain("last", "30s")).contains("done since 12s");
      assertThat(run.explain("g-1", "90s")).contains("running on h1 since 1m,");
      assertThat(run.explain("g-2", "90s")).contains("running on h1 since 1m,");
      // The group is broken by a preemption, released, and starts again as a whole.
      assertThat(run.explain("g-1", "105s")).contains("pending since 1m40s");
      assertThat(run.explain("g-2", "105s")).contains("pending since 1m40s");
      assertThat(run.explain("g-1", "120s")).contains("running on h1 since 1m50s");
    }

    @Test
    void disruptionBudgets() throws IOException {
      Run run =
          run()
              .requests(
                  ",job,budget",
                  "0,web,bronze,10m,2,1,web,max-down 0",
                  "60,vip,gold,10m,2,1,,",
                  "120,other,bronze,10m,2,1,web,min-up 0")
              .hosts("", "h1,2,4");

      assertThat(run.explain("web", "90s"))
          .contains("running on h1", "why it may not be taken down job web may have 0 down");
      assertThat(run.explain("vip", "90s"))
          .contains(
              "why it waits 0 of 1 hosts:", "1 with victims that a disruption budget protects");
      assertThat(run.explain("vip", "130s")).contains("running on h1 since 2m,");
    }

    /** The simulator checks after each reconciliation that the scheduler believes the truth. */
    @ParameterizedTest
    @ValueSource(strings = {"mild", "rough"})
    void faults(String faults) throws IOException {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String group = i % 10 < 2 ? "g" + i / 10 : "";
        rows.add(
            "%s,r%s,%s,2m,1,1,web,max-down 3,%s,%s,apart job web by rack,%s"
                .formatted(
                    i / 10 * 60,
                    i,
                    i % 3 == 0 ? "gold" : "bronze",
                    i % 2 == 0 ? "1 matlab" : "",
                    i % 4 == 0 ? "disk for 1m" : "",
                    group));
      }
      Run run =
          run()
              .requests(",job,budget,limits,tolerations,rules,group", rows.toArray(String[]::new))
              .hosts(
                  ",attributes,taints",
                  "h1,4,4,zone=a,",
                  "h2,4,4,zone=b,gpu:prefer-not",
                  "h3,4,4,zone=c,")
              .events(
                  "0,,limit,3 matlab",
                  "90,h1,taints,disk=bad:leave after 20s",
                  "200,h2,fails,",
                  "220,h2,taints,",
                  "240,h2,recovers,",
                  "300,h1,taints,",
                  "400,,limit,1 matlab",
                  "500,,limit,30 matlab");

      JsonNode root =
          run.compare("--faults", faults, "--policies", "priority,first-fit", "--until", "2h");

      assertThat(root.get("hostEvents").intValue()).isEqualTo(8);
      assertThat(root.get("runs"))
          .hasSizeGreaterThan(2)
          .allSatisfy(each -> assertThat(each.get("completed").intValue()).isEqualTo(60));
    }
  }

  // ---- Experiments

  /** Stored runs are those of the same events and of the same requests. */
  @Test
  void experimentsRunAgainIfALimitChanges(@TempDir Path folder) throws IOException {
    Run run =
        new Run("csv", folder)
            .requests(
                ",job,budget,limits",
                "0,a,gold,5m,1,1,web,max-down 1,1 matlab",
                "0,b,gold,5m,1,1,web,max-down 1,1 matlab")
            .hosts("", "h1,4,4")
            .events("0,,limit,1 matlab");
    Path file =
        Files.writeString(
            folder.resolve("small.json"),
            """
            {"name": "small", "workloads": ["requests"], "infrastructures": ["hosts"],
             "events": "events", "policies": ["priority"], "bounds": false, "until": "8m"}
            """);
    assertThat(experiment(file)).doesNotContain("stored already");
    assertThat(experiment(file)).contains("1 of 1 runs are stored already");

    run.events("0,,limit,2 matlab");
    assertThat(experiment(file)).doesNotContain("stored already");
    run.requests(
        ",job,budget,limits",
        "0,a,gold,5m,1,1,web,max-down 0,1 matlab",
        "0,b,gold,5m,1,1,web,max-down 0,1 matlab");
    assertThat(experiment(file)).doesNotContain("stored already");
  }

  private static String experiment(Path file) {
    Cli.Result result = Cli.run("experiment", file.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result.err();
  }
}
