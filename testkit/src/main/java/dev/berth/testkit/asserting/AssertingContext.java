package dev.berth.testkit.asserting;

import dev.berth.api.ServiceClass;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.PolicyContext;
import java.util.List;

/** A context whose pipelines have parts that are watched. */
record AssertingContext(MisuseDetector watch, PolicyContext raw) implements PolicyContext {

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
    return new AssertingPipelineBuilder(watch, raw.pipeline());
  }
}
