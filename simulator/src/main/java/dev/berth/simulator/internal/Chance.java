package dev.berth.simulator.internal;

import dev.berth.core.decision.SeededTieBreaker;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws of the fate of hosts and of faults. Those that concern a start, an action or a host are
 * hashes of the seed and of what they concern, so they do not depend on one another; those of
 * reports follow one another.
 */
public final class Chance {

  private static final double UNIT = 0x1.0p-53;
  private static final int UNUSED_BITS = 11;

  private final long seed;

  public Chance(long seed) {
    this.seed = seed;
  }

  /** Returns whether something of a probability happens. */
  public boolean happens(double probability, long number, String subject, String what) {
    return probability > 0
        && (SeededTieBreaker.hash(seed, number, subject, what) >>> UNUSED_BITS) * UNIT
            < probability;
  }

  /** Returns one of several values, all equally likely. */
  public <T> T oneOf(List<T> values, String subject, String what) {
    long hash = SeededTieBreaker.hash(seed, 0, subject, what);
    return values.get((int) Long.remainderUnsigned(hash, values.size()));
  }

  /** Returns a source of draws that follow one another. */
  public SplittableRandom stream(String what) {
    return new SplittableRandom(SeededTieBreaker.hash(seed, 0, "stream", what));
  }
}
