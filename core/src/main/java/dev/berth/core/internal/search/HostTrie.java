package dev.berth.core.internal.search;

import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.cluster.HostRecord;
import java.util.Arrays;

/**
 * An ordered forest of hosts. Each host is in at most one tree. The key of a host has some words,
 * compared as unsigned numbers, the first word first. The hash that breaks ties and the order of
 * joining follow.
 *
 * <p>Crit-bit trees over arrays of primitives. An inner node stores the first bit in which the keys
 * below it differ, which is 0 on the left and 1 on the right. Adding and removing cost O(depth): at
 * most the bits of a key, and O(log hosts) for spread keys. The trees are never rebalanced, and
 * nothing is allocated once the arrays have grown.
 *
 * <p>A node is a number: that of an inner node, or {@code ~slot} for a host.
 */
final class HostTrie {

  /** No node. */
  static final int NONE = Integer.MIN_VALUE;

  /** Follows the inner nodes, to keep data about the hosts below each. */
  interface Follower {

    /** Ignores all changes. */
    Follower NONE =
        new Follower() {
          @Override
          public void grow(int nodes) {}

          @Override
          public boolean refresh(int node, int left, int right) {
            return false;
          }
        };

    /** There may be nodes with numbers up to that, exclusive. */
    void grow(int nodes);

    /** The children of a node have changed, or what is below them. Returns whether it did, too. */
    boolean refresh(int node, int left, int right);
  }

  private final int words; // of a key
  private final int stride; // with hash and sequence number
  private final Follower follower;

  // By slot
  private long[] keys = new long[0];
  private int[] parentOfHost = new int[0]; // NONE at the root
  private int[] treeOfHost = new int[0]; // NONE: in no tree

  private int[] order = new int[0]; // slots by tree, while they are put there

  // By number of an inner node
  private int[] left = new int[0];
  private int[] right = new int[0];
  private int[] parent = new int[0];
  private int[] bit = new int[0];
  private int nodes;
  private int vacant = NONE; // the first node for reuse; the others are chained by parent

  private int[] roots = new int[0];

  HostTrie(int words, Follower follower) {
    this.words = words;
    this.stride = words + 2;
    this.follower = follower;
  }

  /** Takes all hosts out of all trees. */
  void clear() {
    Arrays.fill(treeOfHost, NONE);
    clearNodes();
  }

  private void clearNodes() {
    Arrays.fill(roots, NONE);
    nodes = 0;
    vacant = NONE;
  }

  /** Returns one more than the greatest number that a node may have for now. */
  int nodeRoom() {
    return left.length;
  }

  /** Makes room for that many trees. */
  void trees(int count) {
    int before = roots.length;
    if (count > before) {
      roots = Arrays.copyOf(roots, Math.max(count, 2 * before));
      Arrays.fill(roots, before, roots.length, NONE);
    }
  }

  /** Returns the root of a tree, or {@link #NONE} if nothing is in it. */
  int root(int tree) {
    return roots[tree];
  }

  static boolean isHost(int node) {
    return node < 0;
  }

  static int slot(int node) {
    return ~node;
  }

  int left(int node) {
    return left[node];
  }

  int right(int node) {
    return right[node];
  }

  /** Returns whether the hosts below an inner node all have the same words. */
  boolean isOfOneKey(int node) {
    return bit[node] >= Long.SIZE * words;
  }

  /** Returns any host below a node. */
  int someSlot(int node) {
    int at = node;
    while (!isHost(at)) {
      at = left[at];
    }
    return slot(at);
  }

  boolean contains(int slot) {
    return slot < treeOfHost.length && treeOfHost[slot] != NONE;
  }

  int treeOf(int slot) {
    return treeOfHost[slot];
  }

  /** Returns the hash that breaks ties, of a host that is in a tree. */
  long tieHash(int slot) {
    return keys[slot * stride + words];
  }

  /** Returns whether a host that is in a tree has a key. */
  boolean hasKey(int slot, long[] key) {
    int base = slot * stride;
    for (int w = 0; w < words; w++) {
      if (keys[base + w] != key[w]) {
        return false;
      }
    }
    return true;
  }

  // ---- Changing

