package dev.berth.kubernetes.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.kubernetes.meaning.Claims;
import dev.berth.kubernetes.meaning.PodDemand;
import dev.berth.kubernetes.meaning.PodGroupRef;
import dev.berth.kubernetes.meaning.PodMeaning;
import dev.berth.kubernetes.meaning.PodRules;
import dev.berth.kubernetes.meaning.PodState;
import dev.berth.kubernetes.meaning.Refusal;
import dev.berth.kubernetes.meaning.ServiceClassRules;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Cases about fields that the API server of the other tests does not know yet. */
class NewerServersTest {

  private static final PodRules RULES =
      new PodRules(new ServiceClassRules(Set.of("usual"), Map.of(), Optional.of("usual")));

  private static Pod pod(String parts) {
    return Serialization.unmarshal(
        "metadata: {name: p, namespace: default}\nspec:\n" + parts.indent(2), Pod.class);
  }

  private static List<String> refusals(Pod pod) {
    return PodMeaning.of("i", pod, RULES, Claims.NONE) instanceof PodMeaning.Refused refused
        ? refused.reasons().stream().map(Refusal::describe).toList()
        : List.of();
  }

  @Test
  @DisplayName("predicates: a pod waits until its last scheduling gate is gone")
  void schedulingGates() {
    assertThat(List.of("[{name: foo}, {name: bar}]", "[{name: bar}]", "[]"))
        .extracting(gates -> PodState.of(pod("schedulingGates: " + gates), "default-scheduler"))
        .containsExactly(PodState.GATED, PodState.GATED, PodState.WAITING);
  }

  @Test
  @DisplayName("gang scheduling by workloads: a pod names the group that it starts with")
  void podGroups() {
    assertThat(PodGroupRef.of(pod("schedulingGroup: {podGroupName: test-pg}")))
        .contains(new PodGroupRef(PodGroupRef.Api.WORKLOAD, "default", "test-pg"));
    assertThat(refusals(pod("schedulingGroup: {podGroupName: test-pg}"))).isEmpty();
  }

  @Test
  @DisplayName("resize in place: what a pod wants counts until the kubelet refuses it")
  void resizeInPlace() {
    String spec = "containers: [{name: main, resources: {requests: {cpu: 3}}}]";
    String status =
        """

        status:
          conditions: [{type: PodResizePending, status: 'True', reason: %s}]
          containerStatuses:
          - {name: main, allocatedResources: {cpu: 1}, resources: {requests: {cpu: 1}}}
        """;

    assertThat(List.of("Deferred", "Infeasible"))
        .extracting(
            reason ->
                PodDemand.of(
                        Serialization.unmarshal(
                            "spec:\n" + spec.indent(2) + status.formatted(reason), Pod.class))
                    .resources()
                    .amount(Dimension.CPU))
        .containsExactly(3_000_000_000L, 1_000_000_000L);
  }

  @Test
  @DisplayName("dynamic resource allocation: a pod with a claim is refused, not ignored")
  void resourceClaims() {
    assertThat(refusals(pod("resourceClaims: [{name: gpu, resourceClaimName: gpu}]")))
        .singleElement()
        .asString()
        .startsWith("spec.resourceClaims");
  }

  @Test
  @DisplayName("a field that this version does not know is refused, not ignored")
  void fieldsOfTheFuture() {
    assertThat(refusals(pod("workloadRef: {name: w}")))
        .singleElement()
        .asString()
        .startsWith("spec.workloadRef");
  }
}
