package dev.berth.policies.qos;

import dev.berth.api.Slo;

/**
 * What the instances of a class still need, as far as those tell that completed: by the {@linkplain
 * ServiceGrid step} of what an instance has attained.
 *
 * <p>The level is that of the rank of M-SERPT (Scully, Harchol-Balter and Scheller-Wolf 2020): the
 * greatest expected remaining service that the instance has had so far. Where run times vary much,
 * it grows with the attained service, so that the least attained goes first; where they are alike,
 * it does not, so that no instance gives way. In an M/G/1, the mean response time is at most five
 * times that of the Gittins index. Where a run time is expected, the rank is the expected remaining
 * service itself (SERPT).
 */
final class RemainingService {

  /** An instance is taken for one that ends if of its like more than this share have ended. */
  private static final double ENDING = 0.1;

  /** An instance is beyond rescue if it meets its objective with less than this probability. */
  private static final double HOPE = 0.5;

  static final double MOST = 0x1p61; // ns; what is added to values must not exceed it

  private final double[] ranks = new double[ServiceGrid.STEPS]; // ns
  private final int[] levels = new int[ServiceGrid.STEPS]; // of these
  private final boolean[] ends = new boolean[ServiceGrid.STEPS];
  private final long[] overdue = new long[ServiceGrid.STEPS]; // ns

  /**
   * Derives what is known of a class.
   *
   * @param slo its objective
   * @param falls whether the rank of an instance falls as its end comes nearer (SERPT)
   * @param counts how many instances completed, by step of their service
   * @param sums their service in seconds, by step
   * @param present how many instances are not done, by step of their attained service
   */
  RemainingService(Slo slo, boolean falls, long[] counts, long[] sums, long[] present) {
    long longer = 0;
    double theirs = 0;
    long alive = 0;
    double[] expected = new double[ServiceGrid.STEPS];
    for (int i = ServiceGrid.STEPS - 1; i >= 0; i--) {
      longer += counts[i];
      theirs += (double) sums[i];
      alive += present[i];
      double begin = (double) ServiceGrid.begin(i) / 1e9;
      double ofNone = begin + (double) ServiceGrid.OFFSET / 1e9;
      // One more job is assumed, whose remaining service is as long as the attained.
      expected[i] = (theirs - (double) longer * begin + ofNone) / (double) (longer + 1);
      ends[i] = (double) longer > ENDING * (double) (longer + alive + 1);
      overdue[i] = overdue(slo, hope(counts, longer, i));
    }
    double greatest = 0;
    for (int i = 0; i < ServiceGrid.STEPS; i++) {
      greatest = falls ? expected[i] : Math.max(greatest, expected[i]);
      ranks[i] = ends[i] ? greatest * 1e9 : Math.max(greatest * 1e9, (double) ServiceGrid.begin(i));
      levels[i] = ServiceGrid.level((long) ranks[i]);
    }
  }

  /** Returns how far beyond its objective an instance is that must run for so long to meet it. */
  private static long overdue(Slo slo, long toRun) {
    double overdue = (double) toRun * (1 / slo.share() - 1);
    boolean bounded = toRun < Long.MAX_VALUE && slo.share() < 1 && overdue < MOST;
    return bounded ? (long) overdue : Long.MAX_VALUE;
  }

  /**
   * Returns the service beyond that at a step which an instance is too unlikely to need, in
   * nanoseconds; {@link Long#MAX_VALUE} if nothing is known of it.
   */
  private static long hope(long[] counts, long longer, int step) {
    long left = longer;
    for (int i = step; i < ServiceGrid.STEPS; i++) {
      if (((double) left + 0.5) / (double) (longer + 1) < HOPE) {
        return ServiceGrid.begin(i) - ServiceGrid.begin(step);
      }
      left -= counts[i];
    }
    return Long.MAX_VALUE;
  }

  /**
   * Returns the level at a step; it is never less at a later step, except where jobs end again.
   *
   * @param scale by which times are multiplied
   */
  int level(int step, double scale) {
    return scale == 1 ? levels[step] : ServiceGrid.level((long) (ranks[step] * scale));
  }

  /** Returns the expected service of a new instance, in nanoseconds. */
  double ofNew() {
    return ranks[0];
  }

  /** Returns whether instances that have attained so much are likely to end. */
  boolean ends(int step) {
    return ends[step];
  }

  /**
   * Returns by how much an instance may have missed its objective, in nanoseconds, before it is
   * beyond rescue: it would have to be longer than it probably is. {@link Long#MAX_VALUE} if it can
   * always be rescued, as far as is known.
   */
  long overdue(int step) {
    return overdue[step];
  }

  /** Returns the first later step where the level exceeds another, or the other answer holds. */
  int changes(int step, double scale, int above) {
    double limit = (double) ServiceGrid.beginOfLevel(above + 1);
    int next = step + 1;
    while (next < ServiceGrid.STEPS && ranks[next] * scale < limit && ends[next] == ends[step]) {
      next++;
    }
    return next;
  }
}
