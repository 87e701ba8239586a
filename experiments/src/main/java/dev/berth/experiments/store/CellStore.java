package dev.berth.experiments.store;

import com.google.common.io.ByteSource;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.berth.simulator.metrics.RunMetrics;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A folder with the results of cells, each under the digest of everything it depends on. A cell is
 * stored completely or not at all, even if the writing process is killed. Stored digests detect
 * later damage; a damaged cell is treated as missing.
 *
 * <p>Each process that stores cells appends them to a {@link CellLog} of its own. The files of
 * several folders can be copied into one. The order of cells in a folder has no meaning.
 *
 * <p>Only one process at a time can use the folder. Several threads may call the methods for
 * different cells. Every {@link IOException} names the file or folder that it concerns, except
 * those of {@link #open}.
 */
public final class CellStore implements Closeable {

  private static final String LOCK = ".lock";
  private static final String LOG = ".cells";
  private static final String DRAFT = ".draft";
  private static final int MOST_DELETIONS = 10;

  private final Path folder;
  private final FileChannel lockFile;
  private final @Nullable Deletion deletion; // if the folder is temporary
  private final Map<String, Place> places; // by key
  private @Nullable CellLog log; // of this process

  private CellStore(
      Path folder, @Nullable Deletion deletion, FileChannel lockFile, Map<String, Place> places) {
    this.folder = folder;
    this.deletion = deletion;
    this.lockFile = lockFile;
    this.places = places;
  }

  /**
   * Where a log has a record of a cell.
   *
   * @param next another record of the same cell: stored again, united or damaged
   */
  private record Place(Path log, long at, @Nullable Place next) {

    Place then(Place newer) {
      return new Place(newer.log, newer.at, this);
    }
  }

  /** Deletes a temporary folder if the process ends before. */
  private static final class Deletion extends Thread {

    private @Nullable Path folder;

    Deletion() {
      super("berth-cells");
    }

    /** Creates the folder. A shutdown meanwhile waits for it. */
    synchronized Path create() throws IOException {
      Path created = Files.createTempDirectory("berth-cells-");
      folder = created;
      return created;
    }

    private synchronized @Nullable Path folder() {
      return folder;
    }

    /** Deletes the folder while runs may still create files in it. */
    @Override
    public void run() {
      Path created = folder();
      for (int i = 0; i < MOST_DELETIONS && created != null && Files.exists(created); i++) {
        try {
          MoreFiles.deleteRecursively(created, RecursiveDeleteOption.ALLOW_INSECURE);
        } catch (IOException changed) {
          // A run has created another file: again.
        }
      }
    }
  }

  /**
   * Opens a folder and creates it if missing.
   *
   * @throws IOException if the folder cannot be created or read, or another process uses it
   */
  public static CellStore open(Path folder) throws IOException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new IOException("it is a file");
    }
    Files.createDirectories(folder);
    return open(folder, null);
  }

  /** Opens a folder that is deleted when the store is closed, or the process is interrupted. */
  public static CellStore temporary() throws IOException {
    Deletion deletion = new Deletion();
    Runtime.getRuntime().addShutdownHook(deletion); // before there is anything to delete
    return open(deletion.create(), deletion);
  }

  private static CellStore open(Path folder, @Nullable Deletion deletion) throws IOException {
    Path file = folder.resolve(LOCK);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException( // opening a pipe would wait forever
          "\"%s\" is not a regular file".formatted(file));
    }
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException ours) {
      // Another store of this process uses it.
    } catch (IOException failure) {
      throw named(file, failure);
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw new IOException("another run is using it");
    }
    try {
      deleteDrafts(folder);
      return new CellStore(folder, deletion, channel, index(folder));
    } catch (IOException failure) {
      channel.close(); // and thereby the lock
      throw failure;
    }
  }

  /**
   * Deletes what a killed run left. No other process has drafts here while this one holds the lock.
   */
  private static void deleteDrafts(Path folder) throws IOException {
    try (DirectoryStream<Path> drafts = Files.newDirectoryStream(folder, "*" + DRAFT)) {
      for (Path each : drafts) {
        Files.delete(each);
      }
    }
  }

  /** Finds the records of all logs in a folder. */
  private static Map<String, Place> index(Path folder) throws IOException {
    Map<String, Place> places = new HashMap<>();
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*" + LOG)) {
      for (Path log : logs) {
        if (Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) { // a pipe would wait forever
          CellLog.scan(log, (key, at) -> places.merge(key, new Place(log, at, null), Place::then));
        }
      }
    }
    return places;
  }

  /**
   * Returns a cell; empty if it is missing or damaged.
   *
   * @param withJobs whether the cell counts as missing if it was stored without its jobs
   */
  public Optional<StoredCell> find(String key, boolean withJobs) throws IOException {
    Place place;
    synchronized (this) {
      place = places.get(key);
    }
    for (; place != null; place = place.next()) {
      Optional<StoredCell> found = CellLog.read(place.log(), place.at(), key);
      if (found.isPresent() && (found.get().hasJobs() || !withJobs)) {
        return found;
      }
    }
    return Optional.empty(); // it runs again
  }

  /** Returns an error that names the file, which those of reading and writing do not. */
  static IOException named(Path file, IOException failure) {
    if (failure instanceof FileSystemException) {
      return failure;
    }
    FileSystemException named =
        new FileSystemException(file.toString(), null, failure.getMessage());
    named.initCause(failure);
    return named;
  }

  /** Returns the path for the availabilities of a cell while it runs. */
  public Path draft(String key) {
    return folder.resolve(key + ".availabilities" + DRAFT);
  }

  /** Returns the path for the jobs of a cell while it runs. */
  public Path jobsDraft(String key) {
    return folder.resolve(key + ".jobs" + DRAFT);
  }

  /**
   * Stores a cell whose availabilities are in its {@link #draft}.
   *
   * @param withJobs whether the cell has jobs, in its {@link #jobsDraft}
   */
  public void keep(String key, RunMetrics metrics, boolean withJobs) throws IOException {
    List<ByteSource> parts = new ArrayList<>();
    parts.add(ByteSource.wrap(CellJson.deflated(metrics)));
    parts.add(MoreFiles.asByteSource(draft(key)));
    if (withJobs) {
      parts.add(MoreFiles.asByteSource(jobsDraft(key)));
    }
    String header;
    try {
      header = CellLog.header(key, parts);
    } catch (IOException failure) {
      throw named(draft(key), failure);
    }
    append(key, header, ByteSource.concat(parts));
    Files.deleteIfExists(draft(key));
    Files.deleteIfExists(jobsDraft(key));
  }

  /**
   * Stores a cell that ran elsewhere.
   *
   * @param record its {@link StoredCell#record}
   * @throws IOException if it is damaged or cannot be written
   */
  public StoredCell adopt(String key, List<byte[]> record) throws IOException {
    append(
        key, new String(record.get(0), StandardCharsets.US_ASCII), ByteSource.wrap(record.get(1)));
    return find(key, false)
        .orElseThrow(
            () ->
                new FileSystemException(
                    folder.toString(), null, "run %s was damaged on its way".formatted(key)));
  }

  /** Appends a record. If that fails, the part that was written is ignored. */
  private synchronized void append(String key, String header, ByteSource contents)
      throws IOException {
    if (log == null) {
      // Folders are united by copying, so that the logs of all have different names.
      log = new CellLog(Files.createTempFile(folder, "", LOG));
    }
    long at = log.append(header, contents);
    places.merge(key, new Place(log.path(), at, null), Place::then);
  }

  @Override
  public void close() throws IOException {
    try {
      if (log != null) {
        log.close();
      }
      deleteDrafts(folder); // of runs that failed
    } finally {
      closeLock();
    }
    if (deletion != null && removed(deletion)) {
      deleteFolder();
    }
  }

  /** Returns whether the process continues; otherwise the hook deletes the folder. */
  private static boolean removed(Deletion hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return false;
    }
  }

  private void deleteFolder() throws IOException {
    MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
  }

  private void closeLock() throws IOException {
    try {
      lockFile.close();
    } catch (IOException failure) {
      throw named(folder.resolve(LOCK), failure);
    }
  }
}
