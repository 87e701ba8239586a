package dev.berth.runtime.journal;

import dev.berth.runtime.journal.JournalFinding.Kind;
import dev.berth.runtime.journal.SegmentReader.Later;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * What the files of a journal hold, found by reading all of them and changing none.
 *
 * <p>Each writer begins a segment of its own, so a segment has one writer and one fence. A segment
 * is stale if one with a greater fence begins at or before its first number: its writer had been
 * replaced by then. Where the fence changes, what follows the last record that counts is ignored:
 * the first number of the next segment decided for good where the tail was cut.
 */
final class Layout {

  /**
   * A segment.
   *
   * @param last number of its last record that counts; {@code first - 1} if none
   * @param end offset after that record
   */
  record Segment(String name, long first, long fence, long last, long end, long size) {}

  private final Disk disk;

  /** The segments that count, in order. */
  final List<Segment> chain = new ArrayList<>();

  /** Files that do not count any more, and their sizes. */
  final Map<String, Long> stale = new TreeMap<>();

  /** Temporary files. */
  final List<String> temporary = new ArrayList<>();

  /** The undamaged snapshots in ascending order. */
  final List<SnapshotFile> snapshots = new ArrayList<>();

  final Map<String, Long> damagedSnapshots = new TreeMap<>();

  final List<JournalFinding> findings = new ArrayList<>();

  /** Why the journal cannot be opened, if so. */
  final List<IOException> problems = new ArrayList<>();

  /** The fences of writers, with the number up to which each says to have forced. */
  final TreeMap<Long, Long> fences = new TreeMap<>();

  /** Sizes of all segments and snapshots. */
  final Map<String, Long> sizes = new HashMap<>();

  private long greatestFence;

  /** Number up to which the records of the last segment are known to be forced. */
  private long proven;

  private Layout(Disk disk) {
    this.disk = disk;
  }

  /**
   * Reads all files. The marks are read before the files are listed, and these before the records:
   * so a mark never claims more than is there to be read, even beside a live writer.
   */
  static Layout scan(Disk disk) throws IOException {
    Layout layout = new Layout(disk);
    layout.readMarks();
    List<Segment> segments = layout.readHeaders();
    if (layout.problems.isEmpty()) {
      layout.readChain(segments);
      layout.checkSnapshots();
    }
    return layout;
  }

  private void readMarks() throws IOException {
    for (String each : disk.list()) {
      Matcher name = JournalFormat.FENCE.matcher(each);
      long fence = name.matches() ? JournalFormat.number(name, 1) : -1;
      if (fence > 0) {
        fences.put(fence, JournalFormat.readMark(disk, each, fence).orElse(0));
        greatestFence = Math.max(greatestFence, fence);
      }
    }
  }

  private List<Segment> readHeaders() throws IOException {
    List<Segment> segments = new ArrayList<>();
    for (String each : disk.list()) {
      Matcher log = JournalFormat.LOG.matcher(each);
      Matcher snapshot = JournalFormat.SNAPSHOT.matcher(each);
      if (each.endsWith(JournalFormat.TEMPORARY)) {
        temporary.add(each);
        find(Kind.LEFTOVER_FILE, each, 0, "temporary file; ignored");
      } else if (log.matches()) {
        readLogHeader(each, JournalFormat.number(log, 1), JournalFormat.number(log, 2), segments);
      } else if (snapshot.matches()) {
        readSnapshot(each, JournalFormat.number(snapshot, 1));
      }
    }
    return segments;
  }

  private void readLogHeader(String name, long first, long fence, List<Segment> to)
      throws IOException {
    try (Disk.File file = disk.openReadOnly(name)) {
      long size = file.size();
      sizes.put(name, size);
      JournalFormat.Header header =
          JournalFormat.readHeader(disk, file, name, JournalFormat.LOG_MAGIC);
      if (header.number() != first || header.fence() != fence || first < 1 || fence < 1) {
        throw JournalFormat.damaged(
            disk,
            name,
            16,
            "the header names record %s and fence %s, which does not match the name of the file"
                .formatted(header.number(), header.fence()));
      }
      greatestFence = Math.max(greatestFence, fence);
      to.add(new Segment(name, first, fence, first - 1, JournalFormat.FILE_HEADER, size));
    } catch (JournalDamagedException damaged) {
      problem(Kind.DAMAGE, name, damaged.offset(), damaged);
    } catch (JournalVersionException newer) {
      problem(Kind.NEWER_VERSION, name, 0, newer);
    }
  }

