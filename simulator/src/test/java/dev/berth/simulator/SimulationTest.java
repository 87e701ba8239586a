package dev.berth.simulator;

import static dev.berth.simulator.Cases.arrival;
import static dev.berth.simulator.Cases.coldAndHot;
import static dev.berth.simulator.Cases.hosts;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.seconds;
import static dev.berth.simulator.Cases.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.api.InstanceState;
import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import dev.berth.api.batch.InstanceReport;
import dev.berth.core.Scheduler;
import dev.berth.core.error.EventRefusedException;
import dev.berth.core.error.PolicyFailedException;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.fleet.HostEvent;
import dev.berth.simulator.fleet.HostEvent.Fails;
import dev.berth.simulator.fleet.HostEvent.Recovers;
import dev.berth.simulator.result.ClassResult;
import dev.berth.simulator.result.InvalidActions;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Hand-worked histories, and the guarantees about the end and the inputs of a simulation. */
class SimulationTest {

  private final Map<String, RequestOutcome> outcomes = new HashMap<>();

  private Simulation.Builder simulation(Scheduler.Builder policy, Workload workload) {
    return Simulation.builder()
        .infrastructure(hosts(1))
        .workload(workload)
        .scheduler(policy)
        .listener(
            SimulationListener.onRequestEnded(
                outcome -> outcomes.put(outcome.report().id(), outcome)));
  }

  private InstanceReport sli(String id) {
    return outcomes.get(id).report();
  }

  @Nested
  class Histories {

    @Test
    void runsTwoRequestsOnOneHostToTheNanosecond() {
      RunResult result =
          simulation(
                  TestPolicies.firstFit(),
                  workload(arrival("a", 10, 5_000_000_007L), arrival("b", 1_000, 2_000_000_000L)))
              .overheads(Overheads.of(List.of(Duration.ofNanos(3_000_000_001L))))
              .build()
              .run();

      // a: placed at 10, ready 3.000000001 s later. b waits until a is done, then starts likewise.
      assertThat(sli("a").endedAt()).isEqualTo(8_000_000_018L);
      assertThat(sli("a").serviceTime()).isEqualTo(5_000_000_007L);
      assertThat(sli("a").waitingTime()).isEqualTo(3_000_000_001L);
      assertThat(sli("b").endedAt()).isEqualTo(13_000_000_019L);
      assertThat(sli("b").serviceTime()).isEqualTo(2_000_000_000L);
      assertThat(sli("b").waitingTime()).isEqualTo(10_999_999_019L);
      assertThat(result.passes()).isEqualTo(5); // at 0, both arrivals, both completions
      assertThat(result.placements()).isEqualTo(2);
      assertThat(result.preemptions()).isZero();
      assertThat(result.simulated()).isEqualTo(Duration.ofNanos(13_000_000_019L));
      assertThat(result.completed()).isEqualTo(2);
      assertThat(result.unfinished()).isZero();
    }

    @Test
    void preemptedInstanceKeepsProgressAndRestartsHot() {
      RunResult result =
          simulation(
                  TestPolicies.youngestWins(0),
                  workload(arrival("a", 0, s(10)), arrival("b", s(5), s(2))))
              .overheads(coldAndHot(3, 1))
              .build()
              .run();

      // a runs 3..5; b is placed at 5 (cold), runs 8..10; a is placed at 10 (hot), runs 11..19.
      assertThat(sli("b").endedAt()).isEqualTo(s(10));
      assertThat(sli("a").endedAt()).isEqualTo(s(19));
      assertThat(sli("a").serviceTime()).isEqualTo(s(10));
      assertThat(sli("a").waitingTime()).isEqualTo(s(9));
      assertThat(sli("a").preemptions()).isEqualTo(1);
      assertThat(sli("a").restartOverhead()).isEqualTo(s(1));
      assertThat(result.lostWork()).as("the first starts are not lost").isEqualTo(1);
      assertThat(result.preemptions()).isEqualTo(1);
      assertThat(result.placements()).isEqualTo(3);
      assertThat(result.classes().get(0).preemptions()).isEqualTo(1);
    }

