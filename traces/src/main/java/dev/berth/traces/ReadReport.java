package dev.berth.traces;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What reading a file came to.
 *
 * @param entries how many requests, hosts or events it gave
 * @param lines how many lines that say something were read for them
 * @param leftOut how often what the format does not turn into entries was left out, by reason, in
 *     the order of the alphabet
 * @param badLines how many lines were left out because they cannot be used
 * @param firstBad what is wrong with the first of them; at most five
 */
public record ReadReport(
    long entries,
    long lines,
    SortedMap<String, Long> leftOut,
    long badLines,
    List<InputException> firstBad) {

  /** Copies the collections. */
  public ReadReport {
    leftOut = Collections.unmodifiableSortedMap(new TreeMap<>(leftOut));
    firstBad = List.copyOf(firstBad);
  }

  /** Returns whether nothing was left out. */
  public boolean isWhole() {
    return leftOut.isEmpty() && badLines == 0;
  }
}
