package dev.berth.experiments.studies.qos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.experiments.run.Unconstrained;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SnapshotStudyTest {

  @Test
  void unconstrainedRequestsKeepBehaviourBagUserAndLabels() {
    Request request =
        Request.builder("a", "batch")
            .demand(Resources.of(Dimension.CPU, Dimension.CPU.unitsPerWhole()))
            .constraint(new Constraint.Exists("ssd"))
            .user("user")
            .label("team", "a")
            .build();
    Arrival arrival =
        new Arrival(
            1,
            request,
            2,
            new ActualBehaviour(Optional.of(MemoryProfile.constant(3)), Optional.empty()),
            Optional.of(new Arrival.InBag("bag", Optional.empty())));
    Workload original =
        Workload.of("w", List.of(ServiceClass.builder("batch").build()), List.of(arrival));

    try (ArrivalSource source = new Unconstrained(original).open()) {
      Arrival read = source.next();
      assertThat(read.behaviour()).isEqualTo(arrival.behaviour());
      assertThat(read.bag()).isEqualTo(arrival.bag());
      assertThat(read.request())
          .hasToString("request a (batch, cpu 1, user user, labels {team=a})");
    }
  }
}
