package dev.berth.policies.qos;

/**
 * What is expected of an instance at one moment.
 *
 * @param table what those tell that completed
 * @param scale by which the times of the table are multiplied
 * @param attained the service that it has attained, in nanoseconds
 * @param step of the table
 */
record Outlook(RemainingService table, double scale, long attained, int step) {

  Outlook(RemainingService table, double scale, long attained) {
    this(table, scale, attained, ServiceGrid.step((long) ((double) attained / scale)));
  }

  /** Returns the level of the service to come: half an octave of it. */
  int level() {
    return table.level(step, scale);
  }

  /** Returns whether it is likely to end. */
  boolean ends() {
    return table.ends(step);
  }

  /**
   * Returns by how much it may have missed its objective before it is beyond rescue, in
   * nanoseconds; {@link Long#MAX_VALUE} if it can always be rescued, as far as is known.
   */
  long overdue() {
    long unscaled = table.overdue(step);
    double overdue = (double) unscaled * scale;
    boolean bounded = unscaled < Long.MAX_VALUE && overdue < RemainingService.MOST;
    return bounded ? (long) overdue : Long.MAX_VALUE;
  }

  /**
   * Returns how long it must run until its level exceeds another, or, if it does, may no longer, or
   * until the other answer holds to whether it ends; in nanoseconds, {@link Long#MAX_VALUE} for
   * never.
   */
  long changesIn(int above) {
    int next = level() > above ? step + 1 : table.changes(step, scale, above);
    double begin = (double) ServiceGrid.begin(next) * scale;
    return begin < RemainingService.MOST ? Math.max(0, (long) begin - attained) : Long.MAX_VALUE;
  }
}
