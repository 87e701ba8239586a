package dev.berth.simulator;

import static dev.berth.simulator.Cases.arrival;
import static dev.berth.simulator.Cases.hosts;
import static dev.berth.simulator.Cases.s;
import static dev.berth.simulator.Cases.seconds;
import static dev.berth.simulator.Cases.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SamplingTest {

  private final List<String> seen = new ArrayList<>();

  private Simulation.Builder simulation() {
    return Simulation.builder()
        .infrastructure(hosts(1))
        .workload(workload(arrival("a", 0, s(10)), arrival("b", s(4), s(5))))
        .scheduler(TestPolicies.firstFit())
        .listener(
            Cases.sampling(
                seconds(5),
                (now, scheduler) ->
                    seen.add(
                        "%s s: %s live, %s pending"
                            .formatted(
                                now / 1e9,
                                scheduler.instances().size(),
                                scheduler.pendingCount()))));
  }

  @Test
  void samplesAfterAllEventsAndAtTheEnd() {
    simulation().build().run();

    assertThat(seen)
        .containsExactly(
            "5.0 s: 2 live, 1 pending", "10.0 s: 1 live, 0 pending", "15.0 s: 0 live, 0 pending");
  }

  @Test
  void samplesAnEndBetweenTwoIntervals() {
    simulation().until(seconds(12)).build().run();

    assertThat(seen)
        .containsExactly(
            "5.0 s: 2 live, 1 pending", "10.0 s: 1 live, 0 pending", "12.0 s: 1 live, 0 pending");
  }

  @Test
  void samplesEachListenerAtItsOwnInterval() {
    List<Long> others = new ArrayList<>();
    simulation()
        .listener(Cases.sampling(seconds(6), (now, scheduler) -> others.add(now)))
        .build()
        .run();

    assertThat(seen).hasSize(3);
    assertThat(others).containsExactly(s(6), s(12), s(15));
  }

  @Test
  void samplingDoesNotChangeTheRun() {
    assertThat(simulation().build().run())
        .isEqualTo(
            simulation()
                .listener(Cases.sampling(seconds(0.7), (now, scheduler) -> {}))
                .build()
                .run());
  }

  @Test
  void refusesSampleIntervalOfZero() {
    assertThatThrownBy(
            () -> simulation().listener(Cases.sampling(Duration.ZERO, (now, scheduler) -> {})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sample interval was 0s, must be positive.");
  }
}
