package dev.berth.testkit.reference;

import dev.berth.api.ServiceClass;
import java.util.Comparator;
import java.util.List;

/**
 * The parts in which the two policies of the paper differ (section 4.1): queue, victims, rule,
 * cost.
 */
public sealed interface ReferencePolicy permits QosDriven, QosHysteresis, PriorityBased {

  /** Returns the order of the queue at a time; total. */
  Comparator<ReferenceInstance> queueOrder(long now);

  /**
   * Returns the order in which victims are considered at a time, as far as the policy defines it.
   */
  Comparator<ReferenceInstance> victimOrder(long now);

  /**
   * Judges whether {@code victim} may be preempted for {@code beneficiary}.
   *
   * @param beneficiary j, which is pending
   * @param victim k, which is on a host
   */
  Verdict judge(ReferenceInstance beneficiary, ReferenceInstance victim, long now);

  /**
   * Returns the preemption cost: a tuple, smaller is better.
   *
   * @param victims in the order in which they were taken
   * @param serviceClasses by rank
   */
  List<Double> preemptionCost(
      List<ReferenceInstance> victims, List<ServiceClass> serviceClasses, long now);

  /** Returns the allocation score. */
  ReferenceScore allocationScore();

  /** Returns whether unnecessary victims are spared. */
  boolean minimizeVictims();

  /** Returns whether instances that are starting may be victims. */
  boolean preemptStarting();

  /** The verdict on a pair. */
  enum Verdict {
    /** The victim has slack, and more than the beneficiary. */
    RULE_A(true),
    /** Both lack slack, and the beneficiary is of the more important class. */
    RULE_B(true),
    /** Both lack slack and are equally important, and the beneficiary lacks more. */
    RULE_C(true),
    /** The victim is of strictly lower priority. */
    LOWER_PRIORITY(true),
    /**
     * A rule would allow it, but the victim is of the same class and its restarts exceed the
     * overhead limit.
     */
    OVER_LIMIT(false),
    /**
     * A rule would allow it, but the victim was preempted as often as the policy allows, and the
     * beneficiary is not of a more important class.
     */
    AT_PREEMPTION_LIMIT(false),
    /** A rule would allow it, but the restarts of the victim took too much of its life. */
    OVER_RESTART_SHARE(false),
    /** A rule would allow it, but the victim has not run long enough since its start. */
    WITHIN_QUANTUM(false),
    /** No rule allows it. */
    NO_RULE(false);

    private final boolean allowed;

    Verdict(boolean allowed) {
      this.allowed = allowed;
    }

    /** Returns whether the victim may be preempted. */
    public boolean allowed() {
      return allowed;
    }
  }
}
