package dev.berth.cli.journal;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ErrorReport;
import dev.berth.runtime.journal.JournalFinding;
import dev.berth.runtime.journal.JournalInspection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The folder of a journal that the user named. */
public final class JournalFolder {

  private static final Set<JournalFinding.Kind> BROKEN =
      EnumSet.of(JournalFinding.Kind.DAMAGE, JournalFinding.Kind.NEWER_VERSION);

  private final String option;
  private final String name;

  /**
   * Creates a folder, which need not exist.
   *
   * @param option the option or parameter that names it, for messages
   * @param name its path
   */
  public JournalFolder(String option, String name) {
    this.option = option;
    this.name = name;
  }

  /** Returns the path, as the user named it. */
  public String name() {
    return name;
  }

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
      throw new BadInputException(problem("is not a path."), malformed);
    }
    if (!Files.isDirectory(path)) {
      throw new BadInputException(
          problem(
              Files.exists(path)
                  ? "is a file, must be the folder of a journal."
                  : "does not exist."));
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
      throw new BadInputException(problem("has no records. Maybe it is another folder."));
    }
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
    damage(journal)
        .ifPresent(
            damage -> {
              throw new BadInputException(damage);
            });
    journal.findings().forEach(each -> notes.accept("%s: %s".formatted(name, each)));
    return journal;
  }

  /** Returns why a journal cannot be used, with the file and the byte; empty if it can. */
  public Optional<String> damage(JournalInspection journal) {
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