  /** Puts a host, which is in no tree, into one. */
  void add(int tree, HostRecord host, long[] key) {
    label(tree, host, key);
    int slot = host.slot();
    int base = slot * stride;
    int root = roots[tree];
    if (root == NONE) {
      roots[tree] = ~slot;
      parentOfHost[slot] = NONE;
      return;
    }
    int near = root;
    while (!isHost(near)) {
      near = isSet(base, bit[near]) ? right[near] : left[near];
    }
    int differs = firstDifference(base, slot(near) * stride);
    int above = NONE;
    int below = root;
    while (!isHost(below) && bit[below] < differs) {
      above = below;
      below = isSet(base, bit[below]) ? right[below] : left[below];
    }
    int node = newNode();
    bit[node] = differs;
    boolean goesRight = isSet(base, differs);
    left[node] = goesRight ? below : ~slot;
    right[node] = goesRight ? ~slot : below;
    setParent(below, node);
    parentOfHost[slot] = node;
    replace(tree, above, below, node);
    refreshFrom(node);
  }

  /**
   * Says into which tree a host is to go, and with which key, for {@link #fill} to put it there.
   */
  void label(int tree, HostRecord host, long[] key) {
    int slot = host.slot();
    makeRoom(slot);
    int base = slot * stride;
    for (int w = 0; w < words; w++) { // of so few, faster than a copy
      keys[base + w] = key[w];
    }
    keys[base + words] = host.tieHash;
    keys[base + words + 1] = host.joined;
    treeOfHost[slot] = tree;
  }

  /**
   * Makes all trees anew, of the hosts that are in them or were {@linkplain #label labelled} for
   * them. They are what they would be had the hosts been added one by one.
   */
  void fill() {
    clearNodes();
    if (order.length < treeOfHost.length) {
      order = new int[treeOfHost.length];
    }
    int[] ends = new int[roots.length + 1]; // by tree, in order; at first where they begin
    for (int tree : treeOfHost) {
      if (tree != NONE) {
        ends[tree + 1]++;
      }
    }
    for (int tree = 1; tree < ends.length; tree++) {
      ends[tree] += ends[tree - 1];
    }
    for (int slot = 0; slot < treeOfHost.length; slot++) {
      if (treeOfHost[slot] != NONE) {
        order[ends[treeOfHost[slot]]++] = slot;
      }
    }
    int from = 0;
    for (int tree = 0; tree < roots.length; tree++) {
      int to = ends[tree];
      if (from < to) {
        int root = build(order, from, to, 0);
        roots[tree] = root;
        setParent(root, NONE);
      }
      from = to;
    }
  }

  /**
   * Returns the root of what some hosts are below.
   *
   * @param word the first in which they may differ
   */
  private int build(int[] slots, int from, int to, int word) {
    if (to - from == 1) {
      return ~slots[from];
    }
    long differences = 0;
    int at = word - 1;
    while (differences == 0) {
      at++;
      long first = keys[slots[from] * stride + at];
      for (int i = from + 1; i < to; i++) {
        differences |= keys[slots[i] * stride + at] ^ first;
      }
    }
    int node = newNode();
    int differs = at * Long.SIZE + Long.numberOfLeadingZeros(differences);
    bit[node] = differs;
    int low = from;
    int high = to;
    while (low < high) {
      int slot = slots[low];
      if (isSet(slot * stride, differs)) {
        slots[low] = slots[--high];
        slots[high] = slot;
      } else {
        low++;
      }
    }
    int zeros = build(slots, from, low, at);
    int ones = build(slots, low, to, at);
    left[node] = zeros;
    right[node] = ones;
    setParent(zeros, node);
    setParent(ones, node);
    follower.refresh(node, zeros, ones);
    return node;
  }

  /** Takes a host out of its tree. */
  void remove(int slot) {
    int tree = treeOfHost[slot];
    int node = parentOfHost[slot];
    treeOfHost[slot] = NONE;
    if (node == NONE) {
      roots[tree] = NONE;
      return;
    }
    int sibling = left[node] == ~slot ? right[node] : left[node];
    int above = parent[node];
    replace(tree, above, node, sibling);
    parent[node] = vacant;
    vacant = node;
    if (above != NONE) {
      refreshFrom(above);
    }
  }

