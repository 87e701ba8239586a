package dev.berth.policies.qos;

import dev.berth.api.ServiceClass;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.PolicyContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * A context whose pipelines skip no work. Their parts decide the same, but declare no hint that
 * lets the engine skip a host.
 */
record FullScanContext(PolicyContext raw) implements PolicyContext {

  @Override
  public List<ServiceClass> serviceClasses() {
    return raw.serviceClasses();
  }

  @Override
  public long seed() {
    return raw.seed();
  }

  @Override
  public PipelineBuilder pipeline() {
    return silencing(raw.pipeline());
  }

  /** Passes all settings on, but strips the hints of parts. */
  private static PipelineBuilder silencing(PipelineBuilder builder) {
    return (PipelineBuilder)
        Proxy.newProxyInstance(
            PipelineBuilder.class.getClassLoader(),
            new Class<?>[] {PipelineBuilder.class},
            (proxy, method, arguments) -> {
              Object answer =
                  switch (method.getName()) {
                    case "allocationScore" ->
                        builder.allocationScore(
                            new ScoreWithoutHint((AllocationScore) arguments[0]));
                    case "preemption" ->
                        builder.preemption(
                            (VictimOrder) arguments[0],
                            new RuleWithoutHint((PreemptionRule) arguments[1]));
                    case "preemptionCost" ->
                        builder.preemptionCost(new CostWithoutHint((PreemptionCost) arguments[0]));
                    default -> invoke(method, builder, arguments);
                  };
              return answer == builder ? proxy : answer;
            });
  }

  private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  private record ScoreWithoutHint(AllocationScore score) implements AllocationScore {

    @Override
    public double score(Fit fit) {
      return score.score(fit);
    }
  }

  private record RuleWithoutHint(PreemptionRule rule) implements PreemptionRule {

    @Override
    public Verdict judge(PreemptionPair pair) {
      return rule.judge(pair);
    }
  }

  private record CostWithoutHint(PreemptionCost cost) implements PreemptionCost {

    @Override
    public int width(int classes) {
      return cost.width(classes);
    }

    @Override
    public void add(PreemptionPair pair, double[] tuple) {
      cost.add(pair, tuple);
    }

    @Override
    public void finish(double[] tuple) {
      cost.finish(tuple);
    }
  }
}
