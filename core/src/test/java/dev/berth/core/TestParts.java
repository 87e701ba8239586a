package dev.berth.core;

import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.PreemptionRule.Verdict;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Minimal pipeline parts for tests. */
public final class TestParts {

  /** Allows every preemption. */
  public static final PreemptionRule ALLOW_ALL = pair -> Verdict.allow("any", "any victim");

  /** Allows only victims of a less important class. */
  public static final PreemptionRule LESS_IMPORTANT =
      pair ->
          pair.victimClassRank() > pair.beneficiaryClassRank()
              ? Verdict.allow("less-important", "less important")
              : Verdict.refuseRest("as-important", "as important");

  private TestParts() {}

  /** Orders by the given values, lowest first; missing values are 0. */
  public static QueueOrder queueBy(Map<String, Long> values) {
    return instance -> values.getOrDefault(instance.id(), 0L);
  }

  /** Orders victims by the given constant values, greatest first; missing values are 0. */
  public static VictimOrder victimsBy(Map<String, Long> values) {
    return new VictimOrder() {
      @Override
      public long key(Instance instance) {
        return values.getOrDefault(instance.id(), 0L);
      }

      @Override
      public long drift(ServiceClass serviceClass, InstanceState state, long now) {
        return 0;
      }
    };
  }

  /** Preempts the most recently admitted first. */
  public static VictimOrder latestFirst() {
    return latestFirst(0);
  }

  /** The same with keys that are times plus an offset, which the drift subtracts. */
  public static VictimOrder latestFirst(long offset) {
    return new VictimOrder() {
      @Override
      public long key(Instance instance) {
        return instance.admittedAt() + offset;
      }

      @Override
      public long drift(ServiceClass serviceClass, InstanceState state, long now) {
        return -offset;
      }
    };
  }

  /** Sums the cost of each victim. */
  public static PreemptionCost cost(ToDoubleFunction<Instance> each) {
    return new PreemptionCost() {
      @Override
      public int width(int classes) {
        return 1;
      }

      @Override
      public void add(PreemptionPair pair, double[] tuple) {
        tuple[0] += each.applyAsDouble(pair.victim());
      }
    };
  }
}
