package dev.berth.core.engine;

import dev.berth.core.Ties;

/**
 * The randomness of a pass: hashes of how often it was asked. It can be copied, so that a fork goes
 * on where its pass stands, and one that is discarded leaves nothing behind here either.
 */
final class Draws {

  private final long key;
  private long count;

  Draws(long key) {
    this.key = key;
  }

  long next() {
    return Ties.combine(key, ++count, 0);
  }

  Draws copy() {
    Draws copy = new Draws(key);
    copy.count = count;
    return copy;
  }

  void goOnFrom(Draws other) {
    count = other.count;
  }
}
