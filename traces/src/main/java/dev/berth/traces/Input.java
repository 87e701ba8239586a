package dev.berth.traces;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file, or a folder of files, that a format reads. */
public final class Input {

  private final String file;
  private final Path path;
  private final LongAdder lines;

  private Input(String file, Path path, LongAdder lines) {
    this.file = file;
    this.path = path;
    this.lines = lines;
  }

  /**
   * An input that a user named.
   *
   * @throws InputException if that is no path
   */
  public static Input of(String file) {
    try {
      return new Input(file, Path.of(file), new LongAdder());
    } catch (InvalidPathException malformed) {
      throw Place.wrongFile(
          file, "is no path (%s)".formatted(malformed.getReason().toLowerCase(Locale.ROOT)));
    }
  }

  /** Returns how the user named it. */
  public String file() {
    return file;
  }

  /** Returns its name without the folders that it is in. */
  public String name() {
    Path last = path.normalize().getFileName();
    return last == null || last.toString().isEmpty() ? file : last.toString();
  }

  /** Returns whether it is there. */
  public boolean exists() {
    return Files.exists(path);
  }

  /** Returns whether it is a folder. */
  public boolean isFolder() {
    return Files.isDirectory(path);
  }

  /**
   * Returns what is in a folder and not hidden, by name; nothing if it is none.
   *
   * @throws InputException if it may not be read
   */
  public List<Input> members() {
    if (!isFolder()) {
      return List.of();
    }
    try (Stream<Path> members = Files.list(path)) {
      return members
          .filter(each -> !String.valueOf(each.getFileName()).startsWith("."))
          .sorted()
          .map(each -> new Input(each.toString(), each, lines))
          .toList();
    } catch (IOException unreadable) {
      InputException failure = wrong("may not be read");
      failure.initCause(unreadable);
      throw failure;
    }
  }

  /**
   * Returns what stands where this would if a part of its path were another; empty if the path does
   * not have the part or nothing stands there.
   */
  public Optional<Input> sibling(String part, String other) {
    int at = file.lastIndexOf(part);
    if (at < 0) {
      return Optional.empty();
    }
    String name = file.substring(0, at) + other + file.substring(at + part.length());
    Input sibling = new Input(name, Path.of(name), lines);
    return Optional.of(sibling).filter(Input::exists);
  }

  /**
   * Returns the first line of a file that says something; empty for a folder.
   *
   * @throws InputException if the file cannot be read, or holds nothing
   */
  public Optional<String> firstLine() {
    if (isFolder()) {
      return Optional.empty();
    }
    try (Lines opened = Lines.open(file, path)) {
      @Nullable String first = opened.next();
      if (first == null) {
        throw wrong("holds nothing");
      }
      return Optional.of(first);
    }
  }

  /** Returns where the first line of a file that says something stands. */
  Place firstPlace() {
    try (Lines opened = Lines.open(file, path)) {
      opened.next();
      return opened.place();
    }
  }

  /**
   * Opens the file.
   *
   * @throws InputException if that cannot be done, as with a folder
   */
  public Lines open() {
    return Lines.open(file, path, lines::add);
  }

  /** The input as a whole is wrong. */
  public InputException wrong(String rule) {
    return Place.wrongFile(file, rule);
  }

  /** The input as a whole is wrong, and there is a guess why. */
  public InputException wrong(String rule, String hint) {
    return Place.wrongFile(file, rule, hint);
  }

  /** Returns how many lines that say something have been read of it, by whoever is done. */
  long linesRead() {
    return lines.sum();
  }

  @Override
  public String toString() {
    return file;
  }
}
