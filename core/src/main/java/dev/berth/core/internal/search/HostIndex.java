package dev.berth.core.internal.search;

import static com.google.common.base.Preconditions.checkState;

import dev.berth.api.Dimension;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.pipeline.AllocationScore;
import dev.berth.api.pipeline.ResourceScore;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.cluster.PlacementRules;
import dev.berth.core.internal.rule.PeerRules;
import dev.berth.core.internal.state.ClusterState;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An index of hosts by their free capacity. Finds the best-scored host with room without evaluating
 * all hosts.
 *
 * <p>Hosts of equal capacity are in one tree of a {@link HostTrie}. The key interleaves the bits of
 * their free shares in all dimensions, so neighbours in the tree have similar free capacity. Each
 * node stores the least and the most free capacity below it, which bound the demands that fit there
 * and the scores. A search follows the better bound first and omits subtrees that cannot beat the
 * best so far. It scores hosts with equal free capacity once. The result is the same as that of
 * evaluating every host, for any {@link ResourceScore}.
 *
 * <p>Before a search, the index updates the hosts that have changed since the last one, at a cost
 * of O(log hosts) each.
 */
final class HostIndex implements HostTrie.Follower, HostTrie.Visitor {

  private static final int KEY_BITS = 62;

  private final ClusterState state;
  private final HostTable table;
  private final ResourceScore score;
  private final HostTrie trie = new HostTrie(1, this);
  private final @Nullable HostSignatures signatures; // null: attributes and taints do not matter
  private final @Nullable PeerRules peers; // if they do
  private final Map<LongBuffer, Integer> trees =
      new HashMap<>(); // by capacity and signature; only looked up
  private final List<long[]> capacities = new ArrayList<>(); // of the hosts of a tree
  private int[] signatureOf = new int[0]; // of the hosts of a tree
  private final long[] key = new long[1];
  private double[] bounds = new double[16]; // of the trees, in a search
  private long upTo; // hosts unchanged since this version are in their place
  private int dimensions;

  // The free capacity by which a host has its place in a tree, by slot and dimension. Bounds use
  // it, not the current free capacity: trees also change between passes, when hosts leave.
  private long[] placed = new long[0];

  // The free capacity below a node, by node and dimension
  private long[] least = new long[0];
  private long[] most = new long[0];

  // The search under way
  private final Amounts low = new Amounts();
  private final Amounts high = new Amounts();
  private @Nullable InstanceRecord instance;
  private long[] demand = InstanceRecord.NOTHING;
  private long draw;
  private int groupBits;
  private double scoreHere;
  private @Nullable HostRecord best;
  private double bestScore;
  private long bestTie;
  private boolean blockedBySibling;
  private boolean blockedByPeer;
  private long bestWorth;

  // By signature, in the search of that number
  private long searches;
  private long[] judgedIn = new long[0];
  private boolean[] refused = new boolean[0];
  private long[] worths = new long[0];

  /**
   * Prepares an empty index.
   *
   * @param signatures what rules and preferences distinguish; null if they do not matter
   */
  HostIndex(ClusterState state, ResourceScore score, @Nullable HostSignatures signatures) {
    this.state = state;
    this.signatures = signatures;
    this.peers = signatures == null ? null : new PeerRules(state.peers());
    this.table = state.table();
    this.score = score;
  }

  // ---- Keeping up

  /** Returns of how many capacities the index keeps a tree, including some that no host has. */
  int trees() {
    return capacities.size();
  }

  /** Removes a host that is gone or closed, or that may belong to another tree. */
  void remove(HostRecord host) {
    if (trie.contains(host.slot())) {
      trie.remove(host.slot());
    }
  }

