package dev.berth.kubernetes.cases;

import static dev.berth.kubernetes.cases.CaseCluster.node;
import static dev.berth.kubernetes.cases.CaseCluster.nodeOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.LiveControlPlane;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClassBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Where pods may be: what the file {@code predicates.go} of {@code test/e2e/scheduling} asks of a
 * scheduler, and the older {@code equivalence_cache_predicates.go} and {@code opaque_resource.go}.
 */
class PredicatesTest {

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();
  @RegisterExtension final CaseCluster cluster = new CaseCluster(LIVE);

  // ---- Resources

  @Test
  @DisplayName("predicates: a node takes no more pods than its maximum")
  void maximumOfPods() {
    cluster.start(FakeNode.of("few-0", "4", "8Gi", 2), FakeNode.of("few-1", "4", "8Gi", 1));
    for (int i = 0; i < 3; i++) {
      cluster.run("p" + i, "", "");
    }
    cluster.create("additional", "", "");

    cluster.waitsBecause("additional", "2 full", "pods short by 1");
  }

  @Test
  @DisplayName("predicates: limits of resources of pods hold")
  void limitsOfResources() {
    FakeNode[] nodes = {node("cpu-0"), node("cpu-1")};
    cluster.start(nodes);
    for (FakeNode each : nodes) { // 70 % of each node
      Pod filler = cluster.run("filler-" + each.name(), "cpu: 2800m", onHost(each.name()));
      assertThat(nodeOf(filler)).isEqualTo(each.name());
    }
    cluster.create("additional", "cpu: 2", ""); // 50 % of one

    cluster.waitsBecause("additional", "2 full", "cpu short by 0.8");

    cluster.delete(cluster.current("filler-cpu-1").orElseThrow());
    assertThat(nodeOf(cluster.ready("additional"))).isEqualTo("cpu-1");
  }

  @Test
  @DisplayName("predicates: local ephemeral storage of pods holds")
  void ephemeralStorage() {
    cluster.start(node("disk-0", Map.of(), Map.of("ephemeral-storage", "10Gi")));
    for (int i = 0; i < 2; i++) {
      cluster.run("p" + i, "ephemeral-storage: 4Gi", "");
    }
    cluster.create("additional", "ephemeral-storage: 4Gi", "");

    cluster.waitsBecause("additional", "1 full", "ephemeral-storage short by");
  }

  @Test
  @DisplayName("predicates: the overhead of a runtime class counts besides the limits of the pod")
  void overheadOfPods() {
    cluster
        .client()
        .resource(
            new RuntimeClassBuilder()
                .withNewMetadata()
                .withName("heavy")
                .endMetadata()
                .withHandler("heavy")
                .withNewOverhead()
                .addToPodFixed("example.com/beardsecond", new Quantity("250"))
                .endOverhead()
                .build())
        .create();
    cluster.start(node("heavy-0", Map.of(), Map.of("example.com/beardsecond", "1000")));
    cluster.run("filler", "example.com/beardsecond: 700", "");
    Pod additional =
        cluster.create("additional", "example.com/beardsecond: 200", "runtimeClassName: heavy");
    assertThat(additional.getSpec().getOverhead()).containsKey("example.com/beardsecond");

    cluster.waitsBecause("additional", "1 full", "example.com/beardsecond short by 150");
    cluster.run("without-overhead", "example.com/beardsecond: 200", "");
  }

  @Test
  @DisplayName("opaque resources: a pod gets a resource that only some nodes have, or waits for it")
  void extendedResources() {
    cluster.start(node("plain"), node("special", Map.of(), Map.of("example.com/foo", "5")));

    cluster.run("without", "cpu: 1", "");
    Pod three = cluster.run("three", "example.com/foo: 3", "");
    assertThat(nodeOf(three)).isEqualTo("special");
    cluster.create("six", "example.com/foo: 6", "");
    cluster.waitsBecause("six", "2 too small (example.com/foo exceeds them by 1 to 6)");
    cluster.create("three-more", "example.com/foo: 3", "");
    cluster.waitsBecause("three-more", "1 full (example.com/foo short by 1)");
    assertThat(nodeOf(cluster.run("two", "example.com/foo: 2", ""))).isEqualTo("special");
  }

