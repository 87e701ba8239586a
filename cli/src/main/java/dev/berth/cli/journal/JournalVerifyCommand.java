package dev.berth.cli.journal;

import dev.berth.cli.error.ExitCode;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.terminal.Output;
import dev.berth.core.error.Printable;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalFinding;
import dev.berth.runtime.journal.JournalInspection;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth journal verify}: checks the files and the records of a journal. */
@Command(
    name = "verify",
    header = "Checks the checksums of a journal, and that each record can be understood.",
    description =
        "Reads only; the scheduler may run. Fails if there is damage. 'berth replay' also checks that "
            + "the policy decides as it did.",
    footer = {"  berth journal verify journal/"})
final class JournalVerifyCommand implements Callable<Integer> {

  @Mixin private Output output = new Output();
  @Mixin private JournalParameter parameter = new JournalParameter();

  @Override
  public Integer call() {
    JournalFolder folder = parameter.folder();
    PrintWriter out = output.out();
    JournalInspection journal = folder.inspect();
    for (JournalFinding each : journal.findings()) {
      out.println(Printable.line(each.toString()));
    }
    requireUndamaged(folder, journal);
    long read = 0;
    try (JournalCursor cursor = journal.read(journal.firstNumber())) {
      while (cursor.next()) {
        try {
          EntryFormat.read(cursor.bytes());
        } catch (UnreadableException damaged) {
          throw new RunFailedException(
              "record %s: %s".formatted(cursor.number(), damaged.getMessage()), damaged);
        }
        read++;
      }
    } catch (IOException unreadable) {
      throw folder.unreadable(unreadable);
    }
    out.printf("%s records and %s snapshots are undamaged%n", read, journal.snapshots().size());
    return ExitCode.DONE;
  }

  /**
   * Fails a command that has done with a journal what could be done.
   *
   * @throws RunFailedException if the journal is damaged
   */
  static void requireUndamaged(JournalFolder folder, JournalInspection journal) {
    folder
        .damage(journal)
        .ifPresent(
            damage -> {
              throw new RunFailedException(damage, null);
            });
  }
}
