package dev.berth.testkit.asserting;

import dev.berth.api.PipelineBuilder;
import dev.berth.api.PolicyContext;
import dev.berth.api.ServiceClass;
import java.util.List;

/** A context whose pipelines have parts that are watched. */
record AssertingContext(Watch watch, PolicyContext raw) implements PolicyContext {

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
