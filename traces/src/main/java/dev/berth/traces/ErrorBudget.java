package dev.berth.traces;

import dev.berth.traces.input.InputException;
import java.util.ArrayList;
import java.util.List;

/** Tolerates a limited number of bad lines in one reading, and retains the first few errors. */
final class ErrorBudget {

  private static final int RETAINED = 5;

  private final long limit;
  private final List<InputException> first = new ArrayList<>();
  private long count;

  ErrorBudget(long limit) {
    this.limit = limit;
  }

  /**
   * Counts a bad line.
   *
   * @throws InputException the error itself, if the limit is exceeded or it ends the reading
   */
  void spend(InputException error) {
    if (count >= limit || error.endsReading()) {
      throw error;
    }
    count++;
    if (first.size() < RETAINED) {
      first.add(error);
    }
  }

  long count() {
    return count;
  }

  /** Returns the first errors, at most five. */
  List<InputException> first() {
    return first;
  }
}
