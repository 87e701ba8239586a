package dev.berth.test;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutionResult.Status;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Gives {@link TestSeed} to every property that names no seed. jqwik has no setting for that, and
 * loads this class as a service.
 */
public final class SeedOfProperties implements AroundPropertyHook {

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    if (context.attributes().seed().isEmpty()) {
      context.attributes().setSeed(Long.toString(TestSeed.get()));
    }
    PropertyExecutionResult result = property.execute();
    return result.throwable().isEmpty() || result.status() != Status.FAILED
        ? result
        : result.mapToFailed(
            new AssertionError(
                result.throwable().get().getMessage()
                    + System.lineSeparator()
                    + "Repeat with: "
                    + TestSeed.repeat(
                        context.containerClass().getName(), context.targetMethod().getName()),
                result.throwable().get()));
  }
}
