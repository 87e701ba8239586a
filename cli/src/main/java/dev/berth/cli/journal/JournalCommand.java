package dev.berth.cli.journal;

import dev.berth.cli.session.CommandGroup;
import picocli.CommandLine.Command;

/** {@code berth journal}: looks into the journal of a scheduler. */
@Command(
    name = "journal",
    header = "Describes, verifies, compacts, salvages and exports the journal of a scheduler.",
    footer = {
      "  berth journal describe journal/",
      "  berth journal verify journal/",
      "  berth journal export journal/ | jq -c 'select(.Applied)'"
    },
    subcommands = {
      JournalDescribeCommand.class,
      JournalVerifyCommand.class,
      JournalCompactCommand.class,
      JournalSalvageCommand.class,
      JournalExportCommand.class
    })
public final class JournalCommand extends CommandGroup {}
