package dev.berth.runtime.journal;

import dev.berth.api.Experimental;
import dev.berth.runtime.journal.Layout.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in a directory of its own. Records are in files {@code *.log}, which are only appended
 * to; snapshots are in files {@code *.snapshot}. Needs the JDK only.
 *
 * <p><b>Size.</b> A record takes {@value #RECORD_OVERHEAD} bytes more than its content, a segment
 * and a snapshot {@value #FILE_OVERHEAD} and {@value #SNAPSHOT_OVERHEAD}. {@link #size} counts all
 * of them.
 *
 * <p><b>Time.</b> {@code append} copies the record into a buffer of 256 KiB or one segment, and
 * allocates nothing. The buffer is written when it is full, and by {@code force}. Opening reads
 * each file once.
 *
 * <p><b>After a crash.</b> Each record carries its number, the fence of its writer, the number up
 * to which a force had returned when it was appended, and a CRC-32C of all of them and its content.
 * After each force the writer also notes that number in a small file, but does not wait for it. A
 * bad record in the last segment is damage if a valid record behind it or this note says that it
 * had been forced. Otherwise it belongs to a tail that was written in part or in another order. The
 * tail is cut, with intact records in it. The decision can be wrong only for what the last force
 * wrote before the machine failed: damage there may look like a torn tail. Damage in an earlier
 * segment, a missing segment, and an intact record at a wrong place are always damage. Then the
 * journal refuses to open with a {@link JournalDamagedException} and modifies nothing.
 *
 * <p><b>Writers.</b> A lock of the operating system and a guard in the JVM admit one writer. Each
 * opening takes the next fencing number, durably, before it reads the records. It then begins a
 * segment. A writer checks after each force, before it returns, that it has not been replaced. So
 * no record that was acknowledged is lost, even if the lock failed. A segment that a replaced
 * writer began later, or what it appended to its old one, is ignored.
 *
 * <p>Interrupting the thread while it reads or writes closes the file, as for any {@link
 * java.nio.channels.FileChannel}; the journal has failed then.
 */
@Experimental
public final class FileJournal implements Journal {

  /** Bytes that a record takes besides its content. */
  public static final int RECORD_OVERHEAD = JournalFormat.RECORD_HEADER;

  /** Bytes that a segment takes besides its records. */
  public static final int FILE_OVERHEAD = JournalFormat.FILE_HEADER;

  /** Bytes that a snapshot takes besides its content. */
  public static final int SNAPSHOT_OVERHEAD =
      JournalFormat.FILE_HEADER + JournalFormat.SNAPSHOT_FOOTER;

  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);
  private static final int BUFFER = 1 << 18;
  private static final int COPY = 1 << 16;

  private final Disk disk;
  private final FileJournalOptions options;
  private final Closeable lock;
  private final long fence;
  private final String fenceName;
  private final String nextFenceName; // a later writer has this one or deletes ours
  private final List<JournalFinding> findings;

  /** The segments before the active one. */
  private final List<Segment> closed = new ArrayList<>();

  private final List<SnapshotFile> snapshots;
  private final Map<String, Long> stale = new TreeMap<>();
  private final Map<String, Long> damagedSnapshots = new TreeMap<>();

  private final ByteBuffer buffer;
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer mark = ByteBuffer.allocate(JournalFormat.MARK);

  // The active segment.
  private Disk.@Nullable File active;
  private String activeName = "";
  private long activeFirst;
  private long written;

  private Disk.@Nullable File fenceFile;
  private long last;
  private long forced;
  private boolean isOpen = true;
  private @Nullable Throwable failure;

  private FileJournal(
      Disk disk, FileJournalOptions options, Closeable lock, Layout layout, long fence) {
    this.disk = disk;
    this.options = options;
    this.lock = lock;
    this.fence = fence;
    fenceName = JournalFormat.fenceName(fence);
    nextFenceName = JournalFormat.fenceName(fence + 1);
    findings = List.copyOf(layout.findings());
    closed.addAll(layout.chain);
    snapshots = new ArrayList<>(layout.snapshots);
    stale.putAll(layout.stale);
    damagedSnapshots.putAll(layout.damagedSnapshots);
    last = layout.lastNumber();
    forced = last;
    buffer = ByteBuffer.allocateDirect((int) Math.min(BUFFER, options.segmentSize()));
  }

  /**
   * Opens the journal in a directory with the {@linkplain FileJournalOptions#defaults defaults}.
   */
  public static FileJournal open(Path directory) throws IOException {
    return open(directory, FileJournalOptions.defaults());
  }

  /**
   * Opens the journal in a directory for writing. Creates both if they do not exist. Cost O(bytes
   * of all files).
   *
   * @throws JournalLockedException if another writer has it open
   * @throws JournalDamagedException if records that were forced are damaged or missing
   * @throws JournalVersionException if a newer version of Berth wrote it
   * @throws IOException if the file system throws it
   */
  public static FileJournal open(Path directory, FileJournalOptions options) throws IOException {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(options, "options");
    return open(RealDisk.create(directory), options);
  }

  static FileJournal open(Disk disk, FileJournalOptions options) throws IOException {
    Closeable lock = disk.lock(JournalFormat.LOCK);
    try {
      return openLocked(disk, options, lock);
    } catch (IOException | RuntimeException refused) {
      closeAfter(refused, lock);
      throw refused;
    }
  }

  private static FileJournal openLocked(Disk disk, FileJournalOptions options, Closeable lock)
      throws IOException {
    Layout layout = Layout.scan(disk).orThrow(); // before anything is modified
    long fence = layout.greatestFence() + 1;
    disk.create(JournalFormat.fenceName(fence)).close();
    disk.forceDirectory();
    // A writer that lost its lock may have appended up to here. From here on its forces fail.
    layout = Layout.scan(disk).orThrow();
    for (JournalFinding each : layout.findings()) {
      LOG.warn("{}", each);
    }
    FileJournal journal = new FileJournal(disk, options, lock, layout, fence);
    try {
      journal.settle(layout);
      journal.fenceFile = disk.open(JournalFormat.fenceName(fence));
      journal.beginSegment();
      journal.tidy(layout);
    } catch (IOException | RuntimeException failed) {
      closeAfter(failed, journal.active);
      closeAfter(failed, journal.fenceFile);
      throw failed;
    }
    return journal;
  }

  /**
   * Makes durable what the last segment holds. Its records are written once more, since an earlier
   * force of them may have failed: then the operating system takes them as written.
   */
  private void settle(Layout layout) throws IOException {
    if (layout.chain.isEmpty()) {
      return;
    }
    Segment end = layout.chain.get(layout.chain.size() - 1);
    try (Disk.File file = disk.open(end.name())) {
      long at = offsetAfter(end, layout.proven());
      ByteBuffer some = ByteBuffer.allocate(COPY);
      while (at < end.end()) {
        some.clear().limit((int) Math.min(COPY, end.end() - at));
        if (!JournalFormat.readFully(file, some, at)) {
          throw JournalFormat.damaged(disk, end.name(), at, "the file became shorter");
        }
        some.flip();
        int count = some.limit();
        JournalFormat.writeFully(file, some, at);
        at += count;
      }
      file.force();
    }
  }

  private long offsetAfter(Segment segment, long number) throws IOException {
    if (number >= segment.last()) {
      return segment.end();
    }
    try (SegmentReader reader =
        SegmentReader.open(disk, segment.name(), segment.first(), segment.fence())) {
      boolean isBefore = true;
      while (isBefore) {
        isBefore = reader.number() < number && reader.next();
      }
      return reader.position();
    }
  }

  /** Begins a segment after the last record. Its header is durable before it has its name. */
  private void beginSegment() throws IOException {
    String name = JournalFormat.logName(last + 1, fence);
    String temporary = name + JournalFormat.TEMPORARY;
    Disk.File file = disk.create(temporary);
    try {
      JournalFormat.writeFully(
          file, JournalFormat.header(JournalFormat.LOG_MAGIC, last + 1, fence), 0);
      file.force();
      disk.rename(temporary, name);
      disk.forceDirectory();
    } catch (IOException | RuntimeException failed) {
      closeAfter(failed, file);
      throw failed;
    }
    active = file;
    activeName = name;
    activeFirst = last + 1;
    written = JournalFormat.FILE_HEADER;
  }

  /** Removes what the writers before have left and nobody needs. */
  private void tidy(Layout layout) throws IOException {
    for (String each : layout.temporary) {
      disk.delete(each);
    }
    for (long each : layout.fences.keySet()) {
      if (each < fence) {
        disk.delete(JournalFormat.fenceName(each));
      }
    }
    for (Segment each : layout.chain) {
      if (each.last() < each.first() && each.size() == JournalFormat.FILE_HEADER) {
        disk.delete(each.name());
        closed.remove(each);
      }
    }
    for (Map.Entry<String, Long> each : layout.stale.entrySet()) {
      if (each.getValue() == JournalFormat.FILE_HEADER) {
        disk.delete(each.getKey());
        stale.remove(each.getKey());
      }
    }
  }

  @Override
  public long append(byte[] record) throws IOException {
    Objects.requireNonNull(record, "record");
    if (record.length > options.maxRecordSize()) {
      throw new IllegalArgumentException(
          "Journal.append: the record has %s bytes, must have at most %s. Set a larger maxRecordSize."
              .formatted(record.length, options.maxRecordSize()));
    }
    Disk.File file = usable("append");
    try {
      long bytes = (long) JournalFormat.RECORD_HEADER + record.length;
      if (last >= activeFirst && position() + bytes > options.segmentSize()) {
        roll();
        file = usable("append");
      }
      put(file, record);
      last++;
      if (options.forceMode() == ForceMode.EACH) {
        forceFile(file);
      }
      return last;
    } catch (IOException | RuntimeException failed) {
      failure = failed;
      throw failed;
    }
  }

  private void put(Disk.File file, byte[] record) throws IOException {
    if (buffer.remaining() < JournalFormat.RECORD_HEADER + (long) record.length) {
      flush(file);
    }
    int at = buffer.position();
    buffer.putInt(0).putInt(record.length).putLong(last + 1).putLong(fence).putLong(forced);
    crc.reset();
    crc.update(
        buffer.duplicate().limit(at + JournalFormat.RECORD_HEADER).position(at + Integer.BYTES));
    crc.update(record);
    buffer.putInt(at, (int) crc.getValue());
    if (record.length <= buffer.remaining()) {
      buffer.put(record);
    } else {
      flush(file);
      JournalFormat.writeFully(file, ByteBuffer.wrap(record), written);
      written += record.length;
    }
  }

  private void flush(Disk.File file) throws IOException {
    buffer.flip();
    int count = buffer.limit();
    JournalFormat.writeFully(file, buffer, written);
    written += count;
    buffer.clear();
  }

  /** Returns the size of the active segment with what is in the buffer. */
  private long position() {
    return written + buffer.position();
  }

  @Override
  public void force() throws IOException {
    Disk.File file = usable("force");
    try {
      if (options.forceMode() == ForceMode.NEVER) {
        flush(file);
        checkFence();
      } else {
        forceFile(file);
      }
    } catch (IOException | RuntimeException failed) {
      failure = failed;
      throw failed;
    }
  }

  private void forceFile(Disk.File file) throws IOException {
    if (forced < last) {
      flush(file);
      file.force();
    }
    checkFence(); // after the force: until this check no other writer had begun to read
    if (forced < last) {
      forced = last;
      if (fenceFile != null) {
        JournalFormat.putMark(mark, forced, fence);
        JournalFormat.writeFully(fenceFile, mark, 0);
      }
    }
  }

  private void checkFence() throws IOException {
    if (disk.exists(nextFenceName) || !disk.exists(fenceName)) {
      throw new JournalFencedException(
          "%s: another writer has opened the journal since, or removed the file %s. This writer has fence %s; close it."
              .formatted(disk.path(""), fenceName, fence));
    }
  }

  private void roll() throws IOException {
    Disk.File file = usable("append");
    forceFile(file);
    closed.add(activeSegment());
    active = null;
    file.close();
    try {
      beginSegment();
    } catch (NoSuchFileException removed) { // by a writer that opened the journal meanwhile
      checkFence();
      throw removed;
    }
  }

  private Segment activeSegment() {
    return new Segment(activeName, activeFirst, fence, last, position(), position());
  }

  @Override
  public long lastNumber() {
    return last;
  }

  @Override
  public long firstNumber() {
    return closed.isEmpty() ? activeFirst : closed.get(0).first();
  }

  @Override
  public long forcedNumber() {
    return forced;
  }

  @Override
  public long fence() {
    return fence;
  }

  @Override
  public long size() {
    return position()
        + closed.stream().mapToLong(Segment::size).sum()
        + snapshots.stream().mapToLong(SnapshotFile::size).sum()
        + Stream.of(stale, damagedSnapshots)
            .flatMap(each -> each.values().stream())
            .mapToLong(Long::longValue)
            .sum();
  }

  /** Returns what was unusual when the journal was opened, such as a tail that was cut. */
  public List<JournalFinding> findings() {
    return findings;
  }

  @Override
  public JournalCursor read(long from) throws IOException {
    if (from < firstNumber() || from > last + 1) {
      throw new IllegalArgumentException(
          "Journal.read: from was %s, must be from %s to %s."
              .formatted(from, firstNumber(), last + 1));
    }
    Disk.File file = usable("read");
    try {
      flush(file);
    } catch (IOException | RuntimeException failed) {
      failure = failed;
      throw failed;
    }
    List<Segment> chain = new ArrayList<>(closed);
    chain.add(activeSegment());
    return new ChainCursor(disk, chain, from);
  }

  @Override
  public void saveSnapshot(long number, SnapshotContent content) throws IOException {
    Objects.requireNonNull(content, "content");
    SnapshotFile before = snapshots.isEmpty() ? null : snapshots.get(snapshots.size() - 1);
    long least = Math.max(before == null ? 0 : before.number(), firstNumber() - 1);
    if (number < least || number > last) {
      throw new IllegalArgumentException(
          "Journal.saveSnapshot: number was %s, must be from %s to %s."
              .formatted(number, least, last));
    }
    Disk.File file = usable("saveSnapshot");
    try {
      if (last >= activeFirst) {
        roll(); // so that compaction can drop all that the snapshot covers
      } else {
        forceFile(file);
      }
    } catch (IOException | RuntimeException failed) {
      failure = failed;
      throw failed;
    }
    String name = JournalFormat.snapshotName(number);
    String temporary = name + JournalFormat.TEMPORARY;
    try {
      disk.delete(temporary);
      SnapshotFile.write(disk, temporary, number, fence, content);
      if (disk.exists(name)) { // it is replaced in the same step, so verify the new one before
        SnapshotFile.verify(disk, temporary, number);
      }
    } catch (IOException | RuntimeException failed) {
      try {
        disk.delete(temporary);
      } catch (IOException | RuntimeException left) {
        failed.addSuppressed(left);
      }
      throw failed;
    }
    try {
      disk.rename(temporary, name);
      disk.forceDirectory();
      SnapshotFile saved = SnapshotFile.verify(disk, name, number);
      damagedSnapshots.remove(name);
      snapshots.removeIf(each -> each.number() == number);
      snapshots.add(saved);
    } catch (IOException | RuntimeException failed) {
      failure = failed;
      throw failed;
    }
  }

  @Override
  public Optional<JournalSnapshot> latestSnapshot() throws IOException {
    usable("latestSnapshot");
    SnapshotFile newest = snapshots.isEmpty() ? null : snapshots.get(snapshots.size() - 1);
    return newest != null && newest.number() >= firstNumber() - 1
        ? Optional.of(newest)
        : Optional.empty();
  }

  @Override
  public long compact() throws IOException {
    usable("compact");
    return new Compaction(disk, closed, snapshots, stale, damagedSnapshots)
        .run(options.snapshotsKept(), this::checkFence);
  }

  /**
   * Compacts a journal without opening it for writing, and returns the number of bytes that it
   * freed. Needs no room on the disk, so a full one can be compacted.
   *
   * @throws JournalLockedException if a writer has it open
   * @throws JournalDamagedException as {@link #open(Path)}
   * @throws IOException if it cannot be read, or a file cannot be deleted; nothing that is needed
   *     is lost
   */
  public static long compact(Path directory, FileJournalOptions options) throws IOException {
    Objects.requireNonNull(options, "options");
    return compact(RealDisk.existing(directory), options);
  }

  @SuppressWarnings("try") // the lock is only held
  static long compact(Disk disk, FileJournalOptions options) throws IOException {
    try (Closeable lock = disk.lock(JournalFormat.LOCK)) {
      Layout layout = Layout.scan(disk).orThrow();
      long freed = 0;
      for (String each : layout.temporary) {
        try (Disk.File file = disk.openReadOnly(each)) {
          freed += file.size();
        }
        disk.delete(each);
      }
      List<Segment> closed = new ArrayList<>(layout.chain);
      if (!closed.isEmpty()) {
        closed.remove(closed.size() - 1); // it says which record is the next
      }
      return freed
          + new Compaction(disk, closed, layout.snapshots, layout.stale, layout.damagedSnapshots)
              .run(options.snapshotsKept(), () -> {});
    }
  }

  private Disk.File usable(String method) throws IOException {
    if (failure != null) {
      throw new JournalFailedException(
          "Journal.%s: the journal in %s failed before: %s Open it again."
              .formatted(method, disk.path(""), failure.getMessage()),
          failure);
    }
    if (!isOpen || active == null) {
      throw new IllegalStateException("Journal.%s: the journal is closed.".formatted(method));
    }
    return active;
  }

  @Override
  public void close() throws IOException {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    try (lock;
        Disk.File marks = fenceFile;
        Disk.File file = active) {
      if (failure == null && file != null && marks != null) {
        forceFile(file);
        marks.force();
      }
    }
  }

  private static void closeAfter(Throwable failure, @Nullable Closeable open) {
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException | RuntimeException second) {
      failure.addSuppressed(second);
    }
  }
}
