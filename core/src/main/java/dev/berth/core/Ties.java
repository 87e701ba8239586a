package dev.berth.core;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/**
 * The seeded hashes that stand in for chance where a tie is to be broken at random.
 *
 * <p>They depend on the seed and the subjects alone, never on how often they were asked: an engine
 * that skips work breaks ties like one that does not. Stable across machines and releases.
 */
public final class Ties {

  private static final HashFunction FINGERPRINT = Hashing.farmHashFingerprint64();

  private Ties() {}

  /** Returns the hash of one subject, such as an instance that might be preempted. */
  public static long hash(long seed, String subject) {
    return mix(FINGERPRINT.hashString(subject, StandardCharsets.UTF_8).asLong() + mix(seed));
  }

  /** Returns the hash of a pair in a pass, such as a placement. */
  public static long hash(long seed, long pass, String instance, String host) {
    return combine(hash(seed, instance), pass, hash(seed, host));
  }

  /**
   * Returns {@link #hash(long, long, String, String)} from the hashes of the two subjects; cost
   * O(1).
   */
  public static long combine(long instanceHash, long pass, long hostHash) {
    return mix(mix(instanceHash + pass * 0x9E3779B97F4A7C15L) + Long.rotateLeft(hostHash, 32));
  }

  /**
   * The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
   * generators, 2014).
   */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
