package dev.berth.simulator;

import static dev.berth.simulator.Cases.GOLD;
import static dev.berth.simulator.Cases.arrival;
import static dev.berth.simulator.Cases.hosts;
import static dev.berth.simulator.Cases.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.api.batch.GroupSpec.OnLoss;
import dev.berth.core.Scheduler;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Groups in a simulation. */
class GroupArrivalsTest {

  private final List<RequestOutcome> outcomes = new ArrayList<>();

  private RunResult run(int cores, Arrival... arrivals) {
    return run(hosts(cores), List.of(), arrivals);
  }

  private RunResult run(Infrastructure hosts, List<HostEvent> events, Arrival... arrivals) {
    return Simulation.builder()
        .infrastructure(hosts)
        .hostEvents(events)
        .workload(Workload.of("test requests", List.of(GOLD), Arrays.asList(arrivals)))
        .scheduler(Scheduler.builder().policy("pipeline", context -> context.pipeline().build()))
        .listener(SimulationListener.onRequestEnded(outcomes::add))
        .build()
        .run();
  }

  private static Arrival in(String group, OptionalInt minCount, String id, double at, double work) {
    Arrival alone = arrival(id, s(at), s(work));
    return new Arrival(
        alone.at(),
        alone.request(),
        alone.serviceTime(),
        alone.behaviour(),
        Optional.empty(),
        Optional.of(new Arrival.InGroup(group, minCount, OnLoss.RESTORE)));
  }

  private long endOf(String id) {
    return outcomes.stream()
        .filter(each -> each.report().id().equals(id))
        .findFirst()
        .orElseThrow()
        .report()
        .endedAt();
  }

  @Test
  void membersStartTogether() {
    RunResult result =
        run(
            2,
            arrival("before", 0, s(5)),
            in("g", OptionalInt.empty(), "a", 1, 3),
            in("g", OptionalInt.empty(), "b", 1, 4),
            arrival("later", s(2), s(1)));

    assertThat(result.completed()).isEqualTo(4);
    assertThat(endOf("later")).isEqualTo(s(3));
    assertThat(endOf("a")).isEqualTo(s(8));
    assertThat(endOf("b")).isEqualTo(s(9));
  }

  @Test
  void fewerMayDo() {
    run(
        2,
        arrival("before", 0, s(5)),
        in("g", OptionalInt.of(1), "a", 1, 3),
        in("g", OptionalInt.of(1), "b", 1, 4));

    assertThat(endOf("a")).isEqualTo(s(4));
    assertThat(endOf("b")).isEqualTo(s(8));
  }

  @Test
  void moreThanThereAreMeansAll() {
    RunResult result = run(1, in("g", OptionalInt.of(7), "a", 0, 3));

    assertThat(result.completed()).isEqualTo(1);
  }

  /** One of them does nothing of use while the other is down. */
  @Test
  void whatAMemberOfABrokenGroupServesCountsAsWaiting() {
    run(
        hosts(1, 1),
        List.of(new HostEvent.Fails(s(5), "h2"), new HostEvent.Recovers(s(8), "h2")),
        in("g", OptionalInt.empty(), "a", 0, 20),
        in("g", OptionalInt.empty(), "b", 0, 20));

    assertThat(outcomes)
        .extracting(each -> each.report().serviceTime(), each -> each.report().waitingTime())
        .containsExactly(tuple(s(17), s(3)), tuple(s(20), s(3)));
  }
}
