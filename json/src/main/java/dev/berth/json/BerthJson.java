package dev.berth.json;

import static dev.berth.api.Arguments.refuseIf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes values of the scheduler as JSON text. Thread-safe.
 *
 * <p>An application with a Jackson mapper of its own registers {@link BerthModule} instead.
 */
public final class BerthJson {

  private static final BerthModule MODULE = new BerthModule();
  private static final ObjectMapper MAPPER = JsonMapper.builder().addModule(MODULE).build();

  private BerthJson() {}

  /**
   * Returns a value as JSON in one line.
   *
   * @param value of a type that {@link BerthModule} lists, or a collection of such values
   * @throws IllegalArgumentException if the value is of another type
   */
  public static String toJson(Object value) {
    Objects.requireNonNull(value, "value");
    if (value instanceof Collection<?> all) {
      all.forEach(BerthJson::requireKnown);
    } else {
      requireKnown(value);
    }
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) { // text is written to memory
      throw new IllegalStateException(impossible);
    }
  }

  private static void requireKnown(Object value) {
    refuseIf(
        value instanceof Optional<?>,
        "value was %s, must not be an Optional. Maybe pass what is in it.",
        value);
    refuseIf(
        !MODULE.writes(value),
        "value of %s has no JSON of Berth. Maybe pass a plan, action, reason, decision, explanation, report, rejection, SchedulerStats, request, host or resources.",
        value.getClass());
  }
}
