package dev.berth.traces.input;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A file or a folder of files, as input of a format, on disk or in memory. Safe for use by several
 * threads.
 */
public final class Input implements InputPart {

  private final Content content;
  private final LongAdder lines;
  private volatile @Nullable String first; // every format looks at it

  private Input(Content content, LongAdder lines) {
    this.content = content;
    this.lines = lines;
  }

  /**
   * Returns the input with a path.
   *
   * @param file the path as the user named it; the file need not exist
   * @throws InputException if the text is not a path
   */
  public static Input of(String file) {
    try {
      return new Input(new Content.OnDisk(file, Path.of(file)), new LongAdder());
    } catch (InvalidPathException malformed) {
      throw InputException.ofFile(
          file, "is not a path (%s)".formatted(malformed.getReason().toLowerCase(Locale.ROOT)));
    }
  }

  /**
   * Returns a file in memory, which is read like a file on disk. Use it with the methods of {@code
   * Readers} that take a format and an input.
   *
   * @param name the name for messages and results; part of it may be matched by a format
   * @param content the bytes of the file, plain or compressed; copied
   */
  public static Input of(String name, byte[] content) {
    return new Input(Content.InMemory.file(name, content), new LongAdder());
  }

  /**
   * Returns a folder in memory, which is read like a folder on disk.
   *
   * @param name the name of the folder
   * @param members the bytes of each file, by name; names with {@code /} make folders in the
   *     folder; copied
   */
  public static Input of(String name, Map<String, byte[]> members) {
    return new Input(Content.InMemory.folder(name, members), new LongAdder());
  }

  /** Returns the path, as the user named it. */
  public String file() {
    return content.file();
  }

  /** Returns the last name of the path. */
  public String name() {
    return content.name();
  }

  /** Returns whether the file or folder exists. */
  public boolean exists() {
    return content.exists();
  }

  /** Returns whether this is a folder. */
  public boolean isFolder() {
    return content.isFolder();
  }

  /**
   * Returns the files and folders in this folder that are not hidden, sorted by name; empty if this
   * is not a folder.
   *
   * @throws InputException if the folder may not be read
   */
  public List<Input> members() {
    if (!isFolder()) {
      return List.of();
    }
    try {
      return content.members().stream()
          .filter(each -> !each.name().startsWith("."))
          .map(each -> new Input(each, lines))
          .toList();
    } catch (IOException unreadable) {
      InputException failure = error("may not be read");
      failure.initCause(unreadable);
      throw failure;
    }
  }

  /**
   * Returns the input whose path has another text in place of the last occurrence of a part. For
   * example, the table {@code task_constraints} is beside {@code task_events}.
   *
   * @param part a part of the path
   * @param other its replacement
   * @return the other input; empty if the path lacks the part or the other input does not exist
   */
  public Optional<Input> sibling(String part, String other) {
    String file = file();
    int at = file.lastIndexOf(part);
    if (at < 0) {
      return Optional.empty();
    }
    String name = file.substring(0, at) + other + file.substring(at + part.length());
    Input sibling = new Input(content.at(name), lines);
    return Optional.of(sibling).filter(Input::exists);
  }

  /**
   * Returns the first line of a file that is neither blank nor a comment; empty for a folder.
   *
   * @throws InputException if the file cannot be read, or has no such line
   */
  public Optional<String> firstLine() {
    if (isFolder()) {
      return Optional.empty();
    }
    String known = first;
    if (known == null) {
      try (Lines opened = Lines.open(content)) {
        known = opened.next();
      }
      if (known == null) {
        throw error("holds nothing");
      }
      first = known;
    }
    return Optional.of(known);
  }

  /** Returns the location of the {@linkplain #firstLine first line}. */
  public SourceLocation firstLocation() {
    try (Lines opened = Lines.open(content)) {
      opened.next();
      return opened.location();
    }
  }

  /**
   * Opens the file.
   *
   * @return the lines of the file, which the caller closes
   * @throws InputException if the file cannot be opened, or this is a folder
   */
  public Lines open() {
    return Lines.open(content, lines::add);
  }

  @Override
  public InputException error(String rule) {
    return InputException.ofFile(file(), rule);
  }

  /** Returns an error about the input as a whole, with a hint at the cause. */
  public InputException error(String rule, String hint) {
    return InputException.ofFile(file(), rule, hint);
  }

  /** Returns how many lines, without blank lines and comments, all closed readers have read. */
  public long linesRead() {
    return lines.sum();
  }

  @Override
  public String toString() {
    return file();
  }
}
