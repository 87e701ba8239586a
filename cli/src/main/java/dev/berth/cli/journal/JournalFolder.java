package dev.berth.cli.journal;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ErrorReport;
import dev.berth.cli.error.RunFailedException;
import dev.berth.cli.input.InputFile;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalFinding;
import dev.berth.runtime.journal.JournalInspection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The folder of a journal that the user named, which need not exist.
 *
 * @param option the option or parameter that names it, for messages
 * @param name its path, as the user named it
 */
public record JournalFolder(String option, String name) {

  private static final Set<JournalFinding.Kind> BROKEN =
      EnumSet.of(JournalFinding.Kind.DAMAGE, JournalFinding.Kind.NEWER_VERSION);

  /** Receives a record of the journal. */
  @FunctionalInterface
  interface Reader {
    void read(JournalCursor record) throws IOException;
  }

  /**
   * Returns the folder.
   *
   * @throws BadInputException if there is no such folder
   */
  Path path() {
    Path path = InputFile.path(name, option);
    BadInputException.unless(Files.exists(path), problem("does not exist."));
    BadInputException.unless(
        Files.isDirectory(path), problem("is a file, must be the folder of a journal."));
    return path;
  }

  /**
   * Reads all files of the journal, which may have a live writer.
   *
   * @throws BadInputException if they cannot be read, or there is no record and no snapshot
   */
  JournalInspection inspect() {
    JournalInspection journal;
    try {
      journal = JournalInspection.of(path());
    } catch (IOException unreadable) {
      throw unreadable(unreadable);
    }
    BadInputException.unless(
        !journal.segments().isEmpty() || !journal.snapshots().isEmpty() || journal.isDamaged(),
        problem("has no records. Maybe it is another folder."));
    return journal;
  }

  /**
   * Reads all files of the journal, as {@link #inspect} does.
   *
   * @param notes receives a note on each torn record and each file that does not count
   * @throws BadInputException as {@link #inspect}, and if the journal is damaged
   */
  public JournalInspection inspectUndamaged(Consumer<String> notes) {
    JournalInspection journal = inspect();
    BadInputException.ifAny(damage(journal).stream().toList());
    journal.findings().forEach(each -> notes.accept("%s: %s".formatted(name, each)));
    return journal;
  }

  /**
   * Reads the records from a number on.
   *
   * @throws BadInputException if the journal cannot be read
   */
  void read(JournalInspection journal, long from, Reader reader) {
    try (JournalCursor cursor = journal.read(from)) {
      while (cursor.next()) {
        reader.read(cursor);
      }
    } catch (IOException unreadable) {
      throw unreadable(unreadable);
    }
  }

  /**
   * Fails a command that has done with a journal what could be done.
   *
   * @throws RunFailedException if the journal is damaged
   */
  void requireUndamaged(JournalInspection journal) {
    damage(journal)
        .ifPresent(
            damage -> {
              throw new RunFailedException(damage, null);
            });
  }

  /** Returns why a journal cannot be used, with the file and the byte; empty if it can. */
  private Optional<String> damage(JournalInspection journal) {
    return journal.findings().stream()
        .filter(each -> BROKEN.contains(each.kind()))
        .findFirst()
        .map(
            each ->
                each.kind() == JournalFinding.Kind.DAMAGE
                    ? problem(
                        "is damaged after record %s, at byte %s of %s: %s. Maybe restore it from a copy."
                            .formatted(
                                journal.lastNumber(), each.offset(), each.file(), each.message()))
                    : problem("cannot be read: " + each.message()));
  }

  /** Returns the error of a journal that cannot be read. */
  public BadInputException unreadable(IOException why) {
    return new BadInputException(problem("cannot be read: " + ErrorReport.reason(why)), why);
  }

  /** Returns a problem of this folder in a line that names it. */
  public String problem(String rule) {
    return "%s: \"%s\" %s".formatted(option, name, rule);
  }
}