  private void readSnapshot(String name, long number) throws IOException {
    try (Disk.File file = disk.openReadOnly(name)) {
      sizes.put(name, file.size());
    }
    try {
      SnapshotFile snapshot = SnapshotFile.verify(disk, name, number);
      greatestFence = Math.max(greatestFence, snapshot.fence());
      snapshots.add(snapshot);
    } catch (JournalDamagedException damaged) {
      damagedSnapshots.put(name, sizes.getOrDefault(name, 0L));
      find(Kind.DAMAGED_SNAPSHOT, name, damaged.offset(), "the snapshot is damaged; ignored");
    } catch (JournalVersionException newer) {
      problem(Kind.NEWER_VERSION, name, 0, newer);
    }
  }

  private void readChain(List<Segment> segments) throws IOException {
    segments.sort(
        Comparator.comparingLong(Segment::first)
            .thenComparing(Comparator.comparingLong(Segment::fence).reversed()));
    List<Segment> counted = new ArrayList<>();
    long fence = 0;
    for (Segment each : segments) {
      if (each.fence() < fence) {
        setAside(each, Kind.STALE_RECORDS, "written after a later writer had taken over; ignored");
      } else {
        counted.add(each);
        fence = each.fence();
      }
    }
    for (int i = 0; i < counted.size() && problems.isEmpty(); i++) {
      boolean isLast = i == counted.size() - 1;
      readSegment(counted.get(i), isLast ? null : counted.get(i + 1));
    }
  }

  private void readSegment(Segment segment, @Nullable Segment next) throws IOException {
    long limit = next == null ? Long.MAX_VALUE : next.first() - 1;
    try (SegmentReader reader =
        SegmentReader.open(disk, segment.name(), segment.first(), segment.fence())) {
      long forced = segment.first() - 1;
      while (reader.number() < limit && reader.next()) {
        forced = Math.max(forced, reader.forced());
      }
      Segment read =
          new Segment(
              segment.name(),
              segment.first(),
              segment.fence(),
              reader.number(),
              reader.position(),
              reader.size());
      chain.add(read);
      if (next == null) {
        readEnd(read, reader, forced);
      } else if (reader.number() == limit) {
        checkBoundary(read, next);
      } else if (reader.problem() != null) {
        damage(read.name(), read.end(), reader.problem());
      } else if (isCovered(limit)) { // an interrupted compaction, or an incomplete power loss of it
        chain.forEach(
            each ->
                setAside(each, Kind.LEFTOVER_FILE, "left by an interrupted compaction; ignored"));
        chain.clear();
      } else {
        damage(
            read.name(),
            read.end(),
            "records %s to %s are missing: the file ends, and the next one, %s, begins with record %s"
                .formatted(read.last() + 1, limit, next.name(), next.first()));
      }
    }
  }

  /** Checks what follows the last record of a segment that is not the last one. */
  private void checkBoundary(Segment segment, Segment next) {
    if (segment.end() == segment.size()) {
      return;
    }
    if (segment.fence() == next.fence()) {
      damage(
          segment.name(),
          segment.end(),
          "%s bytes follow record %s, the last of the file"
              .formatted(segment.size() - segment.end(), segment.last()));
    } else {
      find(
          Kind.CUT_TAIL,
          segment.name(),
          segment.end(),
          "%s bytes that were never forced, or written by a writer that had been replaced; ignored"
              .formatted(segment.size() - segment.end()));
    }
  }