  // ---- Nodes that a pod names

  @Test
  @DisplayName("predicates: a node selector that no node matches is respected")
  void nodeSelectorThatDoesNotMatch() {
    cluster.start(node("labelled"));
    cluster.create("restricted", "", "nodeSelector: {label: nonempty}");

    cluster.waitsBecause("restricted", "label == nonempty");
  }

  @Test
  @DisplayName("predicates: a node selector that a node matches is respected")
  void nodeSelectorThatMatches() {
    cluster.start(node("a"), node("b"), node("c"));
    label("b", "kubernetes.io/e2e", "42");

    Pod pod = cluster.run("with-labels", "", "nodeSelector: {kubernetes.io/e2e: '42'}");
    assertThat(nodeOf(pod)).isEqualTo("b");
  }

  @Test
  @DisplayName("predicates: a node affinity whose terms name several keys is refused, not ignored")
  void nodeAffinityOfSeveralKeys() {
    cluster.start(node("foo", Map.of("foo", "other"), Map.of()));
    cluster.create(
        "restricted",
        "",
        affinity(
            "{matchExpressions: [{key: foo, operator: In, values: [bar, value2]}]}",
            "{matchExpressions: [{key: diffkey, operator: In, values: [wrong, value2]}]}"));

    cluster.waitsBecause(
        "restricted",
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
            + ".nodeSelectorTerms",
        "must differ in one key only");
  }

  @Test
  @DisplayName("predicates: a node affinity that no node matches is respected")
  void nodeAffinityThatDoesNotMatch() {
    cluster.start(node("foo", Map.of("foo", "other"), Map.of()));
    cluster.create(
        "restricted",
        "",
        affinity(
            "{matchExpressions: [{key: foo, operator: In, values: [bar, value2]}]}",
            "{matchExpressions: [{key: foo, operator: In, values: [wrong]}]}"));

    cluster.waitsBecause("restricted", "foo in {bar, value2, wrong}");
  }

  @Test
  @DisplayName("predicates: a required node affinity that a node matches is respected")
  void nodeAffinityThatMatches() {
    cluster.start(node("a"), node("b"), node("c"));
    label("c", "kubernetes.io/e2e", "42");

    Pod pod =
        cluster.run(
            "with-labels",
            "",
            affinity(
                "{matchExpressions: [{key: kubernetes.io/e2e, operator: In, values: ['42']}]}"));
    assertThat(nodeOf(pod)).isEqualTo("c");
  }

  // ---- Taints

  @Test
  @DisplayName("predicates: taints that a pod tolerates are respected")
  void tolerationsThatMatch() {
    cluster.start(node("a"), node("tainted"));
    label("tainted", "chosen", "true");
    taint("tainted", "kubernetes.io/e2e", "testing", "NoSchedule");

    Pod pod =
        cluster.run(
            "with-tolerations",
            "",
            """
            tolerations: [{key: kubernetes.io/e2e, value: testing, effect: NoSchedule}]
            nodeSelector: {chosen: 'true'}
            """);
    assertThat(nodeOf(pod)).isEqualTo("tainted");
  }

