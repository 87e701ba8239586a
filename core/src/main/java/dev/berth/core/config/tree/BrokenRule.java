package dev.berth.core.config.tree;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.core.error.NearestName;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** States the rule that a value breaks, in words for its author: the binder's name classes. */
final class BrokenRule {

  private static final Set<Class<?>> INTEGRAL =
      Set.of(int.class, Integer.class, long.class, Long.class, short.class, Short.class);

  private BrokenRule() {}

  /**
   * Returns the problem of a value that cannot be bound.
   *
   * @param wrong the failure
   * @param path path of the value, for the message
   * @param depth number of keys that lead to the value
   * @param value the value; the problem may lie within it
   */
  static Problem of(JsonProcessingException wrong, String path, int depth, JsonNode value) {
    String place = path;
    JsonNode inner = value;
    List<Reference> steps =
        wrong instanceof JsonMappingException mapping ? mapping.getPath() : List.of();
    for (Reference step : steps.subList(Math.min(depth, steps.size()), steps.size())) {
      boolean key = step.getFieldName() != null;
      JsonNode next = key ? inner.get(step.getFieldName()) : inner.get(step.getIndex());
      if (next == null) {
        break; // a value that is missing
      }
      place += key ? "." + step.getFieldName() : "[" + step.getIndex() + "]";
      inner = next;
    }
    if (wrong instanceof UnrecognizedPropertyException unknown) {
      List<String> known =
          unknown.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList();
      return new Problem(
          place,
          inner.toString(),
          "but there is no such key",
          NearestName.hintAndList(unknown.getPropertyName(), known));
    }
    String key = place.substring(place.lastIndexOf('.') + 1);
    return new Problem(place, inner.toString(), withoutKey(rule(wrong, inner), key), "");
  }

  /** Returns a rule such as {@code "x must be positive"} without the key, which is said before. */
  private static String withoutKey(String rule, String key) {
    if (rule.startsWith(key + " must ")) {
      return rule.substring(key.length() + 1);
    }
    int must = rule.indexOf(", must ");
    return must > 0 && rule.startsWith(key + " was ") ? rule.substring(must + 2) : rule;
  }

  private static String rule(JsonProcessingException wrong, JsonNode value) {
    Class<?> type = targetOf(wrong);
    return type == null ? cause(wrong) : rule(type, value);
  }

  /** Returns the type that a value must have; null if the value breaks another rule. */
  private static @Nullable Class<?> targetOf(JsonProcessingException wrong) {
    Throwable root = root(wrong);
    return root instanceof InputCoercionException outOfRange
        ? outOfRange.getTargetType()
        : root instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
  }

  private static String rule(Class<?> type, JsonNode value) {
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(Object::toString)
          .collect(Collectors.joining(", ", "must be one of ", ""));
    }
    if (INTEGRAL.contains(type)) {
      return value.isIntegralNumber() ? wholeFromTo(type) : "must be a whole number";
    }
    if (type == double.class || type == Double.class) {
      return "must be a number";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "must be true or false";
    }
    if (type == String.class) {
      return "must be a text";
    }
    if (Collection.class.isAssignableFrom(type) || type.isArray()) {
      return "must be a list";
    }
    return type.isRecord() || Map.class.isAssignableFrom(type)
        ? "must be an object"
        : "must have another type";
  }

  private static String wholeFromTo(Class<?> type) {
    boolean wide = type == long.class;
    boolean narrow = type == short.class;
    long most = wide ? Long.MAX_VALUE : narrow ? Short.MAX_VALUE : Integer.MAX_VALUE;
    return "must be a whole number from %s to %s".formatted(-most - 1, most);
  }

  /** Returns the message of the first failure, such as that of a constructor, as a rule. */
  static String cause(JsonProcessingException problem) {
    Throwable cause = root(problem);
    String message =
        cause instanceof JsonProcessingException processing
            ? processing.getOriginalMessage()
            : String.valueOf(cause.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }

  private static Throwable root(Throwable problem) {
    Throwable cause = problem;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause;
  }
}
