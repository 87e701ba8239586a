package dev.berth.testkit.asserting;

import dev.berth.api.pipeline.AllocationRule;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.HostFilter;
import dev.berth.api.pipeline.PreemptionCost;
import dev.berth.api.pipeline.PreemptionRule;
import dev.berth.api.pipeline.QueueOrder;
import dev.berth.api.pipeline.VictimOrder;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.Policy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Puts a detector around each part. */
final class AssertingPipelineBuilder implements InvocationHandler {

  private final MisuseDetector detector;
  private final PipelineBuilder raw;
  private final ClosedClasses closed = new ClosedClasses();

  private AssertingPipelineBuilder(MisuseDetector detector, PipelineBuilder raw) {
    this.detector = detector;
    this.raw = raw;
  }

  static PipelineBuilder around(MisuseDetector detector, PipelineBuilder raw) {
    return (PipelineBuilder)
        Proxy.newProxyInstance(
            PipelineBuilder.class.getClassLoader(),
            new Class<?>[] {PipelineBuilder.class},
            new AssertingPipelineBuilder(detector, raw));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object[] parts = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < parts.length; i++) {
      parts[i] = around(method.getParameterTypes()[i], parts[i]);
    }
    Object answer;
    try {
      answer = method.invoke(raw, parts);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
    return method.getReturnType() == PipelineBuilder.class
        ? proxy
        : answer instanceof Policy made ? AssertingPolicy.unwrapping(made, closed) : answer;
  }

  private Object around(Class<?> type, Object part) {
    if (type == QueueOrder.class) {
      return new AssertingQueueOrder(detector, (QueueOrder) part);
    } else if (type == VictimOrder.class) {
      return new AssertingVictimOrder(detector, (VictimOrder) part, closed);
    } else if (type == PreemptionRule.class) {
      return AssertingRule.around(detector, (PreemptionRule) part, closed);
    } else if (type == AllocationScore.class) {
      return AssertingScore.around(detector, (AllocationScore) part);
    } else if (type == PreemptionCost.class) {
      return AssertingCost.around(detector, (PreemptionCost) part);
    } else if (type == HostFilter.class) {
      return around((HostFilter) part);
    }
    return type == AllocationRule.class ? around((AllocationRule) part) : part;
  }

  private HostFilter around(HostFilter filter) {
    return (instance, host, now) ->
        detector.ask(
            "HostFilter.refusal",
            () -> instance.id() + " on " + host.id(),
            call -> filter.refusal(call.instance(instance), call.host(host), now));
  }

  private AllocationRule around(AllocationRule rule) {
    return (instance, host) ->
        detector.ask(
            "AllocationRule.grant",
            () -> instance.id() + " on " + host.id(),
            call -> rule.grant(call.instance(instance), call.host(host)));
  }
}
