package dev.berth.cli.journal;

import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.session.SessionCommand;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.JournalLockedException;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth journal compact}: drops what snapshots make needless. */
@Command(
    name = "compact",
    header = "Drops the records and snapshots that later snapshots make needless.",
    description = "The scheduler must not run. It compacts its journal itself at each snapshot.",
    footer = {"  berth journal compact journal/"})
final class JournalCompactCommand extends SessionCommand implements Runnable {

  @Mixin private JournalParameter parameter = new JournalParameter();

  @Override
  public void run() {
    JournalFolder folder = parameter.folder();
    folder.inspectUndamaged(note -> {}); // an empty folder must not become a journal
    try (FileJournal journal = FileJournal.open(folder.path())) {
      long freed = journal.compact();
      out()
          .printf(
              "freed %s bytes; records %s to %s remain%n",
              freed, journal.firstNumber(), journal.lastNumber());
    } catch (JournalLockedException running) {
      throw new RunFailedException(
          running.getMessage() + " Maybe stop the scheduler first.", running);
    } catch (IOException failed) {
      throw folder.unreadable(failed);
    }
  }
}
