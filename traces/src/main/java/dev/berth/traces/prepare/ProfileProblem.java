package dev.berth.traces.prepare;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.berth.core.error.JsonWords;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes an error in a profile and its location. */
final class ProfileProblem {

  private ProfileProblem() {}

  /** Returns the path to the value; without a path, the line, which is less exact. */
  static String describe(JsonProcessingException wrong) {
    String path = path(wrong);
    JsonLocation at = wrong.getLocation();
    String where =
        at == null || !path.isEmpty()
            ? path
            : "line %s, column %s: ".formatted(at.getLineNr(), at.getColumnNr());
    return where + rule(wrong);
  }

  private static String path(JsonProcessingException wrong) {
    if (!(wrong instanceof JsonMappingException mapping) || mapping.getPath().isEmpty()) {
      return "";
    }
    String path =
        mapping.getPath().stream()
            .map(
                step ->
                    step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
            .collect(Collectors.joining("."))
            .replace(".[", "[");
    return path + ": ";
  }

  private static String rule(JsonProcessingException wrong) {
    if (wrong instanceof UnrecognizedPropertyException unknown) {
      return "there is no such key; known: "
          + unknown.getKnownPropertyIds().stream()
              .map(String::valueOf)
              .sorted()
              .collect(Collectors.joining(", "))
          + ".";
    }
    if (wrong.getCause() instanceof IllegalArgumentException range) {
      return String.valueOf(range.getMessage());
    }
    if (!(wrong instanceof JsonMappingException)) {
      return "the file is not JSON, it " + JsonWords.describe(wrong) + ".";
    }
    if (!(wrong instanceof MismatchedInputException mismatch)) {
      return "cannot be read."; // no profile is known to fail in another way
    }
    return mismatch.getOriginalMessage().startsWith("Missing ")
        ? "is missing."
        : "must be %s.".formatted(kind(mismatch.getTargetType()));
  }

  private static String kind(@Nullable Class<?> type) {
    if (type == null || type.isRecord()) {
      return "an object";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    return type == String.class ? "a text" : "a number";
  }
}
