package dev.berth.core.internal.search;

import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import java.util.Arrays;

/**
 * The hosts that could take requests of one {@link EquivalenceClass} after preemption, with their
 * cost, in one run of a pipeline. Each further request evaluates only two sets of hosts again:
 * changed hosts, and hosts whose victims may not be preempted for its higher value.
 *
 * <p>Valid for instances in order of their value. Finding the best host costs O(log hosts).
 */
final class PreemptionCandidates {

  private static final int TREE = 0;

  private final HostTrie trie;
  private final SlotQueue expiring =
      new SlotQueue(); // by the value up to which a candidate is valid
  private final long[] key;

  // Slots of hosts that are no candidates now, but may be for a higher value
  private int[] doubtful = new int[4];
  private int doubtfulCount;

  private long lastKey; // in the victim order, of the last instance served
  private long version; // of hosts up to which the candidates are valid

  /**
   * Makes an empty set.
   *
   * @param width number of entries of the preemption cost
   */
  PreemptionCandidates(int width) {
    key = new long[width + 1];
    trie = new HostTrie(key.length, HostTrie.Follower.NONE);
    trie.trees(1);
  }

  void clear() {
    trie.clear();
    expiring.clear();
    doubtfulCount = 0;
    version = EquivalenceClass.NEVER;
  }

  /** Returns whether the candidates are valid for an instance of their class. */
  boolean serve(InstanceRecord instance) {
    return InstanceRecord.compareVictimKeys(instance.victimKey(), lastKey) >= 0;
  }

  /** Declares the candidates valid for an instance, and for hosts up to a version. */
  void areValidFor(InstanceRecord instance, long versions) {
    lastKey = instance.victimKey();
    version = versions;
  }

  long version() {
    return version;
  }

  boolean isEmpty() {
    return trie.root(TREE) == HostTrie.NONE;
  }

  /** Hands over to the class which hosts may be feasible, at the end of the run. */
  void handOver(EquivalenceClass equivalenceClass) {
    int root = trie.root(TREE);
    if (root != HostTrie.NONE) {
      open(root, equivalenceClass);
    }
    for (int i = 0; i < doubtfulCount; i++) {
      if (!trie.contains(doubtful[i])) {
        equivalenceClass.open(doubtful[i]);
      }
    }
    equivalenceClass.learn(lastKey, version, true); // candidates ignore siblings
  }

  private void open(int node, EquivalenceClass equivalenceClass) {
    if (HostTrie.isHost(node)) {
      equivalenceClass.open(HostTrie.slot(node));
    } else {
      open(trie.left(node), equivalenceClass);
      open(trie.right(node), equivalenceClass);
    }
  }

  /** Removes a host if it is a candidate. */
  void remove(int slot) {
    if (trie.contains(slot)) {
      trie.remove(slot);
    }
  }

  /**
   * Adds a host.
   *
   * @param cost smaller is better
   * @param score greater is better, among equal costs
   * @param upTo the greatest value of an instance for which the candidate is valid
   */
  void add(HostRecord host, double[] cost, double score, long upTo) {
    for (int i = 0; i < cost.length; i++) {
      key[i] = ordered(cost[i]);
    }
    key[cost.length] = ~ordered(score);
    trie.add(TREE, host, key);
    if (upTo != Long.MAX_VALUE) {
      expiring.add(upTo, host.slot());
    }
  }

  /** Notes a host that is no candidate now, but may be for an instance of a higher value. */
  void doubt(int slot, long beneficiaryValue) {
    if (doubtfulCount == doubtful.length) {
      doubtful = Arrays.copyOf(doubtful, 2 * doubtfulCount);
    }
    doubtful[doubtfulCount++] = slot;
    expiring.add(beneficiaryValue, slot);
  }

  /** Returns whether there may be such hosts. */
  boolean hasDoubtful() {
    return doubtfulCount > 0;
  }

  /** Returns whether some candidate is not valid for a value. */
  boolean hasExpired(long beneficiaryValue) {
    return expiring.first() < beneficiaryValue;
  }

  /** Removes and returns the slot of such a host, which may have ceased to be a candidate. */
  int pollExpired() {
    return expiring.poll();
  }

  /** Shows the best candidates that can be chosen; see {@link HostTrie#visitSmallest}. */
  boolean visitBest(long draw, int groupBits, HostTrie.Visitor visitor) {
    int root = trie.root(TREE);
    return root != HostTrie.NONE && trie.visitSmallest(root, draw, groupBits, visitor);
  }

  /** Maps a number to a word; unsigned words are in the order of the numbers. -0 equals 0. */
  private static long ordered(double number) {
    long bits = Double.doubleToLongBits(number + 0.0);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }
}
