package dev.berth.testkit.reference;

import dev.berth.api.ServiceClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;

/**
 * The QoS-driven policy (sections 3.3, 3.5.2 and 4.1.3).
 *
 * @param expectedOverhead α, nanoseconds, not negative
 * @param allocationScore the allocation score
 * @param cost how Eq. 9's tuple is read
 * @param minimizeVictims whether unnecessary victims are spared
 * @param preemptStarting whether instances that are starting may be victims
 * @param urgentFirst whether instances below their margins precede the others, by importance
 * @param maxPreemptions the number of preemptions after which only more important instances preempt
 *     an instance; empty for no limit, as in the paper
 */
public record QosDriven(
    long expectedOverhead,
    ReferenceScore allocationScore,
    Cost cost,
    boolean minimizeVictims,
    boolean preemptStarting,
    boolean urgentFirst,
    OptionalInt maxPreemptions)
    implements ReferencePolicy {

  /** The policy with the settings of section 4.1.3 and α = 0. */
  public static final QosDriven PAPER =
      new QosDriven(0, ReferenceScore.MEAN, Cost.SLACK_SUMS, true, false);

  /** Creates the policy with the queue of section 3.3. */
  public QosDriven(
      long expectedOverhead,
      ReferenceScore allocationScore,
      Cost cost,
      boolean minimizeVictims,
      boolean preemptStarting) {
    this(
        expectedOverhead,
        allocationScore,
        cost,
        minimizeVictims,
        preemptStarting,
        false,
        OptionalInt.empty());
  }

  /** The readings of the preemption cost of section 4.1.3. */
  public enum Cost {
    /** By sums of slack, as the published simulator does. */
    SLACK_SUMS,
    /** By inverted sums, as the paper prints. */
    AS_PRINTED,
    /** By one sum of slack over all victims, as in the first publication of the policy. */
    ONE_SUM
  }

  /** Increasing Q; then the more important class, the earlier admission, the id. */
  @Override
  public Comparator<ReferenceInstance> queueOrder(long now) {
    return Comparator.<ReferenceInstance>comparingInt(each -> urgency(each, now))
        .thenComparingLong(each -> qos(each, now))
        .thenComparingInt(each -> each.serviceClass().importance())
        .thenComparingLong(ReferenceInstance::admittedAt)
        .thenComparing(ReferenceInstance::id);
  }

  private int urgency(ReferenceInstance each, long now) {
    boolean precedes = urgentFirst && qos(each, now) < margin(each);
    return precedes ? each.serviceClass().importance() : Integer.MAX_VALUE;
  }

  /** Decreasing Q. */
  @Override
  public Comparator<ReferenceInstance> victimOrder(long now) {
    return Comparator.<ReferenceInstance>comparingLong(each -> qos(each, now)).reversed();
  }

  @Override
  public Verdict judge(ReferenceInstance j, ReferenceInstance k, long now) {
    Verdict verdict = byRule(j, k, now);
    boolean sameClass = j.serviceClass().name().equals(k.serviceClass().name());
    if (verdict.allowed() && sameClass && isOverLimit(k, now)) {
      return Verdict.OVER_LIMIT;
    }
    return verdict.allowed() && isAtPreemptionLimit(j, k) ? Verdict.AT_PREEMPTION_LIMIT : verdict;
  }

  private boolean isAtPreemptionLimit(ReferenceInstance j, ReferenceInstance k) {
    boolean moreImportant = j.serviceClass().importance() < k.serviceClass().importance();
    return !moreImportant
        && maxPreemptions.isPresent()
        && k.preemptions() >= maxPreemptions.getAsInt();
  }

  /** Whether C_k (Eq. 8) exceeds what its class allows. */
  private static boolean isOverLimit(ReferenceInstance k, long now) {
    return k.preemptionOverhead(now) > k.serviceClass().preemptionOverheadLimit();
  }

  private Verdict byRule(ReferenceInstance j, ReferenceInstance k, long now) {
    long qj = qos(j, now);
    long qk = qos(k, now);
    int rankJ = j.serviceClass().importance(); // 1 is the most important
    int rankK = k.serviceClass().importance();
    boolean bothBelowMargin = qk < margin(k) && qj < margin(j);

    if (qk >= margin(k) && qj < qk) {
      return Verdict.RULE_A;
    } else if (bothBelowMargin && rankJ < rankK) {
      return Verdict.RULE_B;
    } else if (bothBelowMargin && rankJ == rankK && qj < qk) {
      return Verdict.RULE_C;
    }
    return Verdict.NO_RULE;
  }

  @Override
  public List<Double> preemptionCost(
      List<ReferenceInstance> victims, List<ServiceClass> serviceClasses, long now) {
    return preemptionCost(cost, victims, serviceClasses, k -> qos(k, now) - margin(k));
  }

  /**
   * Returns the preemption cost by the slack of victims.
   *
   * @param slack Q − φ
   */
  public static List<Double> preemptionCost(
      Cost cost,
      List<ReferenceInstance> victims,
      List<ServiceClass> serviceClasses,
      ToLongFunction<ReferenceInstance> slack) {
    List<Double> tuple = new ArrayList<>();
    if (cost == Cost.ONE_SUM) {
      tuple.add((double) -victims.stream().mapToLong(slack).sum());
      return tuple;
    }
    for (ServiceClass each : serviceClasses) {
      double sum = 0; // of P⁻_i; negative unless that is empty
      for (ReferenceInstance k : victims) {
        if (slack.applyAsLong(k) < 0 && k.serviceClass().name().equals(each.name())) {
          sum += slack.applyAsLong(k);
        }
      }
      tuple.add(cost == Cost.SLACK_SUMS ? -sum : sum == 0 ? 0 : 1 / sum);
    }
    boolean none = true; // whether P⁺ is empty
    double sum = 0;
    for (ReferenceInstance k : victims) {
      if (slack.applyAsLong(k) >= 0) {
        sum += slack.applyAsLong(k);
        none = false;
      }
    }
    tuple.add(cost == Cost.SLACK_SUMS ? -sum : none ? 0 : 1 / sum);
    return tuple;
  }

  private long qos(ReferenceInstance instance, long now) {
    return instance.qos(now, expectedOverhead);
  }

  /** φ. */
  private long margin(ReferenceInstance instance) {
    return instance.safetyMargin(expectedOverhead);
  }
}
