package dev.berth.experiments.bound;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What nobody can do better, even if all is known beforehand: the host time that bags of tasks cost
 * at least if each is done by its deadline.
 *
 * <p>A task takes a whole host while it runs, so hosts are paid for at least as long as all tasks
 * run together. Besides, each host that is ever started is paid for while it starts and stops, and
 * there must be enough of them: what comes not before <i>r</i> and is due by <i>d</i> is all done
 * between the two, where a host can do at most {@code d − r}. This holds for every pair <i>r</i>,
 * <i>d</i>; the pair that needs most hosts counts.
 *
 * <p>It may be out of reach: tasks cannot be cut in two, and a host that waits for the next bag is
 * paid for, which the bound leaves out.
 */
public final class BagHostTimeBound {

  private BagHostTimeBound() {}

  /**
   * Work with a deadline.
   *
   * @param release when it comes, nanoseconds
   * @param deadline by when it is to be done; after {@code release}
   * @param work what its tasks run together, nanoseconds; not negative
   */
  public record Work(long release, long deadline, long work) {

    /** Checks that there is time. */
    public Work {
      if (deadline <= release || work < 0) {
        throw new IllegalArgumentException(
            "work of %s ns from %s to %s ns: must not be negative, with time for it."
                .formatted(work, release, deadline));
      }
    }
  }

  /**
   * Returns how many hosts must be started at least. Cost O(n²).
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
   * Returns the host time that all of it costs at least, in nanoseconds.
   *
   * @param startAndStop for how long a host is paid for on top of what it works
   */
  public static double leastHostTime(Collection<Work> all, Duration startAndStop) {
    double work = all.stream().mapToDouble(Work::work).sum();
    return work + (double) leastHosts(all) * startAndStop.toNanos();
  }
}
