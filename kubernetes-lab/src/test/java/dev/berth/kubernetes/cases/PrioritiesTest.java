package dev.berth.kubernetes.cases;

import static dev.berth.kubernetes.cases.CaseCluster.node;
import static dev.berth.kubernetes.cases.CaseCluster.nodeOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.LiveControlPlane;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.LimitRangeItemBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Which of several nodes a pod gets: what the files {@code priorities.go}, {@code
 * ubernetes_lite.go} and {@code ubernetes_lite_volumes.go} of {@code test/e2e/scheduling} ask of a
 * scheduler, and what {@code limit_range.go} means for one.
 */
class PrioritiesTest {

  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String HOSTNAME = "kubernetes.io/hostname";

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();
  @RegisterExtension final CaseCluster cluster = new CaseCluster(LIVE);

  // ---- Preferences

  @Test
  @DisplayName("priorities: a pod prefers nodes without the pods that it wants to be apart from")
  void preferredAntiAffinity() {
    cluster.start(node("a"), node("b"));
    for (String host : List.of("a", "b")) { // whichever node is better otherwise
      String label = "security: " + host;
      cluster.run(cluster.pod("first-" + host, label, "cpu: 0.1", on(HOSTNAME, host)));
      Pod apart =
          cluster.run(
              "apart-" + host,
              "cpu: 0.1",
              """
              affinity:
                podAntiAffinity:
                  preferredDuringSchedulingIgnoredDuringExecution:
                  - weight: 10
                    podAffinityTerm:
                      topologyKey: kubernetes.io/hostname
                      labelSelector:
                        matchExpressions:
                        - {key: security, operator: In, values: [%s, value2]}
                        - {key: security, operator: NotIn, values: [S2]}
                        - {key: security, operator: Exists}
              """
                  .formatted(host));
      assertThat(nodeOf(apart)).isNotEqualTo(host);
    }
  }

  @Test
  @DisplayName("priorities: a pod prefers nodes whose taints it tolerates")
  void preferredTolerations() {
    FakeNode[] nodes = {tainted("a"), tainted("b"), tainted("c")};
    cluster.start(nodes);
    for (FakeNode each : nodes) { // whichever node is better otherwise
      String tolerations =
          each.taints().stream()
              .map(it -> "{key: %s, operator: Exists}".formatted(it.getKey()))
              .collect(Collectors.joining(", ", "tolerations: [", "]"));
      assertThat(nodeOf(cluster.run("to-" + each.name(), "", tolerations))).isEqualTo(each.name());
    }
  }

  private static FakeNode tainted(String name) {
    return node(name)
        .withTaints(
            IntStream.range(0, 10)
                .mapToObj(
                    i ->
                        new Taint("PreferNoSchedule", "kubernetes.io/" + name + "-" + i, null, "x"))
                .toList());
  }

  @Test
  @DisplayName("priorities: a pod prefers the place where its peers are fewest")
  void preferredSpread() {
    cluster.start(node("a"), node("b"));
    for (String host : List.of("a", "b")) { // whichever node is better otherwise
      for (int i = 0; i < 4; i++) {
        cluster.create(cluster.pod(host + i, "e2e: foo-" + host, "cpu: 0.1", on(HOSTNAME, host)));
      }
      for (int i = 0; i < 4; i++) {
        cluster.ready(host + i);
      }
      Pod pod =
          cluster.run(
              cluster.pod(
                  "test-" + host,
                  "e2e: bar-" + host,
                  "cpu: 0.1",
                  spread(
                      HOSTNAME,
                      "ScheduleAnyway",
                      "{matchExpressions: [{key: e2e, operator: In, values: [foo-%s, bar-%s]}]}"
                          .formatted(host, host))));
      assertThat(nodeOf(pod)).isNotEqualTo(host);
    }
  }

  @Test
  @DisplayName("priorities: a wish about all pods that have a label does not keep a pod waiting")
  void wishesThatAreLeftOut() {
    cluster.start(node("a"));
    cluster.run(
        cluster.pod(
            "p",
            "e2e: foo",
            "",
            spread(
                HOSTNAME, "ScheduleAnyway", "{matchExpressions: [{key: e2e, operator: Exists}]}")));
  }

