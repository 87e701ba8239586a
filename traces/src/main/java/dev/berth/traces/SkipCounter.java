package dev.berth.traces;

import dev.berth.traces.spi.SkipReport;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts skipped items by reason. */
final class SkipCounter implements SkipReport {

  private final SortedMap<String, Long> counts = new TreeMap<>();

  @Override
  public void count(String reason) {
    counts.merge(reason, 1L, Long::sum);
  }

  SortedMap<String, Long> counts() {
    return counts;
  }
}
