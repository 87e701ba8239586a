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

/** Marks a property as the test of a rule; see {@link RulePropertyHook} for what that brings. */
@Property(
    generation = GenerationMode.RANDOMIZED,
    edgeCases = EdgeCasesMode.NONE, // the generators mix in their own
    afterFailure = AfterFailureMode.RANDOM_SEED) // a seed that is printed says it all
@AddLifecycleHook(RulePropertyHook.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface RuleProperty {

  /** The rule. */
  Rule value();

  /** How many histories, whatever the user says; 0 for as many as he says, or the usual number. */
  int tries() default 0;
}
