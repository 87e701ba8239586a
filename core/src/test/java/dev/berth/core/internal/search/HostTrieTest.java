package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.HostTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the trie with sorted lists. */
class HostTrieTest {

  private static final int HOSTS = 60;
  private static final int TREES = 2;

  /** Hosts join, leave and change; keys, hashes and followed values are often equal. */
  @Property(tries = 2_000)
  void keepsHostsInOrder(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int words) {
    SplittableRandom random = new SplittableRandom(seed);
    Greatest greatest = new Greatest();
    HostTrie trie = new HostTrie(words, greatest);
    trie.trees(TREES);
    List<HostRecord> hosts = hosts(random);
    List<TreeMap<Integer, long[]>> expected = List.of(new TreeMap<>(), new TreeMap<>());
    for (int step = 0; step < 300; step++) {
      HostRecord host = hosts.get(random.nextInt(HOSTS));
      int tree = random.nextInt(TREES);
      if (!trie.contains(host.slot())) {
        long[] key = key(random, words);
        trie.add(tree, host, key);
        expected.get(tree).put(host.slot(), key);
        assertThat(trie.treeOf(host.slot())).isEqualTo(tree);
        assertThat(trie.hasKey(host.slot(), key)).isTrue();
        assertThat(trie.tieHash(host.slot())).isEqualTo(host.tieHash);
      } else if (random.nextBoolean()) {
        greatest.values[host.slot()] = random.nextInt(100);
        trie.touched(host.slot());
      } else if (step % 97 == 96) {
        trie.clear();
        expected.forEach(TreeMap::clear);
      } else if (step % 13 == 12) {
        int from = trie.treeOf(host.slot());
        long[] key = key(random, words);
        trie.label(tree, host, key);
        trie.fill();
        expected.get(from).remove(host.slot());
        expected.get(tree).put(host.slot(), key);
      } else {
        expected.get(trie.treeOf(host.slot())).remove(host.slot());
        trie.remove(host.slot());
      }
    }
    for (int tree = 0; tree < TREES; tree++) {
      TreeMap<Integer, long[]> inTree = expected.get(tree);
      List<Integer> slots = new ArrayList<>();
      if (trie.root(tree) != HostTrie.NONE) {
        collect(trie, trie.root(tree), slots);
        assertThat(greatest.of(trie.root(tree)))
            .isEqualTo(slots.stream().mapToInt(each -> greatest.values[each]).max().orElseThrow());
        assertThat(inTree).containsKey(trie.someSlot(trie.root(tree)));
      }
      Comparator<Integer> order =
          Comparator.<Integer, long[]>comparing(inTree::get, Arrays::compareUnsigned)
              .thenComparing(each -> hosts.get(each).tieHash, Long::compareUnsigned)
              .thenComparing(each -> hosts.get(each).joined);
      assertThat(slots).isEqualTo(inTree.keySet().stream().sorted(order).toList());
    }
  }