  /** Decides whether the end of the last segment is a torn tail or damage. */
  private void readEnd(Segment last, SegmentReader reader, long forced) throws IOException {
    long marked = fences.getOrDefault(last.fence(), 0L);
    proven = Math.max(forced, Math.min(marked, last.last()));
    String problem = reader.problem();
    if (problem == null) {
      if (marked > last.last()) {
        damage(
            last.name(),
            last.end(),
            "the file ends after record %s, but records up to %s had been forced"
                .formatted(last.last(), marked));
      }
      return;
    }
    Later later = reader.isContradiction() ? null : reader.findLater();
    long damaged = last.last() + 1;
    if (reader.isContradiction()) {
      damage(last.name(), last.end(), problem);
    } else if (marked >= damaged) {
      damage(
          last.name(),
          last.end(),
          "%s; records up to %s had been forced, says %s"
              .formatted(problem, marked, JournalFormat.fenceName(last.fence())));
    } else if (later != null && later.forced() >= damaged) {
      damage(
          last.name(),
          last.end(),
          "%s; records up to %s had been forced, says record %s at byte %s"
              .formatted(problem, later.forced(), later.number(), later.offset()));
    } else {
      find(
          Kind.CUT_TAIL,
          last.name(),
          last.end(),
          "%s; %s bytes that were not known to be forced are ignored"
              .formatted(problem, last.size() - last.end()));
    }
  }

  private void checkSnapshots() {
    if (!problems.isEmpty()) {
      return;
    }
    if (chain.isEmpty()) {
      long forced = fences.values().stream().mapToLong(Long::longValue).max().orElse(0);
      if (forced > 0 || !snapshots.isEmpty() || !damagedSnapshots.isEmpty()) {
        damage("", 0, "the files with the records are missing");
      }
      return;
    }
    long first = firstNumber();
    if (first > 1 && latestSnapshot() == null) {
      damage(
          chain.get(0).name(),
          0,
          "records up to %s are missing, and no undamaged snapshot covers them"
              .formatted(first - 1));
    }
    SnapshotFile newest = snapshots.isEmpty() ? null : snapshots.get(snapshots.size() - 1);
    if (newest != null && newest.number() > lastNumber()) {
      Segment last = chain.get(chain.size() - 1);
      damage(
          last.name(),
          last.end(),
          "the file ends after record %s, but the snapshot %s covers records up to %s"
              .formatted(last.last(), newest.name(), newest.number()));
    }
  }

  private boolean isCovered(long number) {
    return !snapshots.isEmpty() && snapshots.get(snapshots.size() - 1).number() >= number;
  }

  /** Returns the newest undamaged snapshot after which all records are there; null if none. */
  @Nullable SnapshotFile latestSnapshot() {
    SnapshotFile newest = snapshots.isEmpty() ? null : snapshots.get(snapshots.size() - 1);
    return newest != null && newest.number() >= firstNumber() - 1 ? newest : null;
  }

  /** Returns the oldest undamaged snapshot after which all records are there; null if none. */
  @Nullable SnapshotFile oldestSnapshot() {
    return snapshots.stream()
        .filter(each -> each.number() >= firstNumber() - 1 && each.number() <= lastNumber())
        .findFirst()
        .orElse(null);
  }

  long firstNumber() {
    return chain.isEmpty() ? 1 : chain.get(0).first();
  }

  long lastNumber() {
    return chain.isEmpty() ? 0 : chain.get(chain.size() - 1).last();
  }

  long greatestFence() {
    return greatestFence;
  }

  long proven() {
    return proven;
  }

  /** Throws the first reason why the journal cannot be opened, if there is one. */
  Layout orThrow() throws IOException {
    if (!problems.isEmpty()) {
      IOException first = problems.get(0);
      problems.subList(1, problems.size()).forEach(first::addSuppressed);
      throw first;
    }
    return this;
  }

  List<JournalFinding> findings() {
    return Collections.unmodifiableList(findings);
  }

  private void setAside(Segment segment, Kind kind, String why) {
    stale.put(segment.name(), segment.size());
    find(kind, segment.name(), 0, why);
  }

  private void damage(String name, long offset, String problem) {
    problem(Kind.DAMAGE, name, offset, JournalFormat.damaged(disk, name, offset, problem));
  }

  private void problem(Kind kind, String name, long offset, IOException problem) {
    problems.add(problem);
    String message =
        problem instanceof JournalDamagedException damaged
            ? damaged.problem()
            : String.valueOf(problem.getMessage());
    find(kind, name, offset, message);
  }

  private void find(Kind kind, String name, long offset, String message) {
    findings.add(new JournalFinding(kind, name, offset, message));
  }
}
