package dev.berth.traces;

import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.util.Phrases;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries and passes over bad lines, as long as the {@link ErrorBudget} allows. An entry is
 * bad if its format rejects it, or if a check rejects it.
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

  private final EntryReader<T> reader;
  private final ErrorBudget budget;
  private final Check<? super T> check;

  LenientReader(EntryReader<T> reader, ErrorBudget budget, Check<? super T> check) {
    this.reader = reader;
    this.budget = budget;
    this.check = check;
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
        budget.spend(error);
      } catch (IllegalArgumentException impossible) {
        budget.spend(invalid(impossible));
      }
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
