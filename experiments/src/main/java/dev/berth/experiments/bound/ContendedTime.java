package dev.berth.experiments.bound;

import dev.berth.experiments.bound.FluidBound.Claim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A set of instants at which requests contend for a resource. Any set gives a valid {@link
 * FluidBound}; good ones give a tight bound.
 *
 * <p>The search alternates two steps, as for a minimum cut. Given the requests that cannot get
 * their need outside the set, the set has the instants at which these demand more than exists.
 * Given the set, the requests follow. It starts from all requests of the more important classes,
 * and from what they need on average over their lives.
 */
final class ContendedTime {

  private static final int MOST_ROUNDS = 5;

  private final double capacity;
  private final Lives lives;
  private final long[] before; // by index of an instant, the length of the set before it

  private ContendedTime(double capacity, Lives lives, long[] before) {
    this.capacity = capacity;
    this.lives = lives;
    this.before = before;
  }

  /** The lives of all claims, between the instants at which one begins or ends. */
  private static final class Lives {

    private final long[] instants;
    private final int[] from; // by claim, the index of the instant at which its life begins
    private final int[] to;

    Lives(List<Claim> claims) {
      instants =
          claims.stream()
              .flatMapToLong(each -> LongStream.of(each.from(), each.to()))
              .sorted()
              .distinct()
              .toArray();
      from = claims.stream().mapToInt(each -> index(each.from())).toArray();
      to = claims.stream().mapToInt(each -> index(each.to())).toArray();
    }

    private int index(long instant) {
      return Arrays.binarySearch(instants, instant);
    }
  }

  /**
   * Returns sets for one resource.
   *
   * @param dimension index of the resource in the demands
   * @param capacity of all hosts
   */
  static List<ContendedTime> of(List<Claim> claims, int dimension, double capacity) {
    Lives lives = new Lives(claims);
    List<ContendedTime> found = new ArrayList<>();
    for (int importance : claims.stream().mapToInt(Claim::importance).distinct().toArray()) {
      double[] all = new double[claims.size()];
      double[] onAverage = new double[claims.size()];
      for (int i = 0; i < all.length; i++) {
        Claim claim = claims.get(i);
        if (claim.importance() <= importance) {
          all[i] = claim.demand().get(dimension);
          onAverage[i] = all[i] * Math.min(1, claim.need() / (claim.to() - claim.from()));
        }
      }
      search(claims, all, all, capacity, lives, found);
      search(claims, all, onAverage, capacity, lives, found);
    }
    return found;
  }

  private static void search(
      List<Claim> claims,
      double[] demands,
      double[] first,
      double capacity,
      Lives lives,
      List<ContendedTime> found) {
    double[] contending = first;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      ContendedTime time =
          new ContendedTime(capacity, lives, exceeded(contending, capacity, lives));
      if (found.stream().anyMatch(each -> Arrays.equals(each.before, time.before))) {
        return;
      }
      found.add(time);
      contending = demands.clone();
      for (int i = 0; i < contending.length; i++) {
        if (claims.get(i).need() <= time.outside(i)) {
          contending[i] = 0;
        }
      }
    }
  }

  private static long[] exceeded(double[] demands, double capacity, Lives lives) {
    double[] changes = new double[lives.instants.length];
    for (int i = 0; i < demands.length; i++) {
      changes[lives.from[i]] += demands[i];
      changes[lives.to[i]] -= demands[i];
    }
    long[] before = new long[changes.length];
    double demand = 0;
    for (int i = 0; i + 1 < changes.length; i++) {
      demand += changes[i];
      long length = demand > capacity ? lives.instants[i + 1] - lives.instants[i] : 0;
      before[i + 1] = before[i] + length;
    }
    return before;
  }

  /** Returns the part of a life that is outside the set, in nanoseconds. */
  long outside(int claim) {
    int from = lives.from[claim];
    int to = lives.to[claim];
    return lives.instants[to] - lives.instants[from] - (before[to] - before[from]);
  }

  /** Returns how much of the resource there is in the set, times nanoseconds. */
  double amount() {
    return before.length == 0 ? 0 : capacity * before[before.length - 1];
  }
}
