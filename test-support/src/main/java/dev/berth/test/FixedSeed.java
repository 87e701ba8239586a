package dev.berth.test;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutionResult.Status;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Gives every property that names no seed that of {@link TestRun#seed}, and the {@linkplain
 * TestRun#cases share} of its tries. jqwik has no setting for either, and loads this class as a
 * service.
 */
public final class FixedSeed implements AroundPropertyHook {

  /** Properties with so few combinations of values are tried exhaustively in every run. */
  private static final int FEWEST_TRIES = 25;

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  /** Outside the hooks of single properties, which may set other numbers. */
  @Override
  public int aroundPropertyProximity() {
    return -100;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    if (context.attributes().seed().isEmpty()) {
      context.attributes().setSeed(Long.toString(TestRun.seed()));
      int full = context.attributes().tries().orElse(1_000);
      context.attributes().setTries(Math.max(TestRun.cases(full), Math.min(full, FEWEST_TRIES)));
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