  /** Some hosts are not choosable. A host that the visit omits would have lost. */
  @Property(tries = 5_000)
  void findsTheTieWinnerAmongTheSmallest(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 3) int words,
      @ForAll @IntRange(max = 6) int groupBits) {
    SplittableRandom random = new SplittableRandom(seed);
    HostTrie trie = new HostTrie(words, HostTrie.Follower.NONE);
    trie.trees(1);
    List<long[]> keys = new ArrayList<>();
    List<HostRecord> hosts = hosts(random);
    for (HostRecord host : hosts) {
      keys.add(key(random, words));
      trie.add(0, host, keys.get(host.slot()));
    }
    long draw = random.nextLong();
    int share = 1 + random.nextInt(12);
    boolean[] choosable = new boolean[HOSTS];
    for (int i = 0; i < HOSTS; i++) {
      choosable[i] = random.nextInt(12) < share;
    }
    long[] smallest =
        hosts.stream()
            .filter(each -> choosable[each.slot()])
            .map(each -> keys.get(each.slot()))
            .min(Arrays::compareUnsigned)
            .orElse(null);

    Seen seen = new Seen(hosts, draw, groupBits, slot -> choosable[slot]);
    assertThat(trie.visitSmallest(trie.root(0), draw, groupBits, seen)).isEqualTo(smallest != null);

    assertThat(seen.winner())
        .isEqualTo(
            winner(
                hosts.stream()
                    .filter(each -> choosable[each.slot()])
                    .filter(each -> Arrays.equals(keys.get(each.slot()), smallest))
                    .toList(),
                draw,
                groupBits));
    if (smallest != null) {
      assertWinnerVisitedBelow(trie, trie.root(0), hosts, choosable, draw, groupBits);
    }
  }

  private static void assertWinnerVisitedBelow(
      HostTrie trie,
      int node,
      List<HostRecord> hosts,
      boolean[] choosable,
      long draw,
      int groupBits) {
    if (!HostTrie.isHost(node) && !trie.isOfOneKey(node)) {
      assertWinnerVisitedBelow(trie, trie.left(node), hosts, choosable, draw, groupBits);
      assertWinnerVisitedBelow(trie, trie.right(node), hosts, choosable, draw, groupBits);
      return;
    }
    List<Integer> below = new ArrayList<>();
    collect(trie, node, below);
    Seen seen = new Seen(hosts, draw, groupBits, slot -> choosable[slot]);
    trie.visitTied(node, draw, groupBits, seen);
    assertThat(below).containsAll(seen.slots);
    assertThat(seen.winner())
        .isEqualTo(
            winner(
                below.stream().filter(each -> choosable[each]).map(hosts::get).toList(),
                draw,
                groupBits));
  }

  /** The visit covers few of many hosts with equal keys. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void oneGroupDecidesALargeTie(int words) {
    HostTrie trie = new HostTrie(words, HostTrie.Follower.NONE);
    trie.trees(1);
    SplittableRandom random = new SplittableRandom(1);
    HostTable table = new HostTable();
    List<HostRecord> hosts = new ArrayList<>();
    for (int i = 0; i < 4096; i++) {
      hosts.add(host(table, i, random.nextLong()));
      trie.add(0, hosts.get(i), new long[words]);
    }
    int groupBits = SeededTieBreaker.groupBits(hosts.size());
    for (int i = 0; i < 100; i++) {
      long draw = i == 0 ? 0 : random.nextLong();
      Seen seen = new Seen(hosts, draw, groupBits, slot -> true);

      trie.visitTied(trie.root(0), draw, groupBits, seen);

      assertThat(seen.slots).hasSizeLessThan(100);
      assertThat(seen.winner()).isEqualTo(winner(hosts, draw, groupBits));
    }
  }

  /** The first ancestor is always refreshed, the others while those below have changed. */
  @Test
  void refreshesNoMoreAncestorsThanHaveChanged() {
    List<Integer> refreshed = new ArrayList<>();
    HostTrie trie =
        new HostTrie(
            1,
            new HostTrie.Follower() {
              @Override
              public void grow(int nodes) {}

              @Override
              public boolean refresh(int node, int left, int right) {
                refreshed.add(node);
                return false;
              }
            });
    trie.trees(1);
    List<HostRecord> hosts = hosts(new SplittableRandom(1)).subList(0, 16);
    hosts.forEach(each -> trie.label(0, each, new long[] {each.slot()}));
    trie.fill();
    refreshed.clear();

    trie.touched(15);

    assertThat(refreshed).hasSize(2);
    assertThat(trie.right(refreshed.get(0))).isEqualTo(~15);
    assertThat(trie.right(refreshed.get(1))).isEqualTo(refreshed.get(0));
    assertThat(HostTrie.Follower.NONE.refresh(0, ~0, ~1)).isFalse();
  }

  @Test
  void reusesTheNumbersOfNodesThatAreGone() {
    HostTrie trie = new HostTrie(1, HostTrie.Follower.NONE);
    trie.trees(1);
    List<HostRecord> hosts = hosts(new SplittableRandom(1)).subList(0, 16);
    hosts.forEach(each -> trie.add(0, each, new long[] {each.slot()}));
    assertThat(trie.nodeRoom()).isEqualTo(16); // 15 are in use

    for (int i = 0; i < 20; i++) {
      HostRecord moved = hosts.get(i % 16);
      trie.remove(moved.slot());
      trie.add(0, moved, new long[] {100 + i});
    }
    for (int i = 0; i < 20; i++) {
      trie.fill();
    }

    assertThat(trie.nodeRoom()).isEqualTo(16);
  }

  @Test
  void treeThatLosesAllHostsIsEmpty() {
    HostTrie trie = new HostTrie(1, HostTrie.Follower.NONE);
    trie.trees(2);
    List<HostRecord> hosts = hosts(new SplittableRandom(1)).subList(0, 3);
    hosts.forEach(each -> trie.add(0, each, new long[] {each.slot()}));

    hosts.forEach(each -> trie.label(1, each, new long[] {each.slot()}));
    trie.fill();

    assertThat(trie.root(0)).isEqualTo(HostTrie.NONE);
    assertThat(trie.someSlot(trie.root(1))).isZero();
  }

  @Test
  void refusesAHostThatIsThereAlready() {
    HostTrie trie = new HostTrie(1, HostTrie.Follower.NONE);
    trie.trees(1);
    HostRecord host = host(new HostTable(), 0, 42);
    trie.add(0, host, new long[] {7});

    assertThatIllegalStateException()
        .isThrownBy(() -> trie.add(0, host, new long[] {7}))
        .withMessage("a host is in this trie already");
  }

  private static void collect(HostTrie trie, int node, List<Integer> slots) {
    if (HostTrie.isHost(node)) {
      slots.add(HostTrie.slot(node));
    } else {
      collect(trie, trie.left(node), slots);
      collect(trie, trie.right(node), slots);
    }
  }

  private static @Nullable HostRecord winner(List<HostRecord> among, long draw, int groupBits) {
    return among.stream()
        .max(
            Comparator.<HostRecord>comparingLong(
                    each -> SeededTieBreaker.toss(draw, each.tieHash, groupBits))
                .thenComparing(each -> -each.joined))
        .orElse(null);
  }

  private static long[] key(SplittableRandom random, int words) {
    long[] key = new long[words];
    Arrays.setAll(key, i -> random.nextLong(-2, 2) >>> (random.nextBoolean() ? 0 : 62));
    return key;
  }

  private static List<HostRecord> hosts(SplittableRandom random) {
    long few = random.nextBoolean() ? -1 : 0x8000_0000_0000_0003L; // hashes, or all different
    HostTable table = new HostTable();
    List<HostRecord> hosts = new ArrayList<>();
    for (int i = 0; i < HOSTS; i++) {
      hosts.add(host(table, i, random.nextLong() & few));
    }
    return hosts;
  }

  private static HostRecord host(HostTable table, int number, long tieHash) {
    // A host that joined later may have a lower slot.
    long joined = number ^ 5;
    return new HostRecord(
        new HostSpec("h" + number, Resources.none()),
        null,
        table,
        table.dense(Resources.none()),
        tieHash,
        joined);
  }

  /** Records the visited hosts. */
  private record Seen(
      List<HostRecord> hosts, long draw, int groupBits, IntPredicate choosable, List<Integer> slots)
      implements HostTrie.Visitor {

    Seen(List<HostRecord> hosts, long draw, int groupBits, IntPredicate choosable) {
      this(hosts, draw, groupBits, choosable, new ArrayList<>());
    }

    @Override
    public boolean visit(int slot) {
      slots.add(slot);
      return choosable.test(slot);
    }

    @Nullable HostRecord winner() {
      assertThat(slots).doesNotHaveDuplicates();
      return HostTrieTest.winner(
          slots.stream().filter(choosable::test).map(hosts::get).toList(), draw, groupBits);
    }
  }

  /** Keeps the greatest value below each node. */
  private static final class Greatest implements HostTrie.Follower {

    private final int[] values = new int[HOSTS];
    private int[] below = new int[0];

    int of(int node) {
      return HostTrie.isHost(node) ? values[HostTrie.slot(node)] : below[node];
    }

    @Override
    public void grow(int nodes) {
      below = Arrays.copyOf(below, nodes);
    }

    @Override
    public boolean refresh(int node, int left, int right) {
      int before = below[node];
      below[node] = Math.max(of(left), of(right));
      return below[node] != before;
    }
  }
}
