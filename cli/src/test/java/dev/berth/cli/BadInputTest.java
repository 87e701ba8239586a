package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad command lines and files end with exit code 2 and a message that explains them. */
class BadInputTest {

  /** Placeholder in command lines for the folder with the files. */
  private static final String HERE = "HERE";

  private static final String FILES = "compare --infrastructure HERE/hosts.csv --workload ";

  @TempDir private static Path folder;

  @BeforeAll
  static void writeFiles() throws IOException {
    write("hosts.csv", "id,cpu,memory\nh1,2,4\n");
    write("hosts-twice.csv", "id,cpu,memory\nh1,2,4\nh1,2,4\n");
    write("requests.csv", header() + "0s,a,gold,10s,1,1\n");
    write("no-class.csv", header() + "0s,a,gold,10s,1,1\n1s,b,platinum,10s,1,1\n");
    write("no-number.csv", header() + "0s,a,gold,10s,much,1\n");
    write("backwards.csv", header() + "5s,a,gold,10s,1,1\n1s,b,gold,10s,1,1\n");
    write("no-header.csv", "0s,a\n");
    write("empty.csv", "");
    write(
        "faults.json",
        """
        {"losst": 0.1, "doubled": 2, "refused": 1, "delay": "-1s", "reconcileEvery": "0s"}
        """);
    write("failures.csv", "time,host,event\n1s,h9,fails\n");
    write("failures-word.csv", "time,host,event\n1s,h1,explodes\n");
    String job = "1 0 0 %s 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
    write("short.swf", job.formatted("10"));
    write("word.swf", "; Version: 2.2\n" + job.formatted("long"));
    write("config.json", "{\"expectedOverhead\": }");
    Files.createDirectory(folder.resolve("no-jars"));
    Files.createDirectory(folder.resolve("bad-jars"));
    write("bad-jars/broken.jar", "not a jar");
  }

  private static String header() {
    return "admitted,id,class,service_time,cpu,memory\n";
  }

  private static void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  /** A command line, split at blanks, and the words that its error message contains. */
  private record Wrong(String commandLine, List<String> words) {
    @Override
    public String toString() {
      return commandLine;
    }
  }

  private static Wrong wrong(String commandLine, String... words) {
    return new Wrong(commandLine, List.of(words));
  }

