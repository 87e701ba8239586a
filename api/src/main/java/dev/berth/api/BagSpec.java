package dev.berth.api;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A bag of tasks: requests that are submitted, timed out and reported together.
 *
 * @param id unique among the bags that are not at an end; not blank
 * @param requests its members, at least one, of different ids
 * @param timeToLive how long after its submission it is cancelled if it is not done, positive;
 *     empty: unless a policy sets a time, never
 */
public record BagSpec(String id, List<Request> requests, Optional<Duration> timeToLive) {

  /**
   * Copies the requests.
   *
   * @throws IllegalArgumentException if the id is blank, there is no request, an id occurs twice,
   *     or the time is not positive or beyond 292 years
   */
  public BagSpec {
    Objects.requireNonNull(timeToLive, "timeToLive");
    if (id.isBlank()) {
      throw new IllegalArgumentException("bag id was blank.");
    }
    requests = List.copyOf(requests);
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("bag %s has no requests.".formatted(id));
    }
    Set<String> ids = new HashSet<>();
    for (Request each : requests) {
      if (!ids.add(each.id())) {
        throw new IllegalArgumentException(
            "bag %s: request %s is in it twice.".formatted(id, each.id()));
      }
    }
    if (timeToLive.isPresent() && !isCountable(timeToLive.get())) {
      throw new IllegalArgumentException(
          "bag %s: time to live was %s, must be positive and at most 292 years."
              .formatted(id, timeToLive.get()));
    }
  }

  /** A bag that has all the time it takes. */
  public BagSpec(String id, List<Request> requests) {
    this(id, requests, Optional.empty());
  }

  private static boolean isCountable(Duration time) {
    return !time.isNegative()
        && !time.isZero()
        && time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) <= 0;
  }
}
