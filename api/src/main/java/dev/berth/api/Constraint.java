package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A placement constraint: a condition on one attribute of the host that an instance runs on.
 *
 * <p>The semantics follow the Google cluster trace of 2011. Attribute values are text; {@link
 * LessThan} and {@link GreaterThan} compare whole numbers: at most 19 of the digits 0 to 9, perhaps
 * after a minus sign. On a host that <em>lacks the attribute</em>, {@link NotEqual} holds and all
 * others fail. On a host whose value is not a whole number, {@link LessThan} and {@link
 * GreaterThan} fail.
 *
 * <p>Immutable. All constraints of a request must hold.
 */
public sealed interface Constraint {

  /** Returns the name of the attribute; not blank. */
  String attribute();

  /** Returns whether the condition holds on a host. Costs one look-up. */
  default boolean holdsOn(Host host) {
    Objects.requireNonNull(host, "host");
    return holdsWith(host.attributes());
  }

  /** Returns whether the condition holds on a host with exactly these attributes. */
  boolean holdsWith(Map<String, String> attributes);

  /** Returns the condition in words: {@code "zone == a"}. */
  String describe();

  /** The attribute is present and equals the value, character by character. */
  record Equal(String attribute, String value) implements Constraint {
    /** Checks the name. */
    public Equal {
      requireName(attribute);
      Objects.requireNonNull(value, "value");
    }

    @Override
    public boolean holdsWith(Map<String, String> attributes) {
      return value.equals(attributes.get(attribute));
    }

    @Override
    public String describe() {
      return attribute + " == " + value;
    }
  }

  /** The attribute is absent or differs from the value. */
  record NotEqual(String attribute, String value) implements Constraint {
    /** Checks the name. */
    public NotEqual {
      requireName(attribute);
      Objects.requireNonNull(value, "value");
    }

    @Override
    public boolean holdsWith(Map<String, String> attributes) {
      return !value.equals(attributes.get(attribute));
    }

    @Override
    public String describe() {
      return attribute + " != " + value;
    }
  }

  /** The attribute is present, a whole number, and less than the bound. */
  record LessThan(String attribute, long bound) implements Constraint {
    /** Checks the name. */
    public LessThan {
      requireName(attribute);
    }

    @Override
    public boolean holdsWith(Map<String, String> attributes) {
      OptionalLong value = wholeNumber(attributes.get(attribute));
      return value.isPresent() && value.getAsLong() < bound;
    }

    @Override
    public String describe() {
      return attribute + " < " + bound;
    }
  }

  /** The attribute is present, a whole number, and greater than the bound. */
  record GreaterThan(String attribute, long bound) implements Constraint {
    /** Checks the name. */
    public GreaterThan {
      requireName(attribute);
    }

    @Override
    public boolean holdsWith(Map<String, String> attributes) {
      OptionalLong value = wholeNumber(attributes.get(attribute));
      return value.isPresent() && value.getAsLong() > bound;
    }

    @Override
    public String describe() {
      return attribute + " > " + bound;
    }
  }

  /** The attribute is present and equals one of the values. */
  record In(String attribute, Set<String> values) implements Constraint {
    /** Checks the name and copies the values. */
    public In {
      requireName(attribute);
      Objects.requireNonNull(values, "values");
      values.forEach(each -> Objects.requireNonNull(each, "value"));
      values = Collections.unmodifiableSortedSet(new TreeSet<>(values));
    }

    @Override
    public boolean holdsWith(Map<String, String> attributes) {
      return attributes.containsKey(attribute) && values.contains(attributes.get(attribute));
    }

    @Override
    public String describe() {
      return values.stream().collect(Collectors.joining(", ", attribute + " in {", "}"));
    }
  }

  /** The attribute is present, with any value. */
  record Exists(String attribute) implements Constraint {
    /** Checks the name. */
    public Exists {
      requireName(attribute);
    }

    @Override
    public boolean holdsWith(Map<String, String> attributes) {
      return attributes.containsKey(attribute);
    }

    @Override
    public String describe() {
      return attribute + " exists";
    }
  }

  private static OptionalLong wholeNumber(@Nullable String text) {
    if (text == null || !isInDigits(text)) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException tooLarge) {
      return OptionalLong.empty();
    }
  }

  /** Returns whether a text is a sequence of the digits 0 to 9, perhaps after a minus sign. */
  private static boolean isInDigits(String text) {
    int begin = text.startsWith("-") ? 1 : 0;
    int digits = text.length() - begin;
    if (digits == 0 || digits > 19) { // a long has no more; readers refuse more, too
      return false;
    }
    for (int i = begin; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static void requireName(String attribute) {
    Objects.requireNonNull(attribute, "attribute");
    refuseIf(attribute.isBlank(), "constraint attribute was blank, must name an attribute.");
  }
}
