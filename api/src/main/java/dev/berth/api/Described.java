package dev.berth.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Explains a key of a configuration to users, as {@code berth policies ID} shows it. It annotates a
 * component of the record that {@link dev.berth.api.policy.PolicyFactory#defaults} returns, or of a
 * record within it:
 *
 * <pre>{@code
 * record Config(
 *     @Described(value = "longest time between two passes", range = "above 0s") Duration watchdog) {}
 * }</pre>
 *
 * <p>The type and the default follow from the record. A component without this annotation is listed
 * without meaning.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Described {

  /** Returns the meaning, one or a few sentences without a full stop at the end. */
  String value();

  /**
   * Returns the range, {@code "from 0 to 1"}; empty if every value of the type is valid. An
   * enumeration needs none: its values are listed.
   */
  String range() default "";

  /** Returns the unit of a number, {@code "hosts"}; empty for durations and numbers without. */
  String unit() default "";
}