    @Test
    void preemptedInstanceThatLosesItsProgressStartsAgain() {
      RunResult result =
          simulation(
                  TestPolicies.youngestWins(0),
                  workload(losingProgress(arrival("a", 0, s(10))), arrival("b", s(5), s(2))))
              .overheads(coldAndHot(3, 1))
              .build()
              .run();

      // a runs 3..5 and loses it; b is placed at 5 (cold), runs 8..10; a is placed at 10, runs
      // 11..21.
      assertThat(sli("a").endedAt()).isEqualTo(s(21));
      assertThat(sli("a").serviceTime()).as("all service counts").isEqualTo(s(12));
      assertThat(result.lostWork()).as("3..5, and the start 10..11").isEqualTo(3);
      assertThat(result.classes().get(0).lostService()).isEqualTo(2);
      assertThat(result.keptService()).as("10 s of a and 2 s of b").isEqualTo(12);
      assertThat(result.lostMoreThanKept()).isFalse();
    }

    @Test
    void losingMoreThanWasKeptIsThrashing() {
      RunResult result =
          simulation(
                  TestPolicies.youngestWins(0),
                  workload(
                      losingProgress(arrival("a", 0, s(9))),
                      losingProgress(arrival("b", s(4), s(9))),
                      losingProgress(arrival("c", s(8), s(9)))))
              .until(Duration.ofSeconds(10))
              .build()
              .run();

      assertThat(result.lostWork()).as("0..4 and 4..8").isEqualTo(8);
      assertThat(result.keptService()).as("8..10").isEqualTo(2);
      assertThat(result.lostMoreThanKept()).isTrue();
    }

    @Test
    void invalidActionsCountAndTheFirstIsKept() {
      RunResult result =
          simulation(
                  Scheduler.builder()
                      .policy(
                          "places-all",
                          context ->
                              pass ->
                                  pass.instances()
                                      .forEach(each -> pass.place(each, pass.hosts().get(0)))),
                  workload(arrival("a", 0, s(5)), arrival("b", s(1), s(2)), arrival("c", s(2), 1)))
              .build()
              .run();

      // The pass at 1 places a, which has a host; the pass at 2 too, and the one at 5 has none.
      assertThat(result.invalidActions().count()).isEqualTo(2);
      assertThat(result.invalidActions().first())
          .hasValue(
              new InvalidActions.First(
                  2, "a", "instance a must be pending to be placed, is RUNNING on h1"));
      assertThat(
              simulation(TestPolicies.firstFit(), workload(arrival("a", 0, s(5))))
                  .build()
                  .run()
                  .invalidActions())
          .isEqualTo(InvalidActions.NONE);
    }

    @Test
    void hostFailureLosesProgressButIsNoPreemption() {
      RunResult result =
          simulation(TestPolicies.firstFit(), workload(losingProgress(arrival("a", 0, s(5)))))
              .infrastructure(hosts(1, 1))
              .hostEvents(List.of(new Fails(s(2), "h1")))
              .build()
              .run();

      assertThat(sli("a").endedAt()).isEqualTo(s(7));
      assertThat(result.classes().get(0).lostService()).isEqualTo(2);
      assertThat(result.lostWork()).isZero();
    }

    private Arrival losingProgress(Arrival arrival) {
      return new Arrival(
          arrival.at(),
          arrival.request(),
          arrival.serviceTime(),
          arrival.behaviour().losingProgress());
    }

    @Test
    void startsColdWhereItWasNeverReady() {
      RunResult result =
          simulation(
                  TestPolicies.youngestWins(0),
                  workload(arrival("a", 0, s(10)), arrival("b", s(2), s(2))))
              .overheads(coldAndHot(3, 1))
              .build()
              .run();

      // a is preempted at 2 while it starts; b runs 5..7; a is placed at 7, cold again: 10..20.
      assertThat(sli("b").endedAt()).isEqualTo(s(7));
      assertThat(sli("a").endedAt()).isEqualTo(s(20));
      assertThat(sli("a").restartOverhead()).isEqualTo(s(3));
      assertThat(result.lostWork()).as("0..2 undone, then 7..10").isEqualTo(5);
    }

    @Test
    void startsThatNeverEndAreLostWork() {
      RunResult result =
          simulation(
                  TestPolicies.youngestWins(0),
                  workload(
                      arrival("a", 0, s(9)), arrival("b", s(2), s(2)), arrival("c", s(8), s(9))))
              .overheads(coldAndHot(3, 1))
              .until(Duration.ofSeconds(10))
              .build()
              .run();

      // a starts 0..2 and again 7..8, each time preempted; b runs 5..7; c starts at 8.
      assertThat(sli("a").preemptions()).isEqualTo(2);
      assertThat(result.restartOverhead()).as("no restart was completed").isZero();
      assertThat(result.lostWork()).isEqualTo(3);
    }

