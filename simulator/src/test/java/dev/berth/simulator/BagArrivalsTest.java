package dev.berth.simulator;

import static dev.berth.simulator.Cases.GOLD;
import static dev.berth.simulator.Cases.arrival;
import static dev.berth.simulator.Cases.hosts;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.Reason;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.BagReport;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.Scheduler;
import dev.berth.simulator.fleet.Infrastructure;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.Arrival.InBag;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Arrival, expiry and reports of bags of tasks in a simulation. */
class BagArrivalsTest {

  private static final Reason WHY = new Reason.PolicyChoice("test", "because");

  private final List<BagReport> bags = new ArrayList<>();
  private final List<RequestOutcome> outcomes = new ArrayList<>();

  private Simulation.Builder simulation(Infrastructure hosts, Arrival... arrivals) {
    return Simulation.builder()
        .infrastructure(hosts)
        .workload(Workload.of("test requests", List.of(GOLD), Arrays.asList(arrivals)))
        .scheduler(TestPolicies.firstFit())
        .listener(Cases.bagsTo(bags))
        .listener(SimulationListener.onRequestEnded(outcomes::add));
  }

  private static Arrival in(String bag, String id, double at, double work) {
    return in(bag, id, at, work, Optional.empty());
  }

  private static Arrival in(
      String bag, String id, double at, double work, Optional<Duration> timeToLive) {
    Arrival alone = arrival(id, s(at), s(work));
    return new Arrival(
        alone.at(),
        alone.request(),
        alone.serviceTime(),
        alone.behaviour(),
        Optional.of(new InBag(bag, timeToLive)));
  }

  @Test
  void reportsBagWhenItsLastMemberCompletes() {
    simulation(hosts(2), in("x", "a", 1, 5), in("x", "b", 1, 7), in("x", "c", 1, 1)).build().run();

    assertThat(bags).hasSize(1);
    assertThat(bags.get(0).isComplete()).isTrue();
    assertThat(bags.get(0).submittedAt()).isEqualTo(s(1));
    assertThat(bags.get(0).endedAt()).isEqualTo(s(8));
    assertThat(bags.get(0).serviceTime()).isEqualTo(s(13));
  }

  @Test
  void sameIdAtAnotherTimeIsAnotherBag() {
    simulation(hosts(1), in("x", "a", 0, 5), in("x", "b", 9, 2)).build().run();

    assertThat(bags).extracting(BagReport::submittedAt).containsExactly(0L, s(9));
    assertThat(bags).allMatch(BagReport::isComplete);
  }

  @Test
  void joinsArrivalsOfOneInstantAndBag() {
    RunResult result =
        simulation(
                hosts(9),
                arrival("first", 0, s(1)),
                in("x", "a", 0, 1),
                in("y", "b", 0, 2),
                arrival("alone", 0, s(3)),
                in("x", "c", 0, 4),
                in("y", "d", 0, 5),
                arrival("later", s(6), s(1)))
            .build()
            .run();

    assertThat(result.completed()).isEqualTo(7);
    assertThat(bags).extracting(BagReport::bag).containsExactly("x", "y");
    assertThat(bags).extracting(BagReport::size).containsExactly(2, 2);
    assertThat(bags).extracting(BagReport::endedAt).containsExactly(s(4), s(5));
  }

  @Test
  void refusesArrivalBeforeThePreviousBag() {
    Simulation simulation =
        simulation(hosts(1), arrival("a", s(1), 1))
            .workload(outOfOrder(List.of(in("x", "a", 10, 1), arrival("b", s(5), 1))))
            .build();

    assertThatIllegalStateException()
        .isThrownBy(simulation::run)
        .withMessageContaining("arrives at 5000000000 ns, after one at 10000000000 ns.");
  }

  private static Workload outOfOrder(List<Arrival> arrivals) {
    Workload ordered = Workload.of("test requests", List.of(GOLD), List.of());
    return new Workload() {
      @Override
      public String name() {
        return ordered.name();
      }

      @Override
      public List<ServiceClass> serviceClasses() {
        return ordered.serviceClasses();
      }

      @Override
      public OptionalLong size() {
        return ordered.size();
      }

      @Override
      public ArrivalSource open() {
        Iterator<Arrival> rest = arrivals.iterator();
        return new ArrivalSource() {
          @Override
          public boolean hasNext() {
            return rest.hasNext();
          }

          @Override
          public Arrival next() {
            return rest.next();
          }

          @Override
          public void close() {
            // holds nothing
          }
        };
      }
    };
  }

