package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    requireClean(
        Cli.run(
            "compare",
            "--workload",
            workload,
            "--infrastructure",
            hosts,
            "--until",
            "1m",
            "--verbose"));
  }

  @Test
  void describeShowsEscapesInNamesOfFiles() {
    requireClean(Cli.run("workload", "describe", workload));
  }

  @Test
  void explainShowsEscapesInNamesOfFiles() {
    Cli.Result result =
        Cli.run("explain", "a", "--at", "1s", "--workload", workload, "--infrastructure", hosts);
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.DONE);
    requirePrintable(result);
  }

  @Test
  void explainShowsEscapesOfUnknownInstances() {
    Cli.Result result = Cli.run("explain", EVIL + "\nberth: done", "--at", "1m");
    assertThat(result.err()).contains(SEEN + "\\u000aberth: done");
    requirePrintable(result);
  }

  @Test
  void experimentShowsEscapesInLabelsAndProgress() throws IOException {
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
    assertThat(result.err()).contains("[1/1] " + SEEN + ": " + SEEN + " on ");
  }

  @Test
  void jsonKeepsNamesThroughTheCleaningWriter() throws IOException {
    Cli.Result result =
        Cli.run(
            "compare",
            "--workload",
            workload,
            "--infrastructure",
            hosts,
            "--until",
            "1m",
            "--json",
            "-");
    requirePrintable(result);
    JsonNode outcome = new ObjectMapper().readTree(result.out());
    assertThat(outcome.findValuesAsText("workload").toString()).contains(EVIL);
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

  private static void requirePrintable(Cli.Result result) {
    assertThat((result.out() + result.err()).chars().filter(each -> each != '\n'))
        .allMatch(each -> !Character.isISOControl(each) && each != '\u202e');
  }
}
