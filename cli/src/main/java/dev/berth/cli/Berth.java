package dev.berth.cli;

import dev.berth.cli.bench.BenchCommand;
import dev.berth.cli.compare.CompareCommand;
import dev.berth.cli.error.ErrorReport;
import dev.berth.cli.error.ExitCode;
import dev.berth.cli.experiment.ExperimentCommand;
import dev.berth.cli.explain.ExplainCommand;
import dev.berth.cli.infrastructure.InfrastructureCommand;
import dev.berth.cli.input.ValueConverters;
import dev.berth.cli.journal.JournalCommand;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.policies.PoliciesCommand;
import dev.berth.cli.replay.ReplayCommand;
import dev.berth.cli.reproduce.ReproduceCommand;
import dev.berth.cli.session.CommandGroup;
import dev.berth.cli.session.Policies;
import dev.berth.cli.session.Session;
import dev.berth.cli.terminal.CleanWriter;
import dev.berth.cli.terminal.Environment;
import dev.berth.cli.terminal.ExitGuard;
import dev.berth.cli.terminal.Interruption;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.cli.terminal.StandardStream;
import dev.berth.cli.terminal.Version;
import dev.berth.cli.workload.WorkloadCommand;
import dev.berth.report.render.TextRenderer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The {@code berth} command: its entry point and the options of all commands. */
@Command(
    name = "berth",
    header = "Compares and explains scheduling policies in simulated time.",
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
      ExitCode.FAILED + ":a run failed, or its results could not be written",
      ExitCode.BAD_INPUT + ":bad input; nothing was run"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth compare                        two policies on a fleet of services and jobs",
      "  berth explain batch-185 --at 3h      why an instance waits, or runs on its host",
      "  berth reproduce memic-4              a published study: published figures and ours",
      "  berth replay journal/                the journal of a scheduler, checked plan by plan",
      "  berth policies --plugins DIR         the available policies, including yours",
      "  berth help compare                   help on one command"
    },
    subcommands = {
      CompareCommand.class,
      ExperimentCommand.class,
      ExplainCommand.class,
      ReproduceCommand.class,
      PoliciesCommand.class,
      WorkloadCommand.class,
      InfrastructureCommand.class,
      JournalCommand.class,
      ReplayCommand.class,
      BenchCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Berth extends CommandGroup implements Session {

  private static final int WIDTH = 90;

  private final Environment environment;
  private final PrintWriter painted;
  private final Interruption interruption;
  private final ErrorReport errors;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Also loads policies from the jars in DIR.")
  private @Nullable Path plugins;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description =
          "Also prints the class and line where a policy fails, and more on runs where a command "
              + "says so.")
  private boolean verbose;

  @Option(
      names = "--quiet",
      scope = ScopeType.INHERIT,
      description = "Shows no progress on standard error.")
  private boolean quiet;

  private Berth(Environment environment, Interruption interruption, Writer out) {
    this.painted = new PrintWriter(out);
    this.environment = environment;
    this.interruption = interruption;
    this.errors = new ErrorReport(environment.debug(), this::verbose);
  }

  /**
   * Runs a command and ends the process.
   *
   * @param args the command and its options; without any, prints the usage
   */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // one language, and digits that programs can read
    StandardStream out = new StandardStream(new FileOutputStream(FileDescriptor.out));
    StandardStream err = new StandardStream(new FileOutputStream(FileDescriptor.err));
    System.setOut(System.err); // what plugins print is no part of our output
    Interruption interruption = new Interruption();
    ExitGuard guard = ExitGuard.install(OutputFiles::discardAll, interruption, err::silence);
    CommandLine cli =
        commandLine(Environment.ofProcess(), interruption, out.writer(), err.writer());
    int exitCode = cli.execute(args);
    exitCode = out.finish("standard output", exitCode, err);
    err.writer().flush();
    guard.release();
    System.exit(exitCode);
  }

  /**
   * Returns the command line.
   *
   * @param environment the process that the commands run in
   * @param interruption receives what a signal leaves of the command
   * @param out standard output
   * @param err standard error
   */
  static CommandLine commandLine(
      Environment environment, Interruption interruption, Writer out, Writer err) {
    Berth berth = new Berth(environment, interruption, out);
    CommandLine command = new CommandLine(berth);
    ValueConverters.register(command);
    return command
        .setOut(CleanWriter.over(out))
        .setErr(CleanWriter.over(err))
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF)) // escapes would become visible
        .setExpandAtFiles(false)
        .setExecutionStrategy(berth.errors::runAndCatchErrors)
        .setParameterExceptionHandler(berth.errors)
        .setExecutionExceptionHandler(berth.errors);
  }

  @Override
  public Policies policies() {
    return Policies.open(plugins);
  }

  @Override
  public TextRenderer text() {
    int columns = environment.columns().orElse(Integer.MAX_VALUE);
    return new TextRenderer().wrappedAt(Math.min(columns, WIDTH)).foldedAt(columns);
  }

  @Override
  public Environment environment() {
    return environment;
  }

  @Override
  public PrintWriter painted() {
    return painted;
  }

  @Override
  public ErrorReport errors() {
    return errors;
  }

  @Override
  public boolean verbose() {
    return verbose;
  }

  @Override
  public ProgressDisplay progress() {
    ProgressDisplay display = quiet ? ProgressDisplay.silent() : environment.display(err());
    interruption.closes(display);
    return display;
  }

  @Override
  public Interruption interruption() {
    return interruption;
  }
}
