package dev.berth.cli.output;

import dev.berth.cli.error.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that {@link OutputFiles} can replace.
 *
 * @param option the option that named it, for messages
 */
public record OutputFile(Path path, String option) {

  /**
   * Checks, before a long run, that a file can be written.
   *
   * @throws BadInputException if the path is a directory, or its folder is missing or not writable
   */
  public static OutputFile at(Path path, String option) {
    Path folder = path.toAbsolutePath().getParent();
    String named = "%s: \"%s\"".formatted(option, path);
    BadInputException.unless(
        !Files.isDirectory(path), named + " is a directory, must be a file to write.");
    if (folder == null || !Files.isDirectory(folder)) {
      throw new BadInputException(
          "%s: folder \"%s\" does not exist. Maybe create it first."
              .formatted(named, path.getParent()));
    }
    boolean special = Files.exists(path) && !Files.isRegularFile(path);
    BadInputException.unless(
        Files.isWritable(special ? path : folder), named + " is not writable.");
    return new OutputFile(path, option);
  }
}
