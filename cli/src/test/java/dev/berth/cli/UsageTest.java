package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {

  @Test
  void printsUsageWithoutArguments() {
    Cli.Result result = Cli.run();
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .contains(
            "Usage: berth",
            "compare",
            "experiment",
            "explain",
            "policies",
            "Examples:",
            "--plugins");
    assertThat(result.err()).isEmpty();
    assertThat(result).isEqualTo(Cli.run("--help"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "compare",
        "experiment",
        "explain",
        "policies",
        "bench",
        "replay",
        "journal",
        "journal describe",
        "journal verify",
        "journal compact",
        "journal export"
      })
  void helpHasExamplesAndExitCodes(String command) {
    Cli.Result result = Cli.run((command + " --help").split(" ", -1));
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .contains("Usage: berth " + command, "Examples:", "  berth " + command, "Exit codes:");
    assertThat(result.outLines()).allMatch(line -> line.length() <= 92);
  }

  @ParameterizedTest
  @ValueSource(strings = {"compare", "experiment", "explain", "policies", "journal", "replay"})
  void helpIsACommandToo(String command) {
    assertThat(Cli.run("help", command)).isEqualTo(Cli.run(command, "--help"));
  }

  @Test
  void printsVersion() {
    Cli.Result result = Cli.run("--version");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).startsWith("berth ");
  }
}
