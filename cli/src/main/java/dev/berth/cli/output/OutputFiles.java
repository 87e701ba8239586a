package dev.berth.cli.output;

import dev.berth.cli.error.ErrorReport;
import dev.berth.cli.error.RunFailedException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The files of one command, which are replaced together: all are written to drafts beside them, and
 * {@link #commit} moves the drafts. Without it, as after a failure, an interruption or on a full
 * disk, the previous files remain and the drafts are deleted. Pipes and devices have no drafts;
 * they are written at once.
 *
 * <p>A killed process leaves its drafts. The next command that writes the same file deletes them.
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
  private final Set<Path> paths = ConcurrentHashMap.newKeySet(); // of the drafts
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
      throw unwritable(file, failure, "");
    }
  }

  /** Opens a draft that did not exist, so a link that stands in its place is never followed. */
  private synchronized OutputStream draft(Path target, OutputFile file) throws IOException {
    requireOpen();
    deleteStaleDrafts(target);
    long process = ProcessHandle.current().pid();
    for (int i = 0; ; i++) {
      Path draft =
          target.resolveSibling(".%s.%s.%s.tmp".formatted(target.getFileName(), process, i));
      paths.add(draft);
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
        paths.remove(draft);
        if (i == MOST_NAMES) {
          throw taken;
        }
      }
    }
  }

  /**
   * Deletes drafts of this file that killed processes left. A draft has the number of its process
   * in its name; it stays while there is such a process.
   */
  private static void deleteStaleDrafts(Path target) {
    Pattern name =
        Pattern.compile(
            Pattern.quote("." + target.getFileName() + ".") + "([0-9]{1,18})\\.[0-9]{1,3}\\.tmp");
    Path folder = target.getParent();
    if (folder == null) {
      return;
    }
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(
            folder, each -> name.matcher(String.valueOf(each.getFileName())).matches())) {
      for (Path each : all) {
        Matcher parts = name.matcher(String.valueOf(each.getFileName()));
        if (parts.matches()
            && !isInUse(each, Long.parseLong(parts.group(1)))
            && Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
          Files.deleteIfExists(each);
        }
      }
    } catch (IOException | DirectoryIteratorException | SecurityException harmless) {
      // The folder cannot be listed, or a draft cannot be deleted: it stays.
    }
  }

  private static boolean isInUse(Path draft, long process) {
    if (process != ProcessHandle.current().pid()) {
      return ProcessHandle.of(process).isPresent();
    }
    return OPEN.stream().anyMatch(each -> each.paths.contains(draft));
  }

  /**
   * Replaces the files. If one cannot be replaced, those before it have been, and the message names
   * them.
   *
   * @throws RunFailedException if one cannot be replaced
   */
  public synchronized void commit() {
    if (closed) {
      throw new RunFailedException("results were not written: " + INTERRUPTED, null);
    }
    for (int i = 0; i < drafts.size(); i++) {
      Draft each = drafts.get(i);
      try {
        move(each);
      } catch (IOException failure) {
        throw unwritable(each.file, failure, replaced(drafts.subList(0, i)));
      }
    }
    drafts.clear();
    paths.clear();
  }

  private static String replaced(List<Draft> moved) {
    return moved.isEmpty()
        ? ""
        : moved.stream()
            .map(each -> '"' + each.file.path().toString() + '"')
            .collect(
                Collectors.joining(
                    ", ", ". These files are replaced already: ", "; the others are unchanged."));
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

  private static RunFailedException unwritable(
      OutputFile file, IOException failure, String others) {
    return new RunFailedException(
        "%s \"%s\" cannot be written: %s%s"
            .formatted(file.option(), file.path(), ErrorReport.reason(failure), others),
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
    paths.clear();
  }
}
