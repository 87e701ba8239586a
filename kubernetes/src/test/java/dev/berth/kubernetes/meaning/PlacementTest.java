package dev.berth.kubernetes.meaning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Host;
import dev.berth.api.ServiceClass;
import dev.berth.core.Scheduler;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The scheduler places what pods mean on what nodes mean. */
class PlacementTest {

  private final Scheduler scheduler =
      Scheduler.builder()
          .policy("qos-driven")
          .serviceClasses(
              ServiceClass.builder("gold").build(),
              ServiceClass.builder("bronze").slo(0.5).importance(2).build())
          .build();
  private int submitted;

  private void node(String name, String more, Pod... foreign) {
    NodeMeaning.Understood meaning =
        (NodeMeaning.Understood)
            NodeMeaning.of(
                Yaml.node(
                    """
                    metadata: {name: %s, labels: {zone: %s}}
                    spec: {%s}
                    status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}
                    """
                        .formatted(name, name.substring(0, 1), more)),
                ForeignLoad.of(List.of(foreign)));
    scheduler.addHost(meaning.host(), 0);
  }

  /** Returns the node of a pod, or "none". */
  private String place(Pod pod) {
    String id = "pod-" + submitted++;
    PodMeaning.Understood meaning =
        (PodMeaning.Understood) PodMeaning.of(id, pod, Yaml.RULES, Claims.NONE);
    scheduler.submit(meaning.request(), 0);
    scheduler.schedule(0);
    return scheduler.instance(id).orElseThrow().host().map(Host::id).orElse("none");
  }

  @Test
  void podsFillNodesByCpuAndByNumber() {
    node("a1", "");
    Pod large = Yaml.pod("containers: [{name: a, resources: {requests: {cpu: 3}}}]");

    assertThat(place(large)).isEqualTo("a1");
    assertThat(place(large)).isEqualTo("none");
    Pod nothing = Yaml.pod("containers: [{name: a}]");
    for (int i = 1; i < 10; i++) {
      assertThat(place(nothing)).isEqualTo("a1");
    }
    assertThat(place(nothing)).isEqualTo("none");
  }

  @Test
  void hostPortsOfPodsAndOfForeignPodsAreKept() {
    Pod foreign =
        Yaml.podOf("spec: {nodeName: a1, containers: [{name: x, ports: [{hostPort: 80}]}]}");
    node("a1", "", foreign);
    node("b1", "");
    Pod http = Yaml.pod("containers: [{name: a, ports: [{hostPort: 80}]}]");
    Pod udp = Yaml.pod("containers: [{name: a, ports: [{hostPort: 80, protocol: UDP}]}]");

    assertThat(place(http)).isEqualTo("b1");
    assertThat(place(http)).isEqualTo("none");
    assertThat(List.of(place(udp), place(udp))).containsExactlyInAnyOrder("a1", "b1");
  }

  @Test
  void antiAffinityAndSpreadAreKept() {
    node("a1", "");
    node("a2", "");
    node("b1", "");
    Pod apart =
        Yaml.with(
            """
            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - {topologyKey: zone, labelSelector: {matchLabels: {app: web, tier: front}}}
            """);

    assertThat(List.of(place(apart).charAt(0), place(apart).charAt(0)))
        .containsExactlyInAnyOrder('a', 'b');
    assertThat(place(apart)).isEqualTo("none");
    assertThat(place(Yaml.with("restartPolicy: Always"))).isEqualTo("none"); // is web, front too
    assertThat(place(Yaml.podOf("metadata: {name: x, namespace: other}\nspec: {}")))
        .isNotEqualTo("none");
  }

  @Test
  void taintsAndSelectorsAreKept() {
    node("a1", "taints: [{key: gpu, effect: NoSchedule}]");
    node("b1", "");

    assertThat(place(Yaml.with("nodeSelector: {zone: a}"))).isEqualTo("none");
    assertThat(
            place(
                Yaml.with("nodeSelector: {zone: a}\ntolerations: [{key: gpu, operator: Exists}]")))
        .isEqualTo("a1");
    assertThat(
            place(
                Yaml.with(
                    """
                    affinity:
                      nodeAffinity:
                        requiredDuringSchedulingIgnoredDuringExecution:
                          nodeSelectorTerms:
                          - matchFields: [{key: metadata.name, operator: In, values: [b1]}]
                    """)))
        .isEqualTo("b1");
  }
}
