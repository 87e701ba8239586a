package dev.berth.kubernetes.reproduction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.lab.LiveControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A short and fast run. The API server is slow at this speed, so figures are only plausible. */
@Tag("long")
class ReproductionTest {

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  @Test
  void aFastRunIsPlausible() throws Exception {
    List<String> lines = new ArrayList<>();
    RunSettings settings =
        new RunSettings(Validation.VALIDATION_1, 15, 1, 8, Duration.ofSeconds(75));
    Reproduction.Result result = Reproduction.run(settings, LIVE.config(), lines::add);
    PodAccounting.Figures figures = result.figures();

    assertThat(figures.requests()).hasSize(256);
    assertThat(figures.requests())
        .allSatisfy(each -> assertThat(each.availability().orElseThrow()).isBetween(0.0, 1.0));
    assertThat(mean("gold", figures)).isGreaterThan(mean("bronze", figures));
    assertThat(mean("silver", figures)).isGreaterThan(mean("bronze", figures));
    assertThat(figures.boundTwice()).isZero();
    assertThat(figures.failed()).isZero();
    assertThat(result.rejected()).isZero();
    assertThat(figures.mostOnNode()).isLessThanOrEqualTo(10);
    // Each pod that was deleted has a successor, apart from those of the last moment.
    int deleted =
        figures.preemptedRunning() + figures.preemptedStarting() + figures.deletedWaiting();
    int pods = figures.requests().stream().mapToInt(PodAccounting.RequestFigures::pods).sum();
    assertThat(pods).isBetween(256 + deleted - 56, 256 + deleted + 56);
    assertThat(figures.ready()).isBetween(1L, 200L);
    assertThat(FiguresText.table(result))
        .contains("their Kubernetes  0.4419  0.4731  0.5054")
        .contains("qos-driven, urgent requests first, margin 30s, a pass each 1m15s");
  }

  private static double mean(String serviceClass, PodAccounting.Figures figures) {
    OptionalDouble mean = PodFigures.of(serviceClass, figures).mean();
    return mean.orElseThrow();
  }
}
