package dev.berth.core.internal.pass;

import dev.berth.core.decision.SeededTieBreaker;

/**
 * The randomness of a pass: hashes of how often it was asked. It can be copied, so that a fork goes
 * on where its pass stands, and one that is discarded leaves nothing behind here either.
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

  void goOnFrom(PassRandom other) {
    count = other.count;
  }
}