  static Stream<Wrong> wrongCommandLines() {
    return Stream.of(
        // The command line itself
        wrong("comapre", "comapre"),
        wrong("compare --polices priority", "--polices"),
        wrong("compare surplus", "surplus"),
        wrong("compare --seed", "--seed"),
        wrong("compare --json --bogus", "--json", "\"--bogus\"", "must be a file"),
        wrong("compare --seed --until 5m", "--seed", "--until"),
        wrong("explain --at 20m", "INSTANCE"),
        wrong("explain gold-1", "--at"),
        wrong("policies --json x", "x"),
        // Values
        wrong("compare --seed x", "--seed was \"x\", must be a whole number."),
        wrong("compare --seed 1.5", "--seed was \"1.5\", must be a whole number."),
        wrong("compare --watchdog 30", "--watchdog", "\"30\"", "must be a duration", "30s"),
        wrong("compare --watchdog 30x", "--watchdog", "\"30x\"", "must be a duration"),
        wrong("compare --watchdog -5s", "--watchdog", "\"-5s\"", "must be a duration"),
        wrong("compare --watchdog=-5s", "--watchdog", "\"-5s\"", "must be a duration"),
        wrong("compare --watchdog 0s", "--watchdog", "0s", "must be positive"),
        wrong("compare --apart 0s", "--apart was 0s", "must be positive"),
        wrong("compare --apart 31s", "apart was 31s", "at most the watchdog, 10s"),
        wrong("explain ci-1 --at 1m --apart 31s", "apart was 31s", "at most the watchdog, 10s"),
        wrong("compare --watchdog 1ns", "watchdog was 1ns", "must be at least 252001ns"),
        wrong("explain gold-1 --at 1m --watchdog 1ns", "watchdog was 1ns", "must be at least"),
        wrong("bench scale --days 1 --watchdog 1ns", "watchdog was 1ns", "must be at least"),
        wrong("workload describe validation-1 --interval 1ns", "--interval was 1ns", "10000000"),
        wrong("compare --overheads 292y", "--overheads", "\"292y\"", "must be"),
        wrong("compare --overheads 36501d", "--overheads", "\"36501d\"", "at most 36500d"),
        wrong("compare --margin ten", "--margin", "\"ten\"", "must be a duration"),
        wrong("compare --until 0s", "--until", "0s", "must be positive"),
        wrong("compare --until PT", "--until", "\"PT\"", "must be a duration"),
        wrong("compare --overheads 2s,,3s", "--overheads", "\"\"", "must be a duration"),
        wrong("compare --overheads 2s,3", "--overheads", "\"3\"", "3s"),
        wrong("compare --hot-overheads soon", "--hot-overheads", "\"soon\""),
        wrong("compare --decision-times soon", "--decision-times", "\"soon\""),
        wrong("compare --plain-decision-times 36501d", "--plain-decision-times", "36501d"),
        wrong("compare --termination -1s", "--termination", "-1s"),
        wrong("explain gold-1 --at 20", "--at", "\"20\"", "20s"),
        wrong("explain ci-1 --at 8h", "--at", "8h", "--until 7h"),
        wrong("explain missing --at 20m", "missing", "mixed", "1316", "-"),
        // Policies and their configuration
        wrong(
            "compare --policies qos",
            "no policy qos. Maybe its jar",
            "'berth policies' lists all."),
        wrong("compare --policies acme.x", "no policy acme.x. Maybe its jar", "--plugins DIR"),
        wrong("policies acme.x", "no policy acme.x. Maybe its jar", "--plugins DIR"),
        wrong("compare --policies priority,priority", "priority", "twice"),
        wrong("compare --policies ,priority", "empty name", "'berth policies' lists all."),
        wrong("compare --policies ,", "empty name", "'berth policies' lists all."),
        wrong("explain gold-1 --at 1m --policy x", "no policy x", "'berth policies' lists all."),
        wrong("compare --config qos-driven", "--config", "\"qos-driven\"", "POLICY=JSON"),
        wrong("compare --config {}", "--config", "\"{}\"", "POLICY=JSON"),
        wrong("compare --config acme.x={}", "--config", "acme.x", "qos-attained, priority"),
        wrong("compare --config priority={} --config priority={}", "priority", "twice"),
        wrong("compare --config priority={", "priority", "not JSON", "line 1"),
        wrong("compare --config priority=7", "priority", "7", "must be a JSON object"),
        wrong("compare --config priority=", "priority", "must be a JSON object"),
        wrong("compare --config priority={\"a\":1}", "config.a", "1", "no such key"),
        wrong(
            "compare --config qos-attained={\"price\":\"-1s\"}",
            "config.price",
            "-1s",
            "must be a duration"),
        wrong(
            "compare --config qos-attained={\"watchdog\":\"0s\"}", "config.watchdog", "0s", "must"),
        wrong("compare --config qos-attained=@HERE/none.json", "none.json", "does not exist"),
        wrong("compare --config qos-attained=@HERE", "is a directory"),
        wrong("compare --config qos-attained=@HERE/config.json", "config.json", "not JSON"),
        // Plugins
        wrong("policies --plugins HERE/none", "--plugins", "none", "does not exist"),
        wrong("policies --plugins HERE/hosts.csv", "hosts.csv", "is a file", "directory"),
        wrong("compare --plugins HERE/no-jars", "no-jars", "has no jar"),
        wrong("compare --plugins HERE/bad-jars", "broken.jar", "not a readable jar"),
        // Files
        wrong("compare --workload validation-3", "validation-3", "validation-1, validation-2"),
        wrong("compare --workload HERE/none.csv", "none.csv", "nor a file"),
        wrong("compare --workload HERE/requests.csv", "needs its hosts", "--infrastructure"),
        wrong("compare --infrastructure HERE/none.csv", "none.csv", "does not exist"),
        wrong("compare --infrastructure HERE", "is a directory"),
        wrong("compare --infrastructure HERE/hosts-twice.csv", "hosts-twice.csv:3: id: was \"h1\""),
        wrong(FILES + HERE, "is a directory"),
        wrong(FILES + "HERE/empty.csv", "empty.csv: holds nothing"),
        wrong(FILES + "HERE/no-class.csv", "no-class.csv:3: class: was \"platinum\"", "gold"),
        wrong(FILES + "HERE/no-number.csv", "no-number.csv:2: cpu: was \"much\""),
        wrong(FILES + "HERE/backwards.csv", "backwards.csv:3: admitted: was \"1s\""),
        wrong(FILES + "HERE/no-header.csv", "no-header.csv:1"),
        wrong(FILES + "xml:HERE/requests.csv", "xml:", "csv"),
        wrong("compare --faults mlid", "--faults \"mlid\"", "Maybe you meant mild", "mild, rough"),
        wrong("compare --faults HERE", "--faults", "is a directory"),
        wrong("compare --faults HERE/empty.csv", "empty.csv", "must be a JSON object"),
        wrong(
            "compare --faults HERE/faults.json",
            "faults.json: losst was 0.1, but there is no such key. Maybe you meant lost.",
            "faults.json: doubled was 2, must be from 0 to 1.",
            "faults.json: refused was 1, must be from 0 to below 1.",
            "faults.json: delay was \"-1s\", must be a duration",
            "faults.json: reconcileEvery was \"0s\", must be above 0s"),
        wrong("compare --events HERE/none.csv", "none.csv", "does not exist"),
        wrong("compare --events HERE/failures.csv", "--events", "h9"),
        wrong(
            "compare --events HERE/failures-word.csv",
            "failures-word.csv:2: event: was \"explodes\"",
            "fails, recovers, taints or limit"),
        // Experiments
        wrong("reproduce memic-9", "no study \"memic-9\"", "memic-1, memic-2, memic-4"),
        wrong("reproduce memic-1 memic-9", "no study \"memic-9\""),
        wrong("reproduce queues-cea", "queues-cea", "CEA-Curie", "--log FILE"),
        wrong("reproduce molding-zewura", "molding-zewura", "wagap-2013", "--log FILE"),
        wrong("reproduce queues-cea --log HERE/none.swf", "none.swf", "does not exist"),
        wrong("reproduce queues-cea --log HERE", "is a directory"),
        wrong("reproduce queues-cea --log HERE/empty.csv", "empty.csv", "holds 0 jobs", "350"),
        wrong(
            "reproduce queues-cea --log HERE/requests.csv",
            "requests.csv:1: has 1 fields, must have 18",
            "not the Standard Workload Format"),
        wrong(
            "reproduce queues-cea --log HERE/short.swf",
            "short.swf",
            "holds 1 jobs",
            "at least 350"),
        wrong(
            "reproduce queues-cea --log HERE/word.swf",
            "word.swf:2: run time: was \"long\"",
            "must"),
        wrong("reproduce memic-1 --csv HERE/requests.csv", "--csv", "requests.csv", "not a folder"),
        wrong("reproduce memic-1 --seed x", "--seed was \"x\", must be a whole number."),
        wrong("reproduce all memic-1", "\"all memic-1\"", "must be all alone"),
        wrong(
            "reproduce queues-cea queues-hpc2n --log HERE/short.swf",
            "different inputs",
            "CEA-Curie",
            "HPC2N",
            "--data"),
        wrong("reproduce memic-1 --log HERE/short.swf", "--log", "short.swf", "needs input"),
        wrong("reproduce memic-1 queues-cea --log HERE/none.swf", "none.swf", "does not exist"),
        wrong("reproduce memic-1 --data HERE", "--data", "needs input"),
        wrong("reproduce queues-cea --data HERE --log HERE/short.swf", "--log and --data"),
        wrong("reproduce queues-cea --data HERE/none", "--data", "none", "does not exist"),
        wrong("reproduce queues-cea --data HERE/short.swf", "short.swf", "is a file", "folder"),
        wrong("reproduce memic-1 queues-cea --data HERE", "queues-cea needs CEA-Curie", "not in"),
        wrong("reproduce memic-1 --report HERE/requests.csv", "--report", "not a folder"),
        wrong("reproduce memic-1 --markdown HERE", "--markdown", "is a directory"),
        wrong("reproduce memic-1 --markdown HERE/none/x.md", "--markdown", "does not exist"),
        wrong(
            "reproduce memic-1 --markdown HERE/new.md",
            "new.md",
            "validation-1, validation-2, google-samples, slo-driven-loads, borgsim-snapshots, generated-snapshots, hysteresis",
            "--data DIR"),
        wrong("reproduce all --markdown HERE/new.md", "new.md", "queues-cea, queues-hpc2n"),
        wrong("reproduce memic-1 --seed 2 --markdown HERE/new.md", "--seed was 2", "must be 1"),
        // Output files
        wrong("compare --json HERE", "--json", "is a directory"),
        wrong("compare --json HERE/none/x.json", "--json", "does not exist"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongCommandLines")
  void explainsBadInput(Wrong wrong) {
    String[] args = wrong.commandLine().replace(HERE, folder.toString()).split(" ", -1);
    Cli.Result result = Cli.run(args);
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).contains(wrong.words());
    assertThat(result.err()).startsWith("berth: ").endsWith("--help'.\n");
    assertThat(result.err()).doesNotContain("Exception", "at dev.berth", "    at ");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void reportsAllProblemsOfAllConfigurations() {
    Cli.Result result =
        Cli.validation(
            "--config",
            "qos-driven={\"watchdog\":\"soon\",\"preemptionCost\":\"free\",\"margin\":1}",
            "--config",
            "priority={\"minimizeVictims\":\"maybe\"}");
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err().lines().map(line -> line.replaceFirst(" was .*", "")))
        .containsExactly(
            "berth: policy qos-driven: config.margin",
            "berth: policy qos-driven: config.watchdog",
            "berth: policy qos-driven: config.preemptionCost",
            "berth: policy priority: config.minimizeVictims",
            "Try 'berth compare --help'.");
  }

  @Test
  void escapesControlCharacters() {
    Cli.Result result =
        Cli.run(
            "compare", "--policies", "qos-driven,priority", "--workload", "evil\u001b[31m\nname");
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(result.err()).contains("evil\\u001b[31m\\u000aname");
  }
}
