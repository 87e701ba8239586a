package dev.berth.core;

import java.util.Optional;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Gives every property that names no seed the one in the system property {@code berth.test.seed},
 * if that is set, so that a run can be repeated. Mutation testing sets it: what kills a mutant must
 * not depend on luck. jqwik finds this as a service and has no setting of its own for it.
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
