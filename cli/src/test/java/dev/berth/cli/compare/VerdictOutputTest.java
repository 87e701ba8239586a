package dev.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.Cli;
import dev.berth.cli.terminal.Environment;
import dev.berth.cli.terminal.ProgressMode;
import dev.berth.cli.terminal.TerminalStyle;
import dev.berth.experiments.figures.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands say in words what their tables show, and list classes in order of importance. */
class VerdictOutputTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String OUT_OF_REACH = "Class gold (SLO 1) is out of reach under any policy";

  @TempDir private Path folder;

  @Test
  void compareExplainsAnObjectiveOutOfReach() throws IOException {
    Path page = folder.resolve("page");
    Cli.Result result = Cli.validation("--until", "12m", "--report", page.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("verdict\n  Objectives: " + OUT_OF_REACH, "\n  Class gold ", "\n  Cost: ");
    assertThat(Files.readString(page.resolve("index.html")))
        .contains(OUT_OF_REACH, "<title>validation-1: qos-driven and priority</title>");
    JsonNode json =
        MAPPER.readTree(Cli.validation("--until", "12m", "--json", "-").out()).get("verdict");
    assertThat(json.get("outOfReach").toString()).isEqualTo("[\"gold\"]");
    assertThat(json.get("text").get(0).textValue()).startsWith("Objectives: " + OUT_OF_REACH);
    assertThat(json.at("/classes/2/name").textValue()).isEqualTo("bronze");
  }

  @Test
  void compareOfOnePolicyHasNoSuperlative() {
    Cli.Result result =
        Cli.run(
            "compare",
            "--details",
            "--workload",
            "validation-1",
            "--until",
            "12m",
            "--policies",
            "priority",
            "--no-bounds");
    assertThat(result.out())
        .contains("verdict\n")
        .doesNotContain("better", "best", "nearest", "nearer", "under all");
  }

  /** The workload has 256 requests on 20 hosts that serve 200; with room for all none is short. */
  @Test
  void saysHowFarPoliciesGoToTheBound() throws IOException {
    Path page = folder.resolve("page");
    Path outcome = folder.resolve("outcome.json");
    Cli.Result compare = Cli.validation("--report", page.toString(), "--json", outcome.toString());
    assertThat(compare.exitCode()).as(compare.err()).isZero();
    JsonNode bound = MAPPER.readTree(outcome.toFile()).at("/verdict/bound");
    double penalty = MAPPER.readTree(outcome.toFile()).at("/runs/0/penaltyCoreHours").doubleValue();
    double start = bound.at("/way/start").doubleValue();
    double least = bound.get("penaltyCoreHours").doubleValue();
    assertThat(bound.at("/way/shares/qos-driven").doubleValue())
        .isEqualTo((start - penalty) / (start - least))
        .isBetween(0.85, 0.95);
    assertThat(least).isBetween(0.001, 0.05);
    assertThat(bound.at("/clairvoyant/penaltyCoreHours").doubleValue()).isBetween(least, 0.05);
    assertThat(bound.at("/clairvoyant/classes/2/fulfilment").doubleValue()).isEqualTo(1);
    assertThat(compare.out())
        .contains(
            "  Bound: Of the way from priority (penalty 19.37 core-hours) to the bound (0.01):",
            "a clairvoyant schedule",
            "\nclairvoyant schedule: knows all requests",
            "  Bound of bronze: ",
            "\n" + Verdict.LEGEND_OF_BOUND + "\n");
    assertThat(Files.readString(page.resolve("index.html")))
        .contains(
            "Bound: Of the way from priority ",
            "penalty, way to the bound",
            Verdict.LEGEND_OF_BOUND);
    assertThat(Cli.validation("--until", "12m", "--no-bounds").out())
        .doesNotContain("Bound", "bound:");
  }

  @Test
  void experimentSaysHowFarPoliciesGoToTheBound() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("two.json"),
            """
            {"name": "two", "workloads": ["validation-1"], "policies": ["qos-driven", "priority"],
             "seeds": [1, 2], "scales": [0.8], "until": "12m"}
            """);
    Path outcome = folder.resolve("outcome.json");
    Cli.Result experiment = Cli.run("experiment", file.toString(), "--json", outcome.toString());
    assertThat(experiment.exitCode()).as(experiment.err()).isZero();
    assertThat(experiment.out())
        .contains(
            "\n  Bound: Of the way from priority (penalty ", "\n" + Verdict.LEGEND_OF_BOUND + "\n");
    assertThat(MAPPER.readTree(outcome.toFile()).at("/groups/0/verdict/bound/way/from").textValue())
        .isEqualTo("priority");
  }

  /** The first workload has no gold, the first request of the second is bronze. */
  @Test
  void classesAreInOrderOfImportanceEverywhere() throws IOException {
    write("first.csv", "0s,a,bronze,10m,1,1", "1s,b,silver,10m,1,1");
    write("second.csv", "0s,c,bronze,10m,1,1", "9m,d,gold,3m,1,1", "9m,e,silver,3m,1,1");
    Files.writeString(folder.resolve("hosts.csv"), "id,cpu,memory\nh1,2,4\n");
    Path file =
        Files.writeString(
            folder.resolve("trial.json"),
            """
            {"name": "trial", "workloads": ["first.csv", "second.csv"],
             "infrastructures": ["hosts.csv"], "policies": ["priority"], "until": "20m"}
            """);
    Path page = folder.resolve("page");
    Cli.Result result = Cli.run("experiment", file.toString(), "--report", page.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.outLines().stream().filter(List.of("gold", "silver", "bronze")::contains))
        .containsExactly("gold", "silver", "bronze");
    assertThat(
            result
                .out()
                .lines()
                .filter(line -> line.matches("  priority +(gold|silver|bronze) .*"))
                .map(line -> line.split(" +", -1)[2]))
        .containsExactly("gold", "silver", "bronze");
    JsonNode group = MAPPER.readTree(page.resolve("results.json").toFile()).at("/groups/0");
    List<List<String>> orders = new ArrayList<>();
    orders.add(group.at("/rows/0/classes").findValuesAsText("name"));
    orders.add(group.at("/verdict/classes").findValuesAsText("name"));
    group
        .at("/rows/0/active")
        .forEach(level -> orders.add(level.findValuesAsText("name"))); // by contention
    assertThat(orders.subList(0, 2)).containsOnly(List.of("gold", "silver", "bronze"));
    assertThat(orders.subList(2, orders.size())).contains(List.of("gold", "silver", "bronze"));
    assertThat(orders)
        .allSatisfy(
            each ->
                assertThat(Stream.of("gold", "silver", "bronze").filter(each::contains))
                    .containsExactlyElementsOf(each));
    String html = Files.readString(page.resolve("index.html"));
    assertThat(html.indexOf("id=\"min-1-gold\""))
        .isPositive()
        .isLessThan(html.indexOf("id=\"min-1-silver\""));
    assertThat(html.indexOf("id=\"deficit-1-gold\""))
        .as("the chart of a class that the first workload lacks")
        .isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 120})
  void noLineIsWiderThanTheTerminal(int columns) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("small.json"),
            """
            {"name": "small", "workloads": ["validation-1"], "policies": ["qos-driven", "priority"],
             "seeds": [1, 2], "scales": [0.8], "until": "6m"}
            """);
    Environment terminal =
        new Environment(
            false, ProgressMode.NONE, OptionalInt.of(columns), TerminalStyle.of(false, Map.of()));
    Cli.Result experiment = Cli.run(terminal, "experiment", file.toString());
    assertThat(experiment.exitCode()).as(experiment.err()).isZero();
    assertThat(experiment.outLines()).allMatch(line -> line.length() <= columns);
    assertThat(experiment.out()).contains("never ran", "min avail.", "lost work h");
    assertThat(
            Cli.run(
                    terminal,
                    "compare",
                    "--details",
                    "--workload",
                    "validation-1",
                    "--policies",
                    "qos-driven,priority",
                    "--until",
                    "6m")
                .outLines()
                .stream()
                .skip(3))
        .allMatch(line -> line.length() <= columns);
    assertThat(Cli.run("experiment", file.toString()).out().lines().mapToInt(String::length).max())
        .as("a pipe has no width")
        .satisfies(widest -> assertThat(widest.orElseThrow()).isGreaterThan(80));
  }

  private void write(String name, String... rows) throws IOException {
    Files.writeString(
        folder.resolve(name),
        "admitted,id,class,service_time,cpu,memory\n" + String.join("\n", rows) + "\n");
  }
}
