package dev.berth.core.internal.search;

import static dev.berth.core.Cluster.cores;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.core.Cluster;
import dev.berth.core.internal.cluster.HostRecord;
import dev.berth.core.internal.cluster.InstanceRecord;
import dev.berth.core.internal.state.ClusterEvents;
import dev.berth.core.internal.state.ClusterState;
import dev.berth.core.internal.state.Transitions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** With the reservation of the head alone, the short-cut answers as the whole profile does. */
class HeadReservationTest {

  private static final long CORE = 1_000_000_000;

  private final ClusterState state = new ClusterState(0, List.of(Cluster.GOLD));
  private final Transitions transitions = new Transitions(state);
  private final ClusterEvents events = new ClusterEvents(state, transitions);
  private final MostFree mostFree = new MostFree(state);
  private final ExpectedEnds ends = new ExpectedEnds(state.table());
  private final HeadReservation head = new HeadReservation(state, ends, mostFree);
  private final AvailabilityProfile profile = new AvailabilityProfile(state, ends, mostFree);
  private final List<HostRecord> hosts = new ArrayList<>();
  private int instances;

  @Property(tries = 2_500)
  void answersAsTheProfile(@ForAll long seed) {
    new HeadReservationTest().check(new SplittableRandom(seed));
  }

  private void check(SplittableRandom random) {
    int count = 1 + random.nextInt(3);
    for (int h = 0; h < count; h++) {
      hosts.add(host(random, h));
    }
    hosts.forEach(ends::joined);
    for (int i = 0; i < 12; i++) {
      resident(random, i);
    }
    for (HostRecord host : hosts) {
      host.residents.forEach(each -> ends.isOnHost(each, host));
    }
    head.begin(20);
    profile.begin(20);
    mostFree.refresh();

    InstanceRecord first = pending(random, 20);
    HostRecord where = hosts.get(random.nextInt(hosts.size()));
    boolean mayStartNow = random.nextBoolean();
    long earliest = head.earliest(where, first, first.wholeDemand, mayStartNow);
    assertThat(earliest).isEqualTo(profile.earliest(where, first, first.wholeDemand, mayStartNow));
    if (earliest != Reservations.NEVER) {
      head.reserve(where, first, first.wholeDemand, earliest);
      profile.reserve(where, first, first.wholeDemand, earliest);
    } else {
      for (HostRecord host : hosts.subList(0, 1 + random.nextInt(count))) { // it fits not all
        head.keep(host, first, first.wholeDemand);
        profile.keep(host, first, first.wholeDemand);
      }
    }
    for (int i = 0; i < 6; i++) {
      InstanceRecord next = pending(random, 20);
      boolean any = false;
      for (HostRecord host : hosts) {
        if (state.table().fits(host.slot(), next.demand)) {
          boolean room = profile.hasRoom(host, next, next.wholeDemand);
          assertThat(head.hasRoom(host, next, next.wholeDemand)).isEqualTo(room);
          any |= room;
        }
      }
      long run = RunTimes.remaining(next, next.demand, ends.cpu(), 20);
      assertThat(!any || head.mayFit(next.demand, run)).as("the bound keeps it").isTrue();
      HostRecord on = hosts.get(random.nextInt(hosts.size()));
      if (state.table().fits(on.slot(), next.demand)
          && profile.hasRoom(on, next, next.wholeDemand)) {
        head.starts(on, next, next.wholeDemand);
        profile.starts(on, next, next.wholeDemand);
        transitions.place(next, on, next.wholeDemand);
        ends.isOnHost(next, on);
        mostFree.refresh();
      }
    }
  }

  @Test
  void boundLimitsTheDimensionsThatBothTheDemandAndTheHostsName() {
    HostRecord host = (HostRecord) events.addHost(new HostSpec("h", cores(4, 4)), 0);
    ends.joined(host);
    InstanceRecord resident = pending(cores(2, 0), 10, 0);
    transitions.place(resident, host, resident.wholeDemand);
    events.started(resident.id(), 0);
    ends.isOnHost(resident, host);
    mostFree.refresh();
    head.begin(0);
    assertThat(head.mayFit(new long[] {CORE, 4 * CORE}, 99)).isTrue();
    assertThat(head.mayFit(new long[] {3 * CORE}, 1)).as("free on no host").isFalse();

    InstanceRecord first = pending(cores(4, 0), 5, 0);
    head.reserve(host, first, first.wholeDemand, 10);

    assertThat(head.mayFit(new long[] {CORE}, 10)).isTrue();
    assertThat(head.mayFit(new long[] {CORE}, 11)).isFalse();
    assertThat(head.mayFit(new long[] {0}, 11)).isTrue();
    assertThat(head.mayFit(new long[] {0, 4 * CORE, 1}, 11)).isTrue();
  }

  private HostRecord host(SplittableRandom random, int number) {
    HostSpec spec =
        new HostSpec(
            "h" + number,
            cores(2 + random.nextInt(7), 2 + random.nextInt(7)),
            Map.of(),
            random.nextInt(4) == 0);
    return (HostRecord) events.addHost(spec, 0);
  }

  private void resident(SplittableRandom random, int time) {
    InstanceRecord instance = pending(random, time);
    HostRecord host = hosts.get(random.nextInt(hosts.size()));
    if (state.table().fits(host.slot(), instance.demand)) {
      transitions.place(instance, host, instance.wholeDemand);
      if (random.nextInt(4) > 0) {
        events.started(instance.id(), time);
      }
    }
  }

  private InstanceRecord pending(SplittableRandom random, long time) {
    Resources demand = cores(random.nextInt(6), random.nextInt(6));
    return pending(demand, random.nextInt(6) > 0 ? 1 + random.nextInt(40) : 0, time);
  }

  /** Submits a request; the estimate 0 means none. */
  private InstanceRecord pending(Resources demand, long estimate, long time) {
    Request.Builder request = Request.builder("i" + instances++, "gold").demand(demand);
    if (estimate > 0) {
      request.estimatedRunTime(Duration.ofNanos(estimate));
    }
    return (InstanceRecord) events.submit(request.build(), time);
  }
}
