package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.error.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What plugins do wrong is reported with their jar, and never looks like a result. */
class HostilePluginTest {

  private static final String IDLE = "return pass -> {};";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "throw new IllegalStateException(\"no\"); | IllegalStateException: no",
        "return create(config, context);          | StackOverflowError",
        "throw new AssertionError(\"no\");        | AssertionError: no",
        "return null;                             | create() returned null",
      })
  void failingCreationNamesTheJar(String create, String problem) throws IOException {
    Path jar = PluginJar.write(folder, "Evil", "acme.evil", create, "");
    requireReported(jar, problem, ExitCode.FAILED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "throw new IllegalStateException(\"no\"); | IllegalStateException: no",
        "return defaults();                       | StackOverflowError",
        "throw new AssertionError(\"no\");        | AssertionError: no",
        "return null;                             | defaults() returned null",
      })
  void failingDefaultsNameTheJar(String defaults, String problem) throws IOException {
    Path jar = PluginJar.write(folder, "Evil", "acme.evil", IDLE, defaults);
    requireReported(jar, problem, ExitCode.FAILED);
    Cli.Result listed = Cli.run("policies", "--plugins", folder.toString());
    assertThat(listed.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(listed.out())
        .containsPattern("acme.evil +policy acme.evil in \\Q" + jar + "\\E cannot be created: ")
        .contains(problem);
  }

  private void requireReported(Path jar, String problem, int exitCode) throws IOException {
    Cli.Result result = compare(folder);
    assertThat(result.exitCode()).isEqualTo(exitCode);
    assertThat(result.err())
        .contains("berth: policy acme.evil in " + jar + " cannot be created: ")
        .contains(problem)
        .doesNotContain("unexpected failure", "    at ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "compare --policies acme.evil --no-bounds --until 1m",
        "compare --policies acme.evil --no-bounds --until 1m --json -",
        "explain bronze-17 --at 20m --policy acme.evil",
        "bench scale --days 0.01 --scale 0.001 --policies acme.evil",
        "experiment EXPERIMENT",
      })
  void failingPassesNameTheJar(String command) throws IOException {
    Path jar =
        PluginJar.write(
            folder, "Evil", "acme.evil", "return pass -> { throw new Error(\"no\"); };", "");
    Path experiment =
        Files.writeString(
            folder.resolve("x.json"),
            "{\"workloads\":[\"validation-1\"],\"policies\":[\"acme.evil\"],\"until\":\"1m\"}");
    Cli.Result result =
        Cli.run(
            (command.replace("EXPERIMENT", experiment.toString()) + " --plugins " + folder)
                .split(" "));
    assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err())
        .contains("berth: policy acme.evil in " + jar + " failed in pass 1: ")
        .doesNotContain("unexpected failure", "    at ");
  }

  private static Cli.Result compare(Path plugins) {
    return Cli.run(arguments(plugins));
  }

  private static String[] arguments(Path plugins) {
    return new String[] {
      "compare",
      "--workload",
      "validation-1",
      "--plugins",
      plugins.toString(),
      "--policies",
      "acme.evil",
      "--no-bounds",
      "--until",
      "1m",
      "--json",
      "-"
    };
  }

  @Test
  void printingPluginsDoNotDisturbJson() throws Exception {
    PluginJar.write(folder, "Evil", "acme.evil", "System.out.println(\"hello\"); " + IDLE, "");
    Cli.Result ended = inProcess(folder);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(ExitCode.DONE);
    JsonNode outcome = new ObjectMapper().readTree(ended.out());
    assertThat(outcome.isObject()).isTrue();
    assertThat(ended.err()).contains("hello");
  }

  @ParameterizedTest
  @CsvSource({"System.exit(0)", "Runtime.getRuntime().exit(7)"})
  void aPluginThatExitsIsAFailure(String exit) throws Exception {
    Path report = Files.createDirectory(folder.resolve("report"));
    PluginJar.write(folder, "Evil", "acme.evil", "return pass -> %s;".formatted(exit), "");
    Cli.Result ended = inProcess(folder, "--report", report.toString());
    assertThat(ended.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(ended.err()).contains("berth: com.acme.Evil called System.exit");
    assertThat(ended.out()).isEmpty();
    assertThat(report).isEmptyDirectory();
  }

  @Test
  void aSignalEndsTheProcessAsUsual() throws Exception {
    PluginJar.write(
        folder,
        "Evil",
        "acme.evil",
        "return pass -> { System.out.println(\"ready\"); while (true) Thread.onSpinWait(); };",
        "");
    Process process = CliProcess.start(command(folder), folder);
    Path err = folder.resolve("stderr");
    while (process.isAlive() && !Files.readString(err).contains("ready")) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    process.destroy();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(err).content().doesNotContain("System.exit");
  }

  private Cli.Result inProcess(Path plugins, String... more) throws Exception {
    return CliProcess.run(command(plugins, more), folder);
  }

  private static ProcessBuilder command(Path plugins, String... more) {
    List<String> all = new ArrayList<>(List.of(arguments(plugins)));
    all.addAll(List.of(more));
    return CliProcess.command(List.of("-Djava.io.tmpdir=" + plugins), all);
  }
}
