package dev.berth.core.internal.search;

import com.google.common.math.LongMath;
import dev.berth.api.Moldability;
import dev.berth.api.Slowdown;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.host.RunLimits;
import java.util.OptionalLong;

/** Expected run times of instances, by their estimates and the limits of their run times. */
public final class RunTimes {

  /** The run time of an instance that may run for ever, and a time that is never reached. */
  public static final long NEVER = Long.MAX_VALUE;

  private RunTimes() {}

  /**
   * Returns how long an instance still runs with granted amounts, at most: its estimate less its
   * service so far, or until its longest run time is over; at least a nanosecond. {@link #NEVER}
   * with neither.
   *
   * @param cpu the number of the CPU dimension; -1 if there is none
   */
  public static long remaining(InstanceRecord instance, long[] granted, int cpu, long now) {
    long run = ofRun(instance, granted, cpu);
    return run == NEVER
        ? NEVER
        : Math.max(1, run - (instance.serviceTime(now) - instance.served()));
  }

  /** Returns whether an instance is expected to end. */
  static boolean areKnown(InstanceRecord instance) {
    return instance.request.estimatedRunTime().isPresent()
        || instance.request.maxRunTime().isPresent();
  }

  /**
   * Returns how long an instance runs at most, from the start of its present or next run, or {@link
   * #NEVER}.
   */
  static long ofRun(InstanceRecord instance, long[] granted, int cpu) {
    long served = instance.served();
    OptionalLong estimate = instance.request.estimatedRunTime();
    long whole =
        estimate.isEmpty() ? NEVER : molding(instance, granted, cpu).timeFor(estimate.getAsLong());
    return Math.min(whole == NEVER ? NEVER : whole - served, RunLimits.left(instance, served));
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
