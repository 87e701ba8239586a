package dev.berth.cli.output;

import dev.berth.cli.terminal.BadInputException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that is replaced as a whole: readers never see a part of it, and a failed run keeps the
 * previous content.
 */
public final class OutputFile {

  private final Path path;

  private OutputFile(Path path) {
    this.path = path;
  }

  /**
   * Checks, before a long run, that a file can be written.
   *
   * @param option option that named the path, for messages
   * @throws BadInputException if the path is a directory, or its folder is missing or not writable
   */
  public static OutputFile at(Path path, String option) {
    Path folder = path.toAbsolutePath().getParent();
    if (Files.isDirectory(path)) {
      throw new BadInputException(
          "%s: \"%s\" is a directory, must be a file to write.".formatted(option, path));
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new BadInputException(
          "%s: \"%s\": folder \"%s\" does not exist. Maybe create it first."
              .formatted(option, path, path.getParent()));
    }
    if (!Files.isWritable(Files.exists(path) && !isPlain(path) ? path : folder)) {
      throw new BadInputException("%s: \"%s\" is not writable.".formatted(option, path));
    }
    return new OutputFile(path);
  }

  /** Content that is written piece by piece. */
  @FunctionalInterface
  public interface Content {

    /** Writes the content and leaves the stream open. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Replaces the content. */
  public void write(String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    write(out -> out.write(bytes));
  }

  /** Replaces the content; if writing fails, the previous content remains. */
  public void write(Content content) throws IOException {
    if (Files.exists(path) && !isPlain(path)) {
      writeTo(path, content); // a pipe or a device must not be replaced
      return;
    }
    Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    Path draft =
        target.resolveSibling(
            ".%s.%s.tmp".formatted(target.getFileName(), ProcessHandle.current().pid()));
    try {
      writeTo(draft, content);
      moveOver(draft, target);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static void writeTo(Path target, Content content) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
      content.writeTo(out);
    }
  }

  private static boolean isPlain(Path path) {
    return Files.isRegularFile(path);
  }

  private static void moveOver(Path draft, Path target) throws IOException {
    try {
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException unsupported) {
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
