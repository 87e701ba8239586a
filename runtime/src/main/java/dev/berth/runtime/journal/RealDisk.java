package dev.berth.runtime.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory of the file system of the operating system. */
record RealDisk(Path directory) implements Disk {

  private static final Logger LOG = LoggerFactory.getLogger(RealDisk.class);

  /**
   * The directories that this JVM has locked. A {@link FileLock} does not keep out the JVM itself.
   * Worse, on some systems closing any channel of the lock file releases the lock, so this set is
   * asked before the file is touched.
   */
  private static final Set<Path> LOCKED = new HashSet<>();

  private static final boolean WINDOWS = java.io.File.separatorChar == '\\';

  /** A byte far behind the text of the lock file: Windows lets nobody read what is locked. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private static final int MOST_OF_HOLDER = 200;

  /** Returns a directory, which is created with its parents if it does not exist. */
  static RealDisk create(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    Path existing = absolute;
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    Files.createDirectories(absolute);
    // A new directory is an entry of its parent, which must be durable too.
    for (Path each = absolute; !each.equals(existing); each = parent(each)) {
      force(parent(each));
    }
    return new RealDisk(absolute.toRealPath());
  }

  /** Returns a directory that exists. */
  static RealDisk existing(Path directory) throws IOException {
    return new RealDisk(directory.toRealPath());
  }

  private static Path parent(Path path) {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  @Override
  public List<String> list() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path each : files) {
        names.add(String.valueOf(each.getFileName()));
      }
    }
    Collections.sort(names);
    return names;
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(directory.resolve(name));
  }

  @Override
  public File create(String name) throws IOException {
    return open(
        name, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public File open(String name) throws IOException {
    return open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public File openReadOnly(String name) throws IOException {
    return open(name, StandardOpenOption.READ);
  }

  private File open(String name, StandardOpenOption... options) throws IOException {
    Path path = directory.resolve(name);
    return new RealFile(path, FileChannel.open(path, options));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(
        directory.resolve(from),
        directory.resolve(to),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }

  @Override
  public void forceDirectory() throws IOException {
    force(directory);
  }

  private static void force(Path directory) throws IOException {
    if (WINDOWS) { // which cannot open a directory; NTFS journals its entries
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  @SuppressWarnings("try") // the lock is released later
  public Closeable lock(String name) throws IOException {
    synchronized (LOCKED) {
      if (!LOCKED.add(directory)) {
        throw refusal("this process, " + ProcessHandle.current().pid());
      }
    }
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              directory.resolve(name),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw refusal(holder(channel));
      }
      noteHolder(channel);
    } catch (IOException | RuntimeException refused) {
      unlock(channel);
      throw refused;
    }
    FileChannel locked = channel;
    return () -> unlock(locked);
  }

  /** Writes what messages name; without it, a full disk can still be compacted. */
  private static void noteHolder(FileChannel channel) {
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(self().getBytes(UTF_8)), 0);
    } catch (IOException full) {
      LOG.warn("The lock file cannot name this process: {}", full.getMessage());
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(LOCKED_BYTE, 1, false);
    } catch (OverlappingFileLockException heldByOtherClassLoader) {
      return null;
    }
  }

  private void unlock(@Nullable FileChannel channel) throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      synchronized (LOCKED) {
        LOCKED.remove(directory);
      }
    }
  }

  private JournalLockedException refusal(String holder) {
    return new JournalLockedException(
        "%s: the journal is open for writing in %s. A journal has one writer; close the other one."
            .formatted(directory, holder));
  }

  private static String self() {
    ProcessHandle process = ProcessHandle.current();
    return "process %s%s"
        .formatted(
            process.pid(),
            process.info().startInstant().map(start -> ", started at " + start).orElse(""));
  }

  private static String holder(FileChannel channel) {
    ByteBuffer text = ByteBuffer.allocate(MOST_OF_HOLDER);
    try {
      int length = channel.read(text, 0);
      String holder = new String(text.array(), 0, Math.max(0, length), UTF_8);
      return holder.startsWith("process ") ? holder.strip() : "another process";
    } catch (IOException unreadable) {
      return "another process";
    }
  }

  @Override
  public String path(String name) {
    return (name.isEmpty() ? directory : directory.resolve(name)).toString();
  }

  private record RealFile(Path path, FileChannel channel) implements File {

    @Override
    public int read(ByteBuffer to, long position) throws IOException {
      return channel.read(to, position);
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
      try {
        return channel.write(from, position);
      } catch (IOException failed) {
        throw named(failed);
      }
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void force() throws IOException {
      try {
        channel.force(false); // the size of the file is forced too; its times need not be
      } catch (IOException failed) {
        throw named(failed);
      }
    }

    /** Returns an error that names the file: the JDK's does not. */
    private IOException named(IOException failed) {
      if (failed.getClass() != IOException.class) { // such as that of an interruption
        return failed;
      }
      IOException named = new FileSystemException(path.toString(), null, failed.getMessage());
      named.initCause(failed);
      return named;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
