package dev.berth.traces;

import java.util.ArrayList;
import java.util.List;

/** The lines of one reading that cannot be used, as long as they are few enough. */
final class BadLines {

  private static final int TOLD = 5;

  private final long bearable;
  private final List<InputException> first = new ArrayList<>();
  private long count;

  BadLines(long bearable) {
    this.bearable = bearable;
  }

  /**
   * One more.
   *
   * @throws InputException that one, if it is one too many or nothing can be read behind it
   */
  void add(InputException bad) {
    if (count >= bearable || bad.endsReading()) {
      throw bad;
    }
    count++;
    if (first.size() < TOLD) {
      first.add(bad);
    }
  }

  long count() {
    return count;
  }

  List<InputException> first() {
    return first;
  }
}
