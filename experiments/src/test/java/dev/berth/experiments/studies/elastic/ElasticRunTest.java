package dev.berth.experiments.studies.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.experiments.output.Json;
import dev.berth.simulator.Adjustments;
import dev.berth.simulator.PoolUsage;
import dev.berth.simulator.RunResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElasticRunTest {

  @Test
  void busyShareOfNoPaidTimeIsAbsent() {
    assertThat(run(PoolUsage.NONE).busyPercent()).isEmpty();
    assertThat(run(new PoolUsage(1, 0, 1, 0, 1, 80e9, 20e9)).busyPercent()).hasValue(25);
  }

  private static ElasticRun run(PoolUsage pools) {
    RunResult result =
        new RunResult(
            "p",
            Json.object(),
            Optional.empty(),
            "w",
            "h",
            1,
            Duration.ofHours(1),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            Adjustments.NONE,
            pools,
            List.of());
    return new ElasticRun("p", result, List.of(), List.of());
  }
}
