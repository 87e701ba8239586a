package dev.berth.core.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class HostTableTest {

  private static final Dimension A = new Dimension("a", 1);
  private static final Dimension B = new Dimension("b", 1);
  private static final Dimension C = new Dimension("c", 1);

  private final HostTable table = new HostTable();

  @Test
  void numbersDimensionsInOrderOfAppearance() {
    assertThat(table.dense(Resources.of(C, 7))).containsExactly(7);
    assertThat(table.dense(Resources.of(A, 1, C, 3))).containsExactly(3, 1);
    assertThat(table.dense(Resources.of(A, 5))).containsExactly(0, 5);
    assertThat(table.dense(Resources.none())).containsExactly(0, 0);

    assertThat(table.dimensions()).isEqualTo(2);
    assertThat(table.numberOf(C)).isZero();
    assertThat(table.dimension(1)).isEqualTo(A);
    assertThat(table.numberOf(B)).isEqualTo(-1);
  }

  @Test
  void refusesADifferentScale() {
    table.dense(Resources.of(A, 1));

    assertThat(table.clash(Resources.of(A, 1, B, 1))).isNull();
    assertThat(table.clash(Resources.of(B, 1, new Dimension("a", 10), 1))).isEqualTo(A);
    assertThat(table.clash(Resources.none())).isNull();
  }

  @Test
  void newHostHasAllCapacityFree() {
    HostRecord h1 = host("h1", Resources.of(A, 4, B, 8));

    assertThat(table.host(h1.slot())).isSameAs(h1);
    assertThat(table.capacity(h1.slot(), 0)).isEqualTo(4);
    assertThat(table.free(h1.slot(), 1)).isEqualTo(8);
  }

  @Test
  void hostsThatComeBackInReverseOrderHaveTheirFormerSlots() {
    HostRecord h1 = host("h1", Resources.of(A, 4));
    HostRecord h2 = host("h2", Resources.of(A, 8));
    table.remove(h1.slot());
    table.remove(h2.slot());

    assertThat(table.add(h2, new long[] {8})).isEqualTo(h2.slot());
    assertThat(table.add(h1, new long[] {4})).isEqualTo(h1.slot());

    assertThat(table.host(h1.slot())).isSameAs(h1);
    assertThat(free(h2)[0]).isEqualTo(8);
  }

  @Test
  void holdAndReleaseChangeOnlyFreeCapacity() {
    HostRecord h1 = host("h1", Resources.of(A, 4, B, 8));
    HostRecord h2 = host("h2", Resources.of(A, 4, B, 8));
    long[] demand = {3, 1};

    table.take(h1.slot(), demand);

    assertThat(free(h1)).containsExactly(1, 7);
    assertThat(free(h2)).containsExactly(4, 8);
    assertThat(table.capacity(h1.slot(), 0)).isEqualTo(4);
    assertThat(table.fits(h1.slot(), demand)).isFalse();
    assertThat(table.fits(h2.slot(), demand)).isTrue();

    table.giveBack(h1.slot(), demand);

    assertThat(free(h1)).containsExactly(4, 8);
  }

  @Test
  void demandMayHaveFewerDimensions() {
    HostRecord h1 = host("h1", Resources.builder().put(A, 4).put(B, 8).put(C, 2).build());

    table.take(h1.slot(), new long[] {4});

    assertThat(free(h1)).containsExactly(0, 8, 2);
    assertThat(table.fits(h1.slot(), new long[] {1})).isFalse();
    assertThat(table.fits(h1.slot(), new long[] {0})).isTrue();
    assertThat(table.fits(h1.slot(), new long[] {})).isTrue();
  }

  @Test
  void wideningKeepsEveryHostsAmounts() {
    HostRecord h1 = host("h1", Resources.of(A, 4, B, 8));
    table.take(h1.slot(), new long[] {1, 2});

    HostRecord h2 = host("h2", Resources.of(C, 16)); // the third dimension widens the rows

    assertThat(free(h1)).containsExactly(3, 6, 0);
    assertThat(free(h2)).containsExactly(0, 0, 16);
    table.giveBack(h1.slot(), new long[] {1, 2});
    assertThat(free(h1)).containsExactly(4, 8, 0);
  }

  @Test
  void widensAFullTable() {
    List<HostRecord> hosts =
        IntStream.range(0, 16).mapToObj(i -> host("h" + i, Resources.of(A, i, B, 2L * i))).toList();
    hosts.forEach(each -> table.take(each.slot(), new long[] {0, each.slot()}));
    assertThat(table.canHave(hosts.get(15).slot(), new long[] {1, 1}, new long[] {})).isTrue();

    table.dense(Resources.of(C, 1));

    for (int i = 0; i < 16; i++) {
      assertThat(capacity(hosts.get(i))).containsExactly(i, 2L * i, 0);
      assertThat(free(hosts.get(i))).containsExactly(i, i, 0);
    }
  }

  @Test
  void foreignLoadIsKeptWhileTheTableGrows() {
    host("first", Resources.of(A, 1));
    HostRecord second = host("second", Resources.of(A, 4, B, 8));
    table.change(second.slot(), new long[] {4, 8}, new long[] {1, 2});

    table.dense(Resources.of(C, 1)); // widens the rows
    List<HostRecord> others =
        IntStream.range(2, 17).mapToObj(i -> host("h" + i, Resources.of(C, 7))).toList();
    HostRecord last = others.get(14);
    table.change(last.slot(), new long[] {0, 0, 7}, new long[] {0, 0, 3});

    assertThat(free(second)).containsExactly(3, 6, 0);
    assertThat(table.usable(second.slot(), 1)).isEqualTo(6);
    assertThat(free(last)).containsExactly(0, 0, 4);
    table.change(second.slot(), new long[] {4, 8}, new long[] {});
    assertThat(free(second)).containsExactly(4, 8, 0);
  }

  @Test
  void whatIsFreeMustBeCountable() {
    HostRecord host = host("h", Resources.of(A, 1));
    long[] most = {Long.MAX_VALUE};
    assertThat(table.canHave(host.slot(), new long[] {0}, most)).isTrue();

    table.take(host.slot(), new long[] {1});

    assertThat(table.canHave(host.slot(), new long[] {0}, most)).isFalse();
    assertThat(table.canHave(host.slot(), new long[] {1}, most)).isTrue();
  }

  @Test
  void reusedSlotIsCleared() {
    HostRecord h1 = host("h1", Resources.of(A, 4, B, 8));
    HostRecord h2 = host("h2", Resources.of(A, 1));
    table.take(h1.slot(), new long[] {3, 3});

    table.remove(h1.slot());

    assertThat(table.host(h1.slot())).isNull();
    assertThat(free(h1)).containsExactly(0, 0);
    assertThat(capacity(h1)).containsExactly(0, 0);

    HostRecord h3 = host("h3", Resources.of(B, 5));

    assertThat(h3.slot()).isEqualTo(h1.slot());
    assertThat(table.slots()).isEqualTo(2);
    assertThat(free(h3)).containsExactly(0, 5);
    assertThat(free(h2)).containsExactly(1, 0);
  }

  @Test
  void growsInHostsAndDimensionsAtOnce() {
    for (int i = 0; i < 100; i++) {
      HostRecord each = host("h" + i, Resources.of(new Dimension("d" + i % 10, 1), i + 1));
      table.take(each.slot(), new long[] {});
    }

    for (int slot = 0; slot < 100; slot++) {
      for (int d = 0; d < 10; d++) {
        assertThat(table.free(slot, d)).isEqualTo(slot % 10 == d ? slot + 1 : 0);
      }
    }
  }

  /** A host joins, leaves, takes or gives back; checked against plain maps. */
  @Property(tries = 300)
  void agreesWithPlainMaps(@ForAll("steps") List<Step> steps) {
    HostTable tried = new HostTable();
    Map<String, HostRecord> present = new HashMap<>();
    Map<String, Map<Dimension, Long>> free = new TreeMap<>();
    for (Step step : steps) {
      String id = "h" + step.host;
      Dimension dimension = new Dimension("d" + step.dimension, 1);
      HostRecord host = present.get(id);
      if (host == null) {
        Resources capacity = Resources.of(dimension, step.amount);
        present.put(
            id,
            new HostRecord(new HostSpec(id, capacity), null, tried, tried.dense(capacity), 0, 0));
        free.put(id, new HashMap<>(Map.of(dimension, (long) step.amount)));
      } else if (step.amount == 1) {
        tried.remove(host.slot());
        present.remove(id);
        free.remove(id);
      } else {
        long[] demand = tried.dense(Resources.of(dimension, step.amount));
        boolean fits = free.get(id).getOrDefault(dimension, 0L) >= step.amount;
        assertThat(tried.fits(host.slot(), demand)).isEqualTo(fits);
        if (fits) {
          tried.take(host.slot(), demand);
          free.get(id).merge(dimension, (long) -step.amount, Long::sum);
        }
      }
      present.forEach(
          (name, each) -> {
            for (int d = 0; d < tried.dimensions(); d++) {
              assertThat(tried.free(each.slot(), d))
                  .isEqualTo(free.get(name).getOrDefault(tried.dimension(d), 0L));
            }
            assertThat(tried.host(each.slot())).isSameAs(each);
          });
    }
  }

  private record Step(int host, int dimension, int amount) {}

  @Provide
  static Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 24),
            Arbitraries.integers().between(0, 6),
            Arbitraries.integers().between(1, 5))
        .as(Step::new)
        .list()
        .ofMaxSize(100);
  }

  private HostRecord host(String id, Resources capacity) {
    return new HostRecord(new HostSpec(id, capacity), null, table, table.dense(capacity), 0, 0);
  }

  private long[] free(HostRecord host) {
    long[] free = new long[table.dimensions()];
    table.copyFree(host.slot(), free);
    return free;
  }

  private long[] capacity(HostRecord host) {
    return IntStream.range(0, table.dimensions())
        .mapToLong(d -> table.capacity(host.slot(), d))
        .toArray();
  }
}
