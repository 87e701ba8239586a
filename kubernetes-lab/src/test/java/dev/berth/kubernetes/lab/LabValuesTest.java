package dev.berth.kubernetes.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubernetes.lab.FakeOwner.Kind;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabValuesTest {

  @ParameterizedTest
  @CsvSource({"90s, PT90S", "1h30m, PT1H30M", "12.5s, PT12.5S", "PT2M, PT2M", "P1D, P1D"})
  void aRunTimeIsWrittenAsInGoOrIso(String text, Duration expected) {
    assertThat(PodBehaviour.runTime(running(text))).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-3s", "10"})
  void aRunTimeThatIsNoneIsNamed(String text) {
    assertThatThrownBy(() -> PodBehaviour.runTime(running(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("berth.dev/run-time")
        .hasMessageContaining('"' + text + '"');
  }

  @Test
  void aPodWithoutARunTimeHasNone() {
    assertThat(PodBehaviour.runTime(LiveControlPlane.pod("a", "b", "1", "1Gi"))).isEmpty();
  }

  @Test
  void delaysHaveTheirMeanAndRange() {
    SplittableRandom random = new SplittableRandom(1);
    Delay exponential = Delay.exponential(Duration.ofSeconds(2));
    double mean =
        IntStream.range(0, 20_000)
            .mapToLong(i -> exponential.draw(random).toMillis())
            .average()
            .orElseThrow();
    assertThat(mean).isBetween(1940.0, 2060.0);
    Delay uniform = Delay.uniform(Duration.ofSeconds(1), Duration.ofSeconds(3));
    assertThat(IntStream.range(0, 1000).mapToObj(i -> uniform.draw(random)).toList())
        .allMatch(d -> !d.minusSeconds(1).isNegative() && d.minusSeconds(3).isNegative());
    assertThat(Delay.uniform(Duration.ZERO, Duration.ZERO).draw(random)).isZero();
    assertThatThrownBy(() -> Delay.uniform(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Delay.constant(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void drawsDependOnSeedAndNameAlone() {
    PodBehaviour behaviour =
        PodBehaviour.drawn(
            Delay.exponential(Duration.ofSeconds(2)), Delay.exponential(Duration.ofSeconds(1)), .5);
    Pod pod = LiveControlPlane.pod("a", "b", "1", "1Gi");
    PodFate fate = behaviour.fateOf(pod, LabClient.random(1, "a/b"));
    assertThat(behaviour.fateOf(pod, LabClient.random(1, "a/b"))).isEqualTo(fate);
    assertThat(behaviour.fateOf(pod, LabClient.random(2, "a/b"))).isNotEqualTo(fate);
    assertThat(behaviour.fateOf(pod, LabClient.random(1, "a/c"))).isNotEqualTo(fate);
  }

  @Test
  void probabilitiesAndDurationsAreChecked() {
    Delay none = Delay.constant(Duration.ZERO);
    assertThatThrownBy(() -> PodBehaviour.drawn(none, none, 1.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.1");
    assertThatThrownBy(() -> PodBehaviour.drawn(none, none, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new PodFate(Duration.ZERO, false, Optional.of(Duration.ofNanos(-1)), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPodRequestsItsContainersOrItsLargestInitContainer() {
    Pod pod =
        new PodBuilder(LiveControlPlane.pod("a", "b", "1500m", "1Gi"))
            .editSpec()
            .addNewContainer()
            .withNewResources()
            .addToRequests("cpu", Quantity.parse("0.25"))
            .addToRequests("example.com/gpu", Quantity.parse("2"))
            .endResources()
            .endContainer()
            .addNewInitContainer()
            .withNewResources()
            .addToRequests("memory", Quantity.parse("2Gi"))
            .endResources()
            .endInitContainer()
            .addToOverhead("cpu", Quantity.parse("250m"))
            .endSpec()
            .build();
    assertThat(Amounts.requests(pod))
        .isEqualTo(Map.of("pods", 1L, "cpu", 2000L, "memory", 2L << 30, "example.com/gpu", 2L));
    assertThat(List.copyOf(Amounts.requests(pod).keySet()))
        .containsExactly("pods", "cpu", "memory", "example.com/gpu");
  }

  @Test
  void theUidOfAnOwnerIsThatOfItsName() {
    FakeOwner owner = new FakeOwner(Kind.REPLICA_SET, "a", "b", 1, new PodTemplateSpec());
    assertThat(owner.withPods(5).uid()).isEqualTo(owner.uid());
    assertThat(new FakeOwner(Kind.REPLICA_SET, "a", "c", 1, new PodTemplateSpec()).uid())
        .isNotEqualTo(owner.uid());
    assertThat(new FakeOwner(Kind.STATEFUL_SET, "a", "b", 1, new PodTemplateSpec()).uid())
        .isNotEqualTo(owner.uid());
    assertThatThrownBy(() -> owner.withPods(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nodesAreNumbered() {
    assertThat(FakeNode.several(3, "node", "4", "16Gi", 110))
        .extracting(FakeNode::name)
        .containsExactly("node-0", "node-1", "node-2");
  }

  private static Pod running(String time) {
    return new PodBuilder(LiveControlPlane.pod("a", "b", "1", "1Gi"))
        .editMetadata()
        .addToAnnotations(PodBehaviour.RUN_TIME, time)
        .endMetadata()
        .build();
  }
}