  private void catchUp() {
    boolean afresh =
        dimensions != table.dimensions()
            || capacities.size() > 2 * table.slots() + 16
            || (signatures != null && signatures.areOutdated());
    if (afresh) {
      if (signatures != null) {
        signatures.clear();
      }
      dimensions = table.dimensions();
      trie.clear();
      trees.clear();
      capacities.clear();
      placed = new long[0];
      least = new long[0];
      most = new long[0];
      low.used = new long[dimensions];
      high.used = new long[dimensions];
      grow(trie.nodeRoom());
    }
    if (afresh || haveChanged(table.slots() / 4 + 1)) {
      build();
    } else {
      HostRecord host = state.latestChanged();
      while (host != null && host.version() > upTo) {
        put(host);
        host = host.changedBefore();
      }
    }
    upTo = state.versions();
  }

  /** Returns whether so many hosts have changed, or more. */
  private boolean haveChanged(int count) {
    int changed = 0;
    HostRecord host = state.latestChanged();
    while (host != null && host.version() > upTo && changed < count) {
      changed++;
      host = host.changedBefore();
    }
    return changed == count;
  }

  /** Puts all hosts where they belong: many at once cost less than one by one. */
  private void build() {
    for (int slot = 0; slot < table.slots(); slot++) {
      HostRecord host = table.host(slot);
      if (host != null && !host.isClosed()) {
        int tree = trie.contains(slot) ? trie.treeOf(slot) : treeFor(slot);
        key[0] = keyOf(table, slot, capacities.get(tree));
        place(slot);
        trie.label(tree, host, key);
      }
    }
    trie.fill();
  }

  private void put(HostRecord host) {
    if (host.isClosed()) {
      return; // it is in no tree
    }
    int slot = host.slot();
    boolean present = trie.contains(slot);
    if (!place(slot) && present) {
      return;
    }
    int tree = present ? trie.treeOf(slot) : treeFor(slot);
    key[0] = keyOf(table, slot, capacities.get(tree));
    if (present && trie.hasKey(slot, key)) {
      trie.touched(slot);
      return;
    }
    if (present) {
      trie.remove(slot);
    }
    trie.add(tree, host, key);
  }

  /** Notes what is free on a host; returns whether that is anything else than before. */
  private boolean place(int slot) {
    int at = slot * dimensions;
    if (at + dimensions > placed.length) {
      placed = Arrays.copyOf(placed, Math.max(2 * placed.length, at + dimensions));
    }
    boolean changed = false;
    for (int d = 0; d < dimensions; d++, at++) {
      long free = table.free(slot, d);
      changed |= placed[at] != free;
      placed[at] = free;
    }
    return changed;
  }

  private int treeFor(int slot) {
    int signature = signatures == null ? 0 : signatures.of(host(slot));
    long[] capacity = new long[dimensions + 1];
    for (int d = 0; d < dimensions; d++) {
      capacity[d] = table.capacity(slot, d);
    }
    capacity[dimensions] = signature;
    Integer known = trees.putIfAbsent(LongBuffer.wrap(capacity), capacities.size());
    if (known != null) {
      return known;
    }
    int tree = capacities.size();
    capacities.add(Arrays.copyOf(capacity, dimensions));
    trie.trees(tree + 1);
    if (tree + 1 > bounds.length) {
      bounds = new double[2 * bounds.length];
    }
    if (tree >= signatureOf.length) {
      signatureOf = Arrays.copyOf(signatureOf, 2 * (tree + 1));
    }
    signatureOf[tree] = signature;
    return tree;
  }

  private HostRecord host(int slot) {
    return Objects.requireNonNull(table.host(slot)); // those of the trees are up
  }

  /** The free shares, bit by bit in turn, the most significant first. */
  static long keyOf(HostTable table, int slot, long[] capacity) {
    int keyed = Math.min(capacity.length, KEY_BITS);
    int bits = KEY_BITS / Math.max(1, keyed);
    long interleaved = 0;
    for (int d = 0; d < keyed; d++) {
      long share = 0;
      if (capacity[d] > 0) {
        double exact = (double) table.free(slot, d) / capacity[d];
        long greatest = (1L << bits) - 1;
        share = Math.max(0, Math.min(greatest, (long) (exact * greatest)));
      }
      interleaved |= spread(share, bits, keyed) << (keyed - 1 - d);
    }
    return interleaved;
  }

