package dev.berth.core;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** Detects a call of a scheduler during another call: from a second thread, or from a policy. */
final class CallGuard {

  private static final AtomicReferenceFieldUpdater<CallGuard, @Nullable Thread> CALLER =
      AtomicReferenceFieldUpdater.newUpdater(CallGuard.class, Thread.class, "caller");

  /**
   * The thread whose call is under way, or null. A call ends with an assignment instead of a
   * method, since no method can be called if the stack has overflowed.
   */
  volatile @Nullable Thread caller;

  /** Begins a call; refuses it during another call. */
  void enter(Thread current) {
    if (!CALLER.compareAndSet(this, null, current)) {
      requireNoOther();
      throw new IllegalStateException("another thread uses the scheduler at the same time.");
    }
  }

  /** Refuses a call by the thread whose call is under way. */
  void requireOutside(Thread current, String refusal) {
    if (caller == current) {
      throw new IllegalStateException(refusal);
    }
  }

  /** Refuses to read during a call of another thread. */
  void requireNoOther() {
    Thread other = caller;
    Thread current = Thread.currentThread();
    if (other != null && other != current) {
      throw new IllegalStateException(
          "threads %s and %s use one scheduler at the same time."
              .formatted(other.getName(), current.getName()));
    }
  }
}
