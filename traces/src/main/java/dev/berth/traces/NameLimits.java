package dev.berth.traces;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Limits the length of names, and the number of dimensions, in one reading of a file of any format.
 * Schedulers compare amounts dimension by dimension, so many dimensions would take too long.
 */
final class NameLimits {

  private static final int MOST_DIMENSIONS = 100;

  private final Set<String> dimensions = new HashSet<>();
  private List<Dimension> latest = List.of();

  /**
   * Checks a host.
   *
   * @throws InputException if a name is too long, or the file has too many dimensions
   */
  void check(HostSpec host, SourceLocation location) {
    for (Map.Entry<String, String> each : host.attributes().entrySet()) {
      checkLength(location, "attributes", each.getKey());
      checkLength(location, "attributes", each.getValue());
    }
    check(host.capacity(), location);
  }

  /**
   * Checks a request.
   *
   * @throws InputException if a name is too long, or the file has too many dimensions
   */
  void check(Request request, SourceLocation location) {
    for (Constraint each : request.constraints()) {
      checkLength(location, "constraints", each.attribute());
      if (each instanceof Constraint.Equal equal) {
        checkLength(location, "constraints", equal.value());
      } else if (each instanceof Constraint.NotEqual other) {
        checkLength(location, "constraints", other.value());
      } else if (each instanceof Constraint.In in) {
        in.values().forEach(value -> checkLength(location, "constraints", value));
      }
    }
    check(request.demand(), location);
  }

  private static void checkLength(SourceLocation location, String field, String name) {
    if (name.length() > Field.LONGEST_NAME) {
      throw new Field(location, field, name)
          .error("must not be longer than %s characters".formatted(Field.LONGEST_NAME));
    }
  }

  private void check(Resources amounts, SourceLocation location) {
    List<Dimension> its = amounts.dimensions();
    if (its == latest) { // often the same list
      return;
    }
    for (Dimension each : its) {
      checkLength(location, "dimension", each.name());
      if (!dimensions.contains(each.name())) {
        if (dimensions.size() == MOST_DIMENSIONS) {
          throw new Field(location, "dimension", each.name())
              .error("must be one of at most %s in a file".formatted(MOST_DIMENSIONS));
        }
        dimensions.add(each.name());
      }
    }
    latest = its;
  }
}
