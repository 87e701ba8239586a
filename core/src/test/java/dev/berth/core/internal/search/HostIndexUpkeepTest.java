package dev.berth.core.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.core.internal.state.HostRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which hosts and capacities the host index looks at again before a search. */
class HostIndexUpkeepTest {

  private final IndexedHosts cluster = new IndexedHosts(IndexedHosts.emptiestFirst());

  /**
   * An index of 8 hosts is made anew once 3 of them have changed. Otherwise it looks at the changed
   * ones only, so it misses a change that is not noted.
   */
  @ParameterizedTest
  @CsvSource({"0, true", "1, true", "2, true", "3, false", "4, false", "7, false"})
  void looksAtChangedHostsOnlyUnlessManyHaveChanged(int changes, boolean missesTheChange) {
    List<HostRecord> hosts = new ArrayList<>(cluster.hosts(8, 1, 1, 1, 1, 1, 1, 1, 1));
    HostRecord full = hosts.remove(7); // the one that changed last before the search
    assertThat(cluster.winners()).contains(full);

    cluster.useUnnoticed(full, 7);
    hosts.subList(0, changes).forEach(each -> cluster.use(each, 0));

    assertThat(cluster.winners().contains(full)).isEqualTo(missesTheChange);
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
    int less = ~hosts.get(0).slot;
    int more = ~hosts.get(1).slot;

    assertThat(cluster.index.refresh(0, less, more)).isFalse();
    assertThat(cluster.index.refresh(0, less, less)).isTrue();
    assertThat(cluster.index.refresh(0, less, less)).isFalse();
    assertThat(cluster.index.refresh(0, less, more)).isTrue();
    assertThat(cluster.index.refresh(0, more, more)).isTrue();
  }
}
