package dev.berth.testkit.reference;

import dev.berth.api.ServiceClass;
import java.util.Comparator;
import java.util.List;

/**
 * The priority-based baseline (section 4.1.2), with the importance of the service classes as their
 * priority.
 *
 * @param allocationScore the allocation score
 * @param minimizeVictims whether unnecessary victims are spared
 * @param preemptStarting whether instances that are starting may be victims
 */
public record PriorityBased(
    ReferenceScore allocationScore, boolean minimizeVictims, boolean preemptStarting)
    implements ReferencePolicy {

  /** The policy with the settings of section 4.1.2. */
  public static final PriorityBased PAPER = new PriorityBased(ReferenceScore.MEAN, true, false);

  /** Decreasing priority, then increasing admission time, then the id. */
  @Override
  public Comparator<ReferenceInstance> queueOrder(long now) {
    return Comparator.<ReferenceInstance>comparingInt(each -> each.serviceClass().importance())
        .thenComparingLong(ReferenceInstance::admittedAt)
        .thenComparing(ReferenceInstance::id);
  }

  /** Lowest priority first, then the most recently admitted. */
  @Override
  public Comparator<ReferenceInstance> victimOrder(long now) {
    return Comparator.<ReferenceInstance>comparingInt(each -> each.serviceClass().importance())
        .thenComparingLong(ReferenceInstance::admittedAt)
        .reversed();
  }

  @Override
  public Verdict judge(ReferenceInstance j, ReferenceInstance k, long now) {
    return j.serviceClass().importance() < k.serviceClass().importance()
        ? Verdict.LOWER_PRIORITY
        : Verdict.NO_RULE;
  }

  /** The number of victims of each class. */
  @Override
  public List<Double> preemptionCost(
      List<ReferenceInstance> victims, List<ServiceClass> serviceClasses, long now) {
    return serviceClasses.stream()
        .map(
            each ->
                (double)
                    victims.stream()
                        .filter(k -> k.serviceClass().name().equals(each.name()))
                        .count())
        .toList();
  }
}