  @Test
  @DisplayName("predicates: taints that a pod does not tolerate are respected until they are gone")
  void tolerationsThatDoNotMatch() {
    cluster.start(node("a"), node("tainted"));
    taint("tainted", "kubernetes.io/e2e", "testing", "NoSchedule");
    label("tainted", "chosen", "true");
    cluster.run(
        "informed",
        "",
        """
        tolerations: [{operator: Exists}]
        nodeSelector: {chosen: 'true'}
        """);
    cluster.create("no-tolerations", "", "nodeSelector: {chosen: 'true'}");
    cluster.create(
        "other-value",
        "",
        """
        tolerations: [{key: kubernetes.io/e2e, value: other, effect: NoSchedule}]
        nodeSelector: {chosen: 'true'}
        """);

    cluster.waitsBecause("no-tolerations", "with the taint kubernetes.io/e2e=testing (no new)");
    cluster.waitsBecause("other-value", "with the taint kubernetes.io/e2e=testing (no new)");

    cluster.changeNode(
        "tainted", node -> new NodeBuilder(node).editSpec().withTaints().endSpec().build());
    assertThat(nodeOf(cluster.ready("no-tolerations"))).isEqualTo("tainted");
    assertThat(nodeOf(cluster.ready("other-value"))).isEqualTo("tainted");
  }

  // ---- Host ports

  @Test
  @DisplayName("predicates: the same host port conflicts neither at another address nor protocol")
  void hostPortsThatDoNotConflict() {
    cluster.start(node("ports"));

    cluster.run(withPort("pod1", "127.0.0.1", "TCP"));
    cluster.run(withPort("pod2", "127.0.0.2", "TCP"));
    cluster.run(withPort("pod3", "127.0.0.2", "UDP"));
  }

  @Test
  @DisplayName("predicates: the same host port and protocol conflict if one address is 0.0.0.0")
  void hostPortsThatConflict() {
    cluster.start(node("ports"));

    cluster.run(withPort("pod4", "", "TCP"));
    cluster.create(withPort("pod5", "127.0.0.1", "TCP"));
    cluster.create(withPort("pod6", "0.0.0.0", "TCP"));
    cluster.waitsBecause("pod5", "hostport:TCP/54321");
    cluster.waitsBecause("pod6", "hostport:TCP/54321");

    cluster.run(withPort("pod7", "127.0.0.1", "UDP"));

    cluster.delete(cluster.current("pod6").orElseThrow());
    cluster.delete(cluster.current("pod4").orElseThrow());
    cluster.ready("pod5");
  }

  @Test
  @DisplayName("equivalence cache: of two equal pods with a host port, one waits for the other")
  void equalPodsWithAPort() {
    cluster.start(node("one"));
    cluster.create(withPort("p0", "", "TCP"));
    cluster.ready("p0");
    cluster.create(withPort("p1", "", "TCP"));

    cluster.waitsBecause("p1", "hostport:TCP/54321");
  }

  // ---- Other pods

  @Test
  @DisplayName(
      "equivalence cache: pods follow a required pod affinity while the node has its label")
  void podAffinity() {
    String zone = "topology.kubernetes.io/zone";
    cluster.start(node("a", Map.of(zone, "za"), Map.of()), node("b", Map.of(zone, "zb"), Map.of()));
    Pod first = cluster.run(cluster.pod("first", "security: S1", "", ""));
    String affinity =
        """
        affinity:
          podAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: topology.kubernetes.io/zone
              labelSelector: {matchExpressions: [{key: security, operator: In, values: [S1]}]}
        """;
    for (int i = 0; i < 2; i++) {
      assertThat(nodeOf(cluster.run("near-" + i, "", affinity))).isEqualTo(nodeOf(first));
    }

    cluster.changeNode(
        nodeOf(first),
        node ->
            new NodeBuilder(node)
                .editMetadata()
                .removeFromLabels(zone)
                .addToLabels("changed", "true")
                .endMetadata()
                .build());
    cluster.run("informed", "", "nodeSelector: {changed: 'true'}");
    cluster.create("near-2", "", affinity);
    cluster.waitsBecause("near-2", "0 of 2 hosts: 2 ", "label security=");
  }

