package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors in files name the file, the place, and what was probably meant. */
class FileErrorTest {

  private static final String ROW = "0s,a,gold,10s,1,1";

  /** Words of the libraries that read files. */
  private static final String[] FOREIGN = {
    "Unrecognized",
    "Cannot deserialize",
    "through reference chain",
    "Unexpected character",
    "was expecting",
    "com.fasterxml",
    "java.",
    "dev.berth",
    "Exception"
  };

  @TempDir private static Path folder;

  @BeforeAll
  static void writeFiles() throws IOException {
    write("hosts.csv", "id,cpu,memory\nh1,2,4\n");
    write("hosts.jsonl", "{\"id\":\"h1\",\"capacity\":{\"cpu\":2,\"memory\":4}}\n");
    write("requests.csv", "admitted,id,class,service_time,cpu,memory\n" + ROW + "\n");
    write("failures.csv", "time,host,event\n1s,h1,fails\n");
    write("classes.json", "[\n {\"name\":\"best\",\"slo\":0.9}]\n");
    write(
        "experiment.json", "{\n \"workloads\":[\"validation-1\"],\n \"policies\":[\"priority\"]}");
    requests("demnad_cpu.csv", "admitted,id,class,service_time,demnad_cpu,memory");
    requests("case.csv", "Admitted,ID,class,service_time,cpu,memory");
    requests("one.csv", "admitted,id,class,servicetime,cpu,memory");
    requests("missing.csv", "admitted,id,class,service_time,cpu,ram");
    requests("twice.csv", "admitted,id,class,service_time,cpu,cpu");
    requests("far.csv", "submitted,name,klass,duration,cpus,ram");
    write("optional.csv", "admitted,id,class,service_time,cpu,memory,deadlnie\n" + ROW + ",30s\n");
    write("semicolons.csv", "admitted;id;class;service_time;cpu;memory\n");
    write("tabs.csv", "id\tcpu\tmemory\n");
    write("bad.jsonl", "{\"admitted\":\"0s\",\"id\":\"a\",}\n");
    write("profile.json", "{\"hosts\": many}");
    write(
        "bad.json",
        """
        {"workloads": ["validation-9", {"from": "none.csv", "skipBad": 1.5}],
         "policies": ["prioritty", "qos-drivn",
           {"policy": "priority", "label": 3, "config": {"watchdg": "3s", "minimizeVictims": "x"}},
           {"policy": "qos-driven", "config": {"watchdog": "0s"}}],
         "seeds": ["a", 1.5], "scales": [20], "until": "10x", "overheads": "2s", "events": 7,
         "metrics": {"interval": 3, "foo": 1}, "bounds": "yes", "infrastrctures": []}
        """);
    write("comma.json", "{\n \"workloads\": [\"validation-1\",\n]}");
  }

  private static void requests(String name, String header) throws IOException {
    write(name, header + "\n" + ROW + "\n");
  }

