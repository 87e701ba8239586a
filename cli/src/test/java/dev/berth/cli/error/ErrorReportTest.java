package dev.berth.cli.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ErrorReportTest {

  private final StringWriter printed = new StringWriter();

  @Test
  void printsUnexpectedFailureInOneLine() {
    assertThat(run(false, () -> sneaky(new IllegalStateException("a check\nover two lines"))))
        .isEqualTo(ExitCode.FAILED);
    assertThat(printed)
        .hasToString(
            "berth: unexpected failure: IllegalStateException: a check. Set BERTH_DEBUG=1 to see where.\n");
  }

  @Test
  void printsErrorsOfJvmWithoutStackTrace() {
    assertThat(run(false, () -> sneaky(new StackOverflowError()))).isEqualTo(ExitCode.FAILED);
    assertThat(run(false, () -> sneaky(new OutOfMemoryError("heap")))).isEqualTo(ExitCode.FAILED);
    assertThat(printed.toString())
        .contains("berth: unexpected failure: StackOverflowError", "berth: out of memory.")
        .doesNotContain("    at ");
  }

  @Test
  void debugModePrintsStackTrace() {
    assertThat(run(true, () -> sneaky(new IllegalStateException("a check"))))
        .isEqualTo(ExitCode.FAILED);
    assertThat(printed.toString()).contains("IllegalStateException: a check\n", "    at dev.berth");
  }

  private int run(boolean debug, Callable<Integer> behaviour) {
    ErrorReport errors = new ErrorReport(debug, () -> false);
    return new CommandLine(new Failing(behaviour))
        .setExecutionStrategy(errors::runAndCatchErrors)
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors)
        .setErr(new PrintWriter(printed))
        .execute();
  }

  private static int sneaky(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  @Command(name = "failing")
  private record Failing(Callable<Integer> behaviour) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      return behaviour.call();
    }
  }
}
