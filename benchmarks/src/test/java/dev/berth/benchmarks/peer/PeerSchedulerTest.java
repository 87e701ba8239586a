package dev.berth.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.benchmarks.peer.Task.Figures;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeerSchedulerTest {

  static Stream<PeerRun> runs() {
    return Group.ALL.stream()
        .flatMap(each -> each.runs(true))
        .filter(each -> !each.oneCore())
        .distinct();
  }

  /** Each task checks its own result. */
  @ParameterizedTest
  @MethodSource("runs")
  void performsItsTask(PeerRun run) {
    Figures figures = run.scheduler().task().run(run.size());
    assertThat(figures.get("rate")).isPositive();
  }

  @Test
  void coversAllSchedulers() {
    Set<PeerScheduler> covered =
        runs()
            .map(PeerRun::scheduler)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(PeerScheduler.class)));
    assertThat(covered).containsExactly(PeerScheduler.values());
  }
}