  @Test
  @DisplayName("equivalence cache: a required pod anti-affinity closes a zone of two nodes")
  void podAntiAffinity() {
    Map<String, String> zone = Map.of("topology.kubernetes.io/zone", "z");
    cluster.start(node("a", zone, Map.of()), node("b", zone, Map.of()));
    cluster.run(cluster.pod("first", "service: S1", "", ""));
    for (int i = 0; i < 2; i++) {
      cluster.create(
          "apart-" + i,
          "",
          """
          affinity:
            podAntiAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
              - topologyKey: topology.kubernetes.io/zone
                labelSelector: {matchExpressions: [{key: service, operator: In, values: [S1]}]}
          """);
    }
    for (int i = 0; i < 2; i++) {
      cluster.waitsBecause("apart-" + i, "apart");
    }
  }

  @Test
  @DisplayName("predicates: four pods with a skew of at most 1 are spread evenly over two nodes")
  void spread() {
    String key = "kubernetes.io/e2e-pts-filter";
    cluster.start(node("a", Map.of(key, "a"), Map.of()), node("b", Map.of(key, "b"), Map.of()));
    for (int i = 0; i < 4; i++) {
      cluster.create(
          cluster.pod(
              "p" + i,
              "e2e: filter",
              "",
              spread(key, "DoNotSchedule", "{matchLabels: {e2e: filter}}")));
    }
    for (int i = 0; i < 4; i++) {
      cluster.ready("p" + i);
    }

    assertThat(cluster.pods())
        .extracting(CaseCluster::nodeOf)
        .containsExactlyInAnyOrder("a", "a", "b", "b");
  }

  @Test
  @DisplayName("predicates: a spread over all pods that have a label is refused, not ignored")
  void spreadOfPodsWithALabel() {
    String key = "kubernetes.io/e2e-pts-filter";
    cluster.start(node("a", Map.of(key, "a"), Map.of()));
    cluster.create(
        cluster.pod(
            "p",
            "e2e: filter",
            "",
            spread(key, "DoNotSchedule", "{matchExpressions: [{key: e2e, operator: Exists}]}")));

    cluster.waitsBecause(
        "p",
        "spec.topologySpreadConstraints[0].labelSelector.matchExpressions[0].operator was Exists");
  }

  // ---- Volumes

  @Test
  @DisplayName("predicates: a volume may name nodes that do not exist besides those that do")
  void volumeOfNodesThatDoNotExist() {
    cluster.boundClaim(
        "data", Map.of(), "kubernetes.io/hostname", List.of("gone-1", "b", "gone-2"));
    cluster.start(node("a"), node("b"), node("c"));

    assertThat(nodeOf(cluster.run("with-volume", "", CaseCluster.claiming("data")))).isEqualTo("b");
  }

  @Test
  @DisplayName("predicates: a claim that is not bound is refused, not ignored")
  void claimThatIsNotBound() {
    cluster.start(node("a"));
    cluster.create("with-volume", "", CaseCluster.claiming("data"));

    cluster.waitsBecause(
        "with-volume", "spec.volumes[0].persistentVolumeClaim was data, must be bound");
  }

  // ---- What the tests share

  private void label(String node, String key, String value) {
    cluster.changeNode(
        node,
        it -> new NodeBuilder(it).editMetadata().addToLabels(key, value).endMetadata().build());
  }

  private void taint(String node, String key, String value, String effect) {
    cluster.changeNode(
        node,
        it ->
            new NodeBuilder(it).editSpec().addNewTaint(effect, key, null, value).endSpec().build());
  }

  private static String onHost(String name) {
    return affinity(
        "{matchFields: [{key: metadata.name, operator: In, values: [%s]}]}".formatted(name));
  }

  private static String affinity(String... terms) {
    return """
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [%s]
    """
        .formatted(String.join(", ", List.of(terms)));
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

  private Pod withPort(String name, String address, String protocol) {
    return new PodBuilder(cluster.pod(name, "", "", ""))
        .editSpec()
        .editFirstContainer()
        .addNewPort()
        .withContainerPort(80)
        .withHostPort(54_321)
        .withHostIP(address)
        .withProtocol(protocol)
        .endPort()
        .endContainer()
        .endSpec()
        .build();
  }
}