  // ---- Zones

  @Test
  @DisplayName("multi-zone: pods of a service are spread over zones if they ask for it")
  void zones() {
    cluster.start(threeZones());
    for (String otherwise : List.of("DoNotSchedule", "ScheduleAnyway")) {
      String label = "service: " + otherwise;
      List<Pod> pods = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        String name = "p-%s-%s".formatted(i, otherwise.equals("DoNotSchedule") ? "must" : "may");
        String selector = "{matchLabels: {%s}}".formatted(label);
        pods.add(cluster.create(cluster.pod(name, label, "", spread(ZONE, otherwise, selector))));
      }
      Map<String, Long> byZone =
          pods.stream()
              .map(each -> zoneOf(cluster.ready(each.getMetadata().getName())))
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
      assertThat(byZone.values()).as(otherwise).containsExactlyInAnyOrder(2L, 2L, 3L);
    }
  }

  @Test
  @DisplayName("multi-zone: pods of a service that ask for nothing are placed anywhere")
  void zonesThatNobodyAsksFor() {
    cluster.start(threeZones());
    for (int i = 0; i < 7; i++) {
      cluster.create(cluster.pod("p" + i, "service: test", "", ""));
    }
    for (int i = 0; i < 7; i++) {
      cluster.ready("p" + i);
    }
  }

  @Test
  @DisplayName("multi-zone: pods are in the zones of their volumes")
  void zonesOfVolumes() {
    List<String> zones = List.of("z0", "z1", "z2");
    for (String zone : zones) {
      cluster.boundClaim(zone, Map.of(ZONE, zone), ZONE, List.of(zone));
    }
    cluster.start(threeZones());
    for (String zone : zones) {
      cluster.create("in-" + zone, "", CaseCluster.claiming(zone));
    }
    for (String zone : zones) {
      assertThat(zoneOf(cluster.ready("in-" + zone))).isEqualTo(zone);
    }
  }

  /** Returns four nodes in three zones: the last zone has two. */
  private static FakeNode[] threeZones() {
    return IntStream.range(0, 4)
        .mapToObj(
            i -> {
              String zone = "z" + Math.min(i, 2);
              return node(zone + "-" + i, Map.of(ZONE, zone), Map.of());
            })
        .toArray(FakeNode[]::new);
  }

  private static String zoneOf(Pod pod) {
    return nodeOf(pod).substring(0, 2);
  }

  // ---- Limit ranges

  @Test
  @DisplayName("limit range: the requests that the API server gives to pods are counted")
  void limitRange() {
    var item =
        new LimitRangeItemBuilder()
            .withType("Container")
            .withDefaultRequest(Map.of("cpu", new Quantity("600m")))
            .withDefault(Map.of("cpu", new Quantity("700m")))
            .withMin(Map.of("cpu", new Quantity("50m")))
            .withMax(Map.of("cpu", new Quantity("1")))
            .build();
    cluster
        .client()
        .resource(
            new LimitRangeBuilder()
                .withNewMetadata()
                .withNamespace(cluster.namespace())
                .withName("limit-range")
                .endMetadata()
                .withNewSpec()
                .withLimits(item)
                .endSpec()
                .build())
        .create();
    assertThat(CaseCluster.status(() -> cluster.create("too-much", "cpu: 2", "")))
        .isEqualTo(HttpURLConnection.HTTP_FORBIDDEN);
    cluster.start(FakeNode.of("only", "1", "8Gi", 110));

    Pod first = cluster.run("first", "", "");
    assertThat(first.getSpec().getContainers().get(0).getResources().getRequests())
        .containsEntry("cpu", new Quantity("600m"));
    cluster.create("second", "", "");
    cluster.waitsBecause("second", "1 full (cpu short by 0.2)");
    cluster.run("partial", "cpu: 0.3", "");
  }

  // ---- What the tests share

  private static String on(String key, String value) {
    return "nodeSelector: {%s: %s}".formatted(key, value);
  }

  private static String spread(String key, String otherwise, String selector) {
    return """
    topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: %s
      whenUnsatisfiable: %s
      labelSelector: %s
    """
        .formatted(key, otherwise, selector);
  }
}
