package dev.berth.core;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Detects a call of a scheduler during another call: from a second thread, or from a policy. */
final class CallGuard {

  private final AtomicReference<@Nullable Thread> inside = new AtomicReference<>();

  /** Begins a call. */
  void enter() {
    Thread current = Thread.currentThread();
    Thread other = inside.compareAndExchange(null, current);
    if (other == current) {
      throw new IllegalStateException(
          "a policy called its scheduler from within a pass. Maybe act on the pass instead.");
    }
    if (other != null) {
      throw simultaneous(other, current);
    }
  }

  /** Ends a call. */
  void exit() {
    inside.set(null);
  }

  /** Refuses to read during a call of another thread. */
  void requireNoOther() {
    Thread other = inside.get();
    if (other != null && other != Thread.currentThread()) {
      throw simultaneous(other, Thread.currentThread());
    }
  }

  /** Runs an explanation as a call; refuses it during another call. */
  <T> T whileIdle(Supplier<T> explanation) {
    if (!inside.compareAndSet(null, Thread.currentThread())) {
      throw new IllegalStateException(
          "explanations are available only between the calls of a scheduler.");
    }
    try {
      return explanation.get();
    } finally {
      exit();
    }
  }

  private static IllegalStateException simultaneous(Thread one, Thread other) {
    return new IllegalStateException(
        "threads %s and %s use one scheduler at the same time."
            .formatted(one.getName(), other.getName()));
  }
}
