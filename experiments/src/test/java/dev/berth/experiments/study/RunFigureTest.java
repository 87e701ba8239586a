package dev.berth.experiments.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.result.Adjustments;
import dev.berth.simulator.result.InvalidActions;
import dev.berth.simulator.result.PoolUsage;
import dev.berth.simulator.result.RunResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunFigureTest {

  @Test
  void busyShareOfNoPaidTimeIsAbsent() {
    assertThat(RunFigure.BUSY.of(run(PoolUsage.NONE))).isEmpty();
    assertThat(RunFigure.BUSY.of(run(new PoolUsage(1, 0, 1, 0, 1, 80e9, 20e9)))).hasValue(25);
  }

  @Test
  void meansOverNoRequestAreAbsent() {
    assertThat(RunFigure.RUN.of(run(PoolUsage.NONE))).isEmpty();
    assertThat(RunFigure.TOTAL.of(run(PoolUsage.NONE))).isEmpty();
  }

  private static StudyRun run(PoolUsage pools) {
    RunResult result =
        new RunResult(
            "p",
            "{}",
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
            InvalidActions.NONE,
            pools,
            Optional.empty(),
            List.of());
    return new StudyRun("p", result, List.of(), List.of(), List.of());
  }
}
