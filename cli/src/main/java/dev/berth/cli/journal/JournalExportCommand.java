package dev.berth.cli.journal;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.session.SessionCommand;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.JournalInspection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth journal export}: prints the records of a journal as JSON. */
@Command(
    name = "export",
    header = "Prints the records of a journal as JSON, one in a line.",
    description =
        "Reads only; the scheduler may run. Times are in nanoseconds. If there is damage, prints the "
            + "records before it and fails.",
    footer = {
      "  berth journal export journal/ > journal.jsonl",
      "  berth journal export journal/ --from 1000 | head"
    })
final class JournalExportCommand extends SessionCommand implements Runnable {

  @Mixin private JournalParameter parameter = new JournalParameter();

  @Option(
      names = "--from",
      paramLabel = "NUMBER",
      description = "Number of the first record; default: the oldest that is there.")
  private long from;

  @Override
  public void run() {
    JournalFolder folder = parameter.folder();
    JournalInspection journal = folder.inspect();
    long first = from == 0 ? journal.firstNumber() : from;
    BadInputException.unless(
        first >= journal.firstNumber() && first <= journal.lastNumber() + 1,
        "--from was %s, must be from %s to %s."
            .formatted(from, journal.firstNumber(), journal.lastNumber() + 1));
    try {
      folder.read(
          journal,
          first,
          each -> out().println(EntryFormat.toJson(EntryFormat.read(each.bytes()))));
    } catch (UnreadableException damaged) {
      throw new RunFailedException(String.valueOf(damaged.getMessage()), damaged);
    }
    folder.requireUndamaged(journal);
  }
}
