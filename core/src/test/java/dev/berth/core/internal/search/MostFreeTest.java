package dev.berth.core.internal.search;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.host.HostChanges;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class MostFreeTest {

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final MostFree mostFree = new MostFree(state);
  private final List<HostRecord> hosts = new ArrayList<>();

  @Property(tries = 1_000)
  void isTheMaximumOfAllHosts(@ForAll long seed) {
    new MostFreeTest().check(new SplittableRandom(seed));
  }

  @Test
  void limitsTheDimensionsThatBothTheDemandAndTheHostsName() {
    join(0, cores(4, 4));
    mostFree.refresh();

    assertThat(mostFree.mayFit(new long[] {4_000_000_000L}, 1)).isTrue();
    assertThat(mostFree.mayFit(new long[] {4_000_000_001L}, 1)).isFalse();
    assertThat(mostFree.mayFit(new long[] {4_000_000_000L, 4_000_000_000L, 1}, 1)).isTrue();
  }

  /** As many hosts as the table of hosts has room for at first. */
  @Test
  void closedHostHasNothingFree() {
    IntStream.rangeClosed(1, 16).forEach(cores -> join(cores, cores(cores)));
    new HostChanges(state).cordon("h16", 20);

    mostFree.refresh();

    assertThat(mostFree.mayFit(new long[] {15_000_000_000L}, 1)).isTrue();
    assertThat(mostFree.mayFit(new long[] {15_000_000_001L}, 1)).isFalse();
  }

  private void join(int number, Resources capacity) {
    hosts.add((HostRecord) events.addHost(new HostSpec("h" + number, capacity), number));
  }

  private void check(SplittableRandom random) {
    for (int step = 0; step < 40; step++) {
      change(random, step);
      if (random.nextInt(3) == 0) {
        mostFree.refresh();
        long[] need = // often just what is free
            random.longs(state.table().dimensions(), 0, 10).map(i -> i * 1_000_000_000L).toArray();
        assertThat(mostFree.mayFit(need, 1)).isEqualTo(fitsByMaxima(need));
        for (HostRecord host : hosts) {
          for (int d = 0; d < need.length; d++) {
            assertThat(mostFree.exceedsAllBut(host.slot(), d, need[d]))
                .isEqualTo(exceedsAllBut(host, d, need[d]));
          }
        }
      }
    }
  }

  private void change(SplittableRandom random, int step) {
    int kind = hosts.isEmpty() ? 0 : random.nextInt(6);
    if (kind <= 1) {
      Resources capacity =
          step > 30 && random.nextBoolean()
              ? Resources.of(new Dimension("gpu", 1), 1 + random.nextInt(8))
              : cores(1 + random.nextInt(9), 1 + random.nextInt(9));
      join(step, capacity);
    } else if (kind == 2) {
      HostRecord host = hosts.remove(random.nextInt(hosts.size()));
      mostFree.left(host);
      events.removeHost(host.id(), step);
    } else {
      HostRecord host = hosts.get(random.nextInt(hosts.size()));
      Request request =
          Request.builder("i" + step, "gold")
              .demand(cores(random.nextInt(4), random.nextInt(4)))
              .build();
      InstanceRecord instance = (InstanceRecord) events.submit(request, step);
      if (state.table().fits(host.slot(), instance.demand)) {
        transitions.place(instance, host, instance.wholeDemand);
      }
    }
  }

  private boolean fitsByMaxima(long[] need) {
    for (int d = 0; d < need.length; d++) {
      int dimension = d;
      if (hosts.stream().noneMatch(each -> need[dimension] <= free(each, dimension))) {
        return false;
      }
    }
    return true;
  }

  private boolean exceedsAllBut(HostRecord host, int dimension, long amount) {
    return hosts.stream().noneMatch(each -> each != host && amount <= free(each, dimension));
  }

  private long free(HostRecord host, int dimension) {
    return state.table().free(host.slot(), dimension);
  }
}
