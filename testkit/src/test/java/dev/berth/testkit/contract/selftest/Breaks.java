package dev.berth.testkit.contract.selftest;

import dev.berth.testkit.rule.Rule;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a contract test whose subject breaks a rule on purpose; {@link ContractSelfTest} holds it
 * to it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface Breaks {

  /** The rule. */
  Rule value();

  /** What the first line of the failure says after the rule, as a regular expression. */
  String says();

  /** How many events the history that is told may have; 0 where none is told. */
  int events() default 0;

  /** What the name of the test begins with, before the rule. */
  String test() default "required";
}
