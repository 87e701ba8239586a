package dev.berth.runtime.journal;

import static dev.berth.runtime.journal.JournalFormat.FILE_HEADER;
import static dev.berth.runtime.journal.JournalFormat.SNAPSHOT_FOOTER;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/** A snapshot in a file of its own that was read and found undamaged. */
record SnapshotFile(Disk disk, String name, long number, long fence, long length)
    implements JournalSnapshot {

  private static final int BUFFER = 1 << 16;

  /** Returns the size of the file in bytes. */
  long size() {
    return FILE_HEADER + length + SNAPSHOT_FOOTER;
  }

  /** Writes a file, which must not exist, and forces it. */
  static void write(Disk disk, String name, long number, long fence, SnapshotContent content)
      throws IOException {
    try (Disk.File file = disk.create(name)) {
      JournalFormat.writeFully(
          file, JournalFormat.header(JournalFormat.SNAPSHOT_MAGIC, number, fence), 0);
      CRC32C crc = new CRC32C();
      Output output = new Output(file);
      OutputStream buffered =
          new BufferedOutputStream(new CheckedOutputStream(output, crc), BUFFER);
      try {
        content.writeTo(buffered);
        buffered.flush();
      } catch (IOException failed) {
        throw output.failure == null ? failed : output.withSize(content);
      }
      ByteBuffer footer = ByteBuffer.allocate(SNAPSHOT_FOOTER);
      footer.putLong(output.written).putInt((int) crc.getValue());
      JournalFormat.writeFully(file, footer.rewind(), FILE_HEADER + output.written);
      file.force();
    }
  }

  /**
   * Reads a whole file and returns it.
   *
   * @throws JournalDamagedException if it is damaged
   * @throws JournalVersionException if its format is newer
   */
  static SnapshotFile verify(Disk disk, String name, long number) throws IOException {
    try (Disk.File file = disk.openReadOnly(name)) {
      JournalFormat.Header header =
          JournalFormat.readHeader(disk, file, name, JournalFormat.SNAPSHOT_MAGIC);
      if (header.number() != number) {
        throw JournalFormat.damaged(
            disk,
            name,
            16,
            "the snapshot covers records up to %s, must be %s".formatted(header.number(), number));
      }
      long length = file.size() - FILE_HEADER - SNAPSHOT_FOOTER;
      if (length < 0) {
        throw JournalFormat.damaged(disk, name, FILE_HEADER, "the snapshot is incomplete");
      }
      SnapshotFile snapshot = new SnapshotFile(disk, name, number, header.fence(), length);
      try (InputStream all = snapshot.open()) {
        all.transferTo(OutputStream.nullOutputStream()); // the end of the stream verifies it
      }
      return snapshot;
    }
  }

  @Override
  public InputStream open() throws IOException {
    return new BufferedInputStream(new Input(this, disk.openReadOnly(name)), BUFFER);
  }

  private static final class Output extends OutputStream {

    private final Disk.@Nullable File file; // null: only counts
    private long written;
    private @Nullable IOException failure;

    Output(Disk.@Nullable File file) {
      this.file = file;
    }

    /** Returns the failure with the room that the snapshot needs. */
    private IOException withSize(SnapshotContent content) throws IOException {
      Output all = new Output(null);
      content.writeTo(all);
      String why = failure == null ? "" : String.valueOf(failure.getMessage());
      return new IOException(
          "%s; the snapshot takes %s bytes, of which %s were written."
              .formatted(why, FILE_HEADER + all.written + SNAPSHOT_FOOTER, FILE_HEADER + written),
          failure);
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      for (int at = from; at < from + count; at += BUFFER) { // a channel copies what it writes
        int some = Math.min(BUFFER, from + count - at);
        if (file != null) {
          try {
            JournalFormat.writeFully(file, ByteBuffer.wrap(bytes, at, some), FILE_HEADER + written);
          } catch (IOException failed) {
            failure = failed;
            throw failed;
          }
        }
        written += some;
      }
    }
  }

  private static final class Input extends InputStream {

    private final SnapshotFile snapshot;
    private final Disk.File file;
    private final CRC32C crc = new CRC32C();
    private long at;

    Input(SnapshotFile snapshot, Disk.File file) {
      this.snapshot = snapshot;
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int from, int count) throws IOException {
      Objects.checkFromIndexSize(from, count, to.length);
      if (count == 0) {
        return 0;
      }
      if (at == snapshot.length) {
        verify();
        return -1;
      }
      int some = (int) Math.min(Math.min(count, BUFFER), snapshot.length - at);
      if (!JournalFormat.readFully(file, ByteBuffer.wrap(to, from, some), FILE_HEADER + at)) {
        throw new EOFException("The snapshot became shorter while it was read.");
      }
      crc.update(to, from, some);
      at += some;
      return some;
    }

    private void verify() throws IOException {
      ByteBuffer footer = ByteBuffer.allocate(SNAPSHOT_FOOTER);
      long offset = FILE_HEADER + snapshot.length;
      boolean isIntact =
          JournalFormat.readFully(file, footer, offset)
              && footer.getLong(0) == snapshot.length
              && footer.getInt(8) == (int) crc.getValue()
              && footer.getInt(12) == 0;
      if (!isIntact) {
        throw JournalFormat.damaged(
            snapshot.disk,
            snapshot.name,
            FILE_HEADER,
            "the snapshot of records up to %s is damaged: its length and its CRC-32C do not hold"
                .formatted(snapshot.number));
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
