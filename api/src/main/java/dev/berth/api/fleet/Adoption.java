package dev.berth.api.fleet;

import dev.berth.api.History;
import dev.berth.api.Request;
import java.util.Objects;

/**
 * What a scheduler needs to know of an instance that runs already, to adopt it. Immutable.
 *
 * @param request the request that it serves
 * @param history its history up to the beginning of its present state, with the placement that
 *     brought it to its host. Without a placement, that one counts as the first. Its service and
 *     its restart overhead are at most the time from its admission to that state
 */
public record Adoption(Request request, History history) {

  /** Refuses null. */
  public Adoption {
    Objects.requireNonNull(request, "request");
    Objects.requireNonNull(history, "history");
  }
}
