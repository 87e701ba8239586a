package dev.berth.cli.command;

import dev.berth.cli.terminal.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code berth journal}: looks into the journal of a scheduler. */
@Command(
    name = "journal",
    header = "Describes, verifies, compacts and exports the journal of a scheduler.",
    footer = {
      "  berth journal describe journal/",
      "  berth journal verify journal/",
      "  berth journal export journal/ | jq -c 'select(.Applied)'"
    },
    subcommands = {
      JournalDescribeCommand.class,
      JournalVerifyCommand.class,
      JournalCompactCommand.class,
      JournalExportCommand.class
    })
public final class JournalCommand implements Runnable {

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @ParentCommand
  private Session session;

  /** Returns the session that all commands share. */
  Session session() {
    return session;
  }

  /** Prints the usage, since no subcommand is given. */
  @Override
  public void run() {
    output.printUsage();
  }
}
