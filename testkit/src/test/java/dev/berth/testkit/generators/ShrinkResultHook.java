package dev.berth.testkit.generators;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Requires that a property fails, and checks the value to which jqwik shrank its parameter. */
abstract class ShrinkResultHook<T> implements AroundPropertyHook {

  abstract void judge(T shrunk);

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    PropertyExecutionResult result = property.execute();
    try {
      @SuppressWarnings("unchecked") // the hook knows the property
      T shrunk = (T) result.falsifiedParameters().orElseThrow().get(0);
      judge(shrunk);
      return result.mapToSuccessful();
    } catch (AssertionError | RuntimeException unexpected) {
      return result.mapToFailed(unexpected);
    }
  }
}
