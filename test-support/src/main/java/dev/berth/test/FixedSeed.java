package dev.berth.test;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutionResult.Status;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Gives {@link TestRun#seed} to every property that names no seed. jqwik has no setting for that,
 * and loads this class as a service.
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
      context.attributes().setSeed(Long.toString(TestRun.seed()));
    }
    PropertyExecutionResult result = property.execute();
    Throwable thrown = result.throwable().orElse(null);
    if (result.status() != Status.FAILED || thrown == null || saysHow(thrown)) {
      return result;
    }
    String repeat =
        TestRun.repeat(context.containerClass().getName(), context.targetMethod().getName());
    return result.mapToFailed(
        new AssertionError(thrown.getMessage() + "%nTo repeat it: ".formatted() + repeat, thrown));
  }

  /** Contract tests of the kit name a command of their own. */
  private static boolean saysHow(Throwable thrown) {
    return String.valueOf(thrown.getMessage()).contains("To repeat it: ");
  }
}
