package dev.berth.runtime.journal;

import static dev.berth.runtime.journal.JournalFormat.FILE_HEADER;
import static dev.berth.runtime.journal.JournalFormat.SNAPSHOT_FOOTER;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;

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
      Output output = new Output(file);
      content.writeTo(output);
      output.end();
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
      Input all = new Input(snapshot, disk.openReadOnly(name));
      try (all) {
        byte[] buffer = new byte[BUFFER];
        int count;
        do {
          count = all.read(buffer, 0, buffer.length); // the end of the stream verifies it
        } while (count >= 0);
      }
      return snapshot;
    }
  }

  @Override
  public InputStream open() throws IOException {
    return new Input(this, disk.openReadOnly(name));
  }

  private static final class Output extends OutputStream {

    private final Disk.File file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    private final CRC32C crc = new CRC32C();
    private long written;

    Output(Disk.File file) {
      this.file = file;
    }

    @Override
    public void write(int one) throws IOException {
      if (!buffer.hasRemaining()) {
        drain();
      }
      buffer.put((byte) one);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      Objects.checkFromIndexSize(from, count, bytes.length);
      int at = from;
      while (at < from + count) {
        if (!buffer.hasRemaining()) {
          drain();
        }
        int some = Math.min(buffer.remaining(), from + count - at);
        buffer.put(bytes, at, some);
        at += some;
      }
    }

    private void drain() throws IOException {
      buffer.flip();
      crc.update(buffer.array(), 0, buffer.limit());
      int count = buffer.limit();
      JournalFormat.writeFully(file, buffer, FILE_HEADER + written);
      written += count;
      buffer.clear();
    }

    void end() throws IOException {
      drain();
      ByteBuffer footer = ByteBuffer.allocate(SNAPSHOT_FOOTER);
      footer.putLong(written).putInt((int) crc.getValue());
      JournalFormat.writeFully(file, footer.rewind(), FILE_HEADER + written);
    }
  }

  private static final class Input extends InputStream {

    private final SnapshotFile snapshot;
    private final Disk.File file;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).limit(0);
    private long at;
    private boolean isVerified;

    Input(SnapshotFile snapshot, Disk.File file) {
      this.snapshot = snapshot;
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      return fill() ? buffer.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] to, int from, int count) throws IOException {
      Objects.checkFromIndexSize(from, count, to.length);
      if (count == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int some = Math.min(count, buffer.remaining());
      buffer.get(to, from, some);
      return some;
    }

    /** Makes some bytes available and returns true, or verifies the whole and returns false. */
    private boolean fill() throws IOException {
      if (buffer.hasRemaining()) {
        return true;
      }
      if (at == snapshot.length) {
        verify();
        return false;
      }
      buffer.clear().limit((int) Math.min(BUFFER, snapshot.length - at));
      if (!JournalFormat.readFully(file, buffer, FILE_HEADER + at)) {
        throw new EOFException("The snapshot became shorter while it was read.");
      }
      buffer.flip();
      crc.update(buffer.array(), 0, buffer.limit());
      at += buffer.limit();
      return true;
    }

    private void verify() throws IOException {
      if (isVerified) {
        return;
      }
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
      isVerified = true;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
