package dev.berth.kubernetes.tasks;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Something that may fail again and again: since when it does, and why. Safe for several threads.
 */
public final class Trouble {

  private final LongSupplier nanoTime;
  private long since;
  private String why = ""; // empty if it works

  /**
   * Begins without trouble.
   *
   * @param nanoTime a clock that never runs backwards, such as {@code System::nanoTime}
   */
  public Trouble(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Notes that it is tried, and fails unless the contrary is noted. */
  public synchronized void tried(String unless) {
    if (why.isEmpty()) {
      failed(unless);
    }
  }

  /** Notes that it failed. */
  public synchronized void failed(String reason) {
    if (why.isEmpty()) {
      since = nanoTime.getAsLong();
    }
    why = reason.isEmpty() ? "unknown" : reason;
  }

  /** Notes that it works. */
  public synchronized void over() {
    why = "";
  }

  /** Returns why it fails, and for how long; empty if it has not failed for so long. */
  public synchronized Optional<String> lasting(Duration least) {
    long lasts = nanoTime.getAsLong() - since;
    return why.isEmpty() || lasts < least.toNanos()
        ? Optional.empty()
        : Optional.of("for %s s: %s".formatted(TimeUnit.NANOSECONDS.toSeconds(lasts), why));
  }
}
