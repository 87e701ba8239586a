package dev.berth.core.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.internal.cluster.ClassRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.search.RoomBound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitingQueueTest {

  private static final ClassRecord GOLD =
      ClassRecord.rank(List.of(ServiceClass.builder("gold").build())).get("gold");
  private static final Comparator<InstanceRecord> ORDER =
      Comparator.<InstanceRecord>comparingLong(each -> each.queueKey())
          .thenComparing(InstanceRecord::id);

  private final WaitingQueue queue = new WaitingQueue(ORDER);

  private static final class Need {

    final long[] amounts;
    final long runTime;

    Need(long[] amounts, long runTime) {
      this.amounts = amounts;
      this.runTime = runTime;
    }
  }

  /** Requests know different numbers of dimensions, since hosts may add some later. */
  @Property(tries = 300)
  void findsTheNextThatABoundKeeps(@ForAll long seed, @ForAll @IntRange(min = 1, max = 80) int n) {
    new WaitingQueueTest().check(new SplittableRandom(seed), n);
  }

  private void check(SplittableRandom random, int n) {
    TreeMap<InstanceRecord, Need> present = new TreeMap<>(ORDER);
    for (int step = 0; step < n; step++) {
      if (!present.isEmpty() && random.nextInt(3) == 0) {
        InstanceRecord leaving = List.copyOf(present.keySet()).get(random.nextInt(present.size()));
        queue.remove(leaving);
        present.remove(leaving);
      } else {
        InstanceRecord instance = instance("r" + step, random.nextInt(10), random.nextLong());
        Need need =
            new Need(random.longs(random.nextInt(3), 0, 8).toArray(), random.nextLong(1, 8));
        queue.add(instance, need.amounts, need.runTime);
        present.put(instance, need);
      }
      RoomBound bound = bound(random);
      InstanceRecord after =
          random.nextInt(4) == 0 ? null : instance("r" + random.nextInt(n), random.nextInt(10), 0);
      InstanceRecord expected =
          (after == null ? present : present.tailMap(after, false))
              .entrySet().stream()
                  .filter(each -> bound.mayFit(each.getValue().amounts, each.getValue().runTime))
                  .map(Map.Entry::getKey)
                  .findFirst()
                  .orElse(null);

      assertThat(queue.next(after, bound)).isEqualTo(expected);
    }
  }

  /** The shorter the run, the more is free, as in the shadow of a reservation. */
  private static RoomBound bound(SplittableRandom random) {
    long[] forShort = random.longs(2, 0, 8).toArray();
    long[] forLong = Arrays.stream(forShort).map(each -> each - random.nextInt(4)).toArray();
    long shortest = random.nextLong(1, 8);
    return (need, runTime) -> {
      long[] free = runTime <= shortest ? forShort : forLong;
      for (int d = 0; d < need.length; d++) {
        if (need[d] > free[d]) {
          return false;
        }
      }
      return true;
    };
  }

  @Test
  void removesOnlyWhatItHolds() {
    InstanceRecord present = instance("a", 1, 1);
    queue.add(present, new long[0], 1);

    assertThatIllegalStateException().isThrownBy(() -> queue.remove(instance("b", 2, 2)));

    queue.remove(present);
    assertThat(queue.next(null)).isNull();
    assertThat(WaitingQueue.entry(present)).isNull();
  }

  // ---- The cost of a search

  private int looks; // at subtrees and instances
  private int comparisons;

  private final WaitingQueue counted =
      new WaitingQueue(
          (a, b) -> {
            comparisons++;
            return ORDER.compare(a, b);
          });

  /** Adds an instance; the higher its hash, the nearer it is to the root. */
  private InstanceRecord add(long queueKey, long tieHash, long need) {
    InstanceRecord added = instance("r" + queueKey, queueKey, tieHash);
    counted.add(added, new long[] {need}, 1);
    return added;
  }

  /** Searches for an instance that needs at most three. */
  private @Nullable InstanceRecord search(@Nullable InstanceRecord after) {
    looks = 0;
    comparisons = 0;
    return counted.next(
        after,
        (need, runTime) -> {
          looks++;
          return need[0] <= 3;
        });
  }

  @Test
  void subtreeInWhichNothingFitsCostsOneLook() {
    IntStream.range(0, 20).forEach(i -> add(i, (i * 7) % 20, 5));

    assertThat(search(null)).isNull();
    assertThat(looks).isEqualTo(1);
  }

  /** A root that is added last divides the tree, and neither half keeps the need of the other. */
  @Test
  void halvesOfADividedTreeKnowTheirOwnNeeds() {
    InstanceRecord left = add(1, 5, 5);
    InstanceRecord right = add(3, 1, 1);
    add(2, 9, 5);
    assertThat(search(left)).isSameAs(right);
    assertThat(looks).as("the tree, its left, the root, its right and that instance").isEqualTo(5);
    assertThat(comparisons).as("with the root, which is behind it").isEqualTo(1);
    counted.remove(right);
    assertThat(search(null)).isNull();
    assertThat(looks).as("the tree").isEqualTo(1);

    add(4, 1, 1);
    add(6, 20, 5);
    InstanceRecord root = add(5, 30, 5);
    assertThat(search(root)).isNull();
    assertThat(looks).as("the tree and its right").isEqualTo(2);
  }

  /** However instances come and leave, a search in a thousand of them looks at few. */
  @Test
  void searchLooksAtFewInstances() {
    SplittableRandom random = new SplittableRandom(7);
    List<InstanceRecord> all = new ArrayList<>();
    IntStream.range(0, 1000).forEach(i -> all.add(add(i, random.nextLong(), 1)));
    assertThat(search(all.get(998))).isSameAs(all.get(999));
    assertThat(looks).isLessThan(50);

    List<InstanceRecord> fromTheRoot = new ArrayList<>(all);
    fromTheRoot.sort(Comparator.<InstanceRecord>comparingLong(each -> each.tieHash).reversed());
    fromTheRoot.subList(0, 500).forEach(counted::remove);

    assertThat(search(null)).isNotNull();
    assertThat(looks).isLessThan(50);
  }

  private static InstanceRecord instance(String id, long queueKey, long tieHash) {
    InstanceRecord instance =
        new InstanceRecord(
            Request.builder(id, "gold").demand(Resources.none()).build(),
            GOLD,
            new long[0],
            null,
            null,
            null,
            null,
            0,
            0,
            tieHash);
    instance.nextWait(queueKey, 0);
    instance.takeKeys();
    return instance;
  }
}
