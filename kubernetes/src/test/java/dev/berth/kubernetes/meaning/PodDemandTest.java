package dev.berth.kubernetes.meaning;

import static dev.berth.api.Dimension.CPU;
import static dev.berth.api.Dimension.MEMORY;
import static dev.berth.kubernetes.meaning.Quantities.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

class PodDemandTest {

  private static Resources of(String spec) {
    PodDemand demand = PodDemand.of(Yaml.pod(spec));
    assertThat(demand.refused()).isEmpty();
    return demand.resources();
  }

  private static long milli(Resources resources) {
    return resources.amount(CPU) / 1_000_000;
  }

  @Test
  void aPodThatAsksForNothingHoldsAPlace() {
    assertThat(of("containers: [{name: a}]")).isEqualTo(Resources.of(PODS, 1));
  }

  @Test
  void containersAddUp() {
    Resources sum =
        of(
            """
            containers:
            - {name: a, resources: {requests: {cpu: 100m, memory: 1Mi, nvidia.com/gpu: 1}}}
            - {name: b, resources: {requests: {cpu: 1, ephemeral-storage: 2k}}}
            """);

    assertThat(milli(sum)).isEqualTo(1100);
    assertThat(sum.amount(MEMORY)).isEqualTo(1 << 20);
    assertThat(sum.amount(Quantities.EPHEMERAL_STORAGE)).isEqualTo(2000);
    assertThat(sum.amount(new Dimension("nvidia.com/gpu", 1))).isEqualTo(1);
    assertThat(sum.amount(PODS)).isEqualTo(1);
  }

  @Test
  void aLimitIsTheRequestIfThereIsNoOther() {
    Resources sum =
        of(
            """
            containers:
            - {name: a, resources: {limits: {cpu: 2, memory: 5}, requests: {memory: 3}}}
            - {name: b, resources: {limits: {cpu: 4}, requests: {cpu: 0}}}
            """);

    assertThat(milli(sum)).isEqualTo(2000);
    assertThat(sum.amount(MEMORY)).isEqualTo(3);
  }

  @Test
  void theLargestInitContainerCountsIfItIsLarger() {
    Resources sum =
        of(
            """
            initContainers:
            - {name: i, resources: {requests: {cpu: 5, memory: 1}}}
            - {name: j, resources: {requests: {cpu: 4, memory: 2}}}
            containers:
            - {name: a, resources: {requests: {cpu: 2, memory: 9}}}
            """);

    assertThat(milli(sum)).isEqualTo(5000);
    assertThat(sum.amount(MEMORY)).isEqualTo(9);
  }

  @Test
  void sidecarsCountBesideContainersAndLaterInitContainers() {
    // i alone: 5; the sidecar with i after it: 1 + 5; with the container: 1 + 3
    Resources after =
        of(
            """
            initContainers:
            - {name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}
            - {name: i, resources: {requests: {cpu: 5}}}
            containers:
            - {name: a, resources: {requests: {cpu: 3}}}
            """);
    Resources before =
        of(
            """
            initContainers:
            - {name: i, resources: {requests: {cpu: 5}}}
            - {name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}
            containers:
            - {name: a, resources: {requests: {cpu: 3}}}
            """);

    assertThat(milli(after)).isEqualTo(6000);
    assertThat(milli(before)).isEqualTo(5000);
  }

  @Test
  void overheadIsAdded() {
    assertThat(
            milli(
                of(
                    """
                    overhead: {cpu: 250m}
                    containers: [{name: a, resources: {requests: {cpu: 1}}}]
                    """)))
        .isEqualTo(1250);
  }

  @Test
  void theRequestOfThePodReplacesThoseOfItsContainers() {
    Resources sum =
        of(
            """
            resources: {requests: {cpu: 3}}
            overhead: {cpu: 1}
            containers: [{name: a, resources: {requests: {cpu: 1, memory: 7}}}]
            """);

    assertThat(milli(sum)).isEqualTo(4000);
    assertThat(sum.amount(MEMORY)).isEqualTo(7);
  }

  private static Resources resized(String desired, String status, String conditions) {
    Pod pod =
        Yaml.podOf(
            """
            spec:
              containers: [{name: a, resources: {requests: {cpu: %s}}}]
            status:
              conditions: [%s]
              containerStatuses: [{name: a, %s}]
            """
                .formatted(desired, conditions, status));
    return PodDemand.of(pod).resources();
  }

  @Test
  void aResizeCountsTheGreatestOfDesiredAllocatedAndActual() {
    String status = "allocatedResources: {cpu: %s}, resources: {requests: {cpu: %s}}";

    assertThat(milli(resized("3", status.formatted(1, 2), ""))).isEqualTo(3000);
    assertThat(milli(resized("1", status.formatted(3, 2), ""))).isEqualTo(3000);
    assertThat(milli(resized("1", status.formatted(2, 3), ""))).isEqualTo(3000);
  }

  @Test
  void whatIsDesiredDoesNotCountIfItIsInfeasible() {
    String status = "allocatedResources: {cpu: 1}, resources: {requests: {cpu: 2}}";
    String pending = "{type: PodResizePending, status: \"True\", reason: %s}";

    assertThat(milli(resized("9", status, pending.formatted("Infeasible")))).isEqualTo(2000);
    assertThat(milli(resized("9", status, pending.formatted("Deferred")))).isEqualTo(9000);
  }

  @Test
  void aStatusWithoutResourcesChangesNothing() {
    assertThat(milli(resized("2", "ready: true", ""))).isEqualTo(2000);
  }

  @Test
  void whatCannotBeCountedIsReportedWithItsPlace() {
    PodDemand demand =
        PodDemand.of(
            Yaml.pod(
                """
                containers:
                - {name: a, resources: {requests: {cpu: lots, memory: -1, disks: 3, pods: 2}}}
                - {name: b, resources: {requests: {memory: 3Ei}}}
                - {name: c, resources: {requests: {memory: 3Ei, cpu: 1}}}
                """));

    assertThat(demand.refused().stream().map(Refusal::path))
        .containsExactly(
            "spec.containers[0].resources.requests[cpu]",
            "spec.containers[0].resources.requests[disks]",
            "spec.containers[0].resources.requests[memory]",
            "spec.containers[0].resources.requests[pods]",
            "spec.containers");
    assertThat(milli(demand.resources())).isEqualTo(1000);
  }
}
