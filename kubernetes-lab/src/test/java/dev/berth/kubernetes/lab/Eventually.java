package dev.berth.kubernetes.lab;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do. */
public final class Eventually {

  private static final Duration PAUSE = Duration.ofMillis(50);

  private Eventually() {}

  /** Returns once the condition holds, and fails if it does not hold within a time. */
  public static void holds(String what, Duration patience, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > patience.toNanos()) {
        fail("After %s it is still not true: %s", patience, what);
      }
      pause(PAUSE);
    }
  }

  /** Sleeps. */
  public static void pause(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
