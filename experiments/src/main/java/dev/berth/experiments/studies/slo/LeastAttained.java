package dev.berth.experiments.studies.slo;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.ScoreWeights;
import dev.berth.api.pipeline.VictimCost;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.Policy;
import dev.berth.api.policy.PolicyContext;
import dev.berth.api.policy.PolicyFactory;
import java.time.Duration;

/**
 * Creates the plain least-attained-service policy: the most important class first; within it, the
 * instance that has been served least. An instance yields to a more important one, and to an equal
 * if it has been served for more than twice as long and a minute. It knows no objectives.
 */
final class LeastAttained implements PolicyFactory<LeastAttained.Config> {

  static final String ID = "least-attained";

  private static final int GAP = 2;
  private static final long OFFSET = Duration.ofMinutes(1).toNanos();

  /**
   * The settings.
   *
   * @param watchdog longest time between two passes
   */
  record Config(Duration watchdog) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "least attained service first";
  }

  @Override
  public Config defaults() {
    return new Config(Duration.ofSeconds(10));
  }

  @Override
  public Config withWatchdog(Config config, Duration watchdog) {
    return new Config(watchdog);
  }

  @Override
  public Policy create(Config config, PolicyContext context) {
    return context
        .pipeline()
        .queue(new LeastFirst())
        .preemption(new Attained(), LeastAttained::judge)
        .preemptionCost(new MostAttained())
        .allocationScore(ScoreWeights.EQUAL.score())
        .watchdog(config.watchdog())
        .build();
  }

  private static long served(Instance instance) {
    return instance.serviceTime(instance.stateSince());
  }

  private static PreemptionRule.Verdict judge(PreemptionPair pair) {
    int important = pair.beneficiary().serviceClass().importance();
    int yields = pair.victim().serviceClass().importance();
    if (yields > important) {
      return PreemptionRule.Verdict.allow("less-important", "less important");
    }
    return yields == important && pair.victimValue() > GAP * pair.beneficiaryValue() + OFFSET
        ? PreemptionRule.Verdict.allow("longer", "served for far longer")
        : PreemptionRule.Verdict.refuse("not-longer", "not served for far longer");
  }

  private static final class LeastFirst implements QueueOrder {

    @Override
    public int tier(Instance pending, long now) {
      return pending.serviceClass().importance();
    }

    @Override
    public long key(Instance pending) {
      return served(pending);
    }
  }

  private static final class Attained implements VictimOrder {

    @Override
    public long key(Instance instance) {
      long since = instance.state() == InstanceState.RUNNING ? instance.stateSince() : 0;
      return served(instance) - since;
    }

    @Override
    public long drift(ServiceClass serviceClass, InstanceState state, long now) {
      return state == InstanceState.RUNNING ? now : 0;
    }
  }

  /** The least important first, as few as possible, and of those the longest served. */
  private static final class MostAttained implements VictimCost {

    @Override
    public int width(int classes) {
      return classes + 1;
    }

    @Override
    public void add(PreemptionPair pair, double[] tuple) {
      tuple[pair.victimClassRank()]++;
      tuple[tuple.length - 1] -= (double) pair.victimValue();
    }
  }
}
