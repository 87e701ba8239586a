package dev.berth.core.decision;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/**
 * The seeded hashes that break ties at random.
 *
 * <p>A hash depends only on the seed and its subjects, not on earlier calls. An engine that skips
 * work therefore breaks ties like one that does not. Hashes are stable across machines and
 * releases.
 */
public final class SeededTieBreaker {

  private static final HashFunction FINGERPRINT = Hashing.farmHashFingerprint64();

  private static final int GROUP_SIZE_BITS = 5; // a group has 32 to 63 hosts on average

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
   * Returns the toss of a host in a tie for an instance. The greatest toss wins. Only tosses of one
   * pass are comparable.
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
   * <p>The first bits of their hash divide the hosts into groups of some dozens. The draw orders
   * the groups by these bits alone. Within a group, each host has a hash of its own for every draw.
   * An ordered index therefore finds the winner without evaluating all hosts. A small cluster is
   * one group, in which all hosts are equally likely.
   *
   * @param draw of the instance in the pass
   * @param groupBits number of bits that select the group
   */
  public static long toss(long draw, long hostHash, int groupBits) {
    long ofGroup = groupBits == 0 ? 0 : -1L << (Long.SIZE - groupBits);
    return ((draw ^ hostHash) & ofGroup) | (pair(draw, hostHash) & ~ofGroup);
  }

  /** Returns the draw of an instance in a pass. */
  public static long draw(long instanceHash, long pass) {
    return mix(instanceHash + pass * 0x9E3779B97F4A7C15L);
  }

  /** Returns the number of hash bits that select the group of a host, for a number of hosts. */
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