  private static void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Headers of tables
        "--workload demnad_cpu.csv | :1: header: \"demnad_cpu\" is not a column. Maybe you"
            + " meant \"cpu\".",
        "--workload case.csv | :1: header: \"Admitted,ID,class,service_time,cpu,memory\" has 2"
            + " names that are no columns. Maybe you meant \"admitted\" by \"Admitted\", \"id\" by \"ID\".",
        "--workload one.csv | :1: header: \"servicetime\" is not a column. Maybe you meant"
            + " \"service_time\".",
        "--workload missing.csv | :1: header: was \"admitted,id,class,service_time,cpu,ram\", must"
            + " name the column memory.",
        "--workload twice.csv | :1: header: was \"cpu\", must not name a column twice.",
        "--workload optional.csv | :1: header: \"deadlnie\" is not a column. Maybe you meant"
            + " \"deadline\".",
        "--workload semicolons.csv | :1: has semicolons between the columns, must have commas.",
        "--infrastructure tabs.csv | :1: has tabs between the columns, must have commas.",
        // Files of another kind
        "--workload hosts.csv | : holds hosts, must hold requests. Maybe give it as the"
            + " infrastructure.",
        "--workload hosts.jsonl | : holds hosts, must hold requests. Maybe give it as the"
            + " infrastructure.",
        "--workload failures.csv | : holds events of hosts, must hold requests. Maybe give it as"
            + " the events.",
        "--workload classes.json | : holds service classes, must hold requests. Maybe give it as the"
            + " classes.",
        "--workload experiment.json | : holds an experiment, must hold requests. Maybe run it with"
            + " berth experiment.",
        "--infrastructure requests.csv | : holds requests, must hold hosts. Maybe give it as the"
            + " workload.",
        "--infrastructure failures.csv | : holds events of hosts, must hold hosts. Maybe give it as"
            + " the events.",
        "--events hosts.csv | : holds hosts, must hold events of hosts. Maybe give it as the"
            + " infrastructure.",
        "--events requests.csv | : holds requests, must hold events of hosts. Maybe give it as"
            + " the workload.",
        "--classes hosts.csv | : holds hosts, must hold service classes. Maybe give it as the"
            + " infrastructure.",
        "--classes experiment.json | : holds an experiment, must hold service classes. Maybe run it"
            + " with berth experiment.",
        // JSON
        "--classes comma.json | :1: must be a list of service classes, [{\"name\":\"best\",\"slo\":0.99}].",
      })
  void namesWhatWasMeant(String option, String expected) {
    String file = option.substring(option.indexOf(' ') + 1);
    String name = option.substring(0, option.indexOf(' '));
    Cli.Result result =
        Cli.run(
            "compare",
            "--policies",
            "qos-driven,priority",
            "--workload",
            path(name.equals("--workload") ? file : "requests.csv"),
            "--infrastructure",
            path(name.equals("--infrastructure") ? file : "hosts.csv"),
            name.equals("--classes") ? "--classes" : "--events",
            path(name.equals("--classes") || name.equals("--events") ? file : "failures.csv"));
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err().lines().findFirst()).hasValue("berth: " + path(file) + expected);
    assertThat(result.err()).doesNotContain(FOREIGN);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "experiment requests.csv | requests.csv: holds requests, must hold an experiment. Maybe give"
            + " it as the workload.",
        "experiment classes.json | classes.json: holds service classes, must hold an experiment."
            + " Maybe give it as the classes.",
        "experiment comma.json | comma.json: the file was not JSON, must be a JSON object: has ']'"
            + " where a value must be (line 3, column 1).",
        "workload describe jsonl:bad.jsonl | bad.jsonl:1: is not JSON at character 27: has '}' where"
            + " a key in double quotes must be.",
        "workload generate --out x.csv --profile profile.json | profile.json\": line 1, column 11:"
            + " the file is not JSON, it has the word 'many', must have double quotes around texts and keys.",
        "workload describe far.csv | far.csv:1: looks like none of the formats alibaba-openb,"
            + " alibaba-spot-2026, bitbrains, borg-simulator, csv, google-2011, journal, jsonl, kubectl, qos-experiment,"
            + " qos-simulation, sacct, swf."
            + " Maybe it is meant as csv (Berth's own: admitted,id,class,service_time,cpu,memory and"
            + " more); otherwise put the format in front, FORMAT:FILE.",
      })
  void explainsFilesOfOtherCommands(String commandLine, String expected) {
    String[] args =
        List.of(commandLine.split(" ")).stream()
            .map(each -> each.matches(".*\\.(csv|json|jsonl)") ? located(each) : each)
            .toArray(String[]::new);
    Cli.Result result = Cli.run(args);
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err().lines().findFirst().orElse("")).endsWith("/" + expected);
    assertThat(result.err()).doesNotContain(FOREIGN);
  }

  @Test
  void listsAllErrorsOfAnExperimentAtOnce() {
    Cli.Result result = Cli.run("experiment", path("bad.json"));
    String file = "berth: experiment " + path("bad.json") + ": ";
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).doesNotContain(FOREIGN);
    assertThat(result.err().lines().filter(line -> !line.startsWith("Try")))
        .allMatch(line -> line.startsWith(file));
    assertThat(result.err().lines().map(line -> line.replace(file, "")))
        .contains(
            "workloads[0].from: \"validation-9\" is neither built in nor a file. Maybe you meant"
                + " validation-1. Known: validation-1, validation-2, memic-1, memic-2, memic-4,"
                + " memic-parsec, render-farm, mixed.",
            "workloads[1].skipBad was 1.5, must be a whole number.",
            "policies[0].policy: \"prioritty\" is no policy. Maybe you meant priority.",
            "policies[1].policy: \"qos-drivn\" is no policy. Maybe you meant qos-driven.",
            "policies[2].label was 3, must be a text. The default is \"\".",
            "policies[3].config.watchdog was \"0s\", must be positive.",
            "seeds[0] was \"a\", must be a whole number.",
            "seeds[1] was 1.5, must be a whole number.",
            "scales was [20.0], must be shares in (0, 10], at least one, unlike each other.",
            "until was \"10x\", must be a duration such as 30s, 1500ms, 10m, 1h30m or 2d.",
            "overheads was \"2s\", must be a list.",
            "events: \"7\" is no file.",
            "metrics.interval was 3, must be a text. The default is \"10m\".",
            "bounds was \"yes\", must be true or false. The default is true.");
    assertThat(result.err())
        .contains("metrics.foo was 1, but there is no such key")
        .contains(
            "infrastrctures was [], but there is no such key", "Maybe you meant infrastructures.");
  }

  private static String located(String file) {
    int colon = file.indexOf(':') + 1;
    return file.substring(0, colon) + path(file.substring(colon));
  }

  private static String path(String file) {
    return folder.resolve(file).toString();
  }
}
