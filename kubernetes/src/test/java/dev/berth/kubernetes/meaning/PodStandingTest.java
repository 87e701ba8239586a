package dev.berth.kubernetes.meaning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStandingTest {

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
  void classifiesPods(String spec, String status, PodStanding expected) {
    String text = "spec: {%s}\nstatus: {%s}".formatted(spec, status == null ? "" : status);
    Pod pod = Yaml.podOf(text);

    assertThat(PodStanding.of(pod, "berth")).isEqualTo(expected);
  }

  @Test
  void aDeletedPodEndsAndHoldsWhatItHasUntilItIsGone() {
    String meta = "metadata: {deletionTimestamp: \"2026-01-01T00:00:00Z\"}\n";
    Pod bound = Yaml.podOf(meta + "spec: {schedulerName: berth, nodeName: n}");
    Pod waiting = Yaml.podOf(meta + "spec: {schedulerName: berth}");
    Pod foreign = Yaml.podOf(meta + "spec: {schedulerName: other, nodeName: n}");

    assertThat(PodStanding.of(bound, "berth")).isEqualTo(PodStanding.ENDING);
    assertThat(PodStanding.holdsResources(bound)).isTrue();
    assertThat(PodStanding.of(waiting, "berth")).isEqualTo(PodStanding.ENDING);
    assertThat(PodStanding.holdsResources(waiting)).isFalse();
    assertThat(PodStanding.of(foreign, "berth")).isEqualTo(PodStanding.FOREIGN_BOUND);
    assertThat(PodStanding.holdsResources(foreign)).isTrue();
  }

  @Test
  void podsWithoutANameBelongToTheDefaultScheduler() {
    assertThat(PodStanding.of(Yaml.podOf("spec: {}"), "default-scheduler"))
        .isEqualTo(PodStanding.WAITING);
  }

  @Test
  void daemonAndStaticPodsBelongToTheirNode() {
    String owner = "ownerReferences: [{kind: %s, name: d, uid: u, controller: true}]";

    assertThat(
            PodStanding.belongsToNode(
                Yaml.podOf("metadata: {%s}".formatted(owner.formatted("DaemonSet")))))
        .isTrue();
    assertThat(
            PodStanding.belongsToNode(
                Yaml.podOf("metadata: {%s}".formatted(owner.formatted("ReplicaSet")))))
        .isFalse();
    assertThat(
            PodStanding.belongsToNode(
                Yaml.podOf("metadata: {annotations: {kubernetes.io/config.mirror: x}}")))
        .isTrue();
    assertThat(PodStanding.belongsToNode(new Pod())).isFalse();
  }
}
