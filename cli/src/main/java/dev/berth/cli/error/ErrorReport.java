package dev.berth.cli.error;

import dev.berth.core.error.PolicyFailedException;
import dev.berth.experiments.run.CellResult;
import dev.berth.experiments.run.ExperimentFailedException;
import dev.berth.experiments.run.PolicyUnusableException;
import dev.berth.experiments.run.RunOutcome;
import dev.berth.report.render.Printable;
import dev.berth.traces.input.InputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Prints errors for users: one line for each problem, and a stack trace only in debug mode.
 *
 * @param debug whether every failure is printed with its stack trace
 * @param verbose whether the failure of a policy is printed with the place in its code
 */
public record ErrorReport(boolean debug, BooleanSupplier verbose)
    implements IParameterExceptionHandler, IExecutionExceptionHandler {

  @Override
  public int handleParseException(ParameterException wrong, String[] args) {
    return badInput(
        wrong.getCommandLine(), wrong, new CommandLineProblem(wrong, List.of(args)).lines());
  }

  /**
   * Runs the command so that this report also receives errors of the virtual machine. Exceptions
   * reach it anyway.
   */
  public int runAndCatchErrors(ParseResult parsed) {
    try {
      return new CommandLine.RunLast().execute(parsed);
    } catch (Error error) {
      List<CommandLine> commands = parsed.asCommandLineList();
      throw new ExecutionException(
          commands.get(commands.size() - 1), String.valueOf(error.getMessage()), error);
    }
  }

  @Override
  public int handleExecutionException(Exception thrown, CommandLine command, ParseResult parsed) {
    if (thrown instanceof BadInputException wrong) {
      return badInput(command, wrong, wrong.problems());
    }
    if (thrown instanceof InputException wrong) {
      return badInput(command, wrong, List.of(BadInputException.describe(wrong)));
    }
    Throwable failure =
        thrown instanceof ExecutionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    PrintWriter err = command.getErr();
    err.println("berth: " + Printable.line(whatFailed(failure)));
    placeIfAsked(failure, err);
    hintAtPlace(List.of(failure), err);
    traceIfAsked(failure, err);
    err.flush();
    return ExitCode.FAILED;
  }

  private String whatFailed(Throwable failure) {
    if (failure instanceof RunFailedException
        || failure instanceof ExperimentFailedException
        || failure instanceof PolicyFailedException
        || failure instanceof PolicyUnusableException) {
      return String.valueOf(failure.getMessage());
    }
    if (failure instanceof OutOfMemoryError) {
      return "out of memory. Give the JVM more: BERTH_JAVA_OPTS=-Xmx8g.";
    }
    return "unexpected failure: "
        + describe(failure)
        + (debug ? "" : ". Set BERTH_DEBUG=1 to see where.");
  }

  /**
   * Prints why runs failed, a line for each.
   *
   * @return the exit code of a command with these results
   */
  public int failedRuns(List<CellResult> results, PrintWriter err) {
    List<RunOutcome.Failed> failures = new ArrayList<>();
    for (CellResult each : results) {
      each.failed()
          .ifPresent(
              failed -> {
                failedRun(failed, err);
                failures.add(failed);
              });
    }
    return failures.isEmpty() ? ExitCode.DONE : endOfFailedRuns(failures, err);
  }

  /**
   * Prints once how to find the places where policies failed.
   *
   * @return the exit code of a command with failed runs
   */
  public int endOfFailedRuns(List<RunOutcome.Failed> failures, PrintWriter err) {
    hintAtPlace(failures.stream().map(RunOutcome.Failed::failure).toList(), err);
    return ExitCode.FAILED;
  }

  /** Prints why a run failed, while others continue. */
  public void failedRun(RunOutcome.Failed failed, PrintWriter err) {
    err.println("berth: " + Printable.line(failed.why()));
    placeIfAsked(failed.failure(), err);
    traceIfAsked(failed.failure(), err);
  }

  /** Returns a failure in one line: its type and its message. */
  public static String describe(Throwable failure) {
    String kind = failure.getClass().getSimpleName();
    String message = failure.getMessage();
    return message == null ? kind : kind + ": " + message.lines().findFirst().orElse("");
  }

  /**
   * Returns why reading or writing failed: our own messages as they are, others with their type.
   */
  public static String reason(IOException failure) {
    return failure.getClass() == IOException.class
            || failure.getClass() == FileSystemException.class // "file: reason"
        ? String.valueOf(failure.getMessage())
        : describe(failure);
  }

  private int badInput(CommandLine command, Exception wrong, List<String> problems) {
    PrintWriter err = command.getErr();
    for (String problem : problems) {
      err.println("berth: " + Printable.line(problem));
    }
    err.printf("Try '%s --help'.%n", command.getCommandSpec().qualifiedName());
    traceIfAsked(wrong, err);
    err.flush();
    return ExitCode.BAD_INPUT;
  }

  private void placeIfAsked(Throwable failure, PrintWriter err) {
    if (verbose.getAsBoolean()) {
      PolicyFrames.of(failure).forEach(each -> err.println("berth:   at " + Printable.line(each)));
    }
  }

  private void hintAtPlace(List<Throwable> failures, PrintWriter err) {
    if (!verbose.getAsBoolean()
        && failures.stream().anyMatch(each -> !PolicyFrames.of(each).isEmpty())) {
      err.println("berth: add --verbose to see the class and line that failed.");
    }
  }

  private void traceIfAsked(Throwable failure, PrintWriter err) {
    if (debug) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace, true));
      err.print(trace.toString().replace("\t", "    "));
    }
  }
}
