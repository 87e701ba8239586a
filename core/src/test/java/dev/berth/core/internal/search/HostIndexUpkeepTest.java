package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.core.internal.cluster.HostRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which hosts and capacities the host index looks at again before a search. */
class HostIndexUpkeepTest {

  private static final long EIGHTH = 1L << 59;

  private final IndexedHosts cluster = new IndexedHosts(IndexedHosts.emptiestFirst());

  /**
   * An index of 8 hosts is made anew once 3 of them have changed. Otherwise it looks at the changed
   * ones only, so it misses a change that is not noted.
   */
  @ParameterizedTest
  @CsvSource({
    "0, false, true", "1, false, true", "2, false, true", "2, true, true",
    "3, false, false", "4, false, false", "7, false, false", "7, true, false"
  })
  void looksAtChangedHostsOnlyUnlessManyHaveChanged(
      int changes, boolean byAttributes, boolean missesTheChange) {
    IndexedHosts indexed = new IndexedHosts(IndexedHosts.emptiestFirst(), byAttributes);
    List<HostRecord> hosts = new ArrayList<>(indexed.hosts(8, 1, 1, 1, 1, 1, 1, 1, 1));
    HostRecord full = hosts.remove(7); // the one that changed last before the search
    assertThat(indexed.winners()).contains(full);

    indexed.useUnnoticed(full, 7);
    hosts.subList(0, changes).forEach(each -> indexed.use(each, 0));

    assertThat(indexed.winners().contains(full)).isEqualTo(missesTheChange);
  }

  @Test
  void newDimensionMakesTheIndexAnew() {
    HostRecord full = cluster.hosts(8, 1, 1, 1, 1, 1, 1, 1, 1).get(7);
    assertThat(cluster.winners()).contains(full);
    cluster.useUnnoticed(full, 7);

    cluster.join(Resources.of(new Dimension("late", 1), 4));

    assertThat(cluster.winners()).isNotEmpty().doesNotContain(full);
  }

  /** A host in slot 1 stays, so there are 2 slots, and up to 20 capacities are kept. */
  @Test
  void forgetsCapacitiesOfHostsThatLeft() {
    HostRecord guest = cluster.hosts(100, 0).get(0);
    HostRecord stays = cluster.hosts(101, 9).get(0);
    List<Integer> trees = new ArrayList<>();
    for (int capacity = 102; capacity < 124; capacity++) {
      assertThat(cluster.best(1)).isSameAs(guest);
      trees.add(cluster.index.trees());
      cluster.leave(guest);
      assertThat(cluster.best(1)).isSameAs(stays);
      guest = cluster.hosts(capacity, 0).get(0);
    }

    List<Integer> expected = new ArrayList<>(IntStream.rangeClosed(2, 21).boxed().toList());
    expected.addAll(List.of(2, 3)); // two trees once more than 20 are known
    assertThat(trees).isEqualTo(expected);
  }

  /** An ancestor needs no refresh if the range of a node is the same as before. */
  @Test
  void tellsWhetherTheRangeOfANodeHasChanged() {
    List<HostRecord> hosts = cluster.hosts(8, 1, 4);
    cluster.best(1);
    int less = ~hosts.get(0).slot();
    int more = ~hosts.get(1).slot();

    assertThat(cluster.index.refresh(0, less, more)).isFalse();
    assertThat(cluster.index.refresh(0, less, less)).isTrue();
    assertThat(cluster.index.refresh(0, less, less)).isFalse();
    assertThat(cluster.index.refresh(0, less, more)).isTrue();
    assertThat(cluster.index.refresh(0, more, more)).isTrue();
  }

  /**
   * Eight hosts make a full tree: the root 0 with the nodes 1 and 4, below which are 2 and 3, and 5
   * and 6. A node whose range is made wrong stays wrong until it is refreshed.
   */
  @Test
  void refreshesNoNodeForAHostWithTheSameFreeCapacity() {
    List<HostRecord> hosts = eightOfHugeCapacity();
    cluster.best(1);
    cluster.index.refresh(4, 5, 5); // both hosts of 5, as if it had no others

    cluster.touch(hosts.get(2));
    cluster.best(1);

    assertThat(cluster.asked).startsWith(bound(1, 8), bound(5, 8), bound(3, 4));
  }

  /** The change is too small for the key, and inside the range of the node above the next. */
  @Test
  void refreshesOnlyNodesWhoseRangeMayChangeIfTheKeyIsTheSame() {
    List<HostRecord> hosts = eightOfHugeCapacity();
    cluster.best(1);
    cluster.index.refresh(0, 1, 1);

    cluster.use(hosts.get(2), 1);
    cluster.best(1);

    assertThat(cluster.asked).startsWith(bound(5, 8), bound(5, 8), bound(1, 4));
  }

  /** Returns hosts that use one to eight eighths of their capacity. */
  private List<HostRecord> eightOfHugeCapacity() {
    return cluster.hosts(8 * EIGHTH, LongStream.rangeClosed(1, 8).map(i -> i * EIGHTH).toArray());
  }

  private static String bound(long least, long most) {
    return "bound " + (least * EIGHTH + 1) + ".." + Math.min(most * EIGHTH + 1, 8 * EIGHTH);
  }
}
