package dev.berth.kubernetes.meaning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.Preference;
import dev.berth.api.Request;
import dev.berth.api.Taint;
import dev.berth.api.Toleration;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodMeaningTest {

  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final Peers WEB = Peers.labelled("app", "default/web");

  @Test
  void aPlainPodIsARequestOfItsDemand() {
    Pod pod = Yaml.pod("containers: [{name: a, resources: {requests: {cpu: 2}}}]");
    PodMeaning.Understood meaning = Yaml.understood(pod);
    Request request = meaning.request();

    assertThat(request.id()).isEqualTo("i");
    assertThat(request.serviceClass()).isEqualTo("bronze");
    assertThat(request.demand().amount(Dimension.CPU)).isEqualTo(2_000_000_000L);
    assertThat(request.job()).contains("default/Pod");
    assertThat(request.user()).contains("default");
    assertThat(request.constraints()).isEmpty();
    assertThat(request.placement().isEmpty()).isTrue();
    assertThat(request.labels())
        .isEqualTo(
            Map.of(
                "app",
                "default/web",
                "tier",
                "default/front",
                "app,tier",
                "default/web,front",
                PeerLabels.NAMESPACE,
                "default"));
    assertThat(request.losesProgress()).isFalse();
    assertThat(request.estimatedRunTime()).isEmpty();
    assertThat(meaning.group()).isEmpty();
    assertThat(meaning.leftOut()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Job, x, true",
    "Job, false, true",
    "Job, true, false",
    "ReplicaSet, x, false",
  })
  void podsOfJobsLoseTheirProgressUnlessALabelSaysOtherwise(
      String kind, String keeps, boolean loses) {
    Pod pod =
        Yaml.podOf(
            """
            metadata:
              name: a
              namespace: ns
              labels: {berth.dev/keeps-progress: "%s"}
              ownerReferences:
              - {kind: %s, name: o, uid: u1, controller: true}
            spec: {containers: [{name: a}]}
            """
                .formatted(keeps, kind));

    assertThat(Yaml.understood(pod).request().losesProgress()).isEqualTo(loses);
  }

  @ParameterizedTest
  @CsvSource({"90, 90", "9223372036854775807, 3153600000"})
  void theDeadlineOfAPodIsItsEstimate(String deadline, long seconds) {
    Pod pod = Yaml.pod("{activeDeadlineSeconds: %s, containers: [{name: a}]}".formatted(deadline));

    assertThat(Yaml.understood(pod).request().estimatedRunTime())
        .hasValue(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void aBlankIdIsAMistakeOfTheCaller() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PodMeaning.of(" ", new Pod(), Yaml.RULES, Claims.NONE));
  }

  // ---------------------------------------------------------------- service class

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "berth.dev/service-class: gold | other    | gold",
        "berth.dev/service-class: gold | critical | gold",
        "app: web                      | critical | gold",
        "app: web                      | other    | bronze",
      })
  void theClassFollowsFromLabelPriorityClassOrDefault(
      String label, String priorityClass, String expected) {
    Pod pod =
        Yaml.podOf(
            "metadata: {name: p, namespace: d, labels: {%s}}\nspec: {priorityClassName: %s}"
                .formatted(label, priorityClass));

    assertThat(Yaml.request(pod).serviceClass()).isEqualTo(expected);
    assertThat(Yaml.RULES.serviceClasses().classOf(pod, new Findings())).contains(expected);
  }

  @Test
  void anUnknownClassIsRefused() {
    Pod pod =
        Yaml.podOf(
            "metadata: {name: p, namespace: d, labels: {berth.dev/service-class: golt}}\nspec: {}");

    assertThat(Yaml.refusals(pod))
        .containsExactly(
            "metadata.labels[berth.dev/service-class] was golt, must be a service class."
                + " Maybe you meant gold. Known: bronze, gold.");
  }

  @Test
  void withoutADefaultAPodWithoutAClassIsRefused() {
    PodRules rules =
        new PodRules(new ServiceClassRules(Set.of("gold"), Map.of(), Optional.empty()));

    assertThat(
            ((PodMeaning.Refused)
                    PodMeaning.of("i", Yaml.with("restartPolicy: Always"), rules, Claims.NONE))
                .reasons())
        .extracting(Refusal::describe)
        .containsExactly(
            "spec.priorityClassName was not set, must stand for a service class, since there is"
                + " no default. Set the label berth.dev/service-class. Known: gold.");
  }

  // ---------------------------------------------------------------- nodes

  private static String terms(String terms) {
    return """
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: %s
    """
        .formatted(terms);
  }

  private static String term(String expressions) {
    return terms("[{matchExpressions: [" + expressions + "]}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{key: a, operator: In, values: [x, y]}    | a in {x, y}",
        "{key: a, operator: NotIn, values: [x, y]} | a != x; a != y",
        "{key: a, operator: Exists}                | a exists",
        "{key: a, operator: Gt, values: ['5']}     | a > 5",
        "{key: a, operator: Lt, values: ['-5']}    | a < -5",
        "{key: a, operator: Exists}, {key: b, operator: Exists} | a exists; b exists",
      })
  void requirementsAreConstraints(String expressions, String expected) {
    assertThat(Yaml.request(Yaml.with(term(expressions))).constraints())
        .extracting(Constraint::describe)
        .containsExactlyInAnyOrder(expected.split("; "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{key: a, operator: DoesNotExist}           | [0].operator: DoesNotExist is not among",
        "{key: a, operator: Near}                   | [0].operator was Near, must be one of",
        "{key: a, operator: Gt, values: [x]}        | [0].values was [x], must be one whole number",
        "{key: a, operator: Gt}                     | [0].values was [], must be one whole number",
        "{key: a, operator: Gt, values: ['9223372036854775808']} | [0].values was [92",
        "{key: '', operator: Exists}                | [0].key was , must not be blank",
      })
  void requirementsWithoutAConstraintAreRefused(String expression, String expected) {
    assertThat(Yaml.refusals(Yaml.with(term(expression))))
        .singleElement()
        .asString()
        .startsWith(
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                + ".nodeSelectorTerms[0].matchExpressions")
        .contains(expected);
  }

  @Test
  void aNodeSelectorIsEquality() {
    assertThat(Yaml.request(Yaml.with("nodeSelector: {disk: ssd}")).constraints())
        .containsExactly(new Constraint.Equal("disk", "ssd"));
  }

  @Test
  void theNameOfANodeIsAnAttribute() {
    String fields = "[{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]";

    assertThat(Yaml.request(Yaml.with(terms(fields))).constraints())
        .containsExactly(new Constraint.In(NodeMeaning.NAME_ATTRIBUTE, Set.of("n1")));
    assertThat(Yaml.refusals(Yaml.with(terms(fields.replace("metadata.name", "spec.x")))))
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{e: [{k: a, v: [x]}]}, {e: [{k: a, v: [y]}]}]                       | a in {x, y}",
        "[{e: [{k: a, v: [x]}, {k: b, v: [z]}]}, {e: [{k: a, v: [y]}, {k: b, v: [z]}]}]"
            + " | b in {z}; a in {x, y}",
        "[{e: [{k: a, v: [x]}]}, {e: [{k: a, v: [x]}]}]                       | a in {x}",
        "[{e: [{k: a, v: [x]}, {k: b, v: [z]}]}, {e: [{k: b, v: [z]}]}]       | b in {z}",
        "[{}, {e: [{k: a, v: [x]}]}]                                          | a in {x}",
      })
  void alternativesThatDifferInOneListAreOneList(String terms, String expected) {
    assertThat(Yaml.request(Yaml.with(terms(written(terms)))).constraints())
        .extracting(Constraint::describe)
        .containsExactlyInAnyOrder(expected.split("; "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{e: [{k: a, v: [x]}]}, {e: [{k: b, v: [y]}]}] | 2 alternatives, must differ in one key",
        "[{}]                                           | 1 terms, must match some node",
        "[]                                             | 0 terms, must match some node",
      })
  void otherAlternativesAreRefused(String terms, String expected) {
    assertThat(Yaml.refusals(Yaml.with(terms(written(terms)))))
        .singleElement()
        .asString()
        .contains("nodeSelectorTerms was " + expected);
  }

  private static String written(String terms) {
    return terms
        .replace("e:", "matchExpressions:")
        .replace("k:", "operator: In, key:")
        .replace("v:", "values:");
  }

  @Test
  void preferredNodesArePreferencesAndOthersAreLeftOut() {
    PodMeaning.Understood meaning =
        Yaml.understood(
            Yaml.with(
                """
                affinity:
                  nodeAffinity:
                    preferredDuringSchedulingIgnoredDuringExecution:
                    - weight: 7
                      preference: {matchExpressions: [{key: a, operator: In, values: [x]}]}
                    - weight: 8
                      preference: {matchExpressions: [{key: a, operator: DoesNotExist}]}
                    - weight: 9
                      preference: {matchExpressions: [{key: a, operator: NotIn, values: [x, y]}]}
                    - weight: 10
                      preference: {}
                """));

    assertThat(meaning.request().placement().preferences())
        .containsExactly(new Preference.OnHost(new Constraint.In("a", Set.of("x")), 7));
    assertThat(meaning.leftOut())
        .extracting(Refusal::path)
        .containsExactly(
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[1]"
                + ".preference.matchExpressions[0].operator",
            "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[2]"
                + ".preference");
  }

  @Test
  void theOperatingSystemLimitsTheNodes() {
    assertThat(Yaml.request(Yaml.with("os: {name: linux}")).constraints())
        .containsExactly(new Constraint.NotEqual("kubernetes.io/os", "windows"));
    assertThat(Yaml.request(Yaml.with("os: {name: windows}")).constraints())
        .containsExactly(new Constraint.Equal("kubernetes.io/os", "windows"));
    assertThat(Yaml.refusals(Yaml.with("os: {name: plan9}"))).hasSize(1);
  }

  // ---------------------------------------------------------------- tolerations

  @Test
  void tolerationsOfAllKindsAreKept() {
    Request request =
        Yaml.request(
            Yaml.with(
                """
                tolerations:
                - {operator: Exists}
                - {key: a, operator: Exists, effect: NoSchedule}
                - {key: b, value: x}
                - {key: b, operator: Equal, value: x}
                - {key: c, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
                - {key: d, operator: Exists, effect: NoExecute, tolerationSeconds: -1}
                - {key: e, effect: PreferNoSchedule, value: ""}
                - {key: f, operator: Exists, effect: NoExecute, tolerationSeconds: 9223372036854775807}
                """));

    assertThat(request.placement().tolerations())
        .containsExactly(
            Toleration.ALL,
            toleration("a", null, Taint.Effect.NO_NEW, null),
            Toleration.of("b", "x"),
            toleration("c", null, Taint.Effect.LEAVE, Duration.ofMinutes(5)),
            toleration("d", null, Taint.Effect.LEAVE, Duration.ZERO),
            toleration("e", "", Taint.Effect.PREFER_NOT, null),
            toleration("f", null, Taint.Effect.LEAVE, null));
  }

  private static final String DEFAULTS =
      """
      tolerations:
      - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
      - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
      """;

  @Test
  void tolerationsThatEachPodHasAreTheGraceOfTheTaint() {
    assertThat(Yaml.request(Yaml.with(DEFAULTS)).placement().isEmpty()).isTrue();
    assertThat(Yaml.request(Yaml.with(DEFAULTS.replace("300", "60"))).placement().tolerations())
        .hasSize(2);
    assertThat(Yaml.request(Yaml.with(DEFAULTS + "- {operator: Exists}")).placement().tolerations())
        .hasSize(3); // else it would tolerate these taints for ever
    assertThat(
            Yaml.request(
                    Yaml.with(
                        DEFAULTS + "- {key: node.kubernetes.io/unreachable, operator: Exists}"))
                .placement()
                .tolerations())
        .hasSize(2);
    assertThat(
            Yaml.request(Yaml.with(DEFAULTS + "- {key: gpu, operator: Exists}"))
                .placement()
                .tolerations())
        .containsExactly(Toleration.of("gpu"));
  }

  @Test
  void labelsOfOnePodAreNotThoseOfItsRequest() {
    Pod pod =
        Yaml.podOf(
            """
            metadata:
              name: web-0
              namespace: d
              labels: {app: web, apps.kubernetes.io/pod-index: "0"}
            spec: {}
            """);
    String term =
        "{topologyKey: z, labelSelector: {matchLabels: {apps.kubernetes.io/pod-index: '0'}}}";

    assertThat(Yaml.request(pod).labels()).containsOnlyKeys("app", PeerLabels.NAMESPACE);
    assertThat(Yaml.refusals(Yaml.with(affinity("podAntiAffinity", term)))).hasSize(1);
  }

  private static Toleration toleration(
      String key, String value, Taint.Effect effect, Duration atMost) {
    return new Toleration(
        Optional.of(key),
        Optional.ofNullable(value),
        Optional.of(effect),
        Optional.ofNullable(atMost));
  }

  @Test
  void otherTolerationsAreRefused() {
    assertThat(
            Yaml.refusals(
                Yaml.with(
                    """
                    tolerations:
                    - {key: a, operator: Gt, value: "3"}
                    - {operator: Equal}
                    - {key: a, operator: Exists, effect: Never}
                    """)))
        .containsExactly(
            "spec.tolerations[0].operator was Gt, must be one of Equal, Exists.",
            "spec.tolerations[1].key was , must not be blank unless the operator is Exists.",
            "spec.tolerations[2].effect was Never,"
                + " must be one of NoSchedule, PreferNoSchedule, NoExecute.");
  }

  @Test
  void moreTolerationsThanARequestMayHaveAreRefused() {
    String many =
        IntStream.range(0, 65)
            .mapToObj("{key: k%s, operator: Exists}"::formatted)
            .collect(Collectors.joining(", "));

    assertThat(Yaml.refusals(Yaml.with("tolerations: [%s]".formatted(many))))
        .containsExactly(
            "spec.tolerations was 65 tolerations, must have at most 64 different ones.");
  }

  // ---------------------------------------------------------------- other pods

  private static String affinity(String kind, String term) {
    return """
    affinity:
      %s:
        requiredDuringSchedulingIgnoredDuringExecution:
        - %s
    """
        .formatted(kind, term);
  }

  private static String web(String more) {
    return "{labelSelector: {matchLabels: {app: web}}, %s}".formatted(more);
  }

  @Test
  void requiredAntiAffinityKeepsApart() {
    assertThat(
            Yaml.request(
                    Yaml.with(
                        affinity("podAntiAffinity", web("topologyKey: kubernetes.io/hostname"))))
                .placement()
                .rules())
        .containsExactly(new PlacementRule.Apart(WEB, Domain.HOST));
    assertThat(
            Yaml.request(
                    Yaml.with(
                        affinity(
                            "podAntiAffinity", web("namespaces: [a, b], topologyKey: " + ZONE))))
                .placement()
                .rules())
        .containsExactly(
            new PlacementRule.Apart(Peers.labelled("app", "a/web"), Domain.of(ZONE)),
            new PlacementRule.Apart(Peers.labelled("app", "b/web"), Domain.of(ZONE)));
  }

  @Test
  void requiredAffinityKeepsNear() {
    assertThat(
            Yaml.request(Yaml.with(affinity("podAffinity", web("topologyKey: " + ZONE))))
                .placement()
                .rules())
        .containsExactly(new PlacementRule.Near(WEB, Domain.of(ZONE)));
  }

  @Test
  void severalTermsOfAffinityAreRefused() {
    String term = web("topologyKey: " + ZONE);

    assertThat(Yaml.refusals(Yaml.with(affinity("podAffinity", term + "\n    - " + term))))
        .singleElement()
        .asString()
        .contains("was 2 terms, must be one term");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "matchLabels: {app: web, tier: front}                              | app,tier=default/web,front",
        "matchExpressions: [{key: app, operator: In, values: [web]}]       | app=default/web",
        "matchExpressions: [{key: app, operator: In, values: [b, a]}]      | app=default/a; app=default/b",
        "matchLabels: {}                                                   | field:metadata.namespace=default",
        "matchExpressions: [{key: app, operator: NotIn, values: [b]}, {key: app, operator: Exists}, "
            + "{key: app, operator: In, values: [b, a]}] | app=default/a",
        "matchLabels: {app: web}, matchExpressions: [{key: app, operator: Exists}] | app=default/web",
      })
  void selectorsArePeers(String selector, String expected) {
    String term = "{topologyKey: %s, labelSelector: {%s}}".formatted(ZONE, selector);

    assertThat(Yaml.request(Yaml.with(affinity("podAntiAffinity", term))).placement().rules())
        .extracting(each -> each.peers().describe())
        .containsExactly(
            Arrays.stream(expected.split("; ")).map("label "::concat).toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "labelSelector: {matchLabels: {app: web, x: y}} | labelSelector was [app, x], must name one",
        "labelSelector: {matchExpressions: [{key: a, operator: Exists}]} | operator was Exists, must be In",
        "labelSelector: {matchLabels: {app: web}, matchExpressions: [{key: a, operator: NotIn, values: [b]}]}"
            + " | matchExpressions[0].operator was NotIn, must be In, or narrow",
        "labelSelector: {matchLabels: {app: web}, matchExpressions: [{key: app, operator: DoesNotExist}]}"
            + " | matchExpressions[0].operator was DoesNotExist, must be In, or narrow",
        "namespaceSelector: {}, labelSelector: {}       | namespaceSelector: a selector is more",
        "mismatchLabelKeys: [a], labelSelector: {}      | mismatchLabelKeys: [a] is more",
      })
  void selectorsThatArePeersOfNoOneLabelAreRefused(String selector, String expected) {
    String term = "{topologyKey: %s, %s}".formatted(ZONE, selector);

    assertThat(Yaml.refusals(Yaml.with(affinity("podAntiAffinity", term))))
        .singleElement()
        .asString()
        .contains("podAntiAffinity")
        .contains(expected);
  }

  @Test
  void aMissingSelectorSelectsNoPod() {
    String term = "{topologyKey: %s}".formatted(ZONE);

    assertThat(Yaml.request(Yaml.with(affinity("podAntiAffinity", term))).placement().rules())
        .isEmpty();
  }

  @Test
  void preferredAffinitiesArePreferencesAndOthersAreLeftOut() {
    String wishes =
        """
        affinity:
          %s:
            preferredDuringSchedulingIgnoredDuringExecution:
            - {weight: 5, podAffinityTerm: %s}
            - {weight: 6, podAffinityTerm: {topologyKey: z, namespaceSelector: {}, labelSelector: {}}}
        """;
    PodMeaning.Understood apart =
        Yaml.understood(
            Yaml.with(wishes.formatted("podAntiAffinity", web("topologyKey: " + ZONE))));
    PodMeaning.Understood near =
        Yaml.understood(Yaml.with(wishes.formatted("podAffinity", web("topologyKey: " + ZONE))));

    assertThat(apart.request().placement().preferences())
        .containsExactly(new Preference.Apart(WEB, Domain.of(ZONE), 5));
    assertThat(near.request().placement().preferences())
        .containsExactly(new Preference.Near(WEB, Domain.of(ZONE), 5));
    assertThat(apart.leftOut()).hasSize(1);
    assertThat(near.leftOut()).hasSize(1);
  }

  private static String spread(String parts) {
    return """
    topologySpreadConstraints:
    - topologyKey: %s
      maxSkew: 2
      labelSelector: {matchLabels: {app: web}}
      %s
    """
        .formatted(ZONE, parts.replace(";", "\n  "));
  }

  @Test
  void requiredSpreadIsARule() {
    assertThat(
            Yaml.request(
                    Yaml.with(
                        spread(
                            "whenUnsatisfiable: DoNotSchedule;minDomains: 1;nodeAffinityPolicy:"
                                + " Honor;nodeTaintsPolicy: Ignore")))
                .placement()
                .rules())
        .containsExactly(new PlacementRule.Spread(WEB, Domain.of(ZONE), 2));
  }

  @Test
  void spreadOfOwnRevisionNeedsBothLabels() {
    Pod pod =
        Yaml.podOf(
            """
            metadata:
              {name: p, namespace: default, labels: {app: web, pod-template-hash: h}}
            spec:
            """
                + spread("whenUnsatisfiable: DoNotSchedule;matchLabelKeys: [pod-template-hash, no]")
                    .indent(2));

    assertThat(Yaml.request(pod).placement().rules())
        .containsExactly(
            new PlacementRule.Spread(
                Peers.labelled("app,pod-template-hash", "default/web,h"), Domain.of(ZONE), 2));
  }

  @Test
  void spreadThatIsAWishIsAPreference() {
    assertThat(
            Yaml.request(Yaml.with(spread("whenUnsatisfiable: ScheduleAnyway")))
                .placement()
                .preferences())
        .containsExactly(new Preference.Apart(WEB, Domain.of(ZONE), PodAffinities.SPREAD_WEIGHT));
  }

  @Test
  void spreadOfNoPodsNeedsAPlaceOnly() {
    Pod pod =
        Yaml.with(
            """
            topologySpreadConstraints:
            - {topologyKey: %s, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}
            """
                .formatted(ZONE));

    assertThat(Yaml.request(pod).constraints()).containsExactly(new Constraint.Exists(ZONE));
  }

  @ParameterizedTest
  @CsvSource({
    "minDomains: 2",
    "nodeTaintsPolicy: Honor",
  })
  void spreadThatCannotBeKeptIsRefused(String part) {
    assertThat(Yaml.refusals(Yaml.with(spread("whenUnsatisfiable: DoNotSchedule;" + part))))
        .singleElement()
        .asString()
        .startsWith("spec.topologySpreadConstraints[0]." + part.replace(":", " was"));
  }

  @Test
  void spreadOverNodesThatThePodExcludesIsRefused() {
    String parts = spread("whenUnsatisfiable: DoNotSchedule;nodeAffinityPolicy: Ignore");

    assertThat(Yaml.refusals(Yaml.with(parts))).isEmpty();
    assertThat(Yaml.refusals(Yaml.with(parts + "nodeSelector: {a: b}"))).hasSize(1);
  }

  // ---------------------------------------------------------------- ports

  private static Request port(String port) {
    return Yaml.request(Yaml.pod("containers: [{name: a, ports: [%s]}]".formatted(port)));
  }

  private static boolean conflict(Request a, Request b) {
    return a.placement().rules().stream().anyMatch(rule -> rule.peers().include(b))
        || b.placement().rules().stream().anyMatch(rule -> rule.peers().include(a));
  }

  @Test
  void hostPortsConflictAsInKubernetes() {
    Request any = port("{hostPort: 80}");
    Request udp = port("{hostPort: 80, protocol: UDP}");
    Request one = port("{hostPort: 80, hostIP: 10.0.0.1}");
    Request two = port("{hostPort: 80, hostIP: 10.0.0.2}");
    Request other = port("{hostPort: 81}");
    Request none = port("{containerPort: 80}");

    assertThat(conflict(any, any)).isTrue();
    assertThat(conflict(any, one)).isTrue();
    assertThat(conflict(one, one)).isTrue();
    assertThat(conflict(one, two)).isFalse();
    assertThat(conflict(any, udp)).isFalse();
    assertThat(conflict(any, other)).isFalse();
    assertThat(conflict(any, none)).isFalse();
    assertThat(any.placement().rules())
        .allMatch(rule -> rule instanceof PlacementRule.Apart && rule.domain().equals(Domain.HOST));
  }

  @Test
  void portsOfForeignPodsCloseAHost() {
    Pod foreign =
        Yaml.podOf(
            """
            spec:
              nodeName: n
              containers: [{name: a, ports: [{hostPort: 80, hostIP: 10.0.0.1}]}]
            """);
    Map<String, String> attributes =
        ((NodeMeaning.Understood)
                NodeMeaning.of(Yaml.node("metadata: {name: n}"), ForeignLoad.of(List.of(foreign))))
            .host()
            .attributes();

    assertThat(admits(port("{hostPort: 80}"), attributes)).isFalse();
    assertThat(admits(port("{hostPort: 80, hostIP: 10.0.0.1}"), attributes)).isFalse();
    assertThat(admits(port("{hostPort: 80, hostIP: 10.0.0.2}"), attributes)).isTrue();
    assertThat(admits(port("{hostPort: 81}"), attributes)).isTrue();
  }

  private static boolean admits(Request request, Map<String, String> attributes) {
    return request.constraints().stream().allMatch(each -> each.holdsWith(attributes));
  }

  // ---------------------------------------------------------------- volumes

  private static final String CLAIM =
      "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]";

  @Test
  void volumesThatAnyNodeCanProvideDoNotMatter() {
    assertThat(
            Yaml.request(
                    Yaml.with(
                        """
                        volumes:
                        - {name: a, emptyDir: {}}
                        - {name: b, configMap: {name: c}}
                        - {name: c, secret: {secretName: c}}
                        - {name: d, projected: {}}
                        - {name: e, hostPath: {path: /x}}
                        - {name: f, nfs: {server: s, path: /}}
                        """))
                .constraints())
        .isEmpty();
  }

  @Test
  void aClaimMustBeBound() {
    assertThat(Yaml.refusals(Yaml.with(CLAIM)))
        .containsExactly(
            "spec.volumes[0].persistentVolumeClaim was data, must be bound to a volume, because"
                + " the scheduler does not choose volumes."
                + " Use a storage class with volumeBindingMode Immediate.");
    assertThat(Yaml.refusals(Yaml.with("volumes: [{name: v, ephemeral: {}}]")))
        .singleElement()
        .asString()
        .startsWith("spec.volumes[0].ephemeral was web-1-v, must be bound");
  }

  @Test
  void aBoundVolumeSaysWhereItIs() {
    Claims claims =
        (namespace, name) ->
            namespace.equals("default") && name.equals("data")
                ? Optional.of(
                    Yaml.volume(
                        """
                        metadata: {labels: {topology.kubernetes.io/zone: a__b}}
                        spec:
                          accessModes: [ReadWriteOnce]
                          nodeAffinity:
                            required:
                              nodeSelectorTerms:
                              - matchExpressions: [{key: host, operator: In, values: [h]}]
                        """))
                : Optional.empty();

    assertThat(
            ((PodMeaning.Understood) PodMeaning.of("i", Yaml.with(CLAIM), Yaml.RULES, claims))
                .request()
                .constraints())
        .containsExactlyInAnyOrder(
            new Constraint.In("host", Set.of("h")), new Constraint.In(ZONE, Set.of("a", "b")));
  }

  @Test
  void volumesWithRulesOfTheirOwnAreRefused() {
    Claims once =
        (namespace, name) -> Optional.of(Yaml.volume("spec: {accessModes: [ReadWriteOncePod]}"));

    assertThat(Yaml.refusals(Yaml.with(CLAIM), once)).hasSize(1);
    assertThat(Yaml.refusals(Yaml.with("volumes: [{name: v, gcePersistentDisk: {pdName: d}}]")))
        .singleElement()
        .asString()
        .startsWith("spec.volumes[0].gcePersistentDisk: v is a kind of volume");
  }

  // ---------------------------------------------------------------- the rest

  @Test
  void aLabelOrAFieldNamesTheGroup() {
    Pod pod = Yaml.with("");
    pod.getMetadata()
        .setLabels(
            Map.of("berth.dev/service-class", "gold", "scheduling.x-k8s.io/pod-group", "mpi"));
    assertThat(Yaml.understood(pod).group())
        .contains(new PodGroupRef(PodGroupRef.Api.COSCHEDULING, "default", "mpi"));
    assertThat(Yaml.understood(Yaml.with("schedulingGroup: {podGroupName: mpi}")).group())
        .contains(new PodGroupRef(PodGroupRef.Api.WORKLOAD, "default", "mpi"));
    assertThat(Yaml.refusals(Yaml.with("schedulingGroup: {}")))
        .singleElement()
        .asString()
        .contains("spec.schedulingGroup", "must name a PodGroup");
  }

  @Test
  void fieldsThatAreUnknownAreRefusedUnlessTheyAreIgnored() {
    Pod pod = Yaml.with("workloadRef: {name: w}");
    PodRules ignoring =
        new PodRules(Yaml.RULES.serviceClasses(), PeerLabels.DEFAULT, Set.of("workloadRef"));

    assertThat(Yaml.refusals(pod))
        .singleElement()
        .asString()
        .startsWith("spec.workloadRef: {name=w} is unknown to this version of the scheduler.");
    assertThat(PodMeaning.of("i", pod, ignoring, Claims.NONE))
        .isInstanceOf(PodMeaning.Understood.class);
  }

  @Test
  void resourceClaimsAreRefused() {
    assertThat(Yaml.refusals(Yaml.with("resourceClaims: [{name: gpu}]")))
        .singleElement()
        .asString()
        .startsWith("spec.resourceClaims: 1 claims is dynamic resource allocation");
  }

  @Test
  void aPodThatNeverPreemptsIsUnderstoodWithANote() {
    assertThat(Yaml.understood(Yaml.with("preemptionPolicy: Never")).leftOut())
        .extracting(Refusal::path)
        .containsExactly("spec.preemptionPolicy");
  }

  @Test
  void morePodLabelsThanARequestMayHaveAreRefused() {
    String many =
        IntStream.range(0, 64).mapToObj("k%s: v"::formatted).collect(Collectors.joining(", "));
    Pod pod =
        Yaml.podOf("metadata: {name: p, namespace: d, labels: {%s}}\nspec: {}".formatted(many));

    assertThat(Yaml.refusals(pod))
        .singleElement()
        .asString()
        .startsWith("metadata.labels was 65 labels and host ports");
  }

  @Test
  void allReasonsAreGivenAtOnce() {
    Pod pod =
        Yaml.podOf(
            """
            metadata:
              name: p
              namespace: default
              labels: {berth.dev/service-class: lead}
            spec:
              containers: [{name: a, resources: {requests: {cpu: lots}}}]
              tolerations: [{key: a, operator: Lt}]
              resourceClaims: [{name: gpu}]
              os: {name: plan9}
              futureField: 1
              volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
              topologySpreadConstraints: [{maxSkew: 0, whenUnsatisfiable: DoNotSchedule}]
              affinity:
                nodeAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                    nodeSelectorTerms: [{matchExpressions: [{key: a, operator: DoesNotExist}]}]
                podAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - {topologyKey: z, namespaceSelector: {}}
            """);

    assertThat(((PodMeaning.Refused) PodMeaning.of("i", pod, Yaml.RULES, Claims.NONE)).reasons())
        .extracting(Refusal::path)
        .containsExactlyInAnyOrder(
            "metadata.labels[berth.dev/service-class]",
            "spec.containers[0].resources.requests[cpu]",
            "spec.tolerations[0].operator",
            "spec.resourceClaims",
            "spec.os.name",
            "spec.futureField",
            "spec.volumes[0].persistentVolumeClaim",
            "spec.topologySpreadConstraints[0].topologyKey",
            "spec.topologySpreadConstraints[0].maxSkew",
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                + ".nodeSelectorTerms[0].matchExpressions[0].operator",
            "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]"
                + ".namespaceSelector");
  }

  @Test
  void aPodWithoutASpecificationIsRefused() {
    assertThat(Yaml.refusals(new Pod())).containsExactly("spec was missing, must be there.");
  }
}
