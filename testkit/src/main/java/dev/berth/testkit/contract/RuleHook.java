package dev.berth.testkit.contract;

import dev.berth.testkit.rule.Rule;
import java.util.Optional;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import org.opentest4j.TestAbortedException;

/**
 * Runs the test of a rule as often as the user wants and from the seed that he gives, skips it
 * where the rule does not apply, and adds to a failure how to repeat it.
 */
final class RuleHook implements AroundPropertyHook {

  /** The system property for the number of tries. */
  static final String TRIES = "berth.tries";

  /** The system property for the seed. */
  static final String SEED = "berth.seed";

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    Checks checks = context.targetMethod().getAnnotation(Checks.class);
    ContractTest test = (ContractTest) context.testInstance();
    Optional<String> reason = test.whyNotTested(checks.value());
    if (reason.isPresent()) {
      context.attributes().setTries(1); // jqwik wants at least one; it finds nothing to do
      return property.execute().mapToAborted(new TestAbortedException(reason.get()));
    }
    int tries = checks.tries() == 0 ? tries(test.tries()) : checks.tries();
    context.attributes().setTries(tries);
    if (checks.tries() == 1) { // a single try is about all its histories, not about one of them
      context.attributes().setShrinking(ShrinkingMode.OFF);
    }
    Optional.ofNullable(System.getProperty(SEED)).ifPresent(context.attributes()::setSeed);

    PropertyExecutionResult result = property.execute();
    return result.status() == PropertyExecutionResult.Status.FAILED
        ? result.mapToFailed(retold(result, checks.value(), context, tries))
        : result;
  }

  private static int tries(int usual) {
    String text = System.getProperty(TRIES);
    if (text == null) {
      return usual;
    }
    if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) == 0) {
      throw new IllegalArgumentException(
          "-D%s was \"%s\", must be a whole number, at least 1.".formatted(TRIES, text));
    }
    return Integer.parseInt(text);
  }

  private static AssertionError retold(
      PropertyExecutionResult result, Rule rule, PropertyLifecycleContext context, int tries) {
    Throwable thrown = result.throwable().orElseThrow();
    String method =
        context.optionalContainerClass().map(Class::getSimpleName).orElse("")
            + "#"
            + context.targetMethod().getName();
    return new AssertionError(
        "%s%nThe rule: %s%nTo see it again: -Dtest='%s' -D%s=%s -D%s=%s"
            .formatted(
                Hearing.isBreak(thrown)
                    ? thrown.getMessage()
                    : rule + ": it cannot be tested: " + thrown,
                rule.statement(),
                method,
                SEED,
                result.seed().orElse(""),
                TRIES,
                tries),
        thrown);
  }
}
