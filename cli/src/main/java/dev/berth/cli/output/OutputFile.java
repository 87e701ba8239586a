package dev.berth.cli.output;

import dev.berth.cli.error.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that {@link OutputFiles} can replace, and the option that named it. */
public final class OutputFile {

  private final Path path;
  private final String option;

  private OutputFile(Path path, String option) {
    this.path = path;
    this.option = option;
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
    return new OutputFile(path, option);
  }

  Path path() {
    return path;
  }

  String option() {
    return option;
  }

  private static boolean isPlain(Path path) {
    return Files.isRegularFile(path);
  }
}
