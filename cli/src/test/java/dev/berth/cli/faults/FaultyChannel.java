package dev.berth.cli.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** An open file, some of whose operations fail as {@link Faults} says. */
final class FaultyChannel extends FileChannel {

  private final Path path;
  private final boolean writes;
  private final FileChannel real;

  FaultyChannel(Path path, boolean writes, FileChannel real) {
    this.path = path;
    this.writes = writes;
    this.real = real;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    Faults.before(Operation.READ, path);
    return real.read(into);
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    Faults.before(Operation.READ, path);
    return real.read(into, offset, length);
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    Faults.before(Operation.READ, path);
    return real.read(into, position);
  }

  private interface Write {
    int of(ByteBuffer bytes) throws IOException;
  }

  private int write(ByteBuffer bytes, Write write) throws IOException {
    if (!Faults.fails(Operation.WRITE, path)) {
      return write.of(bytes);
    }
    if (Faults.isPartial()) {
      ByteBuffer half = bytes.slice(bytes.position(), bytes.remaining() / 2);
      while (half.hasRemaining()) {
        write.of(half);
      }
    }
    throw Faults.failure(Operation.WRITE, path);
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    return write(bytes, real::write);
  }

  @Override
  public long write(ByteBuffer[] bytes, int offset, int length) throws IOException {
    Faults.before(Operation.WRITE, path);
    return real.write(bytes, offset, length);
  }

  @Override
  public int write(ByteBuffer bytes, long position) throws IOException {
    return write(bytes, each -> real.write(each, position));
  }

  @Override
  public long position() throws IOException {
    return real.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    real.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return real.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    Faults.before(Operation.WRITE, path);
    real.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metadata) throws IOException {
    Faults.before(Operation.SYNC, path);
    real.force(metadata);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    Faults.before(Operation.READ, path);
    return real.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    Faults.before(Operation.WRITE, path);
    return real.transferFrom(source, position, count);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    throw new UnsupportedOperationException("mapped files cannot fail");
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    Faults.before(Operation.LOCK, path);
    return real.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    Faults.before(Operation.LOCK, path);
    return real.tryLock(position, size, shared);
  }

  /** Closes the file in any case, as the end of a process does. */
  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
    if (writes) {
      Faults.before(Operation.CLOSE, path);
    }
  }
}
