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

/** The smallest parts of a pipeline that show what the engine does with them. */
public final class TestParts {

  /** Anybody may be preempted for anybody. */
  public static final PreemptionRule ANYBODY = pair -> Verdict.allow("any", "anybody");

  /** Only for somebody of a more important class. */
  public static final PreemptionRule LESS_IMPORTANT =
      pair ->
          pair.victimClassRank() > pair.beneficiaryClassRank()
              ? Verdict.allow("less-important", "less important")
              : Verdict.refuseRest("as-important", "as important");

  private TestParts() {}

  /** Lower values go first; 0 where none is given. */
  public static QueueOrder queueBy(Map<String, Long> values) {
    return instance -> values.getOrDefault(instance.id(), 0L);
  }

  /** Greater values leave first; 0 where none is given. Values stand still. */
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

  /** The most recently admitted leave first. */
  public static VictimOrder latestFirst() {
    return latestFirst(0);
  }

  /** The same, by keys that are times plus an offset, which the drift takes off again. */
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

  /** The sum of what each victim costs. */
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
