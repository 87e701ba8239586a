package dev.berth.api.batch;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Experimental;
import dev.berth.api.Request;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A bag of tasks: requests that are submitted, expire and are reported together. Immutable.
 *
 * @param id unique among the bags that have not ended; not blank
 * @param requests its members, at least one; ids are distinct
 * @param timeToLive how long after submission the bag is cancelled if it is not done; positive;
 *     empty: never, unless a policy sets a time
 */
@Experimental
public record BagSpec(String id, List<Request> requests, Optional<Duration> timeToLive) {

  /**
   * Copies the requests.
   *
   * @throws IllegalArgumentException if the id is blank, there is no request, an id occurs twice, a
   *     request is to start {@linkplain Request#after after} others, or the time is not positive or
   *     beyond 292 years
   */
  public BagSpec {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(requests, "requests");
    Objects.requireNonNull(timeToLive, "timeToLive");
    refuseIf(id.isBlank(), "bag id was blank.");
    for (Request each : requests) {
      Objects.requireNonNull(each, () -> "BagSpec: a request of bag " + id + " was null.");
    }
    requests = List.copyOf(requests);
    refuseIf(requests.isEmpty(), "bag %s has no requests.", id);
    Set<String> ids = new HashSet<>();
    for (Request each : requests) {
      refuseIf(!ids.add(each.id()), "bag %s: request %s was given twice.", id, each.id());
      refuseIf(
          !each.after().isEmpty(),
          "bag %s: request %s is to start after others, but the tasks of a bag are independent. Maybe submit it alone.",
          id,
          each.id());
    }
    if (timeToLive.isPresent() && !isCountable(timeToLive.get())) {
      throw new IllegalArgumentException(
          "bag %s: time to live was %s, must be positive and at most 292 years."
              .formatted(id, timeToLive.get()));
    }
  }

  /** Creates a bag without a time to live. */
  public BagSpec(String id, List<Request> requests) {
    this(id, requests, Optional.empty());
  }

  private static boolean isCountable(Duration time) {
    return !time.isNegative()
        && !time.isZero()
        && time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) <= 0;
  }
}
