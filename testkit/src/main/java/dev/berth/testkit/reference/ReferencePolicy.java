package dev.berth.testkit.reference;

import dev.berth.api.ServiceClass;
import dev.berth.api.policy.Completion;
import java.util.Comparator;
import java.util.List;

/**
 * The parts in which the two policies of the paper differ (section 4.1): queue, victims, rule,
 * cost.
 */
public interface ReferencePolicy {

  /**
   * Returns the policy as it decides in a pass; the default learns nothing.
   *
   * @param completions the instances that completed since the previous pass
   * @param present the instances that are not done
   */
  default ReferencePolicy learning(
      List<Completion> completions, List<ReferenceInstance> present, long now) {
    return this;
  }

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

  /**
   * Counts cases that only this policy knows, of an instance in the queue after a pass; the default
   * counts nothing.
   */
  default void tally(ReferenceInstance queued, long now, CaseCoverage coverage) {}

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
    /** The victim is of a less important class, and both lack slack, or as the policy says. */
    RULE_B(true),
    /** Both lack slack and are equally important, and the beneficiary lacks more. */
    RULE_C(true),
    /** Both are equally important, and the victim has far more service to come. */
    RULE_G(true),
    /** The victim is not likely to end, and ahead by more than a switch costs. */
    RULE_S(true),
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
    /** A rule would allow it, but the victim is equally important and would lose its progress. */
    LOSES_PROGRESS(false),
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
