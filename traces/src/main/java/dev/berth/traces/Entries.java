package dev.berth.traces;

import org.jspecify.annotations.Nullable;

/** The entries of a reading, without the lines that cannot be used as long as those are few. */
final class Entries<T> implements AutoCloseable {

  private final EntryReader<T> reader;
  private final BadLines bad;

  Entries(EntryReader<T> reader, BadLines bad) {
    this.reader = reader;
    this.bad = bad;
  }

  /** Returns the next one; null at the end. */
  @Nullable T next() {
    while (true) {
      try {
        return reader.next();
      } catch (InputException wrong) {
        bad.add(wrong);
      } catch (IllegalArgumentException impossible) {
        bad.add(impossible(impossible));
      }
    }
  }

  /** What the format did not notice, but the thing it was to make. */
  private InputException impossible(IllegalArgumentException impossible) {
    String rule = String.valueOf(impossible.getMessage()).replaceAll("\\.$", "");
    InputException wrong = place().wrong("makes no sense: " + rule);
    wrong.initCause(impossible);
    return wrong;
  }

  Place place() {
    return reader.place();
  }

  @Override
  public void close() {
    reader.close();
  }
}
