package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;

/** The earliest times at which values that change at constant speed can cross. */
final class Crossings {

  private static final double ROUNDINGS = 2; // ns

  private final double nanos; // in a unit of the values
  private final double roundings; // in units, of both values, now and later

  Crossings(QosUnit unit) {
    nanos = unit.nanos();
    roundings = unit.bits() == 0 ? ROUNDINGS : 4; // a larger unit is rounded to twice
  }

  /**
   * Returns the earliest time at which a gap between values is closed; now if it is. Both values
   * are rounded to the unit; at a low speed, that is a long time.
   *
   * @param speed at which the gap closes, in units per unit of time; not negative
   */
  long closed(long now, long gap, double speed) {
    return after(now, ((double) gap - roundings) * nanos, speed);
  }

  /**
   * Returns the earliest time at which an instance has served long enough for its restarts to be
   * within a share of its time.
   */
  static long withinLimit(Instance victim, double limit, long now) {
    double lost = (double) victim.restartOverhead();
    double missing = lost / limit - lost - (double) victim.serviceTime(now); // infinite at limit 0
    return after(now, missing - ROUNDINGS, victim.state() == InstanceState.RUNNING ? 1 : 0);
  }

  /** Returns the earliest time at which something of a length in nanoseconds, begun now, ends. */
  static long after(long now, double length) {
    return after(now, length - ROUNDINGS, 1);
  }

  private static long after(long now, double gap, double speed) {
    double sooner = gap / speed * (1 - 1e-9) - 3;
    double left = (double) Long.MAX_VALUE - Math.max(0, now);
    return sooner >= left ? Long.MAX_VALUE : now + Math.max(0, (long) sooner);
  }
}
