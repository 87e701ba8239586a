package dev.berth.api.pipeline;

import dev.berth.api.Request;

/**
 * Whether the head of the queue, when no host has room for it, is offered fewer cores than it asks
 * for (MEMiC thesis, section 4.2). It takes as many whole cores as a host has free, on the host
 * where those are most.
 *
 * @param maxSlowdown by what factor its run time may grow for that, by its {@linkplain
 *     Request#moldability moldability}; from 1 to 1000; 1: nobody is molded. The thesis has 2
 */
public record Molding(double maxSlowdown) {

  /** Nobody is molded. */
  public static final Molding NONE = new Molding(1);

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the value is outside its range
   */
  public Molding {
    if (!(maxSlowdown >= 1 && maxSlowdown <= 1000)) {
      throw new IllegalArgumentException(
          "maxSlowdown was %s, must be from 1 (no molding) to 1000".formatted(maxSlowdown));
    }
  }

  /** Returns whether anybody may be molded. */
  public boolean molds() {
    return maxSlowdown > 1;
  }
}
