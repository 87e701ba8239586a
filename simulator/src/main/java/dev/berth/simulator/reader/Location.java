package dev.berth.simulator.reader;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Where a user says a file is: {@code path} or {@code format:path}.
 *
 * @param file how the user names the file
 * @param path the file
 * @param format its format
 */
record Location<F extends Format>(String file, Path path, F format) {

  /**
   * Finds out what is meant.
   *
   * @param text what the user gave
   * @param formats the formats there are
   * @param detector tells the format by the first line that says something
   */
  static <F extends Format> Location<F> of(String text, F[] formats, Function<String, F> detector) {
    int colon = text.indexOf(':');
    if (colon > 0) {
      Optional<F> forced =
          Arrays.stream(formats)
              .filter(each -> each.id().equals(text.substring(0, colon)))
              .findFirst();
      if (forced.isPresent()) {
        String file = text.substring(colon + 1);
        return new Location<>(file, path(file), forced.get());
      }
    }
    Path path = path(text);
    if (colon > 1 && !Files.exists(path)) { // one letter may be a drive
      throw Place.wrongFile(
          text,
          "does not exist",
          "you meant one of the formats %s in front of the colon"
              .formatted(Arrays.stream(formats).map(Format::id).collect(Collectors.joining(", "))));
    }
    return new Location<>(text, path, detect(text, path, detector));
  }

  /** Returns the name of the file without its folders. */
  String name() {
    Path last = path.getFileName();
    return last == null ? file : last.toString();
  }

  private static <F> F detect(String file, Path path, Function<String, F> detector) {
    try (Lines lines = Lines.open(file, path)) {
      String first = lines.next();
      if (first == null) {
        throw Place.wrongFile(file, "holds nothing");
      }
      return detector.apply(first);
    }
  }

  static Path path(String file) {
    try {
      return Path.of(file);
    } catch (InvalidPathException malformed) {
      throw Place.wrongFile(
          file, "is no path (%s)".formatted(malformed.getReason().toLowerCase(Locale.ROOT)));
    }
  }
}
