package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the directory of a {@link FileJournal} held at a moment, found by reading all its files.
 * Takes no lock and modifies nothing, so it can be used beside a live writer, whose record in
 * progress may appear as a {@link JournalFinding.Kind#CUT_TAIL}, and on a damaged journal.
 * Immutable.
 */
@Experimental
public final class JournalInspection {

  private static final int ATTEMPTS = 10;

  private final Disk disk;
  private final Layout layout;

  private JournalInspection(Disk disk, Layout layout) {
    this.disk = disk;
    this.layout = layout;
  }

  /**
   * A file with records.
   *
   * @param file name of the file
   * @param first number of its first record
   * @param last number of its last record that counts; {@code first - 1} if none
   * @param fence fencing number of its writer
   * @param size its size in bytes
   */
  public record SegmentInfo(String file, long first, long last, long fence, long size) {}

  /**
   * A snapshot that is undamaged.
   *
   * @param file name of the file
   * @param number number of the last record that it covers
   * @param fence fencing number of its writer
   * @param size its size in bytes
   */
  public record SnapshotInfo(String file, long number, long fence, long size) {}

  /**
   * Reads a directory. Cost O(bytes of all files).
   *
   * @throws IOException if the directory does not exist or cannot be read
   */
  public static JournalInspection of(Path directory) throws IOException {
    Objects.requireNonNull(directory, "directory");
    return of(RealDisk.existing(directory));
  }

  static JournalInspection of(Disk disk) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return new JournalInspection(disk, Layout.scan(disk));
      } catch (NoSuchFileException dropped) { // by the compaction of a live writer
        if (attempt == ATTEMPTS) {
          throw dropped;
        }
      }
    }
  }

  /**
   * Returns the files with records, in order. If there is damage, up to the damaged one, whose last
   * record is the one before the damage.
   */
  public List<SegmentInfo> segments() {
    return layout.chain.stream()
        .map(
            each ->
                new SegmentInfo(each.name(), each.first(), each.last(), each.fence(), each.size()))
        .toList();
  }

  /** Returns the undamaged snapshots, oldest first. */
  public List<SnapshotInfo> snapshots() {
    return layout.snapshots.stream()
        .map(each -> new SnapshotInfo(each.name(), each.number(), each.fence(), each.size()))
        .toList();
  }

  /** Returns all that is unusual; empty if nothing is. */
  public List<JournalFinding> findings() {
    return layout.findings();
  }

  /** Returns true if the journal refuses to open. */
  public boolean isDamaged() {
    return !layout.problems.isEmpty();
  }

  /** Returns the number of the oldest record that can be read; one more than the last if none. */
  public long firstNumber() {
    return layout.firstNumber();
  }

  /** Returns the number of the last record before any damage; 0 if there is none. */
  public long lastNumber() {
    return layout.lastNumber();
  }

  /** Returns the bytes that all segments and snapshots take. */
  public long size() {
    return layout.sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the snapshot from which a recovery would start; null if from the first record. */
  public @Nullable JournalSnapshot latestSnapshot() {
    return layout.latestSnapshot();
  }

  /**
   * Returns the oldest snapshot after which all records are there; null if there is none. {@link
   * #latestSnapshot} covers more.
   */
  public @Nullable JournalSnapshot oldestSnapshot() {
    return layout.oldestSnapshot();
  }

  /**
   * Returns the records from a number up to the last one, or up to damage.
   *
   * @param from between {@link #firstNumber} and {@link #lastNumber} + 1
   * @throws IllegalArgumentException if {@code from} is outside these bounds
   */
  public JournalCursor read(long from) {
    if (from < firstNumber() || from > lastNumber() + 1) {
      throw new IllegalArgumentException(
          "JournalInspection.read: from was %s, must be from %s to %s."
              .formatted(from, firstNumber(), lastNumber() + 1));
    }
    return new ChainCursor(disk, layout.chain, from);
  }
}
