package dev.berth.runtime;

import dev.berth.api.plan.ActionId;
import dev.berth.core.event.Event;
import dev.berth.json.UnreadableException;
import dev.berth.runtime.entry.Entry;
import dev.berth.runtime.entry.EntryFormat;
import dev.berth.runtime.journal.FileJournal;
import dev.berth.runtime.journal.JournalCursor;
import dev.berth.runtime.journal.JournalInspection;
import dev.berth.runtime.journal.JournalSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What {@linkplain Replay#salvage salvaging} a journal left out. The plans of the passes among it
 * are not known, only that they were not those of the replay. All collections are immutable.
 *
 * @param why which pass differs, and how
 * @param kept the number of records that were copied
 * @param leftOut the number of records that were not: that of the pass and all after it
 * @param passes the number of passes among them
 * @param since the time of the first of them in nanoseconds, by the clock of the scheduler
 * @param instances ids of the instances that they name, in order; those in an observation of the
 *     whole fleet do not count
 * @param actions the actions that they say were carried out or rejected, in order
 */
public record Salvage(
    String why,
    long kept,
    long leftOut,
    long passes,
    long since,
    Collection<String> instances,
    Collection<ActionId> actions) {

  /** Copies the collections. */
  public Salvage {
    instances = List.copyOf(instances);
    actions = List.copyOf(actions);
  }

  /** Copies records, from one to before another; returns their number. */
  static long copy(
      JournalInspection journal,
      Optional<JournalSnapshot> snapshot,
      long from,
      long before,
      Path target)
      throws IOException {
    Path part = target.resolveSibling(target.getFileName() + ".part");
    Files.createDirectory(part);
    try {
      try (FileJournal copy = FileJournal.open(part);
          JournalCursor cursor = journal.read(from)) {
        if (snapshot.isPresent()) {
          try (InputStream content = snapshot.get().open()) {
            copy.saveSnapshot(0, content::transferTo);
          }
        }
        while (cursor.next() && cursor.number() < before) {
          copy.append(cursor.bytes());
        }
        copy.force();
      }
      Files.deleteIfExists(target); // an empty one
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException failed) {
      delete(part, failed);
      throw failed;
    }
    return before - from;
  }

  private static void delete(Path directory, Exception failed) {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path each : files.toList()) {
        Files.delete(each);
      }
      Files.delete(directory);
    } catch (IOException left) {
      failed.addSuppressed(left);
    }
  }

  /** Looks at the records that are left out. */
  static Salvage of(JournalInspection journal, ReplayMismatchException differs, long kept)
      throws IOException {
    Set<String> instances = new LinkedHashSet<>();
    Set<ActionId> actions = new LinkedHashSet<>();
    long since = 0;
    long leftOut = 0;
    long passes = 0;
    try (JournalCursor cursor = journal.read(differs.record())) {
      while (cursor.next()) {
        leftOut++;
        Entry entry = EntryFormat.read(cursor.bytes());
        if (entry instanceof Entry.Passed passed) {
          since = passes == 0 ? passed.now() : since; // the first record is that of a pass
          passes++;
        } else if (entry instanceof Entry.Settled settled) {
          actions.add(settled.action());
        } else if (entry instanceof Entry.Applied applied) {
          note(applied.input(), instances, actions);
        }
      }
    } catch (UnreadableException unknown) { // the rest is left out all the same
      leftOut = journal.lastNumber() - differs.record() + 1;
    }
    return new Salvage(
        String.valueOf(differs.getMessage()), kept, leftOut, passes, since, instances, actions);
  }

  private static void note(Event<?> event, Set<String> instances, Set<ActionId> actions) {
    if (event instanceof Event.OfInstance<?> about) {
      instances.add(about.instance());
    } else if (event instanceof Event.Submission submission) {
      submission.requests().forEach(each -> instances.add(each.id()));
    } else if (event instanceof Event.ActionRejected rejected) {
      actions.add(rejected.action());
    }
  }
}
