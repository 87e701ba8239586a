package dev.berth.testkit.contract;

import dev.berth.testkit.rule.Rule;
import java.util.Optional;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/**
 * Sets the number of tries and the seed of a {@link RuleProperty}, skips it where the rule does not
 * apply, and adds to a failure the command that repeats it.
 */
final class RulePropertyHook implements AroundPropertyHook, SkipExecutionHook {

  /** The system property for the number of tries of every rule. */
  static final String TRIES = "berth.tries";

  /** The system property for the factor by which the usual numbers of tries are multiplied. */
  static final String EFFORT = "berth.effort";

  /** The system property for the seed. */
  static final String SEED = "berth.seed";

  private static final String POSITIVE = "0*[1-9][0-9]{0,8}";
  private static final String POSITIVE_RULE = "a whole number, at least 1";

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
    RuleProperty rule = context.targetMethod().getAnnotation(RuleProperty.class);
    ContractTest test = (ContractTest) context.testInstance();
    int tries = tries(rule, test.tries());
    context.attributes().setTries(tries);
    if (rule.once()) { // its single try fails for all histories together, not for one of them
      context.attributes().setShrinking(ShrinkingMode.OFF);
    }
    option(SEED, "-?[0-9]{1,19}", "a whole number")
        .ifPresent(seed -> context.attributes().setSeed(seed));

    PropertyExecutionResult result = property.execute();
    return result.status() == PropertyExecutionResult.Status.FAILED
        ? result.mapToFailed(repeatable(result, rule.value(), context, tries))
        : result;
  }

  private static int tries(RuleProperty rule, int tries) {
    if (rule.once()) {
      return 1;
    }
    Optional<String> exact = option(TRIES, POSITIVE, POSITIVE_RULE);
    if (exact.isPresent()) {
      return Integer.parseInt(exact.get());
    }
    double effort =
        option(EFFORT, "[0-9]{1,9}([.][0-9]{1,9})?", "a number such as 0.5 or 10")
            .map(Double::valueOf)
            .orElse(1.0);
    long usual = rule.violations().share(tries);
    return (int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.round(usual * effort)));
  }

  private static Optional<String> option(String name, String pattern, String rule) {
    Optional<String> text = Optional.ofNullable(System.getProperty(name));
    if (text.isPresent() && !text.get().matches(pattern)) {
      throw new IllegalArgumentException(
          "-D%s was \"%s\", must be %s.".formatted(name, text.get(), rule));
    }
    return text;
  }

  private static AssertionError repeatable(
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
    AssertionError failure =
        new AssertionError(
            FailureText.of(
                RuleCheck.isBreak(thrown)
                    ? FailureText.of(thrown)
                    : "%s: the test could not run: %s".formatted(rule, thrown),
                rule,
                (ContractTest) context.testInstance(),
                "mvn test -Dtest='%s' -D%s=%s -D%s=%s"
                    .formatted(test, SEED, result.seed().orElse(""), TRIES, tries)),
            FailureText.cause(thrown));
    FailureText.shorten(failure, context.containerClass(), method);
    return failure;
  }
}
