package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of requests, files, classes and policies cannot control the terminal. */
class TerminalEscapesTest {

  private static final String EVIL = "\u001b]0;x\u0007\u009b2J\u202e";
  private static final String SEEN = "\\u001b]0;x\\u0007\\u009b2J\\u202e";
  private static final String IN_JSON = "\\u001b]0;x\\u0007\\u009b2J\\u202e";

  @TempDir private Path folder;
  private String workload = "";
  private String hosts = "";

  @BeforeEach
  void writeFiles() throws IOException {
    workload =
        Files.writeString(
                folder.resolve(EVIL + ".csv"),
                "admitted,id,class,service_time,cpu,memory\n0s,a,gold,10s,1,1\n")
            .toString();
    hosts =
        Files.writeString(folder.resolve("hosts" + EVIL + ".csv"), "id,cpu,memory\nh1,2,4\n")
            .toString();
  }

  @Test
  void compareShowsEscapesInNamesOfFiles() {
    requireClean(compare("--verbose"));
  }

  @Test
  void describeShowsEscapesInNamesOfFiles() {
    requireClean(Cli.run("workload", "describe", workload));
  }

  @Test
  void explainShowsEscapesInNamesOfFiles() {
    Cli.Result result =
        Cli.run(
            "explain",
            "--policy",
            "qos-driven",
            "a",
            "--at",
            "1s",
            "--workload",
            workload,
            "--infrastructure",
            hosts);
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.DONE);
    requirePrintable(result);
  }

  @Test
  void explainShowsEscapesOfUnknownInstances() {
    Cli.Result result =
        Cli.run(
            "explain",
            "--workload",
            "validation-1",
            "--policy",
            "qos-driven",
            EVIL + "\nberth: done",
            "--at",
            "1m");
    assertThat(result.err()).contains(SEEN + "\\u000aberth: done");
    requirePrintable(result);
  }

  @Test
  void experimentShowsEscapesInLabels() throws IOException {
    Path file = folder.resolve("experiment.json");
    Files.writeString(
        file,
        """
        {"name": "LABEL", "description": "LABEL", "workloads": [{"from": "validation-1", "label": "LABEL"}],
        "policies": [{"policy": "priority", "label": "LABEL"}], "bounds": false, "until": "1m"}
        """
            .replace("LABEL", IN_JSON));
    Cli.Result result = Cli.run("experiment", file.toString());
    requireClean(result);
  }

  @Test
  void jsonKeepsNamesThroughTheCleaningWriter() throws IOException {
    Cli.Result result = compare("--json", "-");
    requirePrintable(result);
    JsonNode outcome = new ObjectMapper().readTree(result.out());
    assertThat(outcome.findValuesAsText("workload").toString()).contains(EVIL);
  }

  /** Names with a line break, everywhere: no line of the output begins within a name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "compare --workload W --infrastructure H --until 30m --verbose",
        "compare --workload W --infrastructure H --until 30m --skip-bad 5",
        "compare --workload W --infrastructure H --events F --until 30m",
        "compare --workload W --infrastructure X",
        "compare --workload W --infrastructure H --policies X",
        "compare --workload W --infrastructure H --config X",
        "explain a\nFORGED --workload W --infrastructure H --at 5m --policy priority",
        "explain b\nFORGED --workload W --infrastructure H --at 5m --policy priority",
        "explain b\nFORGED --workload W --infrastructure H --at 29m --policy priority",
        "explain c\nFORGED --workload W --infrastructure H --at 5m --policy priority",
        "explain X --workload W --infrastructure H --at 5m --policy priority",
        "experiment E",
        "experiment E --report R",
        "workload describe W",
        "workload convert W --out O.csv",
        "workload sample W --share 0.5 --groups 1 --out O.csv",
        "infrastructure size W --mix H --out O.csv",
        "reproduce X",
      })
  void noLineBeginsWithinAName(String command) throws IOException {
    String requests =
        """
        {"admitted":0,"id":"a\\nFORGED","class":"gold","serviceTime":1200,"demand":{"cpu":2,"memory":1,"g\\nFORGED":1},"job":"j\\nFORGED","user":"u\\nFORGED","constraints":[{"attribute":"z\\nFORGED","operator":"==","value":"v\\nFORGED"}]}
        {"admitted":1,"id":"b\\nFORGED","class":"bronze","serviceTime":1200,"demand":{"cpu":2,"memory":1,"g\\nFORGED":1}}
        {"admitted":2,"id":"c\\nFORGED","class":"bronze","serviceTime":1200,"demand":{"cpu":2,"memory":1},"constraints":[{"attribute":"z\\nFORGED","operator":"==","value":"w\\nFORGED"}]}
        """;
    String hosts =
        """
        {"id":"h\\nFORGED","capacity":{"cpu":2,"memory":4,"g\\nFORGED":2},"attributes":{"z\\nFORGED":"v\\nFORGED"}}
        """;
    Map<String, String> names = new HashMap<>();
    names.put("W", write("w\nFORGED.jsonl", requests));
    names.put("H", write("h\nFORGED.jsonl", hosts));
    names.put("F", write("f\nFORGED.csv", "time,host,event\n60s,nothing,fail\n"));
    names.put(
        "E",
        write(
            "e\nFORGED.json",
            """
            {"name": "n\\nFORGED", "description": "d",
             "workloads": [{"from": "w\\nFORGED.jsonl", "label": "l\\nFORGED"}],
             "infrastructures": [{"from": "h\\nFORGED.jsonl", "label": "i\\nFORGED"}],
             "policies": [{"policy": "priority", "label": "p\\nFORGED"}, "qos-driven"],
             "reference": "p\\nFORGED", "until": "30m"}
            """));
    names.put("O.csv", folder.resolve("o\nFORGED.csv").toString());
    names.put("R", folder.resolve("r\nFORGED").toString());
    names.put("X", "x\nFORGED");
    String[] args =
        Arrays.stream(command.split(" "))
            .map(each -> names.getOrDefault(each, each))
            .toArray(String[]::new);
    Cli.Result result = Cli.run(args);
    assertThat((result.out() + "\n" + result.err()).lines().map(String::strip))
        .as(result.toString())
        .noneMatch(line -> line.startsWith("FORGED"));
    assertThat(result.out() + result.err()).contains("\\u000aFORGED");
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void helpHasNoEscapes() {
    requirePrintable(Cli.run("compare", "--help"));
  }

  private static void requireClean(Cli.Result result) {
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.DONE);
    assertThat(result.out()).contains(SEEN);
    requirePrintable(result);
  }

  private Cli.Result compare(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("compare", "--policies", "qos-driven,priority", "--workload", workload));
    arguments.addAll(List.of("--infrastructure", hosts, "--until", "1m"));
    arguments.addAll(List.of(more));
    return Cli.run(arguments.toArray(String[]::new));
  }

  private static void requirePrintable(Cli.Result result) {
    assertThat((result.out() + result.err()).chars().filter(each -> each != '\n'))
        .allMatch(each -> !Character.isISOControl(each) && each != '\u202e');
  }
}
