package dev.berth.api.plan;

/**
 * The id of an action: its plan and its place in it. It never changes, so a fleet can tell an
 * action that it has seen from a new one.
 *
 * @param pass number of the pass, counted from 1
 * @param index place among the {@linkplain Plan#actions actions} of its plan, counted from 0
 */
public record ActionId(long pass, int index) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if the pass is not positive or the index negative
   */
  public ActionId {
    if (pass < 1 || index < 0) {
      throw new IllegalArgumentException(
          "action id: pass was %s and index %s, must be 1 or more and 0 or more."
              .formatted(pass, index));
    }
  }

  /** Returns it in words: {@code "action 0 of pass 3"}. */
  @Override
  public String toString() {
    return "action " + index + " of pass " + pass;
  }
}
