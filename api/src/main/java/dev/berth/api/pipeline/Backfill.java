package dev.berth.api.pipeline;

import java.util.Locale;

/**
 * Who may go before the head of the queue while no host has room for it (MEMiC thesis, section 4.1;
 * Feitelson et al. 2005).
 *
 * <p>Who fits no host of the cluster, even an empty one, is never the head: nobody waits for it.
 */
public enum Backfill {
  /** Nobody: the queue waits for its head. */
  NONE,
  /** Whoever fits, in queue order; the head may wait for ever. */
  AGGRESSIVE,
  /**
   * Who does not delay the head: by the estimated run times, the head gets the earliest time at
   * which a host has room for it, and others may go if they end before that or leave it its room.
   * An instance without an estimate is taken to run for ever.
   */
  EASY,
  /**
   * Who delays nobody that comes before it: everybody in the queue gets a time as in EASY. Who has
   * a time goes to the host it has it on, whatever the scores, as soon as that has room: those
   * behind it count on the others.
   */
  CONSERVATIVE;

  /** Returns whether it makes reservations by estimated run times. */
  public boolean reserves() {
    return this == EASY || this == CONSERVATIVE;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