    @Test
    void restartThatIsUnfinishedAtTheEndIsLostWork() {
      RunResult result =
          simulation(
                  TestPolicies.youngestWins(0),
                  workload(arrival("a", 0, s(9)), arrival("b", s(4), s(2))))
              .overheads(coldAndHot(3, 3))
              .until(Duration.ofSeconds(11))
              .build()
              .run();

      // a runs 3..4, b runs 7..9, a starts again at 9 and would be ready at 12.
      assertThat(result.restartOverhead()).isZero();
      assertThat(result.lostWork()).isEqualTo(2);
    }

    @Test
    void hostFailureCancelsTheStart() {
      RunResult result =
          simulation(TestPolicies.firstFit(), workload(arrival("a", 0, s(5))))
              .infrastructure(hosts(1, 1))
              .overheads(coldAndHot(4, 1))
              .hostEvents(List.of(new Fails(s(2), "h1"), new Recovers(s(3), "h1")))
              .build()
              .run();

      // Placed on h1 at 0, lost at 2, placed on h2 at 2 (cold): 6..11. Its start at 4 is void.
      assertThat(outcomes.get("a").lastHost()).hasValue("h2");
      assertThat(sli("a").endedAt()).isEqualTo(s(11));
      assertThat(sli("a").serviceTime()).isEqualTo(s(5));
      assertThat(sli("a").placements()).isEqualTo(2);
      assertThat(sli("a").preemptions()).isZero();
      assertThat(sli("a").restartOverhead()).isZero();
      assertThat(result.lostWork()).as("a failure is no preemption").isZero();
      assertThat(result.passes()).isEqualTo(4); // at 0, 2, 3 and 11
    }

    @Test
    void outcomeHasUserAndLastHost() {
      Arrival a = arrival("a", 0, s(5));
      Arrival ofUser =
          new Arrival(
              0,
              Request.builder("a", "gold").demand(a.request().demand()).user("user 7").build(),
              s(5));
      simulation(TestPolicies.firstFit(), workload(ofUser, arrival("b", s(1), s(5))))
          .hostEvents(List.of(new Fails(s(2), "h1")))
          .until(seconds(4))
          .build()
          .run();

      assertThat(outcomes.get("a").user()).hasValue("user 7");
      assertThat(outcomes.get("a").lastHost()).as("which failed").hasValue("h1");
      assertThat(outcomes.get("b").user()).isEmpty();
      assertThat(outcomes.get("b").lastHost()).as("never placed").isEmpty();
    }

    @Test
    void recoveredHostIsHotAndNoWorkIsLost() {
      simulation(TestPolicies.firstFit(), workload(arrival("a", 0, s(5))))
          .overheads(coldAndHot(3, 1))
          .hostEvents(List.of(new Recovers(s(9), "h1"), new Fails(s(5), "h1")))
          .build()
          .run();

      // Runs 3..5, host away 5..9, hot start, runs 10..13. The completion at 8 is void.
      assertThat(sli("a").endedAt()).isEqualTo(s(13));
      assertThat(sli("a").serviceTime()).isEqualTo(s(5));
      assertThat(sli("a").waitingTime()).isEqualTo(s(8));
    }

    @Test
    void completionPrecedesHostFailure() {
      simulation(TestPolicies.firstFit(), workload(arrival("a", 0, s(5))))
          .overheads(coldAndHot(3, 1))
          .hostEvents(List.of(new Fails(s(8), "h1")))
          .build()
          .run();

      assertThat(outcomes.get("a").completed()).isTrue();
      assertThat(sli("a").endedAt()).isEqualTo(s(8));
    }

    @Test
    void readinessPrecedesHostFailure() {
      simulation(TestPolicies.firstFit(), workload(arrival("a", 0, s(5))))
          .overheads(coldAndHot(3, 1))
          .hostEvents(List.of(new Fails(s(3), "h1"), new Recovers(s(3), "h1")))
          .build()
          .run();

      // Ready at 3, host gone and back at 3, placed at 3 again, hot: 4..9.
      assertThat(sli("a").endedAt()).isEqualTo(s(9));
      assertThat(sli("a").placements()).isEqualTo(2);
    }

