package dev.berth.core.error;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a scheduler that an error, such as a {@link StackOverflowError} or an {@link
 * OutOfMemoryError}, has left with an incomplete change. From then on it refuses all events and
 * passes; only queries answer.
 *
 * <p>The cause is that error, if it is known. Build a new scheduler from your own records.
 */
public final class SchedulerFailedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an exception that names the error. */
  public SchedulerFailedException(@Nullable Throwable cause) {
    super(
        "the scheduler failed%s in the middle of a change, so it takes no more events or passes."
                .formatted(cause == null ? "" : " with " + cause)
            + " Maybe build a new one from your own records.",
        cause);
  }
}
