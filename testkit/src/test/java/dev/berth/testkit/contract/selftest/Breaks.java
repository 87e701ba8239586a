package dev.berth.testkit.contract.selftest;

import dev.berth.testkit.rule.Rule;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a contract test whose subject breaks a rule on purpose. {@link ContractSelfTest} requires
 * that the test of the rule fails.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface Breaks {

  /** The rule. */
  Rule value();

  /** A regular expression for the first line of the failure after the rule. */
  String says();

  /** The maximum number of events in the reported history; 0 if none is reported. */
  int events() default 0;

  /** The first part of the name of the test, before the rule. */
  String test() default "required";
}