    @Test
    void completionFreesTheHostBeforeThePass() {
      RunResult result =
          simulation(
                  TestPolicies.firstFit(10),
                  workload(arrival("a", 0, s(7)), arrival("b", 0, s(1)), arrival("c", s(10), s(1))))
              .infrastructure(hosts(2))
              .overheads(coldAndHot(3, 1))
              .build()
              .run();

      // a and b are placed at 0; b is done at 4, a at 10, when the watchdog is due and c arrives.
      assertThat(sli("c").endedAt()).isEqualTo(s(14));
      assertThat(sli("c").waitingTime()).isEqualTo(s(3));
      assertThat(result.passes()).isEqualTo(4); // at 0, 4, 10 and 14
    }

    @Test
    void watchdogAloneMakesAPass() {
      RunResult result =
          simulation(
                  TestPolicies.patient(25, 10),
                  workload(arrival("a", 0, s(1)), arrival("b", s(30), s(1))))
              .build()
              .run();

      assertThat(sli("a").endedAt()).isEqualTo(s(31)); // passes at 0, 10, 20 and 30
      assertThat(sli("b").endedAt()).isEqualTo(s(32));
      assertThat(result.passes()).isEqualTo(6);
      assertThat(result.watchdog()).contains(Duration.ofSeconds(10));
    }

    @Test
    void delayedPassSeesAllEventsMeanwhile() {
      RunResult result =
          simulation(
                  TestPolicies.firstFit(10),
                  workload(
                      arrival("a", 0, s(1)),
                      arrival("b", s(2), s(1)),
                      arrival("c", s(4), s(1)),
                      arrival("d", s(20), s(1))))
              .infrastructure(hosts(2))
              .minPassInterval(Duration.ofSeconds(5))
              .build()
              .run();

      assertThat(sli("b").waitingTime()).isEqualTo(s(3)); // passes at 0, 5, 10 and 20
      assertThat(sli("c").waitingTime()).isEqualTo(s(1));
      assertThat(sli("d").waitingTime()).isZero();
      assertThat(result.passes()).isEqualTo(4);
    }

    /**
     * The last arrival gets its pass although the previous pass decided nothing and no event
     * follows.
     */
    @Test
    void delayedPassHappensBeforeTheEnd() {
      simulation(
              TestPolicies.firstFit(0), workload(arrival("a", 0, s(3)), arrival("b", s(6), s(1))))
          .minPassInterval(Duration.ofSeconds(5))
          .build()
          .run();

      assertThat(sli("b").endedAt()).isEqualTo(s(11)); // passes at 0, 5 and 10
    }

    @Test
    void simultaneousArrivalsShareAPass() {
      RunResult result =
          simulation(
                  TestPolicies.firstFit(),
                  workload(arrival("a", s(1), s(1)), arrival("b", s(1), s(1))))
              .infrastructure(hosts(2))
              .build()
              .run();

      assertThat(sli("a").endedAt()).isEqualTo(s(2));
      assertThat(sli("b").endedAt()).isEqualTo(s(2));
      assertThat(result.passes()).isEqualTo(3); // at 0, 1 and 2
    }

    @Test
    void overflowingServiceTimeNeverEnds() {
      simulation(TestPolicies.firstFit(10), workload(arrival("a", s(1), Long.MAX_VALUE)))
          .until(seconds(100))
          .build()
          .run();

      assertThat(outcomes.get("a").completed()).isFalse();
      assertThat(sli("a").serviceTime()).isEqualTo(s(99));
    }
  }

  @Nested
  class TheEnd {

    @Test
    void accountsForUnfinishedRequestsAtTheEnd() {
      RunResult result =
          simulation(
                  TestPolicies.firstFit(),
                  workload(
                      arrival("a", 0, s(100)), arrival("b", s(5), s(1)), arrival("c", s(21), 1)))
              .overheads(coldAndHot(2, 1))
              .until(seconds(20))
              .build()
              .run();

      assertThat(sli("a"))
          .isEqualTo(new InstanceReport("a", Cases.GOLD, 0, s(20), s(18), s(2), 0, 1, 0));
      assertThat(sli("b"))
          .isEqualTo(new InstanceReport("b", Cases.GOLD, s(5), s(20), 0, s(15), 0, 0, 0));
      assertThat(outcomes).containsOnlyKeys("a", "b");
      assertThat(outcomes.get("a").ran()).isTrue();
      assertThat(outcomes.get("b").ran()).isFalse();
      assertThat(result.simulated()).isEqualTo(seconds(20));
      assertThat(result.arrivals()).isEqualTo(2);
      assertThat(result.unfinished()).isEqualTo(2);
      ClassResult gold = result.classes().get(0);
      assertThat(gold.name()).isEqualTo("gold");
      assertThat(gold.count()).isEqualTo(2);
      assertThat(gold.max()).hasValue(0.9);
      assertThat(gold.mean()).hasValue(0.45);
      assertThat(gold.neverRan()).isEqualTo(1);
      assertThat(gold.fulfilment()).hasValue(0);
      assertThat(gold.met()).as("a, of which only the start was waiting").hasValue(0.5);
      ClassResult bronze = result.classes().get(1);
      assertThat(bronze.name()).isEqualTo("bronze");
      assertThat(bronze.count()).isZero();
      assertThat(bronze.mean()).isEmpty();
    }