  /** Moves bit i to bit {@code i * apart}. */
  private static long spread(long value, int bits, int apart) {
    if (apart == 2) { // the usual case: cpu and memory
      long x = value & 0x7FFFFFFFL;
      x = (x | x << 16) & 0x0000FFFF0000FFFFL;
      x = (x | x << 8) & 0x00FF00FF00FF00FFL;
      x = (x | x << 4) & 0x0F0F0F0F0F0F0F0FL;
      x = (x | x << 2) & 0x3333333333333333L;
      return (x | x << 1) & 0x5555555555555555L;
    }
    long spread = 0;
    for (int b = 0; b < bits; b++) {
      spread |= (value >>> b & 1) << (b * apart);
    }
    return spread;
  }

  @Override
  public void grow(int nodes) {
    if (nodes * dimensions > least.length) {
      least = Arrays.copyOf(least, nodes * dimensions);
      most = Arrays.copyOf(most, nodes * dimensions);
    }
  }

  @Override
  public boolean refresh(int node, int left, int right) {
    boolean changed = false;
    for (int d = 0; d < dimensions; d++) {
      long fewest = Math.min(leastFree(left, d), leastFree(right, d));
      long greatest = Math.max(mostFree(left, d), mostFree(right, d));
      int at = node * dimensions + d;
      changed |= least[at] != fewest || most[at] != greatest;
      least[at] = fewest;
      most[at] = greatest;
    }
    return changed;
  }

  private long leastFree(int node, int dimension) {
    return HostTrie.isHost(node)
        ? placed[HostTrie.slot(node) * dimensions + dimension]
        : least[node * dimensions + dimension];
  }

  private long mostFree(int node, int dimension) {
    return HostTrie.isHost(node)
        ? placed[HostTrie.slot(node) * dimensions + dimension]
        : most[node * dimensions + dimension];
  }

  // ---- Searching

  /**
   * Returns the host with room that scores best, of equals the one that wins the tie; null if there
   * is none.
   *
   * @param draw of the instance, see {@link SeededTieBreaker#toss}
   * @param groupBits the same
   */
  @Nullable HostRecord best(InstanceRecord instance, long draw, int groupBits) {
    catchUp();
    this.instance = instance;
    this.demand = instance.demand;
    this.draw = draw;
    this.groupBits = groupBits;
    best = null;
    blockedBySibling = false;
    blockedByPeer = false;
    bestWorth = 0;
    if (peers != null) {
      searchByWorth(instance, peers);
      return best;
    }
    int first = -1;
    int count = capacities.size();
    for (int tree = 0; tree < count; tree++) {
      int root = trie.root(tree);
      bounds[tree] = root == HostTrie.NONE ? Double.NaN : bound(tree, root);
      if (!Double.isNaN(bounds[tree]) && (first < 0 || bounds[tree] > bounds[first])) {
        first = tree;
      }
    }
    if (first >= 0) {
      search(first, trie.root(first), bounds[first]);
      for (int tree = 0; tree < count; tree++) {
        if (tree != first && !Double.isNaN(bounds[tree])) {
          search(tree, trie.root(tree), bounds[tree]);
        }
      }
    }
    return best;
  }

  /** Searches the trees whose hosts are worth most, until one has a host. */
  private void searchByWorth(InstanceRecord subject, PeerRules rules) {
    judge(subject, rules);
    int count = capacities.size();
    while (best == null) {
      long level = Long.MIN_VALUE;
      for (int tree = 0; tree < count; tree++) {
        if (!Double.isNaN(bounds[tree])) {
          level = Math.max(level, worths[signatureOf[tree]]);
        }
      }
      if (level == Long.MIN_VALUE) {
        return; // all were searched
      }
      bestWorth = level;
      searchLevel(level);
    }
  }

