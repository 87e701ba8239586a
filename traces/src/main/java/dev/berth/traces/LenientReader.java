package dev.berth.traces;

import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.util.Phrases;
import dev.berth.traces.spi.ReaderSupplier;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries and passes over bad lines up to a limit, of which it retains the first few errors.
 * An entry is bad if its format rejects it, or if a check rejects it.
 *
 * @param <T> the type of the entries
 */
final class LenientReader<T> implements AutoCloseable {

  /** A check of each entry beyond its format. */
  @FunctionalInterface
  interface Check<T> {

    /**
     * Checks an entry.
     *
     * @throws InputException if the entry is bad
     */
    void check(T entry, SourceLocation location);
  }

  private static final int RETAINED = 5;

  private final EntryReader<T> reader;
  private final long limit;
  private final Check<? super T> check;
  private final SortedMap<String, Long> skips = new TreeMap<>(); // by reason
  private final List<InputException> firstBad = new ArrayList<>();
  private long bad;

  LenientReader(ReaderSupplier<T> readers, long limit, Check<? super T> check) {
    this.reader = readers.open(reason -> skips.merge(reason, 1L, Long::sum));
    this.limit = limit;
    this.check = check;
  }

  /**
   * Reads all entries, and closes this reader.
   *
   * @param linesBefore the lines of the input that were read before this reader was opened
   */
  ReadReport drain(Input input, long linesBefore, Consumer<? super T> entries) {
    long size = 0;
    try {
      for (T each = next(); each != null; each = next()) {
        entries.accept(each);
        size++;
      }
    } finally {
      close();
    }
    return new ReadReport(size, input.linesRead() - linesBefore, skips, bad, firstBad);
  }

  /** Returns the next good entry; null at the end. */
  @Nullable T next() {
    while (true) {
      try {
        T entry = reader.next();
        if (entry != null) {
          check.check(entry, reader.location());
        }
        return entry;
      } catch (InputException error) {
        spend(error);
      } catch (IllegalArgumentException impossible) {
        spend(invalid(impossible));
      }
    }
  }

  /** Counts a bad line, or throws its error if the limit is exceeded or it ends the reading. */
  private void spend(InputException error) {
    if (bad >= limit || error.endsReading()) {
      throw error;
    }
    bad++;
    if (firstBad.size() < RETAINED) {
      firstBad.add(error);
    }
  }

  /** Translates an error of the constructed object, which the format did not foresee. */
  private InputException invalid(IllegalArgumentException cause) {
    InputException error = reader.location().error("is invalid: " + Phrases.of(cause));
    error.initCause(cause);
    return error;
  }

  /** Returns an error about an id that an earlier line has. */
  static InputException repeatedId(String id, SourceLocation location, SourceLocation earlier) {
    return new Field(location, "id", id)
        .error(
            "must be unique, line %s%s has the same"
                .formatted(
                    earlier.line(),
                    earlier.file().equals(location.file()) ? "" : " of " + earlier.file()));
  }

  @Override
  public void close() {
    reader.close();
  }
}
