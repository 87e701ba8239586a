package dev.berth.cli.journal;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ExitCode;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.terminal.Output;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalInspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
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
final class JournalExportCommand implements Callable<Integer> {

  @Mixin private Output output = new Output();
  @Mixin private JournalParameter parameter = new JournalParameter();

  @Option(
      names = "--from",
      paramLabel = "NUMBER",
      description = "Number of the first record; default: the oldest that is there.")
  private long from;

  @Override
  public Integer call() {
    JournalFolder folder = parameter.folder();
    PrintWriter out = output.out();
    JournalInspection journal = folder.inspect();
    long first = from == 0 ? journal.firstNumber() : from;
    if (first < journal.firstNumber() || first > journal.lastNumber() + 1) {
      throw new BadInputException(
          "--from was %s, must be from %s to %s."
              .formatted(from, journal.firstNumber(), journal.lastNumber() + 1));
    }
    try (JournalCursor cursor = journal.read(first)) {
      while (cursor.next()) {
        out.println(EntryFormat.toJson(EntryFormat.read(cursor.bytes())));
      }
    } catch (UnreadableException damaged) {
      throw new RunFailedException(String.valueOf(damaged.getMessage()), damaged);
    } catch (IOException unreadable) {
      throw folder.unreadable(unreadable);
    }
    JournalVerifyCommand.requireUndamaged(folder, journal);
    return ExitCode.DONE;
  }
}