    @Test
    void requestAdmittedAtTheEndHasNoAvailability() {
      RunResult result =
          simulation(
                  TestPolicies.firstFit(),
                  workload(arrival("a", 0, s(5)), arrival("b", s(20), s(5))))
              .until(seconds(20))
              .build()
              .run();

      assertThat(result.arrivals()).isEqualTo(2);
      assertThat(result.unfinished()).isEqualTo(1);
      assertThat(result.admittedAtEnd()).isEqualTo(1);
      assertThat(result.classes().get(0).count()).isEqualTo(1);
      assertThat(result.classes().get(0).neverRan()).isZero();
      assertThat(sli("b").availability()).isEmpty();
    }

    @Test
    void completionAtTheEndCounts() {
      simulation(TestPolicies.firstFit(), workload(arrival("a", 0, s(20))))
          .until(seconds(20))
          .build()
          .run();

      assertThat(outcomes.get("a").completed()).isTrue();
    }

    @Test
    void stopsWhenAllRequestsAreDone() {
      RunResult result =
          simulation(TestPolicies.firstFit(1), workload(arrival("a", 0, s(5))))
              .hostEvents(List.of(new Fails(s(50), "h1")))
              .until(Duration.ofDays(1000))
              .build()
              .run();

      assertThat(result.simulated()).isEqualTo(seconds(5));
      assertThat(result.passes()).isEqualTo(6);
    }

    @Test
    void withoutEndStopsWhenNothingCanBePlaced() {
      RunResult result =
          simulation(
                  TestPolicies.firstFit(1),
                  workload(arrival("a", 0, s(5)), arrival("huge", "bronze", 9, s(1), s(5))))
              .build()
              .run();

      assertThat(result.simulated()).isEqualTo(seconds(5));
      assertThat(result.completed()).isEqualTo(1);
      assertThat(result.unfinished()).isEqualTo(1);
      assertThat(result.classes().get(1).neverRan()).isEqualTo(1);
      assertThat(sli("huge").waitingTime()).isEqualTo(s(4));
    }

    @Test
    void withoutEndWaitsForHostRecovery() {
      RunResult result =
          simulation(TestPolicies.firstFit(), workload(arrival("a", 0, s(5))))
              .hostEvents(List.of(new Fails(0, "h1"), new Recovers(s(1000), "h1")))
              .build()
              .run();

      assertThat(result.simulated()).isEqualTo(seconds(1005));
      assertThat(sli("a").waitingTime()).isEqualTo(s(1000));
    }

    @Test
    void withEndPolicyMayDelayRequests() {
      simulation(TestPolicies.patient(60, 7), workload(arrival("a", 0, s(5))))
          .until(seconds(100))
          .build()
          .run();

      assertThat(sli("a").endedAt()).isEqualTo(s(68)); // the pass at 63 places it
    }

    @Test
    void emptyWorkloadEndsAtOnce() {
      RunResult result = simulation(TestPolicies.firstFit(1), workload()).build().run();

      assertThat(result.arrivals()).isZero();
      assertThat(result.simulated()).isZero();
      assertThat(result.classes()).allSatisfy(each -> assertThat(each.mean()).isEmpty());
    }

    @Test
    void secondRunReturnsTheSameResult() {
      Simulation simulation =
          simulation(TestPolicies.firstFit(), workload(arrival("a", 0, s(5)))).build();

      assertThat(simulation.run()).isSameAs(simulation.run());
    }
  }

  @Nested
  class Stopping {

    private final Workload workload =
        workload(arrival("a", 0, s(10)), arrival("b", s(5), s(2)), arrival("c", s(6), s(50)));

