package dev.berth.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that is written as a whole or not at all: readers never see half of it, and a run that
 * fails leaves the one of before.
 */
final class OutputFile {

  private final Path path;

  private OutputFile(Path path) {
    this.path = path;
  }

  /**
   * Checks early, before a long run, what can be known about the place.
   *
   * @param option what the user gave the path to, for messages
   * @throws BadInputException if the place is a directory, or its folder is missing or may not be
   *     written to
   */
  static OutputFile at(Path path, String option) {
    Path folder = path.toAbsolutePath().getParent();
    if (Files.isDirectory(path)) {
      throw new BadInputException(
          "%s: \"%s\" is a directory, must be a file to write.".formatted(option, path));
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new BadInputException(
          "%s: \"%s\": there is no folder \"%s\". Maybe make it first."
              .formatted(option, path, path.getParent()));
    }
    if (!Files.isWritable(Files.exists(path) && !isPlain(path) ? path : folder)) {
      throw new BadInputException(
          "%s: \"%s\": nothing may be written there.".formatted(option, path));
    }
    return new OutputFile(path);
  }

  /** Replaces the content. */
  void write(String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    if (Files.exists(path) && !isPlain(path)) {
      Files.write(path, bytes); // a pipe or a device: nothing may be moved over it
      return;
    }
    Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    Path draft =
        target.resolveSibling(
            ".%s.%s.tmp".formatted(target.getFileName(), ProcessHandle.current().pid()));
    try {
      Files.write(draft, bytes);
      moveOver(draft, target);
    } finally {
      Files.deleteIfExists(draft);
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
