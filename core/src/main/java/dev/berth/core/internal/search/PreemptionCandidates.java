package dev.berth.core.internal.search;

import dev.berth.core.internal.state.HostRecord;
import dev.berth.core.internal.state.InstanceRecord;

/**
 * What it would cost on each host to place requests of one {@link EquivalenceClass}, in one run of
 * a pipeline: so the second of them need not look at all hosts again, but only at those that have
 * changed, or whose victims may not leave for one that is better off.
 *
 * <p>Valid for instances in order of their value. The best host is found in O(log hosts).
 */
final class PreemptionCandidates {

  private static final int TREE = 0;

  private final HostTrie trie;
  private final SlotQueue expiring = new SlotQueue(); // by value up to which a bid stands
  private final long[] key;
  private long asker; // the key in the victim order of who asked last
  private long version; // of hosts up to which the bids are right

  /**
   * Makes room for some.
   *
   * @param width of the preemption cost
   */
  PreemptionCandidates(int width) {
    key = new long[width + 1];
    trie = new HostTrie(key.length, HostTrie.Follower.NOBODY);
    trie.trees(1);
  }

  void clear() {
    trie.clear();
    expiring.clear();
    version = EquivalenceClass.NEVER;
  }

  /** Returns whether the bids can serve an instance of their kind. */
  boolean serve(InstanceRecord instance) {
    return InstanceRecord.compareVictimKeys(instance.victimKey, asker) >= 0;
  }

  /** From now on they are right for an instance, and for hosts of a version. */
  void areRight(InstanceRecord instance, long versions) {
    asker = instance.victimKey;
    version = versions;
  }

  long version() {
    return version;
  }

  boolean isEmpty() {
    return trie.root(TREE) == HostTrie.NONE;
  }

  /** Ends the bidding: tells the kind of what is known of hosts now. */
  void tell(EquivalenceClass kind) {
    int root = trie.root(TREE);
    if (root != HostTrie.NONE) {
      open(root, kind);
    }
    kind.learn(asker, version, true); // bids do not go by siblings
  }

  private void open(int node, EquivalenceClass kind) {
    if (HostTrie.isHost(node)) {
      kind.open(HostTrie.slot(node));
    } else {
      open(trie.left(node), kind);
      open(trie.right(node), kind);
    }
  }

  /** Takes the bid of a host back, if there is one. */
  void remove(int slot) {
    if (trie.contains(slot)) {
      trie.remove(slot);
    }
  }

  /**
   * Adds the bid of a host.
   *
   * @param cost smaller is better
   * @param score greater is better, among equal costs
   * @param upTo the greatest value of an instance for which the bid stands
   */
  void add(HostRecord host, double[] cost, double score, long upTo) {
    for (int i = 0; i < cost.length; i++) {
      key[i] = ordered(cost[i]);
    }
    key[cost.length] = ~ordered(score);
    trie.add(TREE, host, key);
    if (upTo != Long.MAX_VALUE) {
      expiring.add(upTo, host.slot);
    }
  }

  /** Returns whether the bid of some host does not stand for a value. */
  boolean hasExpired(long beneficiaryValue) {
    return expiring.first() < beneficiaryValue;
  }

  /** Takes the slot of such a host; whether there still is a bid of it, the caller finds out. */
  int pollExpired() {
    return expiring.poll();
  }

  /** Shows the hosts of the best bid that can be chosen; see {@link HostTrie#visitSmallest}. */
  boolean visitBest(long draw, int groupBits, HostTrie.Visitor visitor) {
    int root = trie.root(TREE);
    return root != HostTrie.NONE && trie.visitSmallest(root, draw, groupBits, visitor);
  }

  /** Numbers as words that are ordered alike when unsigned; -0 equals 0. */
  private static long ordered(double number) {
    long bits = Double.doubleToLongBits(number + 0.0);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }
}