    @Test
    void letsCallersInspectTheScheduler() {
      try (Simulation simulation =
          simulation(TestPolicies.youngestWins(0), workload).overheads(coldAndHot(3, 1)).build()) {
        simulation.runUntil(seconds(5));

        assertThat(simulation.now()).isEqualTo(seconds(5));
        Scheduler scheduler = simulation.scheduler();
        assertThat(scheduler.instance("a").orElseThrow().state()).isEqualTo(InstanceState.PENDING);
        assertThat(scheduler.instance("a").orElseThrow().serviceTime(s(5))).isEqualTo(s(2));
        assertThat(scheduler.instance("b").orElseThrow().state()).isEqualTo(InstanceState.STARTING);
        assertThat(scheduler.instance("c")).isEmpty();
      }
    }

    @Test
    void andResumingDoesNotChangeTheResult() {
      RunResult inOneGo =
          simulation(TestPolicies.youngestWins(4), workload).until(seconds(60)).build().run();
      Simulation stopped =
          simulation(TestPolicies.youngestWins(4), workload).until(seconds(60)).build();
      for (double time = 0; time < 60; time += 0.7) {
        stopped.runUntil(seconds(time));
      }
      stopped.runUntil(seconds(3)); // long past

      assertThat(stopped.run()).isEqualTo(inOneGo);
      stopped.runUntil(seconds(60)); // over
    }

