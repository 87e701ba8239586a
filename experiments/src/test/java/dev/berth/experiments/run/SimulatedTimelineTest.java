package dev.berth.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Scheduler;
import dev.berth.experiments.scenario.BuiltInWorkloads;
import dev.berth.simulator.Scenario;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.SimulationListener;
import dev.berth.simulator.fleet.FaultSettings;
import dev.berth.simulator.result.RequestOutcome;
import dev.berth.simulator.result.RunResult;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.Kind;
import dev.berth.timeline.RunTimeline.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedTimelineTest {

  /** The recorder and the simulator count on their own, and of unreliable fleets the truth. */
  @ParameterizedTest
  @CsvSource({"qos-driven, false", "priority, false", "qos-driven, true"})
  void agreesWithTheOutcomesOfTheRun(String policy, boolean faults) {
    Scenario scenario = BuiltInWorkloads.validation1(7, Duration.ofSeconds(30));
    SimulatedTimeline recorded = new SimulatedTimeline(scenario.workload().serviceClasses());
    List<RequestOutcome> outcomes = new ArrayList<>();
    RunResult result;
    Simulation.Builder builder =
        Simulation.builder()
            .scenario(scenario)
            .scheduler(Scheduler.builder().policy(policy).watchdog(Duration.ofSeconds(30)))
            .seed(7)
            .listener(recorded)
            .listener(SimulationListener.onRequestEnded(outcomes::add));
    if (faults) {
      builder.faults(FaultSettings.ROUGH);
    }
    try (Simulation simulation = builder.build()) {
      result = simulation.run();
    }
    RunTimeline timeline = recorded.timeline();

    assertThat(timeline.end()).isEqualTo(result.simulated().toNanos());
    assertThat(timeline.count(Kind.PREEMPTION))
        .isEqualTo(outcomes.stream().mapToLong(each -> each.report().preemptions()).sum());
    RunTimeline.Spans spans = timeline.spans();
    RunTimeline.Instances instances = timeline.instances();
    int count = instances.ids().size();
    assertThat(outcomes).hasSize(count);
    long[] served = new long[count];
    long[] waited = new long[count];
    for (int i = 0; i < spans.from().size(); i++) {
      if (spans.instance().get(i) >= 0) {
        long[] sums = spans.state().is(i, State.RUNNING) ? served : waited;
        sums[spans.instance().index(i)] += spans.to().get(i) - spans.from().get(i);
      }
    }
    for (RequestOutcome each : outcomes) {
      int index = Math.toIntExact(each.number());
      assertThat(instances.ids().get(index)).isEqualTo(each.request().id());
      assertThat(served[index]).isEqualTo(each.report().serviceTime());
      assertThat(waited[index]).isEqualTo(each.report().waitingTime());
      assertThat(instances.met().get(index)).isEqualTo(each.met() ? 1 : 0);
    }
  }
}
