package dev.berth.kubernetes.meaning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Constraint;
import dev.berth.api.Peers;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.test.TestRun;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;
import net.jqwik.api.statistics.StatisticsReport.StatisticsReportMode;

/** What holds for all pods, nodes and selectors. */
class MeaningPropertiesTest {

  @Property(tries = 3000)
  void translationNeverThrows(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 40) int nonsense) {
    RandomPods random = new RandomPods(seed, nonsense);
    Pod pod = random.pod();
    Node node = random.node();

    PodMeaning meaning = PodMeaning.of("i", pod, Yaml.RULES, Claims.NONE);
    NodeMeaning host = NodeMeaning.of(node, ForeignLoad.of(List.of(pod)));
    PodState.of(pod, "berth");
    PodState.belongsToNode(pod);
    Owner.jobOf(pod);
    Budgets.Member.ours(pod);

    if (meaning instanceof PodMeaning.Refused refused) {
      assertThat(refused.reasons()).isNotEmpty();
      assertThat(Refusal.describe(refused.reasons())).isNotBlank();
    }
    if (host instanceof NodeMeaning.Refused refused) {
      assertThat(refused.reasons()).isNotEmpty();
    }
  }

  @Property(tries = 500)
  @StatisticsReport(StatisticsReportMode.OFF)
  void someSensiblePodsAreUnderstood(@ForAll long seed) {
    PodMeaning meaning = PodMeaning.of("i", new RandomPods(seed, 0).pod(), Yaml.RULES, Claims.NONE);
    requireMany(meaning instanceof PodMeaning.Understood);
  }

  /** Checks that a property is not empty: of many samples, enough are understood. */
  private static void requireMany(boolean understood) {
    Statistics.collect(understood);
    if (TestRun.isFixed()) {
      Statistics.coverage(coverage -> coverage.check(true).percentage(share -> share > 20));
    }
  }

  @Property(tries = 1000)
  void aPodHoldsAtLeastWhatItsContainersAskFor(@ForAll long seed) {
    Pod pod = new RandomPods(seed, 0).pod();
    Pod plain = new Pod();
    plain.setSpec(new PodSpec());
    plain.getSpec().setContainers(pod.getSpec().getContainers());
    Resources least = PodDemand.of(plain).resources();
    boolean reduced = pod.getSpec().getResources() != null || pod.getStatus() != null;

    if (!reduced) {
      assertThat(least.fitsIn(PodDemand.of(pod).resources())).isTrue();
    }
  }

  /** Peers of a selector are exactly the pods that it matches. */
  @Property(tries = 5000)
  @StatisticsReport(StatisticsReportMode.OFF)
  void peersAreThePodsOfTheSelector(@ForAll long seed) {
    RandomPods random = new RandomPods(seed, 0);
    LabelSelector selector = random.selector();
    Map<String, String> labels = random.labels();
    Map<String, String> own = random.labels();
    Random more = new Random(seed);
    String namespace = more.nextBoolean() ? "default" : "other";
    Set<String> namespaces = more.nextBoolean() ? Set.of("default") : Set.of("default", "third");
    List<String> likeOurs = more.nextBoolean() ? List.of() : List.of("app");
    PeerLabels peerLabels = PeerLabels.of(List.of(List.of("app", "tier"), List.of("app", "x")));

    Findings findings = new Findings();
    List<Peers> any = peerLabels.select("path", namespaces, selector, likeOurs, own, findings);
    requireMany(findings.refused().isEmpty());
    if (findings.refused().isEmpty()) {
      Request request =
          Request.builder("r", "c")
              .demand(Resources.none())
              .labels(peerLabels.labelsOf(namespace, labels))
              .build();
      boolean alike =
          likeOurs.stream()
              .allMatch(key -> !own.containsKey(key) || own.get(key).equals(labels.get(key)));
      assertThat(any.stream().anyMatch(peers -> peers.include(request)))
          .isEqualTo(
              namespaces.contains(namespace) && Selectors.matches(selector, labels) && alike);
    }
  }

  /** Constraints hold on exactly the nodes that a node selector matches. */
  @Property(tries = 5000)
  @StatisticsReport(StatisticsReportMode.OFF)
  void constraintsHoldOnTheNodesOfTheSelector(@ForAll long seed) {
    RandomPods random = new RandomPods(seed, 0);
    NodeSelector selector = random.nodeSelector();
    Random more = new Random(seed);
    Map<String, String> attributes = new HashMap<>();
    for (String key : List.of("zone", "disk", "cores")) {
      if (more.nextInt(4) > 0) {
        attributes.put(key, List.of("a", "b", "5", "2", "-7").get(more.nextInt(5)));
      }
    }
    attributes.put(NodeMeaning.NAME_ATTRIBUTE, more.nextBoolean() ? "n1" : "n2");

    Findings findings = new Findings();
    List<Constraint> constraints = NodeAffinities.required("path", selector, findings);
    requireMany(findings.refused().isEmpty());
    if (findings.refused().isEmpty()) {
      assertThat(constraints.stream().allMatch(each -> each.holdsWith(attributes)))
          .isEqualTo(matches(selector, attributes));
    }
  }

  private static boolean matches(NodeSelector selector, Map<String, String> attributes) {
    return Nulls.list(selector.getNodeSelectorTerms()).stream()
        .anyMatch(each -> matches(each, attributes));
  }

  private static boolean matches(NodeSelectorTerm term, Map<String, String> attributes) {
    List<NodeSelectorRequirement> expressions = Nulls.list(term.getMatchExpressions());
    List<NodeSelectorRequirement> fields = Nulls.list(term.getMatchFields());
    return !(expressions.isEmpty() && fields.isEmpty())
        && expressions.stream().allMatch(each -> matches(each, attributes.get(each.getKey())))
        && fields.stream()
            .allMatch(each -> matches(each, attributes.get(NodeMeaning.NAME_ATTRIBUTE)));
  }

  private static boolean matches(NodeSelectorRequirement requirement, String value) {
    List<String> values = Nulls.list(requirement.getValues());
    return switch (requirement.getOperator()) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "Gt" -> isWhole(value) && Long.parseLong(value) > Long.parseLong(values.get(0));
      case "Lt" -> isWhole(value) && Long.parseLong(value) < Long.parseLong(values.get(0));
      default -> throw new AssertionError(requirement);
    };
  }

  private static boolean isWhole(String value) {
    return value != null && value.matches("-?[0-9]+");
  }
}
