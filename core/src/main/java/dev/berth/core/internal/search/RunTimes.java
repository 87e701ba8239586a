package dev.berth.core.internal.search;

import com.google.common.math.LongMath;
import dev.berth.api.Moldability;
import dev.berth.api.Slowdown;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.OptionalLong;

/** Expected run times of instances, by their estimates. */
public final class RunTimes {

  /** The run time of an instance without an estimate, and a time that is never reached. */
  public static final long NEVER = Long.MAX_VALUE;

  private RunTimes() {}

  /**
   * Returns the service that an instance still needs with granted amounts: its estimate less its
   * service so far, at least a nanosecond; {@link #NEVER} without an estimate.
   *
   * @param cpu the number of the CPU dimension; -1 if there is none
   */
  public static long remaining(InstanceRecord instance, long[] granted, int cpu, long now) {
    long whole = whole(instance, granted, cpu);
    return whole == NEVER ? NEVER : Math.max(1, whole - instance.serviceTime(now));
  }

  /** Returns the service that an instance needs in total, or {@link #NEVER}. */
  static long whole(InstanceRecord instance, long[] granted, int cpu) {
    OptionalLong estimate = instance.request.estimatedRunTime();
    return estimate.isEmpty()
        ? NEVER
        : molding(instance, granted, cpu).timeFor(estimate.getAsLong());
  }

  private static Slowdown molding(InstanceRecord instance, long[] granted, int cpu) {
    if (instance.request.moldability().isEmpty() || cpu < 0 || cpu >= instance.demand.length) {
      return Slowdown.NONE;
    }
    long demand = instance.demand[cpu];
    long has = granted[cpu]; // a grant has at least the dimensions of the demand
    Moldability how = instance.request.moldability().get();
    return has >= demand
        ? Slowdown.NONE
        : how.slowdown(Math.max(how.leastShare(), (double) has / demand));
  }

  /** Returns the end of a run; {@link #NEVER} if it has none. */
  static long end(long from, long runTime) {
    return runTime == NEVER ? NEVER : LongMath.saturatedAdd(from, runTime);
  }
}
