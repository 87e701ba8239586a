package dev.berth.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.CellLogs;
import dev.berth.cli.Cli;
import dev.berth.cli.ParquetRows;
import dev.berth.cli.PluginJar;
import dev.berth.cli.ReportBrowser;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.parquet.example.data.Group;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperimentCommandTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path GUIDE = Path.of("../docs/guide/experiments.md");
  private static final Pattern JSON = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

  private static final String SMALL =
      """
      {"name": "small one", "workloads": ["validation-1"], "policies": ["qos-driven", "priority"],
       "seeds": [1, 2], "scales": [1, 0.8], "until": "12m",
       "metrics": {"interval": "2m", "sample": "30s"}}
      """;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    file = Files.writeString(folder.resolve("small.json"), SMALL);
  }

  @Test
  void showsBlockForEachScale() {
    Cli.Result result = Cli.run("experiment", file.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.outLines().get(0)).isEqualTo("small one");
    assertThat(result.out())
        .containsSubsequence(
            "20 hosts of 3.75 cpu, 3.75 memory x 1, 2 cases",
            "\n  qos-driven ",
            "\n  infinite host ",
            "\npenalties of priority over those of qos-driven: +",
            "\nintervals of 2m by what priority delivers: ",
            "20 hosts of 3.75 cpu, 3.75 memory x 0.8, 2 cases",
            "Means over the cases");
    assertThat(result.out()).doesNotContain("NaN", "Infinity", "null");
    assertThat(result.outLines()).allMatch(line -> line.length() <= 92);
    assertThat(result.err()).isEmpty();
    assertThat(folder.resolve("small.cells")).as("beside it").isDirectory();

    Cli.Result again = Cli.run("experiment", file.toString(), "--parallel", "1");
    assertThat(again.out()).isEqualTo(result.out());
    assertThat(again.err()).isEqualTo("14 of 14 runs are stored already.\n");
  }

  @Test
  void watchdogsAndMarginsAreComparedAndStoredRunsOfOneAreReused() throws IOException {
    Cli.run("experiment", file.toString()); // watchdog and margin are 30s
    Path report = folder.resolve("report");
    Files.writeString(
        file,
        SMALL.replace(
            "\"seeds\"",
            "\"watchdog\": [\"30s\", \"2m\"], \"margin\": [\"0s\", \"30s\"],\n \"seeds\""));
    Cli.Result result =
        Cli.run("experiment", file.toString(), "--report", report.toString(), "--parallel", "3");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err()).contains("14 of 56 runs are stored already.");
    assertThat(result.out())
        .containsSubsequence(
            "20 hosts of 3.75 cpu, 3.75 memory x 1, watchdog 30s, margin 0s, 2 cases",
            "20 hosts of 3.75 cpu, 3.75 memory x 1, watchdog 30s, margin 30s, 2 cases",
            "20 hosts of 3.75 cpu, 3.75 memory x 0.8, watchdog 2m, margin 30s, 2 cases",
            "penalty core h by watchdog and margin",
            "\n× 1\n",
            "\n  watchdog 30s, margin 0s ",
            "\n  best ");
    JsonNode root = MAPPER.readTree(report.resolve("results.json").toFile());
    assertThat(root.get("groups")).hasSize(8);
    assertThat(root.at("/groups/1/margin").textValue()).isEqualTo("30s");
    assertThat(root.at("/groups/2/watchdog").textValue()).isEqualTo("2m");
    assertThat(root.get("policies").findValuesAsText("label"))
        .filteredOn("qos-driven"::equals)
        .as("with each watchdog")
        .hasSize(2);
    assertThat(report.resolve("index.html"))
        .content()
        .contains(
            "By watchdog and margin", "× 0.8, watchdog 2m", "smallest penalty of each policy");
    assertThat(Files.readAllLines(report.resolve("results.csv")))
        .anyMatch(each -> each.contains("memory\",0.8,120,30,2,qos-driven,gold,"));
    assertThat(
            Cli.run("experiment", file.toString(), "--resume", folder.resolve("anew").toString())
                .out())
        .isEqualTo(result.out());
  }

  @Test
  void writesJson() throws IOException {
    Cli.Result result = Cli.run("experiment", file.toString(), "--json", "-");
    assertThat(result.exitCode()).as(result.err()).isZero();
    JsonNode root = MAPPER.readTree(result.out());
    assertThat(root.get("name").textValue()).isEqualTo("small one");
    assertThat(root.get("policies").findValuesAsText("role"))
        .containsExactly("policy", "policy", "lower-bound", "upper-bound");
    assertThat(root.get("groups")).hasSize(2);
    JsonNode row = root.get("groups").get(0).get("rows").get(0);
    assertThat(row.at("/classes/1/fulfilment/count").intValue()).isEqualTo(2);
    assertThat(row.at("/classes/1/fulfilment/halfWidth").isDouble()).isTrue();
    assertThat(row.at("/classes/1/met/count").intValue()).isEqualTo(2);
    assertThat(row.get("referencePenaltyExcess").isDouble()).isTrue();
    assertThat(root.get("runs")).hasSize(2 * 2 * 4);
    assertThat(root.at("/runs/0/use/cpu/granted").isDouble()).isTrue();

    // The experiment in the JSON can be run again.
    Path copy = Files.writeString(folder.resolve("copy.json"), root.get("experiment").toString());
    assertThat(Cli.run("experiment", copy.toString(), "--json", "-").out()).isEqualTo(result.out());
  }

  @Test
  void writesReportWithItsData() throws IOException {
    Path report = folder.resolve("deep/report");
    Cli.Result result = Cli.run("experiment", file.toString(), "--report", report.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(report.resolve("index.html")).content().contains("small one", "results.csv");
    assertThat(MAPPER.readTree(report.resolve("results.json").toFile()).get("runs")).hasSize(16);
    List<String> rows = Files.readAllLines(report.resolve("results.csv"));
    assertThat(rows).hasSize(1 + 16 * 3);
    assertThat(rows.get(0))
        .startsWith("workload,infrastructure,scale,watchdog_s,margin_s,seed,policy,class,slo,");
    assertThat(rows.get(1))
        .startsWith("validation-1,\"20 hosts of 3.75 cpu, 3.75 memory\",1,30,30,1,");
  }

  @Test
  void writesJobsOfAllRunsInTheirOrder() throws IOException {
    Path jobs = folder.resolve("jobs.csv");
    Cli.Result result = Cli.run("experiment", file.toString(), "--jobs", jobs.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    List<String> rows = Files.readAllLines(jobs);
    assertThat(rows.get(0))
        .startsWith("workload,infrastructure,scale,watchdog_s,margin_s,seed,policy,id,class,user,");
    assertThat(rows).hasSize(1 + 16 * 256);
    List<String> runs =
        rows.stream()
            .skip(1)
            .map(each -> each.substring(each.lastIndexOf('"') + 2).split(",", 6))
            .map(each -> each[0] + " " + each[3] + " " + each[4])
            .distinct()
            .toList();
    assertThat(runs)
        .hasSize(16)
        .startsWith("1 1 qos-driven", "1 1 priority", "1 1 never-preempt", "1 1 infinite host")
        .endsWith("0.8 2 infinite host");
  }

  @Test
  void parquetHasTheValuesOfJson() throws IOException {
    Path out = folder.resolve("out");
    Path jobs = folder.resolve("jobs.parquet");
    Path lines = folder.resolve("jobs.jsonl");
    List<String> command = List.of("experiment", file.toString(), "--jobs");
    for (Path each : List.of(jobs, lines)) {
      List<String> arguments = new ArrayList<>(command);
      arguments.addAll(List.of(each.toString(), "--report", out.toString()));
      arguments.addAll(List.of("--parquet", out.toString()));
      assertThat(Cli.run(arguments.toArray(String[]::new)).exitCode()).isZero();
    }
    JsonNode expected = new ObjectMapper().readTree(out.resolve("results.json").toFile());
    List<Group> runs = ParquetRows.read(out.resolve("runs.parquet")).rows();
    List<Group> classes = ParquetRows.read(out.resolve("classes.parquet")).rows();
    assertThat(runs).hasSameSizeAs(expected.get("runs")).hasSize(16);
    assertThat(classes).hasSize(3 * runs.size());
    for (int i = 0; i < runs.size(); i++) {
      JsonNode run = expected.get("runs").get(i);
      requireSame(run, runs.get(i), "workload", "infrastructure", "scale", "seed", "policy");
      requireSame(run, runs.get(i), "passes", "placements", "preemptions", "completed");
      assertThat(ParquetRows.cell(runs.get(i), "penalty_core_h"))
          .isEqualTo(run.get("penaltyCoreHours").asText());
      assertThat(ParquetRows.cell(runs.get(i), "failure")).isEmpty();
      for (int j = 0; j < 3; j++) {
        Group row = classes.get(3 * i + j);
        JsonNode its = run.get("classes").get(j);
        requireSame(run, row, "scale", "seed", "policy");
        requireSame(its, row, "slo", "fulfilment", "met", "preemptions");
        assertThat(ParquetRows.cell(row, "class")).isEqualTo(its.get("name").asText());
        assertThat(ParquetRows.cell(row, "deficit_mean"))
            .isEqualTo(its.path("meanDeficit").asText(""));
      }
    }
    List<String> requests = Files.readAllLines(lines);
    List<Group> rows = ParquetRows.read(jobs).rows();
    assertThat(rows).hasSameSizeAs(requests).hasSizeGreaterThan(100);
    for (int i = 0; i < rows.size(); i++) {
      JsonNode request = new ObjectMapper().readTree(requests.get(i));
      requireSame(request, rows.get(i), "policy", "seed", "id", "class", "outcome");
      requireSame(request, rows.get(i), "host", "availability", "placements");
    }
  }

  private static void requireSame(JsonNode json, Group row, String... columns) {
    for (String each : columns) {
      assertThat(ParquetRows.cell(row, each)).as(each).isEqualTo(json.path(each).asText(""));
    }
  }

  @Test
  void jobsOfResumedExperimentAreSameBytes() throws IOException {
    Path jobs = folder.resolve("jobs.jsonl");
    Cli.run("experiment", file.toString(), "--jobs", jobs.toString());
    byte[] undisturbed = Files.readAllBytes(jobs);

    // As if the process had been killed when half of the runs were stored.
    Path cells = folder.resolve("small.cells");
    CellLogs.keepFirst(cells, 7);
    Files.delete(jobs);
    Cli.Result resumed =
        Cli.run("experiment", file.toString(), "--parallel", "3", "--jobs", jobs.toString());
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(resumed.err()).contains("7 of 14 runs are stored already.");
    assertThat(jobs).hasBinaryContent(undisturbed);
  }

  @Test
  void runsStoredWithoutJobsRunAgainForThem() throws IOException {
    Cli.run("experiment", file.toString());
    Path jobs = folder.resolve("jobs.csv.gz");
    Cli.Result result = Cli.run("experiment", file.toString(), "--jobs", jobs.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err()).doesNotContain("stored already");
    assertThat(jobs).isNotEmptyFile();
  }

  @Test
  void reportOpensInBrowser() throws Exception {
    Path report = folder.resolve("report");
    Cli.run("experiment", file.toString(), "--report", report.toString());
    ReportBrowser.requireAllDrawn(report.resolve("index.html"), folder);
  }

  @Test
  void failedPolicyHasRowAndExitCode() throws IOException {
    PluginJar.write(Files.createDirectory(folder.resolve("plugins")));
    Files.writeString(file, SMALL.replace("\"qos-driven\"", "\"acme.broken\""));
    Path report = folder.resolve("report");
    Cli.Result result =
        Cli.run(
            "experiment",
            "--plugins",
            folder.resolve("plugins").toString(),
            file.toString(),
            "--report",
            report.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("acme.broken", "out of ideas").doesNotContain("    at ");
    assertThat(result.out()).contains("acme.broken (2 failed)", "\npriority ");
    assertThat(report.resolve("index.html")).isNotEmptyFile();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "missing.json | berth: FILE: .*missing\\.json.*",
        ". | berth: .*",
        "broken.json | berth: experiment .*broken\\.json: the file was not JSON, must be a JSON object: has '1' where a colon must be \\(line 1, column 9\\)\\.",
        "binary.json | berth: .*binary\\.json\" is not a text in UTF-8\\.",
        "list.json | berth: experiment .*list\\.json: the file was \\[\\], must be a JSON object\\.",
        "unknown.json | berth: experiment .*unknown\\.json: policies\\[0\\]\\.policy: \"qos\" is no policy\\. Maybe its jar is missing: --plugins DIR names the folder\\. 'berth policies' lists all\\.",
        "nofile.json | berth: experiment .*nofile\\.json: infrastructures\\[0\\]\\.from: \"none\\.csv\" is no file\\.",
        "small.json --parallel 0 | berth: --parallel was 0, must be 1 or more\\.",
        "small.json --parallel x | berth: .*--parallel.*",
        "small.json --resume small.json | berth: results cannot be stored in \".*small\\.json\": it is a file\\. "
            + "Maybe name another folder with --resume DIR\\.",
        "small.json --report small.json | berth: --report \".*small\\.json\" is not a folder.*",
        "small.json --report small.json/x | berth: --report \".*x\" is not a folder.*",
        "small.json --json . | berth: --json: .* is a directory.*",
        "small.json --shard 3 | berth: --shard was \"3\", must be a part and the number of parts, such as 3/16\\.",
        "small.json --shard 0/4 | berth: --shard was \"0/4\", must be a part from 1/4 to 4/4\\.",
        "small.json --shard 5/4 | berth: --shard was \"5/4\", must be a part from 1/4 to 4/4\\.",
        "small.json --shard 1/0 | berth: --shard was \"1/0\", must be a part from 1/1 to 1/1\\.",
        "small.json --shard 1/4 --json - | berth: --json and --report need the results of all runs, "
            + "--shard 1/4 has those of a part\\.",
        "small.json --spark local[2] | berth: --spark needs berth-experiments-spark, which is not on the class path\\. "
            + "Maybe add dev\\.berth:berth-experiments-spark:.*, or the jars of a Spark and .*-all\\.jar\\.",
        "small.json --conf a=b | berth: --conf is a setting of Spark, must be with --spark MASTER\\.",
        "small.json --spark x --conf a | berth: --conf was \"a\", must be KEY=VALUE, such as spark.executor.memory=2g\\.",
        "small.json --spark x --parallel 2 | berth: --parallel was 2, must not be given with --spark, whose cluster decides it\\.",
        "small.json again.json | berth: .*again\\.json.*"
      })
  void reportsBadInputInOneLine(String args, String expected) throws IOException {
    Files.writeString(folder.resolve("broken.json"), "{\"name\" 1}");
    Files.write(folder.resolve("binary.json"), new byte[] {'{', (byte) 0xC3, (byte) 0x28});
    Files.writeString(folder.resolve("list.json"), "[]");
    Files.writeString(folder.resolve("unknown.json"), SMALL.replace("qos-driven", "qos"));
    Files.writeString(
        folder.resolve("nofile.json"),
        SMALL.replace("\"name\"", "\"infrastructures\":[\"none.csv\"],\"name\""));
    List<String> all = new ArrayList<>(List.of("experiment"));
    for (String each : args.split(" ", -1)) {
      boolean isPath = each.equals(".") || each.contains(".json");
      all.add(isPath ? folder.resolve(each).normalize().toString() : each);
    }
    Cli.Result result = Cli.run(all.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err().lines().findFirst().orElse("")).matches(expected);
    assertThat(result.err())
        .contains("Try 'berth experiment --help'.")
        .doesNotContain("    at ", "Exception");
    assertThat(result.out()).isEmpty();
    assertThat(folder.resolve("small.cells")).as("nothing was run").doesNotExist();
  }

  @Test
  void reportsAllProblems() throws IOException {
    Files.writeString(file, "{\"scale\": [1], \"workloads\": [3], \"policies\": [], \"until\": 1}");
    Cli.Result result = Cli.run("experiment", file.toString());
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err().lines().filter(line -> line.startsWith("berth: experiment ")))
        .hasSize(4);
    assertThat(result.err()).contains("Maybe you meant scales.");
  }

  @Test
  void exampleOfGuideRuns() throws IOException {
    Matcher example = JSON.matcher(Files.readString(GUIDE));
    assertThat(example.find()).isTrue();
    Path its = Files.writeString(folder.resolve("samples.json"), example.group(1));
    StringBuilder requests = new StringBuilder("admitted,id,class,service_time,cpu,memory,user\n");
    for (int i = 0; i < 300; i++) {
      requests.append(
          "%ds,r%d,%s,%dm,0.5,%s,u%d\n"
              .formatted(
                  i * 20,
                  i,
                  List.of("gold", "silver", "bronze").get(i * 7 % 3),
                  5 + i * 11 % 90,
                  i % 2 == 0 ? "0.25" : "0.5",
                  i % 30));
    }
    Files.writeString(folder.resolve("requests.csv"), requests);
    Files.writeString(folder.resolve("hosts.csv"), "id,cpu,memory\nlarge,4,8\nsmall,2,2\n");
    Cli.Result result = Cli.run("experiment", its.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).contains("drawn from hosts.csv x 0.9", "\n  printed-cost ");
    assertThat(CellLogs.count(folder.resolve("samples.cells"))).isPositive();
  }
}
