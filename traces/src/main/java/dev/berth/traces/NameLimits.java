package dev.berth.traces;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Domain;
import dev.berth.api.HostSpec;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.SourceLocation;
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
    host.taints().forEach(each -> check(each, location));
    check(host.capacity(), location);
  }

  /**
   * Checks a host event.
   *
   * @throws InputException if a name is too long
   */
  static void check(HostEvent event, SourceLocation location) {
    if (event instanceof HostEvent.LimitSet set) {
      checkLength(location, "limit", set.limit());
    } else if (event instanceof HostEvent.Tainted tainted) {
      tainted.taints().forEach(each -> check(each, location));
    }
  }

  private static void check(Taint taint, SourceLocation location) {
    checkLength(location, "taints", taint.key());
    checkLength(location, "taints", taint.value());
  }

  /**
   * Checks a request.
   *
   * @throws InputException if a name is too long, or the file has too many dimensions
   */
  void check(Request request, SourceLocation location) {
    for (Constraint each : request.constraints()) {
      check("constraints", each, location);
    }
    if (!request.placement().isEmpty()) {
      check(request.placement(), location);
    }
    check(request.demand(), location);
  }

  private static void check(String field, Constraint constraint, SourceLocation location) {
    checkLength(location, field, constraint.attribute());
    if (constraint instanceof Constraint.Equal equal) {
      checkLength(location, field, equal.value());
    } else if (constraint instanceof Constraint.NotEqual other) {
      checkLength(location, field, other.value());
    } else if (constraint instanceof Constraint.In in) {
      in.values().forEach(value -> checkLength(location, field, value));
    }
  }

  private static void check(PlacementSpec placement, SourceLocation location) {
    for (Toleration each : placement.tolerations()) {
      each.key().ifPresent(it -> checkLength(location, "tolerations", it));
      each.value().ifPresent(it -> checkLength(location, "tolerations", it));
    }
    placement.limits().forEach(each -> checkLength(location, "limits", each.limit()));
    for (PlacementRule each : placement.rules()) {
      check("rules", each.peers(), each.domain(), location);
    }
    for (Preference each : placement.preferences()) {
      if (each instanceof Preference.OnHost onHost) {
        check("preferences", onHost.constraint(), location);
      } else if (each instanceof Preference.Near near) {
        check("preferences", near.peers(), near.domain(), location);
      } else if (each instanceof Preference.Apart apart) {
        check("preferences", apart.peers(), apart.domain(), location);
      }
    }
  }

  private static void check(String field, Peers peers, Domain domain, SourceLocation location) {
    if (peers instanceof Peers.OfJob ofJob) {
      checkLength(location, field, ofJob.job());
    } else if (peers instanceof Peers.Labelled labelled) {
      checkLength(location, field, labelled.name());
      checkLength(location, field, labelled.value());
    }
    domain.attribute().ifPresent(it -> checkLength(location, field, it));
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
