package dev.berth.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
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
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A folder with the results of cells, each under the {@linkplain CellKey digest} of everything it
 * depends on. A cell is stored completely or not at all, even if the writing process is killed.
 * Stored digests detect later damage; a damaged cell is treated as missing.
 *
 * <p>Only one process at a time can use the folder. Several threads may call the methods for
 * different cells.
 */
public final class CellStore implements AutoCloseable {

  private static final String LOCK = ".lock";
  private static final String MEASURED = ".cell";
  private static final String AVAILABILITIES = ".availabilities";
  private static final String DRAFT = ".draft";

  private final Path folder;
  private final boolean temporary;
  private final FileChannel lockFile;

  private CellStore(Path folder, boolean temporary, FileChannel lockFile) {
    this.folder = folder;
    this.temporary = temporary;
    this.lockFile = lockFile;
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
    return open(folder, false);
  }

  /** Opens a folder that is deleted when the store is closed. */
  public static CellStore temporary() throws IOException {
    return open(Files.createTempDirectory("berth-cells-"), true);
  }

  private static CellStore open(Path folder, boolean temporary) throws IOException {
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException ours) {
      // Another store of this process uses it.
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw new IOException("another run is using it");
    }
    deleteDrafts(folder);
    return new CellStore(folder, temporary, channel);
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

  /** Returns the measurements of a cell; empty if they are missing or damaged. */
  Optional<RunMetrics> find(String key) throws IOException {
    Path file = folder.resolve(key + MEASURED);
    if (!Files.isRegularFile(file) || !Files.isRegularFile(availabilities(key))) {
      return Optional.empty();
    }
    String kept = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    int seal = kept.indexOf('\n') + 1;
    String measured = kept.substring(seal);
    if (!kept.substring(0, seal).equals(seal(key, measured, availabilities(key)))) {
      return Optional.empty(); // it runs again
    }
    try {
      return Optional.of(CellJson.metrics(measured));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns the header of stored measurements, unique to these. */
  private static String seal(String key, String measured, Path availabilities) throws IOException {
    return "berth cell %s %s %s\n"
        .formatted(
            key,
            Hashing.sha256().hashString(measured, StandardCharsets.UTF_8),
            MoreFiles.asByteSource(availabilities).hash(Hashing.sha256()));
  }

  /** Returns the path of the availabilities of a cell, whether they exist or not. */
  Path availabilities(String key) {
    return folder.resolve(key + AVAILABILITIES);
  }

  /** Returns the path for availabilities while the cell runs. */
  Path draft(String key) {
    return folder.resolve(key + AVAILABILITIES + DRAFT);
  }

  /** Stores a cell whose availabilities are in its {@link #draft}. */
  void keep(String key, RunMetrics metrics) throws IOException {
    Path draft = folder.resolve(key + MEASURED + DRAFT);
    String measured = CellJson.line(metrics);
    Files.writeString(
        draft,
        seal(key, measured, draft(key)) + measured,
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS);
    Files.move(draft(key), availabilities(key), StandardCopyOption.REPLACE_EXISTING);
    // Last and atomic: this step makes the cell exist.
    Files.move(draft, folder.resolve(key + MEASURED), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    try {
      deleteDrafts(folder); // of runs that failed
    } finally {
      lockFile.close();
    }
    if (temporary) {
      MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    }
  }
}