  /** Informs the follower that a host has changed, but not its key. */
  void touched(int slot) {
    if (parentOfHost[slot] != NONE) {
      refreshFrom(parentOfHost[slot]);
    }
  }

  private void replace(int tree, int above, int old, int fresh) {
    setParent(fresh, above);
    if (above == NONE) {
      roots[tree] = fresh;
    } else if (left[above] == old) {
      left[above] = fresh;
    } else {
      right[above] = fresh;
    }
  }

  private void setParent(int node, int above) {
    if (isHost(node)) {
      parentOfHost[slot(node)] = above;
    } else {
      parent[node] = above;
    }
  }

  private void refreshFrom(int node) {
    int at = node;
    boolean changed = true;
    while (at != NONE && changed) {
      changed = follower.refresh(at, left[at], right[at]) || at == node;
      at = parent[at];
    }
  }

  private int newNode() {
    if (vacant != NONE) {
      int node = vacant;
      vacant = parent[node];
      return node;
    }
    if (nodes == left.length) {
      int more = Math.max(16, 2 * nodes);
      left = Arrays.copyOf(left, more);
      right = Arrays.copyOf(right, more);
      parent = Arrays.copyOf(parent, more);
      bit = Arrays.copyOf(bit, more);
      follower.grow(more);
    }
    return nodes++;
  }

  private void makeRoom(int slot) {
    int before = treeOfHost.length;
    if (slot >= before) {
      int more = Math.max(slot + 1, 2 * before);
      keys = Arrays.copyOf(keys, more * stride);
      parentOfHost = Arrays.copyOf(parentOfHost, more);
      treeOfHost = Arrays.copyOf(treeOfHost, more);
      Arrays.fill(treeOfHost, before, more, NONE);
    }
  }

  private boolean isSet(int base, int number) {
    return (keys[base + number / Long.SIZE] << (number % Long.SIZE)) < 0;
  }

  private int firstDifference(int base, int other) {
    for (int w = 0; w < stride; w++) {
      long difference = keys[base + w] ^ keys[other + w];
      if (difference != 0) {
        return w * Long.SIZE + Long.numberOfLeadingZeros(difference);
      }
    }
    throw new IllegalStateException("a host is in this trie already");
  }

  // ---- Ties

  /** Visits hosts in the order in which a tie prefers them, group by group. */
  interface Visitor {
    /** Evaluates a host. Returns whether it can be chosen. */
    boolean visit(int slot);
  }

  /**
   * Shows the hosts of one key below a node, until the winner of a tie must be among the visited
   * hosts: all hosts of the first group in which one can be chosen.
   *
   * @param draw see {@link SeededTieBreaker#toss}
   * @param groupBits the same
   * @return whether some host can be chosen
   */
  boolean visitTied(int node, long draw, int groupBits, Visitor visitor) {
    if (isHost(node)) {
      return visitor.visit(slot(node));
    }
    int ofHash = bit[node] - Long.SIZE * words;
    if (ofHash >= groupBits) {
      boolean ofLeft = visitTied(left[node], draw, groupBits, visitor);
      boolean ofRight = visitTied(right[node], draw, groupBits, visitor);
      return ofLeft || ofRight;
    }
    // The greatest toss wins: there the first bit is the sign.
    boolean prefersRight = ((draw << ofHash) < 0) == (ofHash == 0);
    return visitTied(prefersRight ? right[node] : left[node], draw, groupBits, visitor)
        || visitTied(prefersRight ? left[node] : right[node], draw, groupBits, visitor);
  }

  /**
   * Does the same as {@link #visitTied} for hosts of different keys below a node: shows the hosts
   * of the smallest key first, until one can be chosen.
   */
  boolean visitSmallest(int node, long draw, int groupBits, Visitor visitor) {
    if (isHost(node) || isOfOneKey(node)) {
      return visitTied(node, draw, groupBits, visitor);
    }
    return visitSmallest(left[node], draw, groupBits, visitor)
        || visitSmallest(right[node], draw, groupBits, visitor);
  }
}
