package dev.berth.testkit.contract;

import dev.berth.testkit.rule.RuleBroken;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Adds to a failure of a test without generated histories what a {@link RuleProperty} has: the
 * subject, the rule, and the command that repeats it.
 */
final class SingleTestFailure implements TestExecutionExceptionHandler {

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    if (!(thrown instanceof RuleBroken broken)
        || !(context.getRequiredTestInstance() instanceof SchedulerContractTest test)) {
      throw thrown;
    }
    String method = context.getRequiredTestMethod().getName();
    AssertionError failure =
        new AssertionError(
            FailureText.of(
                "%s%n%s".formatted(broken.getMessage(), nameOf(test)),
                broken.rule(),
                test,
                "mvn test -Dtest='%s#%s'".formatted(test.getClass().getSimpleName(), method)),
            FailureText.cause(broken));
    FailureText.shorten(failure, test.getClass(), method);
    throw failure;
  }

  /** Returns the name of the subject, which may be what fails. */
  private static String nameOf(SchedulerContractTest test) {
    try {
      return test.subject();
    } catch (RuntimeException | AssertionError unnamed) {
      return test.getClass().getSimpleName();
    }
  }
}
