package dev.berth.traces.internal;

import dev.berth.api.Constraint;
import dev.berth.traces.Field;
import dev.berth.traces.InputException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Parses placement constraints: {@code zone==a;rank<5;os!=x;rack in a|b;gpu exists}.
 *
 * <p>Names and values must not contain {@code = < > !}. A missing separator is therefore an error
 * instead of part of a value.
 */
public final class ConstraintExpressions {

  private static final Pattern SEPARATOR = Pattern.compile(";");
  private static final Pattern ALTERNATIVE = Pattern.compile("\\|");
  private static final Pattern COMPARISON =
      Pattern.compile("([^=<>!\\s]+)\\s*([=<>!]+)\\s*([^=<>!]*)");
  private static final Pattern IN = Pattern.compile("([^=<>!\\s]+)\\s+in\\s+([^=<>!]+)");
  private static final Pattern EXISTS = Pattern.compile("([^=<>!\\s]+)\\s+exists");

  private ConstraintExpressions() {}

  /**
   * Returns the constraints in a field.
   *
   * @throws InputException if the field is malformed
   */
  public static List<Constraint> parse(Field field) {
    return field.parts(SEPARATOR).stream().map(ConstraintExpressions::clause).toList();
  }

  private static Constraint clause(Field clause) {
    Matcher comparison = COMPARISON.matcher(clause.text());
    if (comparison.matches()) {
      return comparison(clause, comparison.group(1), comparison.group(2), comparison.group(3));
    }
    Matcher in = IN.matcher(clause.text());
    if (in.matches()) {
      return new Constraint.In(
          in.group(1),
          clause.part(in.group(2)).parts(ALTERNATIVE).stream()
              .map(Field::text)
              .collect(Collectors.toSet()));
    }
    Matcher exists = EXISTS.matcher(clause.text());
    if (exists.matches()) {
      return new Constraint.Exists(exists.group(1));
    }
    throw clause.error(
        "must be a constraint like zone==a, os!=x, rank<5, rank>2, rack in a|b or gpu exists");
  }

  /**
   * Returns a constraint with three parts.
   *
   * @param clause the field to name in an error
   * @throws InputException if the parts do not form a constraint
   */
  public static Constraint comparison(
      Field clause, String attribute, String operator, String value) {
    if (attribute.isBlank() || value.isEmpty()) {
      throw clause.error("must be a constraint with an attribute and a value, like zone==a");
    }
    return switch (operator) {
      case "==" -> new Constraint.Equal(attribute, value);
      case "!=" -> new Constraint.NotEqual(attribute, value);
      case "<" -> new Constraint.LessThan(attribute, wholeNumber(clause, value));
      case ">" -> new Constraint.GreaterThan(attribute, wholeNumber(clause, value));
      default -> throw unknownOperator(clause, attribute, operator, value);
    };
  }

  private static InputException unknownOperator(
      Field clause, String attribute, String operator, String value) {
    Optional<String> meant =
        switch (operator) {
          case "=" -> Optional.of(attribute + "==" + value);
          case "<=" -> neighbour(value, 1).map(bound -> attribute + "<" + bound);
          case ">=" -> neighbour(value, -1).map(bound -> attribute + ">" + bound);
          default -> Optional.empty();
        };
    return clause.error(
        "must have one of the operators ==, !=, <, >, in, exists",
        meant.map("you meant \"%s\""::formatted));
  }

  private static Optional<Long> neighbour(String value, int step) {
    try {
      return Optional.of(Math.addExact(Long.parseLong(value), step));
    } catch (NumberFormatException | ArithmeticException notWhole) {
      return Optional.empty();
    }
  }

  private static long wholeNumber(Field clause, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException malformed) {
      throw clause.error("must compare with a whole number");
    }
  }
}
