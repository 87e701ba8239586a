package dev.berth.experiments.figures;

import dev.berth.simulator.metrics.IntervalMetrics;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import java.util.List;
import java.util.Locale;

/**
 * The level of contention in an interval, judged by the availability that a reference policy
 * delivers (QoS-driven scheduling, section 5.3).
 *
 * <p>The paper has three classes. Here the least important one is its bronze, all others are its
 * gold and silver. A first start is no contention: a request that is placed when it arrives, and
 * keeps its host, has 100 % and meets its objective.
 */
public enum Contention {
  /** All requests have 100 %. */
  NONE,
  /** The lowest class meets its objective; all other classes have 100 %. */
  LOW,
  /** A request of the lowest class misses its objective; all other classes have 100 %. */
  MEDIUM,
  /** A request of another class has less than 100 %. */
  HIGH;

  /** The levels that pages show. */
  public static final List<Contention> LEVELS = List.of(LOW, MEDIUM, HIGH);

  /** Returns the word for the level. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the contention in an interval.
   *
   * @param reference availability under the reference policy
   */
  public static Contention of(IntervalMetrics reference) {
    List<ClassInterval> got = reference.classes();
    if (got.isEmpty()) {
      return NONE;
    }
    int least = got.size() - 1;
    if (got.subList(0, least).stream().anyMatch(each -> !isFull(each))) {
      return HIGH;
    }
    ClassInterval last = got.get(least);
    if (isFull(last)) {
      return NONE;
    }
    return last.met().orElseThrow() == 1 ? LOW : MEDIUM;
  }

  private static boolean isFull(ClassInterval each) {
    return each.served().isEmpty() || each.served().getAsDouble() == 1;
  }
}
