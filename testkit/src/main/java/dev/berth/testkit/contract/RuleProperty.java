package dev.berth.testkit.contract;

import dev.berth.testkit.rule.Rule;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.jqwik.api.AfterFailureMode;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/** Marks a property as the test of a rule. {@link RulePropertyHook} runs it. */
@Property(
    generation = GenerationMode.RANDOMIZED,
    edgeCases = EdgeCasesMode.NONE, // the generators mix in their own
    afterFailure = AfterFailureMode.RANDOM_SEED) // the printed seed is enough to repeat a failure
@AddLifecycleHook(RulePropertyHook.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface RuleProperty {

  /** The rule. */
  Rule value();

  /**
   * Whether few histories show a violation, so that the test needs all of {@link
   * ContractTest#tries}. Two fifths of them are enough for the other rules: the kit's own tests
   * detect every broken subject within a tenth of those, whatever the seed.
   */
  boolean rare() default false;

  /** Whether the property runs once, on many histories together. */
  boolean once() default false;
}
