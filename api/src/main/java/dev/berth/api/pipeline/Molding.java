package dev.berth.api.pipeline;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Described;
import dev.berth.api.Request;

/**
 * Decides whether the head of the queue is offered fewer cores than it asks for when no host has
 * room for it (MEMiC thesis, section 4.2). It takes the whole cores that are free on the host with
 * most of them.
 *
 * @param maxSlowdown the factor by which its run time may grow, by its {@linkplain
 *     Request#moldability moldability}; from 1 (no molding) to 1000. The thesis uses 2
 */
public record Molding(
    @Described(
            value =
                "factor by which the run time of the head of the queue may grow when it is placed on fewer cores; with 1 it never is",
            range = "from 1 to 1000")
        double maxSlowdown) {

  /** No instance is molded. */
  public static final Molding NONE = new Molding(1);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the value is outside its range
   */
  public Molding {
    refuseIf(
        !(maxSlowdown >= 1 && maxSlowdown <= 1000),
        "maxSlowdown was %s, must be from 1 (no molding) to 1000",
        maxSlowdown);
  }

  /** Returns whether any instance may be molded. */
  public boolean molds() {
    return maxSlowdown > 1;
  }
}
