package dev.berth.cli.journal;

import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.session.SessionCommand;
import dev.berth.core.error.Printable;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.JournalFinding;
import dev.berth.runtime.journal.JournalInspection;
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
final class JournalVerifyCommand extends SessionCommand implements Runnable {

  @Mixin private JournalParameter parameter = new JournalParameter();

  @Override
  public void run() {
    JournalFolder folder = parameter.folder();
    JournalInspection journal = folder.inspect();
    for (JournalFinding each : journal.findings()) {
      out().println(Printable.line(each.toString()));
    }
    folder.requireUndamaged(journal);
    long[] read = new long[1];
    folder.read(
        journal,
        journal.firstNumber(),
        each -> {
          try {
            EntryFormat.read(each.bytes());
          } catch (UnreadableException damaged) {
            throw new RunFailedException(
                "record %s: %s".formatted(each.number(), damaged.getMessage()), damaged);
          }
          read[0]++;
        });
    out()
        .printf("%s records and %s snapshots are undamaged%n", read[0], journal.snapshots().size());
  }
}
