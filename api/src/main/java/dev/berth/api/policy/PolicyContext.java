package dev.berth.api.policy;

import dev.berth.api.ServiceClass;
import java.util.List;

/** The properties of a scheduler that a policy can use when it is created. */
public interface PolicyContext {

  /**
   * Returns the service classes by rank: most important first, equally important ones by name. The
   * position in this list is the <em>class rank</em> that the parts of a pipeline see.
   */
  List<ServiceClass> serviceClasses();

  /** Returns the seed of the scheduler. */
  long seed();

  /**
   * Returns a builder of a pipeline, the common shape of a policy, which runs on the engine's fast
   * path.
   */
  PipelineBuilder pipeline();
}
