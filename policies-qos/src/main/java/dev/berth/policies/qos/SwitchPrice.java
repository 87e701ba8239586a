package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.ServiceClass;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The price of a switch, in units of the QoS metric: by how much the value of a victim must exceed
 * that of its beneficiary.
 *
 * <p>An instance of objective σ gains 1/σ − 1 while it runs and loses 1 while it waits. If it
 * climbs and falls through a gap of
 *
 * <pre>(1 − σ) α / ε</pre>
 *
 * <p>between two restarts that take α, then it restarts once in α / ε. So an instance of any class
 * spends the share ε of its life on restarts.
 *
 * <p>If α is not given, it is the mean of the beneficiary's own restarts after preemptions; an
 * instance without any pays nothing. If it also lost its host, the mean is an estimate.
 */
final class SwitchPrice {

  /** The highest price. It keeps values in the range of a {@code long}. */
  static final Duration HIGHEST = Duration.ofDays(730);

  private final double restartShare;
  private final QosUnit unit;
  private final boolean learns;
  private final Map<String, Long> byName = new HashMap<>(); // of the class; 0 if learnt
  private final long[] byRank; // the same

  /** Creates the price of a switch among instances of these classes, by rank. */
  SwitchPrice(QosHysteresisConfig config, List<ServiceClass> classes, QosUnit unit) {
    this.restartShare = config.restartShare();
    this.unit = unit;
    this.learns = config.expectedOverhead().isZero();
    double overhead = (double) config.expectedOverhead().toNanos();
    this.byRank = classes.stream().mapToLong(each -> of(each, overhead)).toArray();
    for (int i = 0; i < byRank.length; i++) {
      byName.put(classes.get(i).name(), byRank[i]);
    }
  }

  private long of(ServiceClass serviceClass, double overhead) {
    double nanos = (1 - serviceClass.slo().share()) * overhead / restartShare;
    return unit.ofNanos((long) Math.min(nanos, (double) HIGHEST.toNanos()));
  }

  /** Returns what a pending instance pays. It does not change while the instance is pending. */
  long of(Instance pending) {
    return learns
        // The latest preemption has not led to a restart yet.
        ? of(pending.serviceClass(), meanRestart(pending, pending.preemptions() - 1))
        : byName.getOrDefault(pending.serviceClass().name(), 0L);
  }

  /** Returns the least that a pending instance of a class may pay. */
  long least(int classRank) {
    return byRank[classRank];
  }

  private static double meanRestart(Instance instance, int restarts) {
    return restarts <= 0 ? 0 : (double) instance.restartOverhead() / restarts;
  }
}
