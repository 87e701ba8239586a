package dev.berth.api.pipeline;

import java.util.Locale;

/**
 * Decides which instances may overtake the head of the queue while no host has room for it (MEMiC
 * thesis, section 4.1; Feitelson et al. 2005).
 *
 * <p>An instance that would fit no host of the cluster, even if the host were empty, is never the
 * head: no other instance waits for it.
 */
public enum Backfill {
  /** No instance: the queue waits for its head. */
  NONE,
  /** Every instance that fits, in queue order; the head may wait forever. */
  AGGRESSIVE,
  /**
   * Instances that do not delay the head. By the estimated run times, the head reserves the
   * earliest time at which a host has room for it. Other instances may start if they end before
   * that time or leave enough room.
   *
   * <p>An instance with neither an estimate nor a longest run time may end at any moment or never.
   * If the head has no certain time because of that, or because rules or limits refuse it the hosts
   * now, other instances may only take what the head could not use. So, as long as no instance runs
   * longer than estimated, the head starts no later than with {@link #NONE} or, if that is later,
   * at the first time that it has reserved. Without any estimate on a single host, this is nearly
   * {@link #NONE}. Filters of a policy are not foreseen.
   */
  EASY,
  /**
   * Instances that delay no instance before them: every instance in the queue gets a reservation as
   * in EASY. An instance is placed on the host of its reservation as soon as that host has room,
   * regardless of scores: the instances behind it rely on the other hosts. One without a certain
   * time keeps what it needs on every host on which it could run. Rules and limits are kept for the
   * head alone.
   */
  CONSERVATIVE;

  /** Returns whether this makes reservations by estimated run times. */
  public boolean reserves() {
    return this == EASY || this == CONSERVATIVE;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
