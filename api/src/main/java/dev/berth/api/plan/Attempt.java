package dev.berth.api.plan;

import dev.berth.api.Instance;
import java.util.Objects;

/**
 * One start of an instance, as a plan ordered it. Reports of a fleet name the attempt that they are
 * about, so that a late report of an earlier start cannot be mistaken for one of the present start.
 *
 * <p>Numbers count the starts of one instance. An id that is used again for another request counts
 * anew, so it should be reused only when no report of the former instance can arrive any more.
 *
 * @param instance id of the instance
 * @param number counted from 1; see {@link Instance#attempt}
 */
public record Attempt(String instance, int number) {

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public Attempt {
    Objects.requireNonNull(instance, "instance");
    if (number < 1) {
      throw new IllegalArgumentException(
          "attempt of instance %s: number was %s, must be 1 or more.".formatted(instance, number));
    }
  }

  /** Returns it in words: {@code "attempt 2 of r1"}. */
  @Override
  public String toString() {
    return "attempt " + number + " of " + instance;
  }
}
