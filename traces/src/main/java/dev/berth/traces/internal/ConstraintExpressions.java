package dev.berth.traces.internal;

import dev.berth.api.Constraint;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.internal.util.Shape;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.stream.Collectors;

/**
 * Parses placement constraints: {@code zone==a;rank<5;os!=x;rack in a|b;gpu exists}.
 *
 * <p>Names and values must not contain {@code = < > !}. A missing separator is therefore an error
 * instead of part of a value.
 */
public final class ConstraintExpressions {

  private static final Shape COMPARISON = Shape.of("([^=<>!\\s]++)\\s*+([=<>!]++)\\s*+([^=<>!]*+)");
  private static final Shape IN = Shape.of("([^=<>!\\s]++)\\s++in\\s++([^=<>!]++)");
  private static final Shape EXISTS = Shape.of("([^=<>!\\s]++)\\s++exists");

  private ConstraintExpressions() {}

  /**
   * Returns the constraints in a field.
   *
   * @throws InputException if the field is malformed
   */
  public static List<Constraint> parse(Field field) {
    return field.parts(';').stream().map(ConstraintExpressions::clause).toList();
  }

  static Constraint clause(Field clause) {
    Optional<MatchResult> comparison = COMPARISON.match(clause.text());
    if (comparison.isPresent()) {
      MatchResult parts = comparison.get();
      return comparison(clause, parts.group(1), parts.group(2), parts.group(3));
    }
    Optional<MatchResult> in = IN.match(clause.text());
    if (in.isPresent()) {
      return new Constraint.In(
          in.get().group(1),
          clause.part(in.get().group(2)).parts('|').stream()
              .map(Field::text)
              .collect(Collectors.toSet()));
    }
    Optional<MatchResult> exists = EXISTS.match(clause.text());
    if (exists.isPresent()) {
      return new Constraint.Exists(exists.get().group(1));
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
          case "<=" -> neighbour(clause, value, 1).map(bound -> attribute + "<" + bound);
          case ">=" -> neighbour(clause, value, -1).map(bound -> attribute + ">" + bound);
          default -> Optional.empty();
        };
    return clause.error(
        "must have one of the operators ==, !=, <, >, in, exists",
        meant.map("you meant \"%s\""::formatted));
  }

  private static Optional<Long> neighbour(Field clause, String value, int step) {
    try {
      return Optional.of(Math.addExact(wholeNumber(clause, value), step));
    } catch (InputException | ArithmeticException notWhole) {
      return Optional.empty();
    }
  }

  private static long wholeNumber(Field clause, String value) {
    try {
      return new Field(clause.location(), clause.name(), value)
          .wholeLong(Long.MIN_VALUE, Long.MAX_VALUE);
    } catch (InputException malformed) {
      throw clause.error("must compare with a whole number");
    }
  }
}