  /** Searches the trees whose hosts have a worth, the most promising first. */
  private void searchLevel(long level) {
    int count = capacities.size();
    int first = -1;
    for (int tree = 0; tree < count; tree++) {
      if (!Double.isNaN(bounds[tree]) && worths[signatureOf[tree]] == level) {
        bounds[tree] = bound(tree, trie.root(tree));
        if (!Double.isNaN(bounds[tree]) && (first < 0 || bounds[tree] > bounds[first])) {
          first = tree;
        }
      }
    }
    if (first < 0) {
      return;
    }
    searchTree(first);
    for (int tree = 0; tree < count; tree++) {
      if (!Double.isNaN(bounds[tree]) && worths[signatureOf[tree]] == level) {
        searchTree(tree);
      }
    }
  }

  private void searchTree(int tree) {
    search(tree, trie.root(tree), bounds[tree]);
    bounds[tree] = Double.NaN; // done
  }

  /** Determines which trees may hold a host, and what their hosts are worth. */
  private void judge(InstanceRecord subject, PeerRules rules) {
    searches++;
    int count = capacities.size();
    for (int tree = 0; tree < count; tree++) {
      int root = trie.root(tree);
      bounds[tree] = Double.NaN;
      if (root == HostTrie.NONE) {
        continue;
      }
      int signature = signatureOf[tree];
      if (signature >= judgedIn.length) {
        judgedIn = Arrays.copyOf(judgedIn, 2 * (signature + 1));
        refused = Arrays.copyOf(refused, judgedIn.length);
        worths = Arrays.copyOf(worths, judgedIn.length);
      }
      if (judgedIn[signature] != searches) {
        HostRecord any = host(trie.someSlot(root));
        judgedIn[signature] = searches;
        refused[signature] = rules.refuseByAttributes(subject, any);
        worths[signature] = rules.worthByAttributes(subject, any);
      }
      if (!refused[signature]) {
        bounds[tree] = Double.POSITIVE_INFINITY; // until the trees of its worth are searched
      } else {
        blockedByPeer = true; // perhaps of a host without room, which makes no difference
      }
    }
  }

  /** Returns what the best host is worth by preferences. */
  long bestWorth() {
    return bestWorth;
  }

  /** Returns whether rules about peers refused some host in the last search. */
  boolean blockedByPeer() {
    return blockedByPeer;
  }

  double bestScore() {
    return bestScore;
  }

  long bestTie() {
    return bestTie;
  }

  /** Returns whether a sibling blocked some host in the last search. */
  boolean blockedBySibling() {
    return blockedBySibling;
  }

  /**
   * Searches for a better host below a node.
   *
   * @param bound upper bound of the scores there; the score itself if all have equal free capacity
   */
  private void search(int tree, int node, double bound) {
    if (best != null && bound < bestScore) {
      return;
    }
    if (HostTrie.isHost(node)) {
      scoreHere = bound;
      visit(HostTrie.slot(node));
      return;
    }
    if (isUniform(node)) {
      scoreHere = bound;
      trie.visitTied(node, draw, groupBits, this);
      return;
    }
    int left = trie.left(node);
    int right = trie.right(node);
    double ofLeft = bound(tree, left);
    double ofRight = bound(tree, right);
    if (Double.isNaN(ofLeft)) {
      if (!Double.isNaN(ofRight)) {
        search(tree, right, ofRight);
      }
    } else if (Double.isNaN(ofRight)) {
      search(tree, left, ofLeft);
    } else if (ofLeft >= ofRight) {
      search(tree, left, ofLeft);
      search(tree, right, ofRight);
    } else {
      search(tree, right, ofRight);
      search(tree, left, ofLeft);
    }
  }

  private boolean isUniform(int node) {
    for (int at = node * dimensions, end = at + dimensions; at < end; at++) {
      if (least[at] != most[at]) {
        return false;
      }
    }
    return true;
  }

