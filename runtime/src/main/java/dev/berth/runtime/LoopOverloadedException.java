package dev.berth.runtime;

import java.util.Optional;

/** An event was not accepted because the queue of the loop is full. It has had no effect. */
public final class LoopOverloadedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LoopOverloadedException(int capacity, Optional<String> blockedIn) {
    super(
        "the loop has %s inputs waiting, which is its limit.%s Maybe submit again later."
            .formatted(
                capacity,
                blockedIn
                    .map(call -> " It waits for %s, which is to return at once.".formatted(call))
                    .orElse("")));
  }
}
