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

  /** How often a history shows a violation. */
  Frequency violations() default Frequency.USUAL;

  /** Whether the property runs once, on many histories together. */
  boolean once() default false;

  /**
   * How often the histories of a broken subject show its violation. It decides which share of
   * {@link ContractTest#tries} a rule needs for a wide margin: the kit's own tests detect broken
   * subjects within these numbers of histories for every seed that was tried.
   */
  enum Frequency {
    /** Within 60 histories, mostly within 20. */
    USUAL(20),
    /** Within 100 histories. */
    RARE(50),
    /** Not always within 100. */
    VERY_RARE(100);

    private final int percent;

    Frequency(int percent) {
      this.percent = percent;
    }

    /** Returns the share of a number of tries; at least 1. */
    long share(int tries) {
      return Math.max(1, (long) tries * percent / 100);
    }
  }
}
