package dev.berth.traces.spi;

import java.util.Optional;

/** Receives a notice for each item of an input that a format skips, so that users learn of it. */
@FunctionalInterface
public interface SkipReport {

  /**
   * Counts one skipped item.
   *
   * @param reason the item and why it is skipped, in the singular, such that a number can precede
   *     it: {@code "task that never ran"}. A format has only a few distinct reasons.
   */
  void count(String reason);

  /** {@linkplain #count Counts} one skipped item, and returns nothing in its place. */
  default <T> Optional<T> skip(String reason) {
    count(reason);
    return Optional.empty();
  }
}
