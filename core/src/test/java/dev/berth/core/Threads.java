package dev.berth.core;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs work on other threads. */
final class Threads {

  private Threads() {}

  /** Runs work on a thread of that name until it ends; returns what it threw, or null. */
  static @Nullable Throwable failureOn(String name, Runnable work) {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    join(start(name, work, failure));
    return failure.get();
  }

  /** Starts work on a thread of that name; what it throws is kept. */
  static Thread start(String name, Runnable work, AtomicReference<@Nullable Throwable> failure) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable thrown) {
                failure.set(thrown);
              }
            },
            name);
    thread.start();
    return thread;
  }

  /** Waits until a thread has ended. */
  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