  /** Returns an upper bound of the scores of hosts with room below a node; NaN if none has room. */
  private double bound(int tree, int node) {
    long[] capacity = capacities.get(tree);
    low.capacity = capacity;
    if (HostTrie.isHost(node)) {
      int slot = HostTrie.slot(node);
      for (int d = 0; d < dimensions; d++) {
        long needed = d < demand.length ? demand[d] : 0;
        long free = table.free(slot, d);
        if (free < needed) {
          return Double.NaN;
        }
        low.used[d] = capacity[d] - free + needed;
      }
      return exact(node);
    }
    high.capacity = capacity;
    boolean alike = true;
    int at = node * dimensions;
    for (int d = 0; d < dimensions; d++, at++) {
      long needed = d < demand.length ? demand[d] : 0;
      long greatest = most[at];
      long fewest = least[at];
      if (greatest < needed) {
        return Double.NaN;
      }
      alike &= fewest == greatest;
      low.used[d] = capacity[d] - greatest + needed;
      high.used[d] = capacity[d] - Math.max(needed, fewest) + needed;
    }
    if (alike) {
      return exact(node);
    }
    low.node = HostTrie.NONE;
    double bound = score.upperBound(low, high);
    return Double.isNaN(bound) ? Double.POSITIVE_INFINITY : bound;
  }

  /** Returns the score of the hosts below a node, which have equal free capacity. */
  private double exact(int node) {
    low.node = node;
    double exact = score.score(low);
    if (Double.isNaN(exact)) {
      throw Selection.notANumber(table.host(trie.someSlot(node)), instance);
    }
    return exact;
  }

  /** Evaluates a host that has room. Its score is that of the current node. */
  @Override
  public boolean visit(int slot) {
    long tie = SeededTieBreaker.toss(draw, trie.tieHash(slot), groupBits);
    HostRecord rival = best;
    if (rival != null && scoreHere == bestScore && tie < bestTie) {
      return true; // hosts of later groups lose against the rival, too
    }
    HostRecord host = table.host(slot);
    InstanceRecord subject = instance;
    if (host == null || subject == null || !PlacementRules.mayRunOn(subject, host)) {
      return false;
    }
    if (PlacementRules.isKeptOff(subject, host)) {
      blockedBySibling = true;
      return false;
    }
    if (peers != null) {
      if (peers.refuseByHost(subject, host)) {
        blockedByPeer = true;
        return false;
      }
      if (PeerRules.isValuedForItself(subject, host)) {
        return false; // it is evaluated apart
      }
    }
    if (rival == null
        || scoreHere > bestScore
        || tie > bestTie
        || (tie == bestTie && host.joined < rival.joined)) {
      best = host;
      bestScore = scoreHere;
      bestTie = tie;
    }
    return true;
  }

  /** Hosts of one capacity, as a score sees them. */
  private final class Amounts implements AllocationScore.Fit {

    private long[] capacity = InstanceRecord.NOTHING;
    private long[] used = InstanceRecord.NOTHING;
    private int node = HostTrie.NONE; // of one of which this is; none: of many

    @Override
    public long now() {
      return state.now();
    }

    @Override
    public int dimensions() {
      return dimensions;
    }

    @Override
    public long capacity(int dimension) {
      return capacity[dimension];
    }

    @Override
    public long used(int dimension) {
      return used[dimension];
    }

    @Override
    public Dimension dimension(int number) {
      return table.dimension(number);
    }

    @Override
    public Host host() {
      return present(node == HostTrie.NONE ? null : table.host(trie.someSlot(node)));
    }

    @Override
    public Instance instance() {
      return present(node == HostTrie.NONE ? null : instance);
    }

    private static <T> T present(@Nullable T asked) {
      checkState(asked != null, "the bound of a score is that of many hosts");
      return asked;
    }
  }
}
