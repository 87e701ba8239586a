package dev.berth.cli.input;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ErrorReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** An input file named by the user. */
public final class InputFile {

  private static final int MOST_BYTES = 16 << 20;

  private InputFile() {}

  /** Returns whether there is a file or folder with a path; not if that is malformed. */
  public static boolean exists(String name) {
    try {
      return Files.exists(Path.of(name));
    } catch (InvalidPathException malformed) {
      return false;
    }
  }

  /**
   * Returns a path.
   *
   * @param option the option or parameter that has it, for messages
   * @throws BadInputException if it is malformed
   */
  public static Path path(String name, String option) {
    try {
      return Path.of(name);
    } catch (InvalidPathException malformed) {
      throw new BadInputException("%s: \"%s\" is not a path.".formatted(option, name), malformed);
    }
  }

  /**
   * Checks that a path names a readable file.
   *
   * @param name its path
   * @param option the option or parameter that has the path, for messages
   * @throws BadInputException if it does not exist, is a directory, or may not be read
   */
  public static Path require(String name, String option) {
    Path path = path(name, option);
    String named = "%s: \"%s\" ".formatted(option, path);
    BadInputException.unless(Files.exists(path), named + "does not exist.");
    BadInputException.unless(!Files.isDirectory(path), named + "is a directory, must be a file.");
    BadInputException.unless(Files.isReadable(path), named + "may not be read.");
    return path;
  }

  /**
   * Reads a file that the user wrote, such as an experiment.
   *
   * @param name its path
   * @param option the option or parameter that has the path, for messages
   * @throws BadInputException as {@link #require}, and if it is a pipe or a device, larger than 16
   *     MiB, or no text in UTF-8
   */
  public static String text(String name, String option) {
    Path path = require(name, option);
    // Reading a pipe could wait for ever.
    BadInputException.unless(
        Files.isRegularFile(path),
        "%s: \"%s\" is a pipe or a device, must be a regular file.".formatted(option, path));
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      BadInputException.unless(
          bytes.length <= MOST_BYTES,
          "%s: \"%s\" has more than %s bytes, must have at most 16 MiB."
              .formatted(option, path, MOST_BYTES));
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException binary) {
      throw new BadInputException(
          "%s: \"%s\" is not a text in UTF-8.".formatted(option, path), binary);
    } catch (IOException unreadable) {
      throw new BadInputException(
          "%s: \"%s\" cannot be read: %s".formatted(option, path, ErrorReport.reason(unreadable)),
          unreadable);
    }
  }
}
