package dev.berth.testkit.contract;

import dev.berth.testkit.rule.Rule;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/**
 * Runs the test of a rule as often as the user wants and from the seed that he gives, skips it
 * where the rule does not apply, and adds to a failure how to repeat it.
 */
final class RulePropertyHook implements AroundPropertyHook, SkipExecutionHook {

  /** The system property for the number of tries. */
  static final String TRIES = "berth.tries";

  /** The system property for the seed. */
  static final String SEED = "berth.seed";

  @Override
  public SkipResult shouldBeSkipped(LifecycleContext context) {
    if (context instanceof PropertyLifecycleContext property) {
      Rule rule = property.targetMethod().getAnnotation(RuleProperty.class).value();
      return ((ContractTest) property.testInstance())
          .skipReason(rule)
          .map(SkipResult::skip)
          .orElse(SkipResult.doNotSkip());
    }
    return SkipResult.doNotSkip();
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    RuleProperty checks = context.targetMethod().getAnnotation(RuleProperty.class);
    ContractTest test = (ContractTest) context.testInstance();
    int tries = checks.tries() == 0 ? tries(test.tries()) : checks.tries();
    context.attributes().setTries(tries);
    if (checks.tries() == 1) { // a single try is about all its histories, not about one of them
      context.attributes().setShrinking(ShrinkingMode.OFF);
    }
    String seed = System.getProperty(SEED);
    if (seed != null) {
      context.attributes().setSeed(checked(SEED, seed, "-?[0-9]{1,19}", "a whole number"));
    }

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
    return Integer.parseInt(
        checked(TRIES, text, "0*[1-9][0-9]{0,8}", "a whole number, at least 1"));
  }

  private static String checked(String option, String text, String pattern, String rule) {
    if (!text.matches(pattern)) {
      throw new IllegalArgumentException(
          "-D%s was \"%s\", must be %s.".formatted(option, text, rule));
    }
    return text;
  }

  private static AssertionError retold(
      PropertyExecutionResult result, Rule rule, PropertyLifecycleContext context, int tries) {
    Throwable thrown = result.throwable().orElseThrow();
    // Surefire finds a test of jqwik by the class that declares it.
    String method = context.targetMethod().getName();
    String test =
        "%s#%s,%s#%s"
            .formatted(
                context.containerClass().getSimpleName(),
                method,
                context.targetMethod().getDeclaringClass().getSimpleName(),
                method);
    return new AssertionError(
        "%s%nThe rule: %s%nTo see it again: mvn test -Dtest='%s' -D%s=%s -D%s=%s"
            .formatted(
                RuleCheck.isBreak(thrown)
                    ? thrown.getMessage()
                    : rule + ": it cannot be tested: " + thrown,
                rule.statement(),
                test,
                SEED,
                result.seed().orElse(""),
                TRIES,
                tries),
        thrown);
  }
}
