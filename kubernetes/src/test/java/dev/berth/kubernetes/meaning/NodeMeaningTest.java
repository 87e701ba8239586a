package dev.berth.kubernetes.meaning;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.berth.api.Dimension;
import dev.berth.api.Taint;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeMeaningTest {

  private static final String NODE =
      """
      metadata:
        name: n1
        labels: {topology.kubernetes.io/zone: a}
      status:
        allocatable: {cpu: 3800m, memory: 10Ki, pods: 110, nvidia.com/gpu: 2, weird: 7}
        capacity: {cpu: 4, memory: 20Ki}
        conditions: [{type: Ready, status: "%s"}]
      """;

  private static NodeMeaning.Understood understood(Node node, ForeignLoad foreign) {
    return (NodeMeaning.Understood) NodeMeaning.of(node, foreign);
  }

  private static Pod foreign(String spec) {
    return Yaml.podOf("spec: {nodeName: n1, %s}".formatted(spec));
  }

  @Test
  void aNodeIsAHostWithWhatItHasAllocatable() {
    NodeMeaning.Understood meaning =
        understood(Yaml.node(NODE.formatted("True")), ForeignLoad.NONE);

    assertThat(meaning.host().id()).isEqualTo("n1");
    assertThat(meaning.host().capacity().amount(CPU)).isEqualTo(3_800_000_000L);
    assertThat(meaning.host().capacity().amount(MEMORY)).isEqualTo(10_240);
    assertThat(meaning.host().capacity().amount(Quantities.PODS)).isEqualTo(110);
    assertThat(meaning.host().capacity().amount(new Dimension("nvidia.com/gpu", 1))).isEqualTo(2);
    assertThat(meaning.host().capacity().dimensions()).hasSize(4);
    assertThat(meaning.host().attributes())
        .containsOnly(
            entry("topology.kubernetes.io/zone", "a"), entry("field:metadata.name", "n1"));
    assertThat(meaning.host().taints()).isEmpty();
    assertThat(meaning.ready()).isTrue();
    assertThat(meaning.cordoned()).isFalse();
  }

  @Test
  void aNodeIsReadyOnlyIfItSaysSo() {
    for (String status : List.of("False", "Unknown", "")) {
      assertThat(understood(Yaml.node(NODE.formatted(status)), ForeignLoad.NONE).ready()).isFalse();
    }
    assertThat(understood(Yaml.node("metadata: {name: n}"), ForeignLoad.NONE).ready()).isFalse();
  }

  @Test
  void foreignPodsAreTakenOffUntilTheyAreGone() {
    ForeignLoad load =
        ForeignLoad.of(
            List.of(
                foreign("containers: [{name: a, resources: {requests: {cpu: 800m}}}]"),
                Yaml.podOf(
                    """
                    metadata: {deletionTimestamp: "2026-01-01T00:00:00Z"}
                    spec: {nodeName: n1, containers: [{name: a, resources: {requests: {cpu: 1}}}]}
                    """),
                Yaml.podOf(
                    """
                    spec: {nodeName: n1, containers: [{name: a, resources: {requests: {cpu: 1}}}]}
                    status: {phase: Succeeded}
                    """),
                Yaml.podOf("spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}")));
    NodeMeaning.Understood meaning = understood(Yaml.node(NODE.formatted("True")), load);

    assertThat(meaning.host().capacity().amount(CPU)).isEqualTo(2_000_000_000L);
    assertThat(meaning.host().capacity().amount(Quantities.PODS)).isEqualTo(108);
  }

  @Test
  void capacityIsNeverBelowZero() {
    ForeignLoad load =
        ForeignLoad.of(
            List.of(foreign("containers: [{name: a, resources: {requests: {cpu: 9}}}]")));

    assertThat(understood(Yaml.node(NODE.formatted("True")), load).host().capacity().amount(CPU))
        .isZero();
  }

  @Test
  void largeForeignLoadsDoNotOverflow() {
    Pod huge = foreign("containers: [{name: a, resources: {requests: {memory: 3Ei}}}]");

    assertThat(ForeignLoad.of(List.of(huge, huge, huge, huge)).resources().amount(MEMORY))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void taintsAndTheMarkOfACordonAreKept() {
    NodeMeaning.Understood meaning =
        understood(
            Yaml.node(
                """
                metadata: {name: n}
                spec:
                  unschedulable: true
                  taints:
                  - {key: node.kubernetes.io/unschedulable, effect: NoSchedule}
                  - {key: old, value: "yes", effect: PreferNoSchedule}
                  - {key: node.kubernetes.io/unreachable, effect: NoExecute}
                  - {key: maintenance, effect: NoExecute}
                """),
            ForeignLoad.NONE);

    assertThat(meaning.cordoned()).isTrue();
    assertThat(meaning.host().taints())
        .containsExactly(
            Taint.noNew("node.kubernetes.io/unschedulable", ""),
            Taint.preferNot("old", "yes"),
            Taint.leaveAfter("node.kubernetes.io/unreachable", "", Duration.ofMinutes(5)),
            Taint.leaveAfter("maintenance", "", Duration.ZERO));
  }

  @Test
  void nodesAreSelectedByTheirLabels() {
    Node node = Yaml.node(NODE.formatted("True"));
    LabelSelector zone =
        new LabelSelectorBuilder().addToMatchLabels("topology.kubernetes.io/zone", "a").build();
    LabelSelector noZone =
        new LabelSelectorBuilder()
            .addNewMatchExpression()
            .withKey("topology.kubernetes.io/zone")
            .withOperator("DoesNotExist")
            .endMatchExpression()
            .build();

    assertThat(NodeMeaning.isSelected(node, zone)).isTrue();
    assertThat(NodeMeaning.isSelected(node, noZone)).isFalse();
    assertThat(NodeMeaning.isSelected(new Node(), zone)).isFalse();
    assertThat(NodeMeaning.isSelected(new Node(), new LabelSelector())).isTrue();
  }

  @Test
  void aNodeThatCannotBeAHostIsRefusedWithAllReasons() {
    Node node =
        Yaml.node(
            """
            metadata: {name: ""}
            spec:
              taints:
              - {key: a, effect: Never}
              - {key: b, effect: NoSchedule}
              - {key: b, value: x, effect: NoSchedule}
              - {key: "", effect: NoSchedule}
            status:
              allocatable: {cpu: many, memory: 8Ei}
            """);

    assertThat(((NodeMeaning.Refused) NodeMeaning.of(node, ForeignLoad.NONE)).reasons())
        .extracting(Refusal::path)
        .containsExactly(
            "metadata.name",
            "status.allocatable[cpu]",
            "status.allocatable[memory]",
            "spec.taints[0].effect",
            "spec.taints[2]",
            "spec.taints[3].key");
  }

  @Test
  void aNodeWithMoreTaintsThanAHostMayHaveIsRefused() {
    String taints =
        IntStream.range(0, 65)
            .mapToObj("{key: k%s, effect: NoSchedule}"::formatted)
            .collect(Collectors.joining(", "));
    Node node = Yaml.node("metadata: {name: n}\nspec: {taints: [%s]}".formatted(taints));

    assertThat(((NodeMeaning.Refused) NodeMeaning.of(node, ForeignLoad.NONE)).reasons())
        .extracting(Refusal::describe)
        .containsExactly("spec.taints was 65 taints, must have at most 64.");
  }
}
