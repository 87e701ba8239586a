package dev.berth.experiments;

import dev.berth.simulator.metrics.IntervalMetrics;
import dev.berth.simulator.metrics.IntervalMetrics.ClassInterval;
import java.util.List;

/**
 * How scarce the hosts were in an interval, by what a reference policy delivered in it (QoS-driven
 * scheduling, section 5.3).
 *
 * <p>The paper has three classes. Here the least important one is its bronze, all others are its
 * gold and silver. What preparing a host takes counts as waiting: unless that costs nothing, hardly
 * an interval in which a request is placed is without contention.
 */
public enum Contention {
  /** Everybody has 100 %. */
  NONE,
  /** All classes but the least have 100 %, and of that one everybody has what was promised. */
  LOW,
  /** All classes but the least have 100 %, but somebody of that one not what was promised. */
  MEDIUM,
  /** Somebody of another class has less than 100 %. */
  HIGH;

  /**
   * Returns how scarce the hosts were.
   *
   * @param reference what the reference policy delivered in it
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
    return last.fulfilment().orElseThrow() == 1 ? LOW : MEDIUM;
  }

  private static boolean isFull(ClassInterval each) {
    return each.min().isEmpty() || each.min().getAsDouble() == 1;
  }
}