    @Test
    void refusesTimeBeyondTheEnd() {
      try (Simulation simulation =
          simulation(TestPolicies.firstFit(), workload).until(seconds(60)).build()) {
        assertThatThrownBy(() -> simulation.runUntil(seconds(90)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("time was 1m30s, must not be beyond the end of the simulation, 1m.");
      }
    }

    @Test
    void closedSimulationDoesNotRun() {
      Simulation simulation = simulation(TestPolicies.firstFit(), workload).build();
      simulation.close();

      assertThatThrownBy(simulation::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the simulation is closed.");
    }
  }

  @Nested
  class Reading {

    private final List<Arrival> arrivals =
        IntStream.range(0, 100).mapToObj(i -> arrival("r" + i, s(i), s(0.5))).toList();

    @Test
    void readsOneArrivalAhead() {
      Watched workload = new Watched(arrivals);
      try (Simulation simulation = simulation(TestPolicies.firstFit(), workload).build()) {
        simulation.runUntil(seconds(9.5));

        assertThat(workload.pulled).isEqualTo(11);
        assertThat(simulation.scheduler().instances()).isEmpty();
        simulation.run();
        assertThat(workload.pulled).isEqualTo(100);
        assertThat(workload.closed).isTrue();
      }
    }

    @Test
    void closesTheSourceWithTheSimulation() {
      Watched workload = new Watched(arrivals);
      try (Simulation simulation = simulation(TestPolicies.firstFit(), workload).build()) {
        simulation.runUntil(seconds(9.5));
        assertThat(workload.closed).isFalse();
      }
      assertThat(workload.closed).isTrue();
    }

    @Test
    void closesTheSourceWhenThePolicyFails() {
      Watched workload = new Watched(arrivals);
      Simulation simulation =
          simulation(
                  Scheduler.builder()
                      .policy(
                          "broken",
                          context ->
                              pass -> {
                                throw new IllegalStateException("broken");
                              }),
                  workload)
              .build();

      assertThatThrownBy(simulation::run).isInstanceOf(PolicyFailedException.class);
      assertThat(workload.closed).isTrue();
      assertThatThrownBy(simulation::run).hasMessage("the simulation is closed.");
    }

    @Test
    void refusesWorkloadOutOfOrder() {
      Simulation simulation =
          simulation(
                  TestPolicies.firstFit(),
                  new Watched(List.of(arrival("a", s(2), s(1)), arrival("b", s(1), s(1)))))
              .build();

      assertThatThrownBy(simulation::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Arrivals must be in order of time.");
      assertThatThrownBy(
              () ->
                  Workload.of(
                      "w",
                      List.of(Cases.GOLD),
                      List.of(arrival("a", s(2), s(1)), arrival("b", s(1), s(1)))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Arrivals must be in order of time.");
    }

    @Test
    void refusesTwoLiveRequestsWithOneId() {
      Simulation simulation =
          simulation(
                  TestPolicies.firstFit(),
                  workload(arrival("a", 0, s(5)), arrival("a", s(1), s(1))))
              .build();

      assertThatThrownBy(simulation::run).isInstanceOf(EventRefusedException.class);
    }
  }

  @Nested
  class Progressing {

    private final List<OptionalDouble> fractions = new ArrayList<>();

    @Test
    void followsTheTimeIfTheEndIsKnown() {
      simulation(TestPolicies.firstFit(1), workload(arrival("a", 0, Long.MAX_VALUE)))
          .until(seconds(10_000))
          .listener(SimulationListener.onProgress((time, fraction) -> fractions.add(fraction)))
          .build()
          .run();

      assertThat(fractions).hasSizeBetween(900, 1002);
      assertThat(fractions.stream().map(OptionalDouble::orElseThrow)).isSorted();
      assertThat(fractions.get(fractions.size() - 1)).hasValue(1);
    }

    @Test
    void followsTheRequestsIfTheirNumberIsKnown() {
      Arrival[] arrivals =
          IntStream.range(0, 5000)
              .mapToObj(i -> arrival("r" + i, s(i), s(0.5)))
              .toArray(Arrival[]::new);
      simulation(TestPolicies.firstFit(), workload(arrivals))
          .listener(SimulationListener.onProgress((time, fraction) -> fractions.add(fraction)))
          .build()
          .run();

      assertThat(fractions).hasSizeBetween(900, 1002);
      assertThat(fractions.stream().map(OptionalDouble::orElseThrow)).isSorted();
    }

    @Test
    void hasNoFractionIfNothingIsKnown() {
      List<Arrival> arrivals =
          IntStream.range(0, 10_000).mapToObj(i -> arrival("r" + i, s(i), s(0.5))).toList();
      simulation(TestPolicies.firstFit(), new Watched(arrivals))
          .listener(SimulationListener.onProgress((time, fraction) -> fractions.add(fraction)))
          .build()
          .run();

      assertThat(fractions).hasSizeBetween(3, 10);
      assertThat(fractions.subList(0, fractions.size() - 1)).containsOnly(OptionalDouble.empty());
    }
  }

  @Nested
  class Settings {

    @Test
    void namesMissingSettings() {
      assertThatThrownBy(() -> Simulation.builder().build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no workload was given.");
    }

    @Test
    void refusesEndBeforeTheStart() {
      assertThatThrownBy(() -> Simulation.builder().until(Duration.ofSeconds(-1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("end was PT-1S, must be from 0 to 36500 days.");
      assertThatThrownBy(() -> Simulation.builder().until(Duration.ofSeconds(Long.MAX_VALUE)))
          .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesInconsistentHostEvents() {
      assertRefused(
          "host h9 fails at 1s, but the infrastructure has no such host.", new Fails(s(1), "h9"));
      assertRefused(
          "host h1 recovers at 1s, but it is up from the start.", new Recovers(s(1), "h1"));
      assertRefused(
          "host h1 fails at 2s, but it has been down since 1s.",
          new Fails(s(1), "h1"),
          new Fails(s(2), "h1"));
      assertRefused(
          "host h1 recovers at 3s, but it has been up since 2s.",
          new Recovers(s(3), "h1"),
          new Fails(s(1), "h1"),
          new Recovers(s(2), "h1"));
      assertRefused("host h1 fails at -1ns, must not be before the start.", new Fails(-1, "h1"));
    }

    private void assertRefused(String message, HostEvent... events) {
      Simulation.Builder builder =
          simulation(TestPolicies.firstFit(), workload()).hostEvents(List.of(events));
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(message);
    }
  }

  /** A workload of unknown size that records how it is read. */
  private static final class Watched implements Workload {

    private final List<Arrival> arrivals;
    private int pulled;
    private boolean closed;

    Watched(List<Arrival> arrivals) {
      this.arrivals = arrivals;
    }

    @Override
    public String name() {
      return "watched";
    }

    @Override
    public List<ServiceClass> serviceClasses() {
      return List.of(Cases.GOLD);
    }

    @Override
    public OptionalLong size() {
      return OptionalLong.empty();
    }

    @Override
    public ArrivalSource open() {
      Iterator<Arrival> all = arrivals.iterator();
      return new ArrivalSource() {
        @Override
        public boolean hasNext() {
          return all.hasNext();
        }

        @Override
        public Arrival next() {
          pulled++;
          return all.next();
        }

        @Override
        public void close() {
          closed = true;
        }
      };
    }
  }
}
