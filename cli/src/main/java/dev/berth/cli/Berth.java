package dev.berth.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code berth} command: where it starts, and what all its commands share. */
@Command(
    name = "berth",
    header = "Compares and explains scheduling policies, on simulated time.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    usageHelpWidth = 92,
    sortOptions = false,
    synopsisHeading = "%nUsage: ",
    descriptionHeading = "%n",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      ExitCode.DONE + ":done",
      ExitCode.FAILED + ":a run failed, or its outcome could not be written",
      ExitCode.BAD_INPUT + ":bad input; nothing was run"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth compare                        two policies on the paper's first validation",
      "  berth explain bronze-17 --at 20m     why an instance waits, or is where it is",
      "  berth reproduce memic-4              a published experiment, theirs and ours",
      "  berth policies --plugins DIR         what there is to choose from, yours included",
      "  berth help compare                   all about one command"
    },
    subcommands = {
      CompareCommand.class,
      ExperimentCommand.class,
      ExplainCommand.class,
      ReproduceCommand.class,
      PoliciesCommand.class,
      WorkloadCommand.class,
      InfrastructureCommand.class,
      BenchCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Berth implements Runnable {

  private final Surroundings surroundings;
  private final ErrorReport errors;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Policies from the jars in DIR are there to choose from too.")
  private @Nullable Path plugins;

  private Berth(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.errors = new ErrorReport(surroundings.debug());
  }

  /**
   * Runs a command and ends the process.
   *
   * @param args the command and its options; none: usage
   */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // one language, and digits that programs can read
    StandardStream out = new StandardStream(new FileOutputStream(FileDescriptor.out));
    StandardStream err = new StandardStream(new FileOutputStream(FileDescriptor.err));
    CommandLine cli =
        commandLine(Surroundings.ofProcess()).setOut(out.writer()).setErr(err.writer());
    int exitCode = cli.execute(args);
    exitCode = out.finish("standard output", exitCode, err);
    err.writer().flush();
    System.exit(exitCode);
  }

  /**
   * Returns the command line, to be given its writers and executed.
   *
   * @param surroundings what the commands may know of the process they run in
   */
  static CommandLine commandLine(Surroundings surroundings) {
    Berth berth = new Berth(surroundings);
    return new CommandLine(berth)
        .setExpandAtFiles(false)
        .setExecutionStrategy(berth.errors::runAndCatchErrors)
        .setParameterExceptionHandler(berth.errors)
        .setExecutionExceptionHandler(berth.errors);
  }

  /** No command: tells what there is. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** Opens the policies that there are, the user's included. */
  Policies policies() {
    return Policies.open(plugins);
  }

  /** Returns how to tell what went wrong. */
  ErrorReport errors() {
    return errors;
  }

  /** Returns who tells how an experiment goes on. */
  ExperimentWatcher experimentWatcher(int parallel, PrintWriter target) {
    return new ExperimentWatcher(target, parallel, System::nanoTime);
  }

  /**
   * Returns who wants to see how far runs have come.
   *
   * @param json where the outcome goes; if to standard output, a program reads it
   */
  Watcher watcher(JsonTarget json) {
    return surroundings.interactive() && !json.takesStandardOutput()
        ? new TerminalWatcher(System.err)
        : Watcher.NOBODY;
  }
}
