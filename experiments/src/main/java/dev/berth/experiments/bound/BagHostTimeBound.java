package dev.berth.experiments.bound;

import static dev.berth.api.Arguments.refuseIf;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Lower bound on the host time of bags of tasks that all meet their deadlines, even with full
 * knowledge of the future.
 *
 * <p>A task takes a whole host while it runs, so the paid time is at least the total run time of
 * all tasks. In addition, each started host is paid for while it starts and stops. The number of
 * hosts has a lower bound too: work released at or after <i>r</i> and due by <i>d</i> is done
 * between the two, and a host does at most {@code d − r} of it. This holds for every pair <i>r</i>,
 * <i>d</i>; the pair that needs most hosts decides.
 *
 * <p>The bound may be unreachable: tasks cannot be split, and hosts that wait for the next bag are
 * paid for, which the bound ignores.
 */
public final class BagHostTimeBound {

  private BagHostTimeBound() {}

  /**
   * Work with a deadline.
   *
   * @param release when it is submitted, nanoseconds
   * @param deadline when it must be done; after {@code release}
   * @param work total run time of its tasks, nanoseconds; not negative
   */
  public record Work(long release, long deadline, long work) {

    /** Checks the ranges. */
    public Work {
      refuseIf(
          deadline <= release || work < 0,
          "work of %s ns from %s to %s ns: must not be negative, and the deadline must be after the release.",
          work,
          release,
          deadline);
    }
  }

  /**
   * Returns the least number of hosts that must be started. Cost O(n²).
   *
   * @param all possibly none
   */
  public static int leastHosts(Collection<Work> all) {
    List<Work> byDeadline = all.stream().sorted(Comparator.comparingLong(Work::deadline)).toList();
    BigInteger most = BigInteger.ZERO;
    for (Work first : all) {
      BigInteger between = BigInteger.ZERO;
      for (Work each : byDeadline) {
        if (each.release() >= first.release()) {
          between = between.add(BigInteger.valueOf(each.work()));
          most = most.max(ceil(between, each.deadline() - first.release()));
        }
      }
    }
    return most.min(BigInteger.valueOf(Integer.MAX_VALUE)).intValue();
  }

  private static BigInteger ceil(BigInteger work, long time) {
    BigInteger length = BigInteger.valueOf(time);
    return work.add(length).subtract(BigInteger.ONE).divide(length);
  }

  /**
   * Returns the least host time for all the work, in nanoseconds.
   *
   * @param startAndStop paid time of each host in addition to its work, nanoseconds
   */
  public static double leastHostTime(Collection<Work> all, Duration startAndStop) {
    double work = all.stream().mapToDouble(Work::work).sum();
    return work + (double) leastHosts(all) * startAndStop.toNanos();
  }
}
