package dev.berth.core;

import org.jspecify.annotations.Nullable;

/** Detects a call of a scheduler during another call: from a second thread, or from a policy. */
final class CallGuard {

  private @Nullable Thread inside;

  /** Begins a call. */
  void enter() {
    Thread current = Thread.currentThread();
    if (inside != null) {
      throw new IllegalStateException(
          inside == current
              ? "a policy called its scheduler from within a pass. Maybe act on the pass instead."
              : "threads %s and %s use one scheduler at the same time."
                  .formatted(inside.getName(), current.getName()));
    }
    inside = current;
  }

  /** Ends a call. */
  void exit() {
    inside = null;
  }

  /** Refuses an explanation during a call. */
  void requireIdle() {
    if (inside != null) {
      throw new IllegalStateException(
          "explanations are available only between the calls of a scheduler.");
    }
  }
}
