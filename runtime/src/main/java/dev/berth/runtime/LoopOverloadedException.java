package dev.berth.runtime;

/** An event was not accepted because the queue of the loop is full. It has had no effect. */
public final class LoopOverloadedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LoopOverloadedException(int capacity) {
    super(
        "the loop has %s inputs waiting, which is its limit. Maybe submit again later."
            .formatted(capacity));
  }
}
