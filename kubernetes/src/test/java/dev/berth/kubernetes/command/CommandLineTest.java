package dev.berth.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The command, as far as it needs no API server. */
class CommandLineTest {

  private record Result(int code, String out, String err) {}

  private static Result berth(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        KubernetesMain.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
            .execute(args);
    return new Result(code, out.toString(), err.toString());
  }

  @Test
  void itNamesItsVersion() {
    Result version = berth("--version");

    assertThat(version.code()).isZero();
    assertThat(version.out()).startsWith("berth kubernetes ");
  }

  @Test
  void itOffersTheCommandsOfTheSchedulerAlone() {
    assertThat(berth("help").out().lines().filter(line -> line.matches("  [a-z]+  +[A-Z].*")))
        .extracting(line -> line.strip().split(" ", -1)[0])
        .containsExactly("run", "check", "explain", "help");
  }

  @Test
  void badInputIsOneLine() {
    Result noFile = berth("check", "--kubeconfig", "/does/not/exist");
    Result unknown = berth("check", "--sped", "3");

    assertThat(noFile.code()).isEqualTo(2);
    assertThat(noFile.err()).contains("--kubeconfig was /does/not/exist");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("--sped").contains("Try: berth kubernetes help");
  }
}
