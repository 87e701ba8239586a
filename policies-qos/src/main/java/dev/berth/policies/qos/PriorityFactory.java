package dev.berth.policies.qos;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.MonotonePreemptionRule;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.ScoreWeights;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;
import java.util.List;

/**
 * Creates {@code priority}: the state-of-practice baseline, the default scheduler of Kubernetes at
 * the time (section 4.1.2).
 *
 * <p>The priority of a class is its importance. The queue is ordered by decreasing priority, then
 * by admission. Victims have strictly lower priority: the lowest first, and among equals the most
 * recently admitted. The host with the fewest victims of the highest priority wins; ties are
 * decided by the next priority, and so on.
 */
record PriorityFactory(String id, String summary, PriorityConfig defaults)
    implements PolicyFactory<PriorityConfig> {

  PriorityFactory() {
    this(
        "priority",
        "serves important classes first and preempts less important ones for them",
        new PriorityConfig(Duration.ofSeconds(10), ScoreWeights.EQUAL, true, false));
  }

  @Override
  public PriorityConfig withWatchdog(PriorityConfig config, Duration watchdog) {
    return new PriorityConfig(
        watchdog, config.allocationScore(), config.minimizeVictims(), config.preemptStarting());
  }

  @Override
  public Policy create(PriorityConfig config, PolicyContext context) {
    return context
        .pipeline()
        .queue(new ByPriority())
        .preemption(new LowestPriorityFirst(), new LowerPriority(context.serviceClasses()))
        .preemptionCost(new VictimsByClass())
        .allocationScore(config.allocationScore().score())
        .minimizeVictims(config.minimizeVictims())
        .preemptStarting(config.preemptStarting())
        .watchdog(config.watchdog())
        .build();
  }

  private static final class LowestPriorityFirst implements VictimOrder {
    @Override
    public int tier(ServiceClass serviceClass) {
      return serviceClass.importance();
    }

    @Override
    public long key(Instance instance) {
      return instance.admittedAt();
    }

    @Override
    public long drift(ServiceClass serviceClass, InstanceState state, long now) {
      return 0;
    }
  }

  /** Compares classes only, so it is monotone in the value of the beneficiary. */
  static final class LowerPriority implements MonotonePreemptionRule {

    private static final Verdict LOWER = Verdict.allow("lower-priority", "of lower priority");
    private static final Verdict NOT_LOWER =
        Verdict.refuseRest("not-lower-priority", "of no lower priority");

    private final int[] importance; // by class rank

    LowerPriority(List<ServiceClass> classes) {
      importance = classes.stream().mapToInt(ServiceClass::importance).toArray();
    }

    @Override
    public Verdict judge(PreemptionPair pair) {
      return importance[pair.victimClassRank()] > importance[pair.beneficiaryClassRank()]
          ? LOWER
          : NOT_LOWER;
    }

    @Override
    public long allowedUpTo(PreemptionPair pair) {
      return Long.MAX_VALUE;
    }

    @Override
    public long refusedUntil(PreemptionPair pair) {
      return Long.MAX_VALUE;
    }
  }

  private static final class VictimsByClass implements VictimCost {
    @Override
    public int width(int classes) {
      return classes;
    }

    @Override
    public void add(PreemptionPair pair, double[] tuple) {
      tuple[pair.victimClassRank()]++;
    }
  }
}
