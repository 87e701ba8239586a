package dev.berth.core;

import static dev.berth.core.Plans.instances;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.api.pipeline.Backfill;
import dev.berth.api.policy.PipelineBuilder;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pipelines that decide on some of the pending instances. */
class ServedInstancesTest {

  private final Set<String> refused = new HashSet<>();

  private Cluster cluster(UnaryOperator<PipelineBuilder> parts) {
    return Cluster.of(builder -> parts.apply(builder.serve(each -> !refused.contains(each.id()))));
  }

  static Stream<UnaryOperator<PipelineBuilder>> parts() {
    return Stream.of(
        parts -> parts,
        // A rule that is not monotone: failures are not shared
        parts -> parts.preemption(TestParts.latestFirst(), TestParts.LESS_IMPORTANT));
  }

  @ParameterizedTest
  @MethodSource("parts")
  void servesOnlyWhomItIsToldTo(UnaryOperator<PipelineBuilder> parts) {
    Cluster cluster = cluster(parts).host("h1", 4);
    cluster.pending("a", "gold", 1).pending("b", "gold", 1).pending("c", "bronze", 1);
    refused.add("a");
    refused.add("c");

    assertThat(instances(cluster.at(1).pass())).containsExactly("b");

    refused.remove("c");
    assertThat(instances(cluster.at(2).pass())).containsExactly("c");
  }

  /** That the first of a class is refused says nothing of the others. */
  @ParameterizedTest
  @MethodSource("parts")
  void aRefusedInstanceDoesNotStandForItsClass(UnaryOperator<PipelineBuilder> parts) {
    Cluster cluster = cluster(parts).host("h1", 1);
    cluster.pending("a", "gold", 2).pending("b", "gold", 1);
    refused.add("a");
    cluster.at(1).pass();
    refused.clear();
    cluster.host("h2", 2);

    assertThat(instances(cluster.at(2).pass())).containsExactly("a");
  }

  @Test
  void needsAPipelineThatDecidesEachInstanceAlone() {
    assertThatIllegalStateException()
        .isThrownBy(() -> cluster(parts -> parts.backfill(Backfill.NONE)))
        .withMessage(
            "serve needs aggressive backfilling, without molding, admission by deadline and filters.");
  }
}
