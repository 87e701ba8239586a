package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The price of a switch, in units of the QoS metric: by how much a beneficiary must be worse off
 * than its victim.
 *
 * <p>An instance of objective σ gains 1/σ − 1 while it runs and loses 1 while it waits. If it
 * climbs and falls through a gap of
 *
 * <pre>(1 − σ) α / ε</pre>
 *
 * <p>between two restarts that take α, then it restarts once in α / ε. So instances of every class
 * spend the share ε of their lives on restarts.
 *
 * <p>If α is not given, it is the mean of the beneficiary's own restarts; an instance without
 * restarts pays nothing.
 */
final class SwitchPrice {

  /** The highest price. It keeps values in the range of a {@code long}. */
  static final Duration HIGHEST = Duration.ofDays(730);

  private final double restartShare;
  private final QosUnit unit;
  private final boolean learns;
  private final Map<String, Integer> ranks = new HashMap<>(); // by name of the class
  private final long[] known; // by class rank; 0 if learnt

  /** Creates the price of a switch among instances of these classes, by rank. */
  SwitchPrice(QosHysteresisConfig config, List<ServiceClass> classes, QosUnit unit) {
    this.restartShare = config.restartShare();
    this.unit = unit;
    this.learns = config.expectedOverhead().isZero();
    for (ServiceClass each : classes) {
      ranks.put(each.name(), ranks.size());
    }
    this.known =
        classes.stream().mapToLong(each -> of(each, config.expectedOverhead().toNanos())).toArray();
  }

  private long of(ServiceClass serviceClass, double overhead) {
    double nanos = (1 - serviceClass.slo().share()) * overhead / restartShare;
    return unit.ofNanos((long) Math.min(nanos, (double) HIGHEST.toNanos()));
  }

  /** Returns what a pending instance pays. It stands still while the instance is pending. */
  long of(Instance pending) {
    return learns
        ? of(pending.serviceClass(), meanRestart(pending))
        : known[ranks.get(pending.serviceClass().name())];
  }

  /** Returns the least that a pending instance of a class may pay. */
  long least(int classRank) {
    return known[classRank];
  }

  private static double meanRestart(Instance pending) {
    int ended = pending.preemptions() - 1; // the latest preemption has not led to a restart yet
    return ended <= 0 ? 0 : (double) pending.restartOverhead() / ended;
  }
}
