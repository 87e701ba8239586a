package dev.berth.simulator;

import static dev.berth.simulator.Cases.arrival;
import static dev.berth.simulator.Cases.hosts;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.seconds;
import static dev.berth.simulator.Cases.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.berth.api.batch.InstanceReport;
import dev.berth.core.Scheduler;
import dev.berth.simulator.execution.DecisionTimes;
import dev.berth.simulator.execution.Overheads;
import dev.berth.simulator.result.RunResult;
import dev.berth.simulator.workload.Arrival;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Times of decisions: drawing them, and a scheduler that decides one request at a time. */
class DecisionTimesTest {

  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(4);

  private final Map<String, InstanceReport> reports = new HashMap<>();

  private Simulation.Builder simulation(Scheduler.Builder policy, Arrival... arrivals) {
    return Simulation.builder()
        .infrastructure(hosts(3))
        .workload(workload(arrivals))
        .scheduler(policy)
        .listener(
            SimulationListener.onRequestEnded(
                outcome -> reports.put(outcome.report().id(), outcome.report())));
  }

  @Nested
  class Values {

    @Test
    void preemptingAndPlainPlacementsDrawFromTheirOwnValues() {
      DecisionTimes times = new DecisionTimes(List.of(SHORT), List.of(LONG));

      assertThat(times.draw(1, "r", 1, false)).isEqualTo(SHORT.toNanos());
      assertThat(times.draw(1, "r", 1, true)).isEqualTo(LONG.toNanos());
    }

    @Test
    void drawsAllValuesEquallyOftenAndTheSameForTheSameSeed() {
      DecisionTimes times =
          new DecisionTimes(List.of(Duration.ZERO), List.of(Duration.ZERO, SHORT, LONG));

      long[] draws =
          IntStream.rangeClosed(1, 30_000)
              .mapToLong(placement -> times.draw(7, "r", placement, true))
              .toArray();
      long longest = IntStream.range(0, 30_000).filter(i -> draws[i] == LONG.toNanos()).count();
      assertThat(longest).isCloseTo(10_000, within(400L)); // five standard deviations
      assertThat(times.draw(7, "r", 9, true)).isEqualTo(draws[8]);
    }

    @Test
    void onlyZerosAreZero() {
      assertThat(DecisionTimes.none().areZero()).isTrue();
      assertThat(DecisionTimes.of(SHORT).areZero()).isFalse();
      assertThat(new DecisionTimes(List.of(Duration.ZERO), List.of(Duration.ZERO, SHORT)).areZero())
          .isFalse();
    }

    @Test
    void refusesValuesOutOfRange() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> DecisionTimes.of(Duration.ofSeconds(-1)))
          .withMessage("plain decision time was -1s, must be from 0 to 36500 days.");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new DecisionTimes(List.of(SHORT), List.of(Duration.ofDays(36_500).plusNanos(1))))
          .withMessageStartingWith("preempting decision time was ");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new DecisionTimes(List.of(SHORT), List.of()))
          .withMessage(
              "preempting decision times were empty. Maybe DecisionTimes.none() was meant.");
    }
  }

  @Nested
  class Runs {

    @Test
    void decidesOneRequestAtATime() {
      RunResult result =
          simulation(
                  TestPolicies.firstFit(),
                  arrival("a", 0, s(9)),
                  arrival("b", 0, s(9)),
                  arrival("c", s(1), s(9)))
              .decisionTime(seconds(2))
              .build()
              .run();

      assertThat(reports.get("a").waitingTime()).isZero();
      assertThat(reports.get("b").waitingTime()).isEqualTo(s(2));
      assertThat(reports.get("c").waitingTime()).isEqualTo(s(3)); // placed at 4
      assertThat(result.placements()).isEqualTo(3);
    }

    @Test
    void decisionSeesTheClusterAtItsOwnInstant() {
      // b is first in the queue, but c arrives while the scheduler is busy, and is gold
      simulation(
              Scheduler.builder()
                  .policy(
                      "gold-first",
                      context ->
                          context
                              .pipeline()
                              .queue(each -> each.serviceClass().importance())
                              .build()),
              arrival("a", "bronze", 1, 0, s(9)),
              arrival("b", "bronze", 1, 0, s(9)),
              arrival("c", "gold", 1, s(1), s(9)))
          .decisionTime(seconds(2))
          .build()
          .run();

      assertThat(reports.get("c").waitingTime()).isEqualTo(s(1));
      assertThat(reports.get("b").waitingTime()).isEqualTo(s(4));
    }

    @Test
    void roomThatBecomesFreeMeanwhileIsUsed() {
      simulation(
              TestPolicies.firstFit(),
              arrival("a", "gold", 2, 0, s(1)),
              arrival("b", "gold", 1, 0, s(9)),
              arrival("c", "gold", 2, 0, s(9)))
          .decisionTime(seconds(2))
          .build()
          .run();

      assertThat(reports.get("b").waitingTime()).isEqualTo(s(2));
      assertThat(reports.get("c").waitingTime()).isEqualTo(s(4)); // a left at 1
    }

    @Test
    void plainPlacementsCanTakeNoTime() {
      simulation(
              TestPolicies.youngestWins(0),
              arrival("a", 0, s(50)),
              arrival("b", 0, s(50)),
              arrival("c", 0, s(50)),
              arrival("d", s(1), s(9)),
              arrival("e", s(1), s(9)))
          .decisionTimes(new DecisionTimes(List.of(Duration.ZERO), List.of(seconds(3))))
          .build()
          .run();

      assertThat(reports.get("d").waitingTime()).isZero();
      assertThat(reports.get("e").waitingTime()).isEqualTo(s(3));
    }

    @Test
    void victimsLeaveTheirHostOnlyAfterTheirTermination() {
      simulation(TestPolicies.youngestWins(0), arrival("a", 0, s(10)), arrival("b", s(5), s(2)))
          .infrastructure(hosts(1))
          .overheads(Overheads.of(List.of(seconds(1))).withTermination(seconds(3)))
          .build()
          .run();

      assertThat(reports.get("a").serviceTime()).isEqualTo(s(10));
      assertThat(reports.get("b").endedAt()).isEqualTo(s(11)); // placed at 5, ready at 9
      assertThat(reports.get("a").endedAt()).isEqualTo(s(18)); // nothing terminates for it at 11
    }

    @Test
    void zeroIsAsWithoutDecisionTimes() {
      Arrival[] arrivals = {arrival("a", 0, s(9)), arrival("b", 0, s(9)), arrival("c", 0, s(9))};
      RunResult without = simulation(TestPolicies.firstFit(), arrivals).build().run();
      RunResult zero =
          simulation(TestPolicies.firstFit(), arrivals).decisionTime(Duration.ZERO).build().run();

      assertThat(zero).isEqualTo(without);
    }
  }
}
