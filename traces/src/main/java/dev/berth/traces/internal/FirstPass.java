package dev.berth.traces.internal;

import dev.berth.traces.input.InputException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries in a pass that precedes the actual reading. Such a pass ignores bad lines, because
 * the actual reading reports them.
 */
public final class FirstPass {

  private FirstPass() {}

  /**
   * Returns the next good entry; null at the end.
   *
   * @param reader returns the next entry or null, or throws an {@link InputException}
   * @throws InputException if it ends the reading
   */
  public static <T> @Nullable T next(Supplier<? extends @Nullable T> reader) {
    while (true) {
      try {
        return reader.get();
      } catch (InputException bad) {
        if (bad.endsReading()) {
          throw bad;
        }
      }
    }
  }
}
