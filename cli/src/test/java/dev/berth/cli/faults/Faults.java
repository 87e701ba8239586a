package dev.berth.cli.faults;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the operations on files below a folder, and makes one of them fail. The threads of a run
 * share the count.
 */
final class Faults {

  static final String NO_SPACE = "No space left on device";
  static final String ERROR = "Input/output error";

  private static final List<Operation> DONE = new ArrayList<>();
  private static @Nullable String watched;
  private static @Nullable Fault fault;
  private static int at;
  private static boolean crashed;
  private static boolean full;

  private Faults() {}

  /** Watches a folder; no operation fails. */
  static synchronized void watch(Path folder) {
    inject(folder, null, 0);
  }

  /**
   * Watches a folder.
   *
   * @param number of the operation that fails, from 0
   */
  static synchronized void inject(Path folder, @Nullable Fault kind, int number) {
    watched = folder.toString();
    fault = kind;
    at = number;
    crashed = false;
    full = false;
    DONE.clear();
  }

  /** Ends the watch, and returns the operations in order. */
  static synchronized List<Operation> stop() {
    watched = null;
    return List.copyOf(DONE);
  }

  /**
   * Called before every operation.
   *
   * @throws IOException if it fails
   */
  static synchronized void before(Operation operation, Path path) throws IOException {
    if (fails(operation, path)) {
      throw failure(operation, path);
    }
  }

  /** Returns whether an operation fails, and counts it. */
  static synchronized boolean fails(Operation operation, Path path) {
    if (watched == null || !path.toAbsolutePath().toString().startsWith(watched)) {
      return false;
    }
    boolean now = fault != null && DONE.size() == at;
    DONE.add(operation);
    if (now) {
      crashed |= fault == Fault.CRASH;
      full |= fault == Fault.NO_SPACE;
      return true;
    }
    return crashed || (full && operation.needsSpace());
  }

  /** Returns whether the operation that fails writes half of its bytes first. */
  static synchronized boolean isPartial() {
    return DONE.size() == at + 1 && (fault == Fault.SHORT_WRITE || fault == Fault.CRASH);
  }

  /** Returns the error of an operation that fails, as the JDK reports it. */
  static synchronized IOException failure(Operation operation, Path path) {
    boolean space = fault == Fault.NO_SPACE || fault == Fault.SHORT_WRITE;
    if (operation.isOnChannel()) {
      return new IOException(space ? NO_SPACE : ERROR);
    }
    return space
        ? new FileSystemException(path.toString(), null, NO_SPACE)
        : new AccessDeniedException(path.toString());
  }
}
