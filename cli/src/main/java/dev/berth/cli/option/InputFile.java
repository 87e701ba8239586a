package dev.berth.cli.option;

import dev.berth.cli.terminal.BadInputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** An input file named by the user. */
public final class InputFile {

  private InputFile() {}

  /**
   * Checks that a path names a readable file.
   *
   * @param name its path
   * @param option the option or parameter that has the path, for messages
   * @throws BadInputException if it does not exist, is a directory, or may not be read
   */
  public static Path require(String name, String option) {
    Path path;
    try {
      path = Path.of(name);
    } catch (InvalidPathException malformed) {
      throw new BadInputException("%s: \"%s\" is not a path.".formatted(option, name), malformed);
    }
    if (!Files.exists(path)) {
      throw new BadInputException("%s: \"%s\" does not exist.".formatted(option, path));
    }
    if (Files.isDirectory(path)) {
      throw new BadInputException(
          "%s: \"%s\" is a directory, must be a file.".formatted(option, path));
    }
    if (!Files.isReadable(path)) {
      throw new BadInputException("%s: \"%s\" may not be read.".formatted(option, path));
    }
    return path;
  }
}
