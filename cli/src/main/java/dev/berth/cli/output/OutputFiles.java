package dev.berth.cli.output;

import dev.berth.cli.terminal.ErrorReport;
import dev.berth.cli.terminal.RunFailedException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files of one command, which are replaced together: all are written to drafts beside them, and
 * {@link #commit} moves the drafts. Without it, as after a failure, an interruption or on a full
 * disk, the previous files remain and the drafts are deleted. Pipes and devices have no drafts;
 * they are written at once.
 */
public final class OutputFiles implements AutoCloseable {

  private static final String INTERRUPTED = "the command was interrupted";
  private static final int MOST_NAMES = 100;

  /** Those with drafts that a shutdown must delete. */
  private static final Set<OutputFiles> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(OutputFiles::discardAll, "berth-drafts"));
  }

  private record Draft(Path path, Path target, OutputFile file) {}

  private final List<Draft> drafts = new ArrayList<>();
  private boolean closed;

  public OutputFiles() {
    OPEN.add(this);
  }

  /** Deletes the drafts of all commands of this process. Nothing can be committed afterwards. */
  public static void discardAll() {
    OPEN.forEach(OutputFiles::close);
  }

  /** Content that is written piece by piece. */
  @FunctionalInterface
  public interface Content {

    /** Writes the content and leaves the stream open. */
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * Adds a file with a text.
   *
   * @throws RunFailedException if it cannot be written
   */
  public void add(OutputFile file, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    add(file, out -> out.write(bytes));
  }

  /**
   * Adds a file.
   *
   * @throws RunFailedException if it cannot be written
   */
  public void add(OutputFile file, Content content) {
    Path path = file.path();
    try {
      boolean exists = Files.exists(path);
      if (exists && !Files.isRegularFile(path)) {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path))) {
          content.writeTo(out);
        }
        return;
      }
      Path target = exists ? path.toRealPath() : path.toAbsolutePath();
      try (OutputStream out = new BufferedOutputStream(draft(target, file))) {
        content.writeTo(out);
      }
    } catch (IOException failure) {
      throw unwritable(file, failure);
    }
  }

  /** Opens a draft that did not exist, so a link that stands in its place is never followed. */
  private synchronized OutputStream draft(Path target, OutputFile file) throws IOException {
    requireOpen();
    long process = ProcessHandle.current().pid();
    for (int i = 0; ; i++) {
      Path draft =
          target.resolveSibling(".%s.%s.%s.tmp".formatted(target.getFileName(), process, i));
      try {
        OutputStream out =
            Files.newOutputStream(
                draft,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        drafts.add(new Draft(draft, target, file));
        return out;
      } catch (FileAlreadyExistsException taken) {
        if (i == MOST_NAMES) {
          throw taken;
        }
      }
    }
  }

  /**
   * Replaces the files. If one cannot be replaced, those before it have been.
   *
   * @throws RunFailedException if one cannot be replaced
   */
  public synchronized void commit() {
    if (closed) {
      throw new RunFailedException("results were not written: " + INTERRUPTED, null);
    }
    for (Draft each : drafts) {
      try {
        move(each);
      } catch (IOException failure) {
        throw unwritable(each.file, failure);
      }
    }
    drafts.clear();
  }

  private static void move(Draft draft) throws IOException {
    try {
      Files.move(draft.path, draft.target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException unsupported) {
      Files.move(draft.path, draft.target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException(INTERRUPTED);
    }
  }

  private static RunFailedException unwritable(OutputFile file, IOException failure) {
    return new RunFailedException(
        "%s \"%s\" cannot be written: %s"
            .formatted(file.option(), file.path(), ErrorReport.reason(failure)),
        failure);
  }

  /** Deletes the drafts that were not committed. */
  @Override
  public synchronized void close() {
    closed = true;
    OPEN.remove(this);
    for (Draft each : drafts) {
      try {
        Files.deleteIfExists(each.path);
      } catch (IOException kept) {
        // Nothing depends on it, and the reason for the failure is reported already.
      }
    }
    drafts.clear();
  }
}
