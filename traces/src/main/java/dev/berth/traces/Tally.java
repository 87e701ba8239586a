package dev.berth.traces;

import java.util.SortedMap;
import java.util.TreeMap;

/** Counts what is left out, by reason. */
final class Tally implements LeftOut {

  private final SortedMap<String, Long> counts = new TreeMap<>();

  @Override
  public void count(String reason) {
    counts.merge(reason, 1L, Long::sum);
  }

  SortedMap<String, Long> counts() {
    return counts;
  }
}
