package dev.berth.experiments.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.berth.simulator.metrics.RunMetrics;
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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A folder with the results of cells, each under the digest of everything it depends on. A cell is
 * stored completely or not at all, even if the writing process is killed. Stored digests detect
 * later damage; a damaged cell is treated as missing.
 *
 * <p>Only one process at a time can use the folder. Several threads may call the methods for
 * different cells. Every {@link IOException} names the file or folder that it concerns, except
 * those of {@link #open}.
 */
public final class CellStore implements AutoCloseable {

  private static final String LOCK = ".lock";
  private static final String MEASURED = ".cell";
  private static final String AVAILABILITIES = ".availabilities";
  private static final String JOBS = ".jobs";
  private static final String DRAFT = ".draft";
  private static final int MOST_DELETIONS = 10;

  private final Path folder;
  private final FileChannel lockFile;
  private final @Nullable Deletion deletion; // if the folder is temporary

  private CellStore(Path folder, @Nullable Deletion deletion, FileChannel lockFile) {
    this.folder = folder;
    this.deletion = deletion;
    this.lockFile = lockFile;
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
    } catch (IOException failure) {
      channel.close(); // and thereby the lock
      throw failure;
    }
    return new CellStore(folder, deletion, channel);
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

  /**
   * Returns the measurements of a cell; empty if they are missing or damaged.
   *
   * @param withJobs whether the cell counts as missing if its jobs are missing or damaged
   */
  public Optional<RunMetrics> find(String key, boolean withJobs) throws IOException {
    Path file = folder.resolve(key + MEASURED);
    if (!Files.isRegularFile(file) || !Files.isRegularFile(availabilities(key))) {
      return Optional.empty();
    }
    String kept = read(file);
    int end = kept.indexOf('\n');
    String measured = kept.substring(end + 1);
    if (end < 0 || !isSealed(kept.substring(0, end), key, measured, withJobs)) {
      return Optional.empty(); // it runs again
    }
    try {
      return Optional.of(CellJson.metrics(measured));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private boolean isSealed(String header, String key, String measured, boolean withJobs)
      throws IOException {
    String seal = seal(key, measured, availabilities(key));
    if (!withJobs) {
      return header.equals(seal) || header.startsWith(seal + " ");
    }
    return Files.isRegularFile(jobs(key)) && header.equals(withJobs(seal, jobs(key)));
  }

  private static String read(Path file) throws IOException {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw named(file, failure);
    }
  }

  /** Returns the header of stored measurements, unique to these. */
  private static String seal(String key, String measured, Path availabilities) throws IOException {
    return "berth cell %s %s %s"
        .formatted(
            key,
            Hashing.sha256().hashString(measured, StandardCharsets.UTF_8),
            digest(availabilities));
  }

  /** Returns the header of a cell that has jobs, too. */
  private static String withJobs(String seal, Path jobs) throws IOException {
    return seal + " " + digest(jobs);
  }

  private static HashCode digest(Path file) throws IOException {
    try {
      return MoreFiles.asByteSource(file).hash(Hashing.sha256());
    } catch (IOException failure) {
      throw named(file, failure);
    }
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

  /** Returns the path of the availabilities of a cell, whether they exist or not. */
  public Path availabilities(String key) {
    return folder.resolve(key + AVAILABILITIES);
  }

  /** Returns the path for availabilities while the cell runs. */
  public Path draft(String key) {
    return folder.resolve(key + AVAILABILITIES + DRAFT);
  }

  /** Returns the path of the jobs of a cell, whether they exist or not. */
  public Path jobs(String key) {
    return folder.resolve(key + JOBS);
  }

  /** Returns the path for jobs while the cell runs. */
  public Path jobsDraft(String key) {
    return folder.resolve(key + JOBS + DRAFT);
  }

  /**
   * Stores a cell whose availabilities are in its {@link #draft}.
   *
   * @param withJobs whether the cell has jobs, in its {@link #jobsDraft}
   */
  public void keep(String key, RunMetrics metrics, boolean withJobs) throws IOException {
    Path draft = folder.resolve(key + MEASURED + DRAFT);
    String measured = CellJson.line(metrics);
    String seal = seal(key, measured, draft(key));
    String header = withJobs ? withJobs(seal, jobsDraft(key)) : seal;
    try {
      Files.writeString(
          draft,
          header + "\n" + measured,
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.WRITE,
          LinkOption.NOFOLLOW_LINKS);
    } catch (IOException failure) {
      throw named(draft, failure);
    }
    move(key, draft, withJobs);
  }

  /**
   * Returns the contents of the files of a stored cell, for {@link #adopt} of another store.
   *
   * @param withJobs whether the cell has jobs
   */
  public List<byte[]> files(String key, boolean withJobs) throws IOException {
    List<byte[]> contents = new ArrayList<>();
    contents.add(Files.readAllBytes(folder.resolve(key + MEASURED)));
    contents.add(Files.readAllBytes(availabilities(key)));
    if (withJobs) {
      contents.add(Files.readAllBytes(jobs(key)));
    }
    return contents;
  }

  /**
   * Stores a cell that ran elsewhere, and returns its measurements.
   *
   * @param contents its {@link #files}
   * @throws IOException if they are damaged or cannot be written
   */
  public RunMetrics adopt(String key, List<byte[]> contents) throws IOException {
    boolean withJobs = contents.size() > 2;
    Path cell = folder.resolve(key + MEASURED);
    Path draft = folder.resolve(key + MEASURED + DRAFT);
    Files.write(draft, contents.get(0));
    Files.write(draft(key), contents.get(1));
    if (withJobs) {
      Files.write(jobsDraft(key), contents.get(2));
    }
    move(key, draft, withJobs);
    return find(key, withJobs)
        .orElseThrow(
            () -> new FileSystemException(cell.toString(), null, "was damaged on its way"));
  }

  private void move(String key, Path draft, boolean withJobs) throws IOException {
    if (withJobs) {
      Files.move(jobsDraft(key), jobs(key), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(draft(key), availabilities(key), StandardCopyOption.REPLACE_EXISTING);
    // Last and atomic: this step makes the cell exist.
    Files.move(draft, folder.resolve(key + MEASURED), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    try {
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
