package dev.berth.cli.reproduce;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.error.ErrorReport;
import dev.berth.experiments.study.Study;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A folder with inputs of studies, found by name, also in subfolders. */
record DataFolder(Map<String, List<Path>> byName) {

  private static final int DEPTH = 4;
  private static final String GZIP = ".gz";

  /**
   * Lists a folder, four levels deep.
   *
   * @throws BadInputException if it is not a folder or cannot be read
   */
  static DataFolder open(Path folder) {
    BadInputException.unless(
        Files.isDirectory(folder),
        "--data \"%s\" %s, must be a folder."
            .formatted(folder, Files.exists(folder) ? "is a file" : "does not exist"));
    Map<String, List<Path>> byName = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder, DEPTH)) {
      all.filter(each -> !each.equals(folder))
          .sorted()
          .forEach(each -> byName.computeIfAbsent(plain(each), key -> new ArrayList<>()).add(each));
    } catch (IOException | UncheckedIOException unreadable) {
      throw new BadInputException(
          "--data \"%s\" cannot be read: %s".formatted(folder, ErrorReport.describe(unreadable)),
          unreadable);
    }
    return new DataFolder(byName);
  }

  private static String plain(Path path) {
    return plain(String.valueOf(path.getFileName()));
  }

  private static String plain(String name) {
    return name.endsWith(GZIP) ? name.substring(0, name.length() - GZIP.length()) : name;
  }

  /**
   * Returns the path of an input, if it exists.
   *
   * @throws BadInputException if several files have its name
   */
  Optional<Path> find(Study.Input input) {
    List<Path> found =
        byName.getOrDefault(
            plain(input.preferred()), byName.getOrDefault(plain(input.name()), List.of()));
    if (found.size() > 1) {
      throw new BadInputException(
          "--data: several files are named %s: \"%s\" and \"%s\"."
              .formatted(input.name(), found.get(0), found.get(1)));
    }
    return found.stream().findFirst();
  }
}
