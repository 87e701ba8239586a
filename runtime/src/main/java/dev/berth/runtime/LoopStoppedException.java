package dev.berth.runtime;

import org.jspecify.annotations.Nullable;

/** An event came too late: the loop was shut down, or it failed. */
public final class LoopStoppedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LoopStoppedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
