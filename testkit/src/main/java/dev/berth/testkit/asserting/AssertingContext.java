package dev.berth.testkit.asserting;

import dev.berth.api.ServiceClass;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.PolicyContext;
import java.util.List;

/** A context that puts detectors around the parts of its pipelines. */
record AssertingContext(MisuseDetector detector, PolicyContext raw) implements PolicyContext {

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
    return AssertingPipelineBuilder.around(detector, raw.pipeline());
  }
}
