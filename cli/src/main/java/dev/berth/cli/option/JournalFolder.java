package dev.berth.cli.option;

import dev.berth.cli.terminal.BadInputException;
import dev.berth.cli.terminal.ErrorReport;
import dev.berth.runtime.journal.JournalInspection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The parameter {@code JOURNAL}: the folder of a journal. */
public final class JournalFolder {

  @Parameters(paramLabel = "JOURNAL", description = "Folder of the journal of a scheduler.")
  private String name = "";

  /**
   * Returns the folder.
   *
   * @throws BadInputException if there is no such folder
   */
  public Path path() {
    Path path;
    try {
      path = Path.of(name);
    } catch (InvalidPathException malformed) {
      throw new BadInputException("JOURNAL: \"%s\" is not a path.".formatted(name), malformed);
    }
    if (!Files.isDirectory(path)) {
      throw new BadInputException(
          Files.exists(path)
              ? "JOURNAL: \"%s\" is a file, must be the folder of a journal.".formatted(name)
              : "JOURNAL: \"%s\" does not exist.".formatted(name));
    }
    return path;
  }

  /**
   * Reads all files of the journal, which may have a live writer.
   *
   * @throws BadInputException if they cannot be read, or there is no record and no snapshot
   */
  public JournalInspection inspect() {
    JournalInspection journal;
    try {
      journal = JournalInspection.of(path());
    } catch (IOException unreadable) {
      throw unreadable(unreadable);
    }
    if (journal.segments().isEmpty() && journal.snapshots().isEmpty() && !journal.isDamaged()) {
      throw new BadInputException(
          "JOURNAL: \"%s\" has no records. Maybe it is another folder.".formatted(name));
    }
    return journal;
  }

  /** Returns the error of a journal that cannot be read. */
  public BadInputException unreadable(IOException why) {
    return new BadInputException(
        "JOURNAL: \"%s\" cannot be read: %s".formatted(name, ErrorReport.reason(why)), why);
  }
}
