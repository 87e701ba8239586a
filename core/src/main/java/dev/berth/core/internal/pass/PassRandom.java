package dev.berth.core.internal.pass;

import dev.berth.core.decision.SeededTieBreaker;

/**
 * The random numbers of a pass: hashes of a counter. A fork continues with a copy, so a discarded
 * fork does not change the numbers of its pass.
 */
final class PassRandom {

  private final long key;
  private long count;

  PassRandom(long key) {
    this.key = key;
  }

  long next() {
    return SeededTieBreaker.combine(key, ++count, 0);
  }

  PassRandom copy() {
    PassRandom copy = new PassRandom(key);
    copy.count = count;
    return copy;
  }

  void continueFrom(PassRandom other) {
    count = other.count;
  }
}
