package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import dev.berth.cli.PluginJar;
import dev.berth.cli.error.ExitCode;
import dev.berth.cli.terminal.Environment;
import dev.berth.cli.terminal.ProgressMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompareCommandTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private static Path folder;
  private static Path plugins;
  private static Path requests;
  private static Path hosts;

  @BeforeAll
  static void writeFiles() throws IOException {
    plugins = Files.createDirectory(folder.resolve("plugins"));
    PluginJar.write(plugins);
    requests =
        Files.writeString(
            folder.resolve("requests.csv"),
            """
            admitted,id,class,service_time,cpu,memory
            0s,web-1,gold,10m,2,2
            0s,batch-1,bronze,10m,1,1
            5s,batch-2,bronze,10m,2,2
            """);
    hosts =
        Files.writeString(
            folder.resolve("hosts.csv"),
            """
            id,cpu,memory
            h1,2,4
            h2,2,4
            """);
  }

  @Test
  void runsEveryPolicyButTheBoundOnAnUnreliableFleet() throws IOException {
    Path page = folder.resolve("faults-page");
    Path json = folder.resolve("faults-compared.json");
    String[] line = {
      "compare",
      "--details",
      "--workload",
      "validation-1",
      "--policies",
      "qos-driven,priority",
      "--faults",
      "rough",
      "--until",
      "10m",
      "--report",
      page.toString(),
      "--json",
      json.toString()
    };
    Cli.Result result = Cli.run(line);
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    assertThat(result.outLines())
        .contains("until 10m, watchdog 30s, margin 30s, seed 1, faults rough");
    List<String> rows =
        result.out().lines().dropWhile(each -> !each.equals("faults")).skip(3).limit(4).toList();
    assertThat(rows.get(0)).matches("qos-driven( +\\d+){10} +\\d+\\.\\d");
    assertThat(rows.get(1)).startsWith("priority ");
    assertThat(rows.get(2)).startsWith("never-preempt ");
    assertThat(rows.get(3)).as("the infinite host has no faults").startsWith("reports: ");
    JsonNode root = MAPPER.readTree(json.toFile());
    assertThat(root.at("/faults/lost").asDouble()).isEqualTo(0.05);
    assertThat(root.at("/runs/0/faults/lost").asLong()).isPositive();
    assertThat(root.at("/runs/0/faults/restarts").asLong()).isPositive();
    assertThat(root.at("/runs/3/faults").isMissingNode()).isTrue();
    assertThat(Files.readString(page.resolve("index.html"))).contains("misjudged");
    assertThat(Cli.run(line).out()).isEqualTo(result.out());
  }

  @Test
  void faultsOfAFileReplaceThoseOfAReliableFleet() throws IOException {
    Path faults =
        Files.writeString(
            folder.resolve("faults.json"), "{\"lost\": 1, \"reconcileEvery\": \"20s\"}");
    Cli.Result result =
        Cli.run(
            "compare",
            "--details",
            "--faults",
            faults.toString(),
            "--workload",
            requests.toString(),
            "--infrastructure",
            hosts.toString(),
            "--policies",
            "first-fit",
            "--until",
            "30m");
    assertThat(result.err()).isEmpty();
    assertThat(result.outLines())
        .contains("until 30m, watchdog 30s, margin 30s, seed 1, faults as given");
    assertThat(result.out()).containsPattern("(?m)^first-fit +6 +6 +0 +0 +0 +0 +0 +0 +0 +6 +\\d");
  }

  @Test
  void showsValidationBesidePaperByDefault() {
    Cli.Result result = Cli.validation();
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.outLines())
        .startsWith(
            "validation-1 (256 requests) on 20 hosts of 3.75 cpu, 3.75 memory",
            "until 1h, watchdog 30s, margin 30s, seed 1",
            "overheads 1sx11,2sx625,3sx345,4sx13,5sx4,6sx2");
    for (String row :
        List.of("gold (SLO 1), 80 requests", "silver (SLO 0.9), 80", "bronze (SLO 0.5), 96")) {
      assertThat(result.out()).containsOnlyOnce(row);
    }
    for (String row : List.of("  qos-driven ", "  priority ", "their simulator", "Kubernetes ")) {
      String rowOfEachClass = "(?m)^ *(their )?" + row.strip() + " .*\\d$";
      assertThat(result.out().lines().filter(line -> line.matches(rowOfEachClass)))
          .hasSize(row.startsWith(" ") ? 4 : 6); // in each class, and in the totals
    }
    assertThat(
            result.out().lines().filter(line -> line.matches(" *(never-preempt|infinite host) .*")))
        .as("bounds")
        .hasSize(2 * 4);
    assertThat(result.outLines())
        .as("an infinite host has no share")
        .anyMatch(line -> line.matches("infinite host .* –"));
    assertThat(result.outLines()).allMatch(line -> line.length() <= 90);
  }

  /** The line runs as it is: it has the options that the run depends on, and no others. */
  @Test
  void namesTheCommandThatExplainsTheWorstServedRequest() throws IOException {
    Cli.Result result =
        Cli.run(
            "compare",
            "--workload",
            "validation-1",
            "--json=-",
            "--no-bounds",
            "--policies",
            "qos-driven,priority",
            "--config",
            "qos-driven={\"preemptionCost\":\"as-printed\"}",
            "--seed=7",
            "--until",
            "20m",
            "--overheads=2s,3s",
            "--overheads=4s");
    assertThat(result.exitCode()).as(result.err()).isZero();
    String next = MAPPER.readTree(result.out()).at("/verdict/next").textValue();
    assertThat(next)
        .startsWith("berth explain bronze-")
        .contains(" --at 20m --policy priority --")
        .contains(" --seed 7", " --until 20m", " --overheads 2s,3s --overheads 4s")
        .doesNotContain("--config", "--json", "--policies", "bounds");
    Cli.Result explained = Cli.run(next.substring("berth ".length()).split(" ", -1));
    assertThat(explained.exitCode()).as(explained.err()).isZero();
    assertThat(explained.out()).contains(" under priority: pending since ", "\nwhy it waits\n");
  }

  @Test
  void endsTheVerdictWithWhatPoliciesDoAndTheNextStep() {
    Cli.Result result =
        Cli.validation("--until", "12m", "--config", "priority={\"minimizeVictims\":false}");
    assertThat(result.out())
        .contains(
            "  Policy priority serves important classes first and preempts less important ones for",
            "  Next: berth explain bronze-")
        .contains(" --at 12m --policy priority", "'priority={\"minimizeVictims\":");
  }

  @Test
  void writesJsonOfKnownShape() throws IOException {
    Path file = folder.resolve("outcome.json");
    Cli.Result result = Cli.validation("--json", file.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).startsWith("validation-1");
    JsonNode root = MAPPER.readTree(file.toFile());
    assertKeys(
        root,
        Map.of(
            "workload", JsonNode::isTextual,
            "seed", JsonNode::isIntegralNumber,
            "infrastructure", JsonNode::isObject,
            "until", JsonNode::isTextual,
            "watchdog", JsonNode::isTextual,
            "margin", JsonNode::isTextual,
            "overheads", JsonNode::isArray,
            "hotOverheads", JsonNode::isArray,
            "runs", JsonNode::isArray,
            "published", JsonNode::isArray));
    assertThat(root.get("runs")).hasSize(4);
    assertThat(root.get("runs").findValuesAsText("bound"))
        .containsExactly("never-preempt", "infinite host");
    assertThat(root.get("published")).hasSize(4);
    for (JsonNode run : root.get("runs")) {
      assertKeys(
          run,
          Map.of(
              "policy", JsonNode::isTextual,
              "config", JsonNode::isObject,
              "passes", JsonNode::isIntegralNumber,
              "preemptions", JsonNode::isIntegralNumber,
              "placements", JsonNode::isIntegralNumber,
              "classes", JsonNode::isArray,
              "penaltyCoreHours", JsonNode::isDouble,
              "lostWorkHours", JsonNode::isDouble,
              "use", JsonNode::isObject,
              "times", JsonNode::isArray));
      assertThat(run.get("times")).hasSize(3);
      assertThat(run.get("classes")).hasSize(3);
      run.get("classes").forEach(CompareCommandTest::assertClass);
      run.get("classes").forEach(each -> assertKeys(each, Map.of("met", JsonNode::isDouble)));
    }
    for (JsonNode run : root.get("published")) {
      assertKeys(run, Map.of("policy", JsonNode::isTextual, "source", JsonNode::isTextual));
      run.get("classes").forEach(CompareCommandTest::assertClass);
    }
  }

  private static void assertClass(JsonNode figures) {
    assertKeys(
        figures,
        Map.of(
            "name", JsonNode::isTextual,
            "slo", JsonNode::isDouble,
            "count", JsonNode::isIntegralNumber,
            "min", JsonNode::isDouble,
            "mean", JsonNode::isDouble,
            "max", JsonNode::isDouble,
            "fulfilment", JsonNode::isDouble,
            "neverRan", JsonNode::isIntegralNumber,
            "preemptions", JsonNode::isIntegralNumber));
    boolean allMet = figures.get("fulfilment").doubleValue() == 1;
    for (String deficit : List.of("meanDeficit", "maxDeficit")) {
      assertThat(figures.has(deficit)).as("%s of %s", deficit, figures).isEqualTo(!allMet);
      assertThat(figures.path(deficit).isDouble()).isEqualTo(!allMet);
    }
  }

  private static void assertKeys(JsonNode node, Map<String, Predicate<JsonNode>> types) {
    types.forEach(
        (key, type) -> {
          assertThat(node.has(key)).as("%s has %s", node, key).isTrue();
          assertThat(type.test(node.get(key))).as("type of %s: %s", key, node.get(key)).isTrue();
        });
  }

  @Test
  void omitsBoundsOnRequest() {
    JsonNode with = runs();
    JsonNode without = runs("--no-bounds");
    assertThat(with).hasSize(4);
    assertThat(without).hasSize(2);
    assertThat(without.get(0)).isEqualTo(with.get(0));
    assertThat(without.get(1)).isEqualTo(with.get(1));
    assertThat(runs("--bounds")).isEqualTo(with);
    assertThat(with.get(2).get("preemptions").longValue()).isZero();
    for (JsonNode figures : with.get(3).get("classes")) {
      assertThat(figures.get("min").doubleValue()).as("there is room for all").isGreaterThan(0.99);
    }
    assertThat(runs("--policies", "never-preempt")).as("it is there already").hasSize(2);
  }

  @Test
  void printsJsonAloneToStandardOutput() throws IOException {
    Cli.Result dash = Cli.validation("--until", "10m", "--json", "-");
    JsonNode root = MAPPER.readTree(dash.out());
    assertThat(root.get("until").textValue()).isEqualTo("10m");
    assertThat(Cli.validation("--until", "10m", "--json")).isEqualTo(dash);
    assertThat(dash.err()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"validation-1", "validation-2"})
  void sameSeedGivesSameBytes(String workload) {
    String[] args = {
      "compare",
      "--policies",
      "qos-driven,priority",
      "--workload",
      workload,
      "--seed",
      "42",
      "--until",
      "15m",
      "--json",
      "-"
    };
    assertThat(Cli.run(args)).isEqualTo(Cli.run(args));
    args[4] = "43";
    assertThat(Cli.run(args).out()).isNotEqualTo(Cli.validation("--json", "-").out());
  }

  @Test
  void otherSeedGivesOtherResult() {
    assertThat(runs("--seed", "1")).isNotEqualTo(runs("--seed", "2"));
  }

  @Test
  void expectedOverheadDefaultsToMean() {
    assertThat(config("--overheads", "1s,4s")).containsEntry("expectedOverhead", "2.5s");
    assertThat(config("--overheads", "1s", "--hot-overheads", "0s"))
        .containsEntry("expectedOverhead", "500ms");
    assertThat(config("--config", "qos-driven={\"expectedOverhead\":\"7s\"}"))
        .containsEntry("expectedOverhead", "7s");
  }

  @Test
  void watchdogOptionOverridesConfiguration() {
    assertThat(config("--watchdog", "15s")).containsEntry("watchdog", "15s");
    assertThat(config("--config", "qos-driven={\"watchdog\":\"5s\"}"))
        .containsEntry("watchdog", "30s");
    assertThat(runs("--watchdog", "15s").get(0).get("passes").longValue())
        .isGreaterThan(runs("--watchdog", "30s").get(0).get("passes").longValue());
  }

  @Test
  void passesAreApart() {
    JsonNode apart = outcome("--apart", "10s");
    JsonNode byEvents = outcome();

    assertThat(apart.get("runs").get(0).get("passes").longValue())
        .isLessThanOrEqualTo(20 * 60 / 10 + 1)
        .isLessThan(byEvents.get("runs").get(0).get("passes").longValue());
    assertThat(apart.get("apart").textValue()).isEqualTo("10s");
    assertThat(byEvents.has("apart")).isFalse();
    assertThat(Cli.validation("--until", "20m", "--apart", "10s").out())
        .contains("until 20m, watchdog 30s, apart 10s, margin 30s, seed 1");
  }

  @Test
  void marginDefaultsToWatchdog() {
    assertThat(outcome("--watchdog", "45s").get("margin").textValue()).isEqualTo("45s");
    assertThat(outcome("--watchdog", "45s", "--margin", "10s").get("margin").textValue())
        .isEqualTo("10s");
    assertThat(runs("--margin", "0s")).isNotEqualTo(runs("--margin", "30s"));
  }

  @Test
  void readsConfigurationsFromFiles() throws IOException {
    Path config =
        Files.writeString(folder.resolve("qos.json"), "{\"preemptionCost\": \"as-printed\"}");
    assertThat(config("--config", "qos-driven=@" + config))
        .containsEntry("preemptionCost", "as-printed");
  }

  @Test
  void comparesOnFiles() {
    Cli.Result result =
        Cli.run(
            "compare",
            "--details",
            "--policies",
            "qos-driven,priority",
            "--workload",
            requests.toString(),
            "--infrastructure",
            hosts.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.outLines().get(0))
        .isEqualTo("requests.csv (3 requests) on hosts.csv (2 hosts)");
    assertThat(result.out()).contains("gold (SLO 1), 1 request", "bronze (SLO 0.5), 2 requests");
    assertThat(result.out())
        .doesNotContain("their simulator", "their Kubernetes", "Theirs", "silver");
    assertThat(result.out().replace(" \\\n    ", " "))
        .as("a long command in several lines, which a shell joins")
        .containsPattern("Next: berth explain .* --workload \\S+ --infrastructure \\S+hosts.csv\n");
    Cli.Result same =
        Cli.run(
            "compare",
            "--details",
            "--policies",
            "qos-driven,priority",
            "--workload",
            "csv:" + requests,
            "--infrastructure",
            "csv:" + hosts);
    assertThat(same.out().replace("csv:", "")).isEqualTo(result.out());
    assertThat(same.err()).isEqualTo(result.err());
    assertThat(same.exitCode()).isEqualTo(result.exitCode());
  }

  @Test
  void showsPublishedResultsForTheirHostsOnly() throws IOException {
    Path many = folder.resolve("many.csv");
    List<String> lines = new ArrayList<>(List.of("id,cpu,memory"));
    for (int i = 0; i < 30; i++) {
      lines.add("h%d,3.75,3.75".formatted(i));
    }
    Files.write(many, lines);
    Cli.Result result = Cli.validation("--infrastructure", many.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .contains("validation-1")
        .doesNotContain("their simulator", "their Kubernetes", "Theirs");
  }

  @Test
  void hostsFailAndRecoverAsInFile() throws IOException {
    Path failures =
        Files.writeString(
            folder.resolve("failures.csv"),
            "time,host,event\n300s,host-1,fails\n600s,host-1,recovers\n");
    Cli.Result result =
        Cli.validation("--until", "20m", "--events", failures.toString(), "--json", "-");
    assertThat(result.exitCode()).isZero();
    assertThat(outcomeOf(result).get("hostEvents").intValue()).isEqualTo(2);
    assertThat(outcomeOf(result).get("runs")).isNotEqualTo(runs("--until", "20m"));
  }

  @Test
  void verbosePrintsConfigurationsAndTimes() {
    Cli.Result result = Cli.validation("--until", "10m", "--verbose");
    assertThat(result.out())
        .contains(
            "qos-driven\n  config       {\"watchdog\":\"30s\",\"expectedOverhead\":\"2.38s\"",
            "  passes       ",
            "  placements   ",
            " a pass)");
    assertThat(result.err())
        .matches(
            """
            qos-driven took [\\d.]+m?s: availability gold [\\d.]+, silver [\\d.]+, bronze [\\d.]+\\.
            priority took [\\d.]+m?s: availability gold [\\d.]+, silver [\\d.]+, bronze [\\d.]+\\.
            never-preempt took [\\d.]+m?s: availability gold [\\d.]+, silver [\\d.]+, bronze [\\d.]+\\.
            infinite host took [\\d.]+m?s: availability gold [\\d.]+, silver [\\d.]+, bronze [\\d.]+\\.
            """);
    assertThat(Cli.validation("--until", "10m", "--verbose").out()).isEqualTo(result.out());
  }

  @Test
  void comparesPoliciesOfPlugins() {
    Cli.Result result =
        Cli.run(
            "compare",
            "--workload",
            "validation-1",
            "--plugins",
            plugins.toString(),
            "--policies",
            "acme.first-fit,priority",
            "--config",
            "acme.first-fit={\"patience\":5}",
            "--json",
            "-");
    assertThat(result.exitCode()).isZero();
    JsonNode runs = outcomeOf(result).get("runs");
    assertThat(runs.get(0).get("policy").textValue()).isEqualTo("acme.first-fit");
    assertThat(runs.get(0).get("config").toString()).isEqualTo("{\"patience\":5}");
    assertThat(runs.get(0).get("preemptions").longValue()).isZero();
    assertThat(outcomeOf(result).get("published")).hasSize(2);
  }

  @Test
  void comparesOnMemoryWorkloads() {
    String[] args = {
      "compare", "--details", "--workload", "memic-2", "--policies", "qos-driven,memic"
    };
    Cli.Result result = Cli.run(args);
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.outLines())
        .startsWith(
            "memic-2 (30 requests) on 3 hosts of 24 GB",
            "until 4h, watchdog 5s, margin 5s, seed 1");
    assertThat(result.out()).contains("\n  qos-driven ", "\n  memic ");
    assertThat(result.out()).doesNotContain("their simulator", "Theirs", "depends on details");

    List<String> asJson = new ArrayList<>(List.of(args));
    asJson.addAll(List.of("--json", "-"));
    JsonNode root = outcomeOf(Cli.run(asJson.toArray(String[]::new)));
    assertThat(root.get("runs").findValuesAsText("policy"))
        .containsExactly("qos-driven", "memic", "never-preempt", "never-preempt");
    assertThat(root.has("notes")).isFalse();
    assertThat(root.has("published")).isFalse();
  }

  @Test
  void notesMissingRequestDetails() {
    Cli.Result result =
        Cli.run("compare", "--workload", "validation-1", "--policies", "memic", "--until", "5m");
    assertThat(result.exitCode()).as(result.err()).isZero();
    List<String> notes = new ArrayList<>();
    outcome("--policies", "memic").get("notes").forEach(each -> notes.add(each.textValue()));
    assertThat(notes)
        .singleElement()
        .asString()
        .isEqualTo(
            "memic depends on details that many requests lack: 256 of 256 requests have no estimated "
                + "run time, 256 of 256 requests have no memory profile.");
    assertThat(result.out().replaceAll("\\s+", " ")).contains(notes);
    assertThat(outcome("--policies", "qos-driven").has("notes")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"acme.broken", "acme.unmakeable"})
  void othersRunIfPolicyFails(String policy) throws IOException {
    Path file = folder.resolve(policy + ".json");
    Cli.Result result =
        Cli.run(
            "compare",
            "--details",
            "--workload",
            "validation-1",
            "--plugins",
            plugins.toString(),
            "--policies",
            policy + ",priority",
            "--json",
            file.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).startsWith("berth: policy " + policy).doesNotContain("    at ");
    assertThat(result.out()).contains("policy " + policy, "\n  priority ");
    JsonNode runs = MAPPER.readTree(file.toFile()).get("runs");
    assertThat(runs.get(0).get("failure").textValue()).contains(policy);
    assertThat(runs.get(0).has("classes")).isFalse();
    assertThat(runs.get(1).get("classes")).hasSize(3);
  }

  @Test
  void printsStackTraceInDebugModeOnly() {
    String[] args = {
      "compare",
      "--workload",
      "validation-1",
      "--plugins",
      plugins.toString(),
      "--policies",
      "acme.broken",
      "--until",
      "1m"
    };
    assertThat(Cli.run(args).err()).doesNotContain("    at ");
    assertThat(Cli.run(new Environment(true, ProgressMode.NONE), args).err())
        .contains("out of ideas", "    at com.acme.Broken");
  }

  @Test
  void writesRowForEachJobAsCsv() throws IOException {
    Path file = folder.resolve("jobs.csv");
    assertThat(runJobs("--jobs", file.toString()).err()).isEmpty();
    assertThat(file)
        .hasContent(
            """
            policy,id,class,user,submitted_s,placed_s,started_s,ended_s,host,placements,preemptions,service_s,waiting_s,availability,slo_met,outcome
            priority,"'=a,1",gold,ann,0,0,2.5,8.5,h1,1,0,6,2.5,0.705882353,false,completed
            priority,c,gold,,3,3,5.5,8.5,h2,1,0,3,2.5,0.545454545,false,completed
            priority,b,bronze,ben,0.25,0.25,2.75,,h1,2,1,0.25,8.5,0.028571429,false,unfinished
            priority,d,bronze,,2,,,,,0,0,0,7,0.000000000,false,unfinished
            """);
  }

  @Test
  void writesRowForEachJobAsJsonLines() throws IOException {
    Path file = folder.resolve("jobs.jsonl.gz");
    assertThat(runJobs("--jobs", file.toString()).err()).isEmpty();
    try (var content = new GZIPInputStream(Files.newInputStream(file))) {
      assertThat(new String(content.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(
              """
              {"policy":"priority","id":"=a,1","class":"gold","user":"ann","submitted":0,"placed":0,"started":2.5,"ended":8.5,"host":"h1","placements":1,"preemptions":0,"service":6,"waiting":2.5,"availability":0.7058823529411765,"sloMet":false,"outcome":"completed"}
              {"policy":"priority","id":"c","class":"gold","submitted":3,"placed":3,"started":5.5,"ended":8.5,"host":"h2","placements":1,"preemptions":0,"service":3,"waiting":2.5,"availability":0.5454545454545454,"sloMet":false,"outcome":"completed"}
              {"policy":"priority","id":"b","class":"bronze","user":"ben","submitted":0.25,"placed":0.25,"started":2.75,"host":"h1","placements":2,"preemptions":1,"service":0.25,"waiting":8.5,"availability":0.02857142857142857,"sloMet":false,"outcome":"unfinished"}
              {"policy":"priority","id":"d","class":"bronze","submitted":2,"placements":0,"preemptions":0,"service":0,"waiting":7,"availability":0.0,"sloMet":false,"outcome":"unfinished"}
              """);
    }
  }

  /** b is preempted for c at 3 s, and placed again when a and c end together. d fits no host. */
  private static Cli.Result runJobs(String... options) throws IOException {
    Path work =
        Files.writeString(
            folder.resolve("users.csv"),
            """
            admitted,id,class,service_time,cpu,memory,user
            0s,"=a,1",gold,6s,2,2,ann
            0.25s,b,bronze,10m,2,2,ben
            2s,d,bronze,10m,2,8,
            3s,c,gold,3s,2,2,
            """);
    List<String> args =
        new ArrayList<>(
            List.of("compare", "--no-bounds", "--policies", "priority", "--until", "9s"));
    args.addAll(List.of("--overheads", "2500ms", "--watchdog", "1h"));
    args.addAll(List.of("--workload", work.toString(), "--infrastructure", hosts.toString()));
    args.addAll(List.of(options));
    return Cli.run(args.toArray(String[]::new));
  }

  @Test
  void jobsAddUpToFiguresOfRuns() throws IOException {
    Path file = folder.resolve("all.csv");
    JsonNode runs = runs("--until", "30m", "--jobs", file.toString());
    List<String[]> rows =
        Files.readAllLines(file).stream().skip(1).map(each -> each.split(",", -1)).toList();
    assertThat(rows).hasSize(4 * 256);
    for (JsonNode run : runs) {
      String policy = run.path("bound").asText(run.get("policy").textValue());
      List<String[]> own = rows.stream().filter(each -> each[0].equals(policy)).toList();
      assertThat(own.stream().mapToLong(each -> Long.parseLong(each[9])).sum())
          .isEqualTo(run.get("placements").longValue());
      assertThat(own.stream().mapToLong(each -> Long.parseLong(each[10])).sum())
          .isEqualTo(run.get("preemptions").longValue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobs.txt", "jobs", "jobs.csv.xz", "csv"})
  void refusesJobsOfUnknownFormat(String name) {
    Cli.Result result = Cli.validation("--jobs", folder.resolve(name).toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err())
        .startsWith(
            "berth: --jobs was \"%s\", must end in .csv, .csv.gz, .jsonl, .jsonl.gz, .parquet."
                .formatted(folder.resolve(name)));
  }

  @Test
  void showsReplicationBesidePolicies() throws IOException {
    Path logs = replication("1,gold-1,prod-1-aa\n");
    Path report = folder.resolve("beside-report");
    Path json = folder.resolve("beside.json");
    Cli.Result result =
        Cli.validation(
            "--no-bounds",
            "--until",
            "10s",
            "--beside",
            logs.toString(),
            "--json",
            json.toString(),
            "--report",
            report.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            "  published 1         0.9000 0.9000 0.9000  0.000  0.1000 0.1000      0       0\n",
            "published 1: %s, logs of Kubernetes, preemptions: 0\n".formatted(logs.getFileName()));
    assertThat(result.out().lines().filter(line -> line.startsWith("  published 1 ")))
        .as("its only class")
        .hasSize(1);
    JsonNode published = MAPPER.readTree(json.toFile()).get("published");
    assertThat(published.findValuesAsText("replication")).containsExactly("logs");
    JsonNode replication = published.get(published.size() - 1);
    assertThat(replication.get("source").textValue()).isEqualTo("kubernetes");
    assertThat(replication.at("/classes/0/mean").doubleValue()).isEqualTo(0.9);
    assertThat(report.resolve("index.html"))
        .content()
        .contains("Beside published replications", "published 1");
  }

  @Test
  void refusesDamagedReplicationBeforeItRuns() throws IOException {
    Path logs = replication("1,gold-1,prod\n");
    Cli.Result result = Cli.validation("--beside", logs.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err())
        .startsWith(
            "berth: %s:1: deployment: was \"prod\", must be a class, an id and a code"
                .formatted(logs.resolve("waiting.dat")));
    assertThat(result.out()).isEmpty();
  }

  private static Path replication(String waiting) throws IOException {
    Path logs = Files.createDirectories(folder.resolve("logs"));
    Files.writeString(logs.resolve("waiting.dat"), waiting);
    Files.writeString(logs.resolve("termination.dat"), "12,gold-1,prod-1-aa,10\n");
    return logs;
  }

  @Test
  void badInputKeepsPreviousFile() throws IOException {
    Path file = Files.writeString(folder.resolve("kept.json"), "kept");
    assertThat(
            Cli.run(
                    "compare",
                    "--workload",
                    "validation-1",
                    "--policies",
                    "none",
                    "--json",
                    file.toString())
                .exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
    assertThat(file).hasContent("kept");
  }

  private static JsonNode outcome(String... options) {
    List<String> args =
        new ArrayList<>(
            List.of("compare", "--workload", "validation-1", "--until", "20m", "--json", "-"));
    args.addAll(List.of(options));
    if (!List.of(options).contains("--policies")) {
      args.addAll(List.of("--policies", "qos-driven,priority"));
    }
    if (List.of(options).contains("--until")) {
      args.remove("--until");
      args.remove("20m");
    }
    Cli.Result result = Cli.run(args.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.err()).isZero();
    return outcomeOf(result);
  }

  private static JsonNode outcomeOf(Cli.Result result) {
    try {
      return MAPPER.readTree(result.out());
    } catch (IOException malformed) {
      throw new AssertionError(result.out(), malformed);
    }
  }

  private static JsonNode runs(String... options) {
    return outcome(options).get("runs");
  }

  private static Map<String, Object> config(String... options) {
    return MAPPER.convertValue(
        runs(options).get(0).get("config"),
        MAPPER.getTypeFactory().constructMapType(Map.class, String.class, Object.class));
  }
}
