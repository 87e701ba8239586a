package dev.berth.kubernetes.command;

import dev.berth.core.error.ConfigException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The entry point of {@code berth kubernetes}. */
@Command(
    name = "berth kubernetes",
    header = "Schedules the pods of a Kubernetes cluster by their service classes.",
    mixinStandardHelpOptions = true,
    versionProvider = KubernetesMain.Version.class,
    usageHelpWidth = 92,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:the API server or the scheduler failed", "2:bad input"},
    subcommands = {RunCommand.class, CheckCommand.class, ExplainCommand.class})
public final class KubernetesMain implements Runnable {

  static final int FAILED = 1;
  static final int BAD_INPUT = 2;

  @CommandLine.Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandLine.Model.CommandSpec spec;

  /** The version of the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {
        "berth kubernetes "
            + Optional.ofNullable(KubernetesMain.class.getPackage().getImplementationVersion())
                .orElse("(not packaged)")
      };
    }
  }

  private KubernetesMain() {}

  /**
   * Runs a command and ends the process.
   *
   * @param args the command and its options; without any, prints the usage
   */
  public static void main(String[] args) {
    runAndExit(args);
  }

  /**
   * Runs a command and ends the process.
   *
   * @param args the command and its options; without any, prints the usage
   * @param more commands to offer beside those of the scheduler
   */
  public static void runAndExit(String[] args, Object... more) {
    Locale.setDefault(Locale.ROOT);
    logByDefault("org.slf4j.simpleLogger.showDateTime", "true");
    logByDefault("org.slf4j.simpleLogger.dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
    logByDefault("org.slf4j.simpleLogger.showThreadName", "false");
    // The client logs each cut of a watch with a stack trace; it repeats the watch anyway.
    logByDefault("org.slf4j.simpleLogger.log.io.fabric8", "error");
    logByDefault("org.slf4j.simpleLogger.log.org.eclipse.jetty", "warn");
    System.exit(
        commandLine(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                more)
            .execute(args));
  }

  private static void logByDefault(String key, String value) {
    if (System.getProperty(key) == null) {
      System.setProperty(key, value);
    }
  }

  /**
   * Returns the command line. Bad input and failures are reported in a line each.
   *
   * @param more commands to offer beside those of the scheduler
   */
  public static CommandLine commandLine(PrintWriter out, PrintWriter err, Object... more) {
    CommandLine line = new CommandLine(new KubernetesMain());
    for (Object each : more) {
      line.addSubcommand(each);
    }
    return line.addSubcommand(new CommandLine.HelpCommand()) // the last of the list
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(KubernetesMain::wrong)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> failed(failure, command.getErr()));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private static int wrong(ParameterException wrong, String[] args) {
    PrintWriter err = wrong.getCommandLine().getErr();
    err.println("berth kubernetes: " + wrong.getMessage() + " Try: berth kubernetes help");
    return BAD_INPUT;
  }

  /** One line for each problem; a stack trace only for a defect of ours. */
  private static int failed(Exception failure, PrintWriter err) {
    if (failure instanceof ConfigException invalid) {
      invalid.problems().forEach(each -> err.println("berth kubernetes: " + each.describe()));
      return BAD_INPUT;
    } else if (failure instanceof ClusterOptions.UnusableException unusable) {
      err.println("berth kubernetes: " + unusable.getMessage());
      return BAD_INPUT;
    } else if (failure instanceof KubernetesClientException
        || failure instanceof IOException
        || failure instanceof UncheckedIOException) {
      err.println("berth kubernetes: " + failure.getMessage());
      return FAILED;
    }
    err.println("berth kubernetes: this is a defect of Berth. Please report it:");
    failure.printStackTrace(err);
    return FAILED;
  }
}
