package dev.berth.traces;

import dev.berth.traces.input.InputException;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A summary of what was read from a file and what was skipped.
 *
 * @param entries number of requests, hosts or events read
 * @param lines number of lines read, without blank lines and comments
 * @param skipped number of items that the format skipped, by reason, in alphabetical order
 * @param badLines number of bad lines skipped, as {@link ReadOptions} allows
 * @param firstBad the errors of the first bad lines; at most five
 */
public record ReadReport(
    long entries,
    long lines,
    SortedMap<String, Long> skipped,
    long badLines,
    List<InputException> firstBad) {

  /** Copies the collections. */
  public ReadReport {
    skipped = Collections.unmodifiableSortedMap(new TreeMap<>(skipped));
    firstBad = List.copyOf(firstBad);
  }

  /** Returns whether nothing was skipped. */
  public boolean isComplete() {
    return skipped.isEmpty() && badLines == 0;
  }
}
