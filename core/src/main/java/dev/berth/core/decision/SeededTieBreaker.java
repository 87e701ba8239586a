package dev.berth.core.decision;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/**
 * The seeded hashes that stand in for chance where a tie is to be broken at random.
 *
 * <p>They depend on the seed and the subjects alone, never on how often they were asked: an engine
 * that skips work breaks ties like one that does not. Stable across machines and releases.
 */
public final class SeededTieBreaker {

  private static final HashFunction FINGERPRINT = Hashing.farmHashFingerprint64();

  private static final int GROUP_SIZE_BITS = 5; // a group has 32 to 63 hosts in the mean

  private SeededTieBreaker() {}

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
    return pair(draw(instanceHash, pass), hostHash);
  }

  /**
   * Returns what a host has in a tie for an instance: the greatest wins. Only hosts of one pass are
   * compared.
   *
   * @param hosts the number of hosts at the start of the pass
   * @see #toss(long, long, int)
   */
  public static long toss(long seed, long pass, String instance, String host, int hosts) {
    return toss(draw(hash(seed, instance), pass), hash(seed, host), groupBits(hosts));
  }

  /**
   * Returns the toss of an instance in a pass for a host.
   *
   * <p>Hosts fall into groups by the first bits of their hash, some dozens into each; the draw
   * chooses among groups by these bits alone, and within a group every host has a hash of its own
   * for every draw. So an ordered index finds the winner among any number of hosts without asking
   * them all, and in a small cluster, which is one group, each host is as likely as the next.
   *
   * @param draw of the instance in the pass
   * @param groupBits how many bits make a group
   */
  public static long toss(long draw, long hostHash, int groupBits) {
    long ofGroup = groupBits == 0 ? 0 : -1L << (Long.SIZE - groupBits);
    return ((draw ^ hostHash) & ofGroup) | (pair(draw, hostHash) & ~ofGroup);
  }

  /** Returns what an instance draws in a pass. */
  public static long draw(long instanceHash, long pass) {
    return mix(instanceHash + pass * 0x9E3779B97F4A7C15L);
  }

  /** Returns how many bits of a host's hash make its group, for a number of hosts. */
  public static int groupBits(int hosts) {
    return Math.max(0, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(hosts) - GROUP_SIZE_BITS);
  }

  private static long pair(long draw, long hostHash) {
    return mix(draw + Long.rotateLeft(hostHash, 32));
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
