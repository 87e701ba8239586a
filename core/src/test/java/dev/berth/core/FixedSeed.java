package dev.berth.core;

import java.util.Optional;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Sets the seed of every property without one to the system property {@code berth.test.seed}, if
 * present, so that a run is repeatable. Mutation testing sets it, since killing a mutant must not
 * depend on chance. jqwik loads this class as a service, as it has no setting for a global seed.
 */
public final class FixedSeed implements AroundPropertyHook {

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    if (context.attributes().seed().isEmpty()) {
      Optional.ofNullable(System.getProperty("berth.test.seed"))
          .ifPresent(context.attributes()::setSeed);
    }
    return property.execute();
  }
}