  @Test
  void cancelsBagWhoseHostsNeverStart() {
    Optional<Duration> tenSeconds = Optional.of(Duration.ofSeconds(10));

    RunResult result =
        simulation(
                new Infrastructure("none", List.of()),
                in("x", "a", 2, 1, tenSeconds),
                in("x", "b", 2, 1, tenSeconds))
            .build()
            .run();

    assertThat(result.cancelled()).isEqualTo(2);
    assertThat(result.simulated()).isEqualTo(seconds(12));
    assertThat(bags.get(0).why()).contains(new Reason.Expired("x", 0));
    assertThat(outcomes).extracting(RequestOutcome::end).containsOnly(RequestOutcome.End.CANCELLED);
    assertThat(outcomes).extracting(each -> each.report().waitingTime()).containsOnly(s(10));
    assertThat(result.arrivals()).isEqualTo(2);
  }

  @Test
  void cancellationStopsRunningMembersAndFreesHosts() {
    simulation(
            hosts(1),
            in("x", "a", 0, 3, Optional.of(Duration.ofSeconds(5))),
            in("x", "b", 0, 9, Optional.of(Duration.ofSeconds(5))),
            arrival("c", s(1), s(2)))
        .build()
        .run();

    assertThat(bags.get(0).completed()).isEqualTo(1);
    assertThat(bags.get(0).cancelled())
        .extracting(InstanceReport::serviceTime)
        .containsExactly(s(2));
    assertThat(bags.get(0).serviceTime()).isEqualTo(s(5));
    assertThat(outcomes.get(2).report().id()).isEqualTo("c");
    assertThat(outcomes.get(2).report().endedAt()).isEqualTo(s(7));
  }

  @Test
  void completionAtTheDeadlineIsInTime() {
    simulation(hosts(1), in("x", "a", 0, 5, Optional.of(Duration.ofSeconds(5)))).build().run();

    assertThat(bags.get(0).isComplete()).isTrue();
  }

  @Test
  void wakesThePolicyAtTheRequestedTime() {
    RunResult result =
        simulation(hosts(1), arrival("a", 0, s(1)))
            .scheduler(
                Scheduler.builder()
                    .policy(
                        "late",
                        context ->
                            pass -> {
                              if (pass.now() < s(50)) {
                                pass.wakeAt(s(50));
                              } else if (!pass.pending().isEmpty()) {
                                pass.place(pass.pending().get(0), pass.hosts().get(0));
                              }
                            }))
            .build()
            .run();

    assertThat(result.completed()).isEqualTo(1);
    assertThat(result.simulated()).isEqualTo(seconds(51));
    assertThat(result.passes()).isEqualTo(3);
  }

  @Test
  void reportsBagsThatThePolicyCancelsOrRejects() {
    RunResult result =
        simulation(hosts(1), in("x", "a", 0, 9), in("x", "b", 0, 9), in("y", "c", 0, 9))
            .scheduler(
                Scheduler.builder()
                    .policy(
                        "harsh",
                        context ->
                            pass -> {
                              pass.instance("c").ifPresent(each -> pass.reject(each, WHY));
                              pass.bags().stream()
                                  .filter(each -> each.id().equals("x"))
                                  .forEach(each -> pass.cancel(each, WHY));
                            }))
            .build()
            .run();

    assertThat(result.cancelled()).isEqualTo(2);
    assertThat(result.refused()).isEqualTo(1);
    assertThat(result.admittedAtEnd()).isEqualTo(3);
    assertThat(bags).extracting(BagReport::bag).containsExactly("x", "y");
  }

  @Test
  void readsManyBagsOfOneInstantOnce() {
    Arrival[] arrivals =
        IntStream.range(0, 9_000)
            .mapToObj(i -> in("bag" + i % 3_000, "i" + i, 0, 1))
            .toArray(Arrival[]::new);

    simulation(hosts(9_000), arrivals).build().run();

    assertThat(bags).hasSize(3_000).allMatch(each -> each.completed() == 3);
  }
}
