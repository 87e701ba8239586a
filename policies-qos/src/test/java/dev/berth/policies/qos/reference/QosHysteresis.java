package dev.berth.policies.qos.reference;

import dev.berth.api.ServiceClass;
import dev.berth.testkit.reference.QosDriven;
import dev.berth.testkit.reference.ReferenceInstance;
import dev.berth.testkit.reference.ReferencePolicy;
import dev.berth.testkit.reference.ReferenceScore;
import java.util.Comparator;
import java.util.List;

/**
 * The policy {@code qos-hysteresis} without selection in overload: the QoS-driven rule for switches
 * that have a price.
 *
 * @param restartShare ε, in (0, 0.5]
 * @param expectedOverhead α, nanoseconds, not negative; 0 if it is learnt
 * @param allocationScore the allocation score
 */
public record QosHysteresis(
    double restartShare, long expectedOverhead, ReferenceScore allocationScore)
    implements ReferencePolicy {

  private static final long DAY = 24L * 60 * 60 * 1_000_000_000;

  /** The highest price of a switch. */
  private static final long HIGHEST_PRICE = 730 * DAY;

  /** How far values may exceed a life. */
  private static final long BEYOND_LIFE = 5 * HIGHEST_PRICE;

  /** Increasing Q plus the price; then the more important class, the earlier admission, the id. */
  @Override
  public Comparator<ReferenceInstance> queueOrder(long now) {
    return Comparator.<ReferenceInstance>comparingLong(each -> qos(each, now) + price(each))
        .thenComparingInt(each -> each.serviceClass().importance())
        .thenComparingLong(ReferenceInstance::admittedAt)
        .thenComparing(ReferenceInstance::id);
  }

  /** Decreasing Q. */
  @Override
  public Comparator<ReferenceInstance> victimOrder(long now) {
    return Comparator.<ReferenceInstance>comparingLong(each -> qos(each, now)).reversed();
  }

  @Override
  public Verdict judge(ReferenceInstance j, ReferenceInstance k, long now) {
    Verdict verdict = byRule(j, k, now);
    if (!verdict.allowed() || isMoreImportant(j, k)) {
      return verdict;
    }
    boolean sameClass = j.serviceClass().name().equals(k.serviceClass().name());
    if (sameClass && k.preemptionOverhead(now) > k.serviceClass().preemptionOverheadLimit()) {
      return Verdict.OVER_LIMIT;
    }
    if (k.preemptions() > 0) {
      double restarts = k.preemptions();
      double lost = (double) k.restartOverhead() * (restarts - 1) / restarts;
      if (lost > 2 * restartShare * (double) (now - k.admittedAt())) {
        return Verdict.OVER_RESTART_SHARE;
      }
    }
    return verdict;
  }

  private Verdict byRule(ReferenceInstance j, ReferenceInstance k, long now) {
    long qk = qos(k, now);
    long least = qos(j, now) + price(j) - knownPrice(j); // Q_j, or more if the price is learnt
    boolean ahead = qk >= margin(k);
    boolean endangered = least < margin(j);
    if (endangered && isMoreImportant(j, k)) {
      return ahead ? (least < qk ? Verdict.RULE_A : Verdict.NO_RULE) : Verdict.RULE_B;
    }
    if (qos(j, now) + price(j) >= qk) {
      return Verdict.NO_RULE;
    }
    if (ahead) {
      return Verdict.RULE_A;
    }
    boolean equal = j.serviceClass().importance() == k.serviceClass().importance();
    return endangered && equal ? Verdict.RULE_C : Verdict.NO_RULE;
  }

  private static boolean isMoreImportant(ReferenceInstance j, ReferenceInstance k) {
    return j.serviceClass().importance() < k.serviceClass().importance();
  }

  /** Returns the price of a switch for a pending instance. */
  private long price(ReferenceInstance j) {
    if (expectedOverhead > 0) {
      return knownPrice(j);
    }
    int restarts = j.preemptions() - 1;
    return restarts <= 0 ? 0 : priceOf(j, (double) j.restartOverhead() / restarts);
  }

  private long knownPrice(ReferenceInstance j) {
    return priceOf(j, (double) expectedOverhead);
  }

  private long priceOf(ReferenceInstance j, double overhead) {
    double nanos = (1 - j.serviceClass().slo().share()) * overhead / restartShare;
    return Math.floorDiv((long) Math.min(nanos, (double) HIGHEST_PRICE), unit(j));
  }

  @Override
  public List<Double> preemptionCost(
      List<ReferenceInstance> victims, List<ServiceClass> serviceClasses, long now) {
    return QosDriven.preemptionCost(
        QosDriven.Cost.SLACK_SUMS, victims, serviceClasses, k -> qos(k, now) - margin(k));
  }

  @Override
  public boolean minimizeVictims() {
    return true;
  }

  @Override
  public boolean preemptStarting() {
    return false;
  }

  private long qos(ReferenceInstance instance, long now) {
    return instance.qos(now, expectedOverhead, unit(instance));
  }

  /** φ. */
  private long margin(ReferenceInstance instance) {
    return instance.safetyMargin(expectedOverhead + BEYOND_LIFE);
  }

  private long unit(ReferenceInstance instance) {
    return instance.unitOfQos(expectedOverhead + BEYOND_LIFE);
  }
}
