package dev.berth.runtime.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A directory in memory that fails as real disks do, driven by one seed.
 *
 * <p>Each file has what programs read and what is durable; so has the directory. A {@linkplain
 * #crashAt crash} is thrown as a {@link Crash} out of an operation that changes something. After
 * it, {@link #failPower} or {@link #kill} makes the disk usable again. A power failure keeps any
 * subset of the pieces of writes that were not forced, and of creations, renames and deletions that
 * were not; a kill keeps everything.
 *
 * <p>For one thread. Everything is the same for the same seed and the same calls.
 */
public final class SimulatedDisk implements Disk {

  private static final int LONGEST_PIECE = 64;

  private final Random random;
  private final Map<String, Inode> entries = new TreeMap<>();
  private final Map<String, Inode> durableEntries = new TreeMap<>();
  private final List<EntryChange> changes = new ArrayList<>();

  private long operations;
  private long crashAt = Long.MAX_VALUE;
  private boolean hasCrashed;
  private long failForceAt = Long.MAX_VALUE;
  private long forces;
  private long capacity = Long.MAX_VALUE;
  private boolean writesShort;
  private int boot;
  private boolean isLocked;
  private long interjectAt = Long.MAX_VALUE;
  private Runnable interjection = () -> {};

  /** Makes an empty disk. */
  public SimulatedDisk(long seed) {
    random = new Random(seed);
  }

  /** Thrown by the operation at which the machine or the process ends, and by all after it. */
  public static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;

    Crash() {
      super("simulated crash");
    }
  }

  private static final class Inode {
    byte[] content = new byte[0];
    byte[] durable = new byte[0];
    final List<Piece> pieces = new ArrayList<>();

    void write(byte[] bytes, long position) {
      int at = Math.toIntExact(position);
      content = grown(content, at + bytes.length);
      System.arraycopy(bytes, 0, content, at, bytes.length);
    }

    void keep(Piece piece) {
      durable = grown(durable, piece.position + piece.bytes.length);
      System.arraycopy(piece.bytes, 0, durable, piece.position, piece.bytes.length);
    }

    private static byte[] grown(byte[] bytes, int size) {
      return bytes.length >= size ? bytes : Arrays.copyOf(bytes, size);
    }
  }

  private static final class Piece {
    final int position;
    final byte[] bytes;

    Piece(int position, byte[] bytes) {
      this.position = position;
      this.bytes = bytes;
    }
  }

  /** A change of the directory: a name gets an inode, a name goes, or both at once. */
  private record EntryChange(String added, String removed, Inode inode) {
    void apply(Map<String, Inode> to) {
      if (removed != null && to.get(removed) == inode) {
        to.remove(removed);
      }
      if (added != null) {
        to.put(added, inode);
      }
    }
  }

  // What a test can do to the disk.

  /** Opens a journal on this disk. */
  public FileJournal openJournal(FileJournalOptions options) throws IOException {
    return FileJournal.open(this, options);
  }

  /** Inspects the journal on this disk. */
  public JournalInspection inspect() throws IOException {
    return JournalInspection.of(this);
  }

  /** Crashes at the k-th operation from now on that changes something, from 1. */
  public void crashAt(long k) {
    crashAt = operations + k;
  }

  /** Runs something once, just before the k-th operation from now on that changes something. */
  public void interjectAt(long k, Runnable action) {
    interjectAt = operations + k;
    interjection = action;
  }

  /** Returns the number of operations so far that changed something. */
  public long operations() {
    return operations;
  }

  /** Lets the k-th force of a file or of the directory from now on fail, from 1. */
  public void failForceAt(long k) {
    failForceAt = forces + k;
  }

  /** Limits the bytes of all files together. */
  public void limitTo(long bytes) {
    capacity = bytes;
  }

  /** Returns the bytes of all files together. */
  public long used() {
    return entries.values().stream().mapToLong(each -> each.content.length).sum();
  }

  /** Lets writes take only some of the bytes. */
  public void writeShort(boolean isOn) {
    writesShort = isOn;
  }

  /** Releases the lock behind the back of its holder. */
  public void breakLock() {
    isLocked = false;
  }

  /** Ends the process. All that it wrote is still there, though it may not be durable. */
  public void kill() {
    restart();
  }

  /** Cuts the power: what was not forced is lost, in part, or written in another order. */
  public void failPower() {
    for (EntryChange each : changes) {
      if (random.nextBoolean()) {
        each.apply(durableEntries);
      }
    }
    changes.clear();
    entries.clear();
    entries.putAll(durableEntries);
    for (Inode each : entries.values()) {
      loseSome(each);
    }
    restart();
  }

  private void loseSome(Inode inode) {
    int fate = random.nextInt(4); // none, all, or some of the pieces
    for (Piece each : inode.pieces) {
      if (fate == 1 || (fate >= 2 && random.nextBoolean())) {
        inode.keep(each);
      }
    }
    if (inode.content.length > inode.durable.length && random.nextInt(3) == 0) {
      inode.durable = Arrays.copyOf(inode.durable, inode.content.length); // filled with zeros
    }
    inode.pieces.clear();
    inode.content = inode.durable.clone();
  }

  private void restart() {
    hasCrashed = false;
    crashAt = Long.MAX_VALUE;
    failForceAt = Long.MAX_VALUE;
    isLocked = false;
    boot++;
  }

  /** Flips a bit, in what is read and in what is durable. */
  public void flip(String name, long offset, int bit) {
    Inode inode = entries.get(name);
    int at = Math.toIntExact(offset);
    inode.content[at] ^= (byte) (1 << bit);
    inode.durable = inode.content.clone();
    inode.pieces.clear();
  }

  /** Replaces the content of a file, or makes the file. */
  public void put(String name, byte[] content) {
    Inode inode = new Inode();
    inode.content = content.clone();
    inode.durable = content.clone();
    entries.put(name, inode);
    durableEntries.put(name, inode);
  }

  /** Removes a file for good. */
  public void remove(String name) {
    entries.remove(name);
    durableEntries.remove(name);
  }

  /** Returns a copy of the content of a file. */
  public byte[] content(String name) {
    return entries.get(name).content.clone();
  }

  /** Returns copies of all files whose names end so. */
  public Map<String, byte[]> contents(String suffix) {
    Map<String, byte[]> contents = new TreeMap<>();
    entries.forEach(
        (name, inode) -> {
          if (name.endsWith(suffix)) {
            contents.put(name, inode.content.clone());
          }
        });
    return contents;
  }

  // The disk of the journal.

  /** Counts an operation that changes something; returns true if it is the one that crashes. */
  private boolean crashes() {
    alive();
    if (operations + 1 >= interjectAt) {
      interjectAt = Long.MAX_VALUE;
      interjection.run();
    }
    operations++;
    if (operations >= crashAt) {
      hasCrashed = true;
      return true;
    }
    return false;
  }

  private void alive() {
    if (hasCrashed) {
      throw new Crash();
    }
  }

  private void change(EntryChange change) {
    boolean crashes = crashes();
    if (!crashes || random.nextBoolean()) {
      change.apply(entries);
      changes.add(change);
    }
    if (crashes) {
      throw new Crash();
    }
  }

  @Override
  public List<String> list() {
    alive();
    return List.copyOf(entries.keySet());
  }

  @Override
  public boolean exists(String name) {
    alive();
    return entries.containsKey(name);
  }

  @Override
  public File create(String name) throws IOException {
    alive();
    if (entries.containsKey(name)) {
      throw new FileAlreadyExistsException(name);
    }
    Inode inode = new Inode();
    change(new EntryChange(name, null, inode));
    return new OpenFile(inode, true);
  }

  @Override
  public File open(String name) throws IOException {
    return new OpenFile(inode(name), true);
  }

  @Override
  public File openReadOnly(String name) throws IOException {
    return new OpenFile(inode(name), false);
  }

  private Inode inode(String name) throws IOException {
    alive();
    Inode inode = entries.get(name);
    if (inode == null) {
      throw new NoSuchFileException(name);
    }
    return inode;
  }

  @Override
  public void rename(String from, String to) throws IOException {
    change(new EntryChange(to, from, inode(from)));
  }

  @Override
  public void delete(String name) {
    alive();
    Inode inode = entries.get(name);
    if (inode != null) {
      change(new EntryChange(null, name, inode));
    }
  }

  @Override
  public void forceDirectory() throws IOException {
    beforeForce();
    changes.forEach(each -> each.apply(durableEntries));
    changes.clear();
  }

  private void beforeForce() throws IOException {
    if (crashes()) {
      throw new Crash();
    }
    forces++;
    if (forces >= failForceAt) {
      failForceAt = Long.MAX_VALUE;
      throw new IOException("simulated failure of a force");
    }
  }

  @Override
  public Closeable lock(String name) throws IOException {
    alive();
    if (isLocked) {
      throw new JournalLockedException("simulated: locked by another writer");
    }
    isLocked = true;
    int lockedIn = boot;
    return () -> {
      if (boot == lockedIn && !hasCrashed) {
        isLocked = false;
      }
    };
  }

  @Override
  public String path(String name) {
    return "/simulated/" + name;
  }

  private final class OpenFile implements File {
    private final Inode inode;
    private final boolean isWritable;
    private final int openedIn = boot;
    private boolean isOpen = true;

    OpenFile(Inode inode, boolean isWritable) {
      this.inode = inode;
      this.isWritable = isWritable;
    }

    private void check() throws IOException {
      alive();
      if (!isOpen || openedIn != boot) {
        throw new IOException("simulated: the file is closed");
      }
    }

    @Override
    public int read(ByteBuffer to, long position) throws IOException {
      check();
      if (position >= inode.content.length) {
        return -1;
      }
      int count = Math.min(to.remaining(), inode.content.length - (int) position);
      to.put(inode.content, (int) position, count);
      return count;
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
      check();
      if (!isWritable) {
        throw new IOException("simulated: the file is open for reading only");
      }
      boolean crashes = crashes();
      long grows = Math.max(0, position + from.remaining() - inode.content.length);
      long room = capacity == Long.MAX_VALUE ? Long.MAX_VALUE : capacity - used();
      int count = (int) Math.min(from.remaining(), from.remaining() - grows + Math.max(0, room));
      if (room >= grows) {
        count = from.remaining();
      }
      if (crashes) {
        count = random.nextInt(count + 1);
      } else if (writesShort && count > 1) {
        count = 1 + random.nextInt(count);
      }
      if (count == 0 && from.hasRemaining() && !crashes) {
        throw new IOException("No space left on device");
      }
      byte[] bytes = new byte[count];
      from.get(bytes);
      inode.write(bytes, position);
      for (int at = 0; at < count; ) {
        int length = Math.min(count - at, 1 + random.nextInt(LONGEST_PIECE));
        inode.pieces.add(
            new Piece((int) position + at, Arrays.copyOfRange(bytes, at, at + length)));
        at += length;
      }
      if (crashes) {
        throw new Crash();
      }
      return count;
    }

    @Override
    public long size() throws IOException {
      check();
      return inode.content.length;
    }

    /** A failed force drops what was to be written: the next one does not write it either. */
    @Override
    public void force() throws IOException {
      check();
      try {
        beforeForce();
      } catch (IOException failed) {
        inode.pieces.removeIf(each -> random.nextBoolean());
        inode.pieces.forEach(inode::keep);
        inode.pieces.clear();
        throw failed;
      }
      inode.pieces.forEach(inode::keep);
      inode.pieces.clear();
    }

    @Override
    public void close() {
      isOpen = false;
    }
  }
}
