package dev.berth.kubernetes.meaning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStateTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schedulerName: berth                                      |                     | WAITING",
        "schedulerName: berth, schedulingGates: [{name: quota}]    |                     | GATED",
        "schedulerName: berth, nodeName: n                         |                     | BOUND",
        "schedulerName: berth, nodeName: n                         | phase: Running      | BOUND",
        "schedulerName: berth, nodeName: n                         | phase: Succeeded    | FINISHED",
        "schedulerName: berth                                      | phase: Failed       | FINISHED",
        "schedulerName: other, nodeName: n                         | phase: Running      | FOREIGN_BOUND",
        "schedulerName: other, nodeName: n                         | phase: Failed       | FINISHED",
        "schedulerName: other                                      |                     | FOREIGN_WAITING",
        "hostNetwork: false                                        |                     | FOREIGN_WAITING",
        "nodeName: n                                               |                     | FOREIGN_BOUND",
      })
  void classifiesPods(String spec, String status, PodState expected) {
    String text = "spec: {%s}\nstatus: {%s}".formatted(spec, status == null ? "" : status);
    Pod pod = Yaml.podOf(text);

    assertThat(PodState.of(pod, "berth")).isEqualTo(expected);
  }

  @Test
  void aDeletedPodEndsAndHoldsWhatItHasUntilItIsGone() {
    String meta = "metadata: {deletionTimestamp: \"2026-01-01T00:00:00Z\"}\n";
    Pod bound = Yaml.podOf(meta + "spec: {schedulerName: berth, nodeName: n}");
    Pod waiting = Yaml.podOf(meta + "spec: {schedulerName: berth}");
    Pod foreign = Yaml.podOf(meta + "spec: {schedulerName: other, nodeName: n}");

    assertThat(PodState.of(bound, "berth")).isEqualTo(PodState.ENDING);
    assertThat(PodState.holdsResources(bound)).isTrue();
    assertThat(PodState.of(waiting, "berth")).isEqualTo(PodState.ENDING);
    assertThat(PodState.holdsResources(waiting)).isFalse();
    assertThat(PodState.of(foreign, "berth")).isEqualTo(PodState.FOREIGN_BOUND);
    assertThat(PodState.holdsResources(foreign)).isTrue();
  }

  @Test
  void podsWithoutANameBelongToTheDefaultScheduler() {
    assertThat(PodState.of(Yaml.podOf("spec: {}"), "default-scheduler"))
        .isEqualTo(PodState.WAITING);
  }

  @Test
  void daemonAndStaticPodsBelongToTheirNode() {
    String owner = "ownerReferences: [{kind: %s, name: d, uid: u, controller: true}]";

    assertThat(
            PodState.belongsToNode(
                Yaml.podOf("metadata: {%s}".formatted(owner.formatted("DaemonSet")))))
        .isTrue();
    assertThat(
            PodState.belongsToNode(
                Yaml.podOf("metadata: {%s}".formatted(owner.formatted("ReplicaSet")))))
        .isFalse();
    assertThat(
            PodState.belongsToNode(
                Yaml.podOf("metadata: {annotations: {kubernetes.io/config.mirror: x}}")))
        .isTrue();
    assertThat(PodState.belongsToNode(new Pod())).isFalse();
  }
}
