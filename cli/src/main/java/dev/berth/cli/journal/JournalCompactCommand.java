package dev.berth.cli.journal;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.session.SessionCommand;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.FileJournalOptions;
import dev.berth.runtime.journal.JournalInspection;
import dev.berth.runtime.journal.JournalLockedException;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth journal compact}: drops what snapshots make needless. */
@Command(
    name = "compact",
    header = "Drops the records and snapshots that later snapshots make needless.",
    description =
        "The scheduler must not run. It compacts its journal itself at each snapshot. Needs no room "
            + "on the disk.",
    footer = {"  berth journal compact journal/"})
final class JournalCompactCommand extends SessionCommand implements Runnable {

  @Mixin private JournalParameter parameter = new JournalParameter();

  @Option(
      names = "--keep",
      paramLabel = "NUMBER",
      defaultValue = "2",
      description =
          "Snapshots to keep, with the records after the oldest; default ${DEFAULT-VALUE}. With 1, "
              + "damage of the last one loses the journal.")
  private int keep;

  @Override
  public void run() {
    BadInputException.unless(keep >= 1, "--keep was %s, must be 1 or more.".formatted(keep));
    JournalFolder folder = parameter.folder();
    int snapshots = folder.inspectUndamaged(note -> {}).snapshots().size();
    try {
      long freed =
          FileJournal.compact(folder.path(), FileJournalOptions.defaults().withSnapshotsKept(keep));
      JournalInspection left = folder.inspect();
      out()
          .printf(
              "freed %s bytes; records %s to %s remain%n",
              freed, left.firstNumber(), left.lastNumber());
    } catch (JournalLockedException running) {
      throw new RunFailedException(
          running.getMessage() + " Maybe stop the scheduler first.", running);
    } catch (IOException failed) {
      throw folder.unreadable(failed);
    }
    if (snapshots < keep) {
      out()
          .printf(
              "records are dropped once there are %s snapshots; there %s %s%s%n",
              keep,
              snapshots == 1 ? "is" : "are",
              snapshots,
              snapshots == 0 ? "" : ". Maybe use --keep " + snapshots);
    }
  }
}
