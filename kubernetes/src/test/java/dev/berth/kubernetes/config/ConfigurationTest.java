package dev.berth.kubernetes.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.api.ServiceClass;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.ConfigException;
import dev.berth.kubernetes.meaning.PeerLabels;
import dev.berth.runtime.LoopSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {

  private static PolicyRegistry policies(Optional<Path> plugins) {
    assertThat(plugins).isEmpty();
    return PolicyRegistry.load();
  }

  private static final String LEAST = "nodes: {}\nserviceClasses: [{name: gold}]\n";

  private static Configuration read(String document) {
    return Configuration.read(Map.of(Configuration.KEY, document), ConfigurationTest::policies);
  }

  private static List<String> problems(String document) {
    return problems(Map.of(Configuration.KEY, document), ConfigurationTest::policies);
  }

  private static List<String> problems(
      Map<String, String> data, Function<Optional<Path>, PolicyRegistry> policies) {
    ConfigException thrown =
        catchThrowableOfType(ConfigException.class, () -> Configuration.read(data, policies));
    return thrown == null
        ? List.of()
        : thrown.problems().stream().map(ConfigException.Problem::describe).toList();
  }

  @Test
  void aShortDocumentHasDefaults() {
    Configuration read = read(LEAST);

    assertThat(read.schedulerName()).isEqualTo("berth");
    assertThat(read.nodes().getMatchLabels()).isEmpty();
    assertThat(read.serviceClasses()).extracting(ServiceClass::name).containsExactly("gold");
    assertThat(read.podRules().serviceClasses().defaultClass()).isEmpty();
    assertThat(read.podRules().peerLabels()).isEqualTo(PeerLabels.DEFAULT);
    assertThat(read.policy()).isEqualTo("qos-driven");
    assertThat(read.policyConfig()).isEqualTo("{}");
    assertThat(read.plugins()).isEmpty();
    LoopSettings usual = LoopSettings.defaults();
    assertThat(read.loop())
        .isEqualTo(
            usual.withAttempts(usual.actionAttempts(), Duration.ofMinutes(2), usual.retryDelay()));
    assertThat(read.strictBudgets()).isFalse();
    assertThat(read.replacementWait()).isEqualTo(Duration.ofMinutes(5));
    assertThat(read.foreignPods()).isEqualTo(ForeignPods.COUNT);
  }

  @Test
  void aDocumentSetsEverything() {
    Configuration read =
        read(
            """
            schedulerName: default-scheduler
            nodes:
              matchLabels: {berth.dev/managed: "true"}
              matchExpressions:
              - {key: disk, operator: In, values: [ssd, nvme]}
              - {key: old, operator: DoesNotExist}
            serviceClasses:
            - name: gold
              slo: 0.99
              importance: 1
              safetyMargin: 20s
              preemptionOverheadLimit: 0.05
              priorityClasses: [gold-critical, gold-usual]
            - name: bronze
              slo: 0.5
              importance: 3
            defaultClass: bronze
            policy:
              id: priority
              config: {}
            loop:
              queueCapacity: 7
              underWayPerHost: 2
              actionTimeout: 10s
              actionAttempts: 3
              retryDelay: {first: 2s, longest: 30s}
              passInterval: 100ms
              reconcileEvery: 1m
              busyTimeout: 2m
            strictBudgets: true
            replacementWait: 1h
            foreignPods: close
            peerLabels:
            - [app, tier]
            ignoredPodFields: [futureField]
            """);

    assertThat(read.schedulerName()).isEqualTo("default-scheduler");
    assertThat(read.nodes().getMatchLabels()).isEqualTo(Map.of("berth.dev/managed", "true"));
    assertThat(read.nodes().getMatchExpressions())
        .extracting(each -> each.getKey() + " " + each.getOperator() + " " + each.getValues())
        .containsExactly("disk In [ssd, nvme]", "old DoesNotExist []");
    ServiceClass gold = read.serviceClasses().get(0);
    assertThat(gold.slo().share()).isEqualTo(0.99);
    assertThat(gold.safetyMargin()).isEqualTo(Duration.ofSeconds(20));
    assertThat(gold.preemptionOverheadLimit()).isEqualTo(0.05);
    assertThat(read.serviceClasses().get(1).importance()).isEqualTo(3);
    assertThat(read.serviceClasses().get(1).preemptionOverheadLimit()).isEqualTo(0.5);
    assertThat(read.podRules().serviceClasses().byPriorityClass())
        .isEqualTo(Map.of("gold-critical", "gold", "gold-usual", "gold"));
    assertThat(read.podRules().serviceClasses().defaultClass()).contains("bronze");
    assertThat(read.podRules().ignoredFields()).containsExactly("futureField");
    assertThat(read.podRules().peerLabels().together())
        .isEqualTo(Set.of(new TreeSet<>(Set.of("app", "tier"))));
    assertThat(read.policy()).isEqualTo("priority");
    assertThat(read.loop().queueCapacity()).isEqualTo(7);
    assertThat(read.loop().underWayPerHost()).isEqualTo(2);
    assertThat(read.loop().actionTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(read.loop().actionAttempts()).isEqualTo(3);
    assertThat(read.loop().retryDelay().first()).isEqualTo(Duration.ofSeconds(2));
    assertThat(read.loop().retryDelay().longest()).isEqualTo(Duration.ofSeconds(30));
    assertThat(read.loop().passInterval()).isEqualTo(Duration.ofMillis(100));
    assertThat(read.loop().reconcileEvery()).contains(Duration.ofMinutes(1));
    assertThat(read.loop().busyTimeout()).isEqualTo(Duration.ofMinutes(2));
    assertThat(read.strictBudgets()).isTrue();
    assertThat(read.replacementWait()).isEqualTo(Duration.ofHours(1));
    assertThat(read.foreignPods()).isEqualTo(ForeignPods.CLOSE);
  }

  @Test
  void aDocumentMayBeJson() {
    assertThat(
            read("{\"nodes\": {}, \"serviceClasses\": [{\"name\": \"gold\", \"slo\": 0.9}]}")
                .serviceClasses())
        .hasSize(1);
  }

  @Test
  void tenMistakesGiveTenMessages() {
    assertThat(
            problems(
                """
                schedulerNam: berth
                nodes:
                  matchExpressions: [{key: disk, operator: Is, values: [ssd]}]
                serviceClasses:
                - {name: gold, slo: 99}
                - {name: gold, importance: 0}
                - {name: silver, priorityClasses: [high]}
                - {name: bronze, priorityClasses: [high]}
                defaultClass: bronce
                policy: {id: qos-drivem}
                loop: {queueCapacity: many}
                foreignPods: ignore
                """))
        .containsExactlyInAnyOrder(
            "schedulerNam was \"berth\", but there is no such key."
                + " Maybe you meant schedulerName. Known: schedulerName, nodes, serviceClasses,"
                + " defaultClass, plugins, policy, loop, strictBudgets, replacementWait,"
                + " foreignPods, peerLabels, ignoredPodFields.",
            "nodes.matchExpressions[0].operator was \"Is\","
                + " must be one of DoesNotExist, Exists, In, NotIn.",
            "serviceClasses[0].slo was 99, must be a number from 0.001 to 1."
                + " Maybe you meant 0.99 (a share, not a percentage).",
            "serviceClasses[1].name was \"gold\", must differ from the other names.",
            "serviceClasses[1].importance was 0, must be a whole number from 1 to 2147483647.",
            "serviceClasses[3].priorityClasses[0] was \"high\", must be given once."
                + " It stands for silver already.",
            "defaultClass was \"bronce\", must be a service class."
                + " Maybe you meant bronze. Known: gold, silver, bronze.",
            "policy.id: \"qos-drivem\" is no policy."
                + " Maybe you meant qos-driven. Known: priority, qos-attained, qos-driven, qos-hysteresis.",
            "loop.queueCapacity was \"many\", must be a whole number from 1 to 2147483647.",
            "foreignPods was \"ignore\", must be one of count, warn, close.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schedulerName: 'A b'                | schedulerName was \"A b\", must have at most 253",
        "schedulerName: 5                    | schedulerName was 5, must be a text",
        "schedulerName:                      | schedulerName was null, must be a text",
        "strictBudgets: 'yes'                | strictBudgets was \"yes\", must be true or false",
        "replacementWait: -1s                | replacementWait was \"-1s\", must be a duration",
        "loop: {actionTimeout: 0s}           | loop.actionTimeout was \"0s\", must be from 1ms to",
        "loop: {actionTimeout: 400d}         | loop.actionTimeout was \"400d\", must be from 1ms to",
        "loop: {actionTimeout: 10}           | loop.actionTimeout was 10, must be a duration such as",
        "loop: {retryDelay: {first: 2m, longest: 1m}} | loop.retryDelay.longest was PT1M, must be at least",
        "loop: [a]                           | loop was [\"a\"], must be an object",
        "loop: {queueCapacity: 1.5}          | loop.queueCapacity was 1.5, must be a whole number",
        "loop: {passInterva: 1s}             | loop.passInterva was \"1s\", but there is no such key",
        "policy: {config: [a]}               | policy.config was [\"a\"], must be an object",
        "policy: {config: {wrong: 1}}        | policy.config.wrong was 1, but there is no such key",
        "policy: {name: x}                   | policy.name was \"x\", but there is no such key. Known",
        "peerLabels: [[app]]                 | peerLabels[0] was [app], must have from 2 to 4",
        "peerLabels: [app]                   | peerLabels[0] was \"app\", must be a list",
        "peerLabels: [[app, tier, '-x']]     | peerLabels[0][2] was \"-x\", must be the key of a label",
        "ignoredPodFields: [5]               | ignoredPodFields[0] was 5, must be a text",
        "foreignPods: COUNT                  | foreignPods was \"COUNT\", must be one of",
        "defaultClass: silver                | defaultClass was \"silver\", must be a service class",
      })
  void eachMistakeIsNamedWithItsPlace(String line, String expected) {
    assertThat(problems(LEAST + line)).anySatisfy(each -> assertThat(each).startsWith(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "serviceClasses: [{name: g}]             | nodes was missing, must select the nodes",
        "nodes: {}                               | serviceClasses was empty, must have at least one",
        "{nodes: {}, serviceClasses: []}         | serviceClasses was empty, must have at least one",
        "{nodes: {}, serviceClasses: [{slo: 1}]} | serviceClasses[0].name was missing, must have",
        "{nodes: {}, serviceClasses: [5]}        | serviceClasses[0] was 5, must be an object",
        "[a]                                     | the document was [\"a\"], must be an object",
        "5                                       | the document was 5, must be an object",
        "'{nodes: {}, nodes: {}}'                | data[config.yaml] was not YAML, must be YAML or JSON",
        "'{nodes: '                              | data[config.yaml] was not YAML, must be YAML or JSON",
        "'a: &x {b: c}\nd: *x'                   | data[config.yaml] was not YAML, must be YAML or JSON",
        "'nodes: {matchLabels: {a: true}, matchExpressions: [{key: a, operator: In}]}'"
            + " | nodes.matchLabels.a was true, must be a text. Maybe put it in quotes",
        "'nodes: {matchExpressions: [{key: a, operator: In}]}'"
            + " | nodes.matchExpressions[0].values was [], must have a value",
        "'nodes: {matchExpressions: [{key: a, operator: Exists, values: [b]}]}'"
            + " | nodes.matchExpressions[0].values was [b], must be empty",
      })
  void whatIsMissingOrNoDocumentIsNamed(String document, String expected) {
    assertThat(problems(document)).anySatisfy(each -> assertThat(each).startsWith(expected));
  }

  @Test
  void aDeepDocumentIsRefused() {
    assertThat(problems("[".repeat(200_000)))
        .singleElement()
        .asString()
        .startsWith("data[config.yaml] was not YAML, must be YAML or JSON: it is nested deeper");
  }

  /** Documents that are small and become large, or are large. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void aHostileDocumentIsRefusedSoon() {
    String lists = "a: &a [x, x]\n";
    for (char each = 'b'; each < 'z'; each++) {
      lists += "%s: &%1$s [*%2$s, *%2$s]\n".formatted(each, (char) (each - 1));
    }
    String repeated =
        "nodes: {}\nserviceClasses: [&a "
            + "'"
            + "x".repeat(300_000)
            + "', *a".repeat(100_000)
            + "]\n";
    String twice = "nodes: {}\n".repeat(2);
    assertThat(problems(lists)).singleElement().asString().contains("an alias", "line 2");
    assertThat(problems(repeated)).singleElement().asString().contains("an alias", "line 2");
    assertThat(problems(twice)).singleElement().asString().contains("duplicate key nodes");
    assertThat(problems("nodes: " + "x".repeat(10 << 20)))
        .singleElement()
        .asString()
        .contains("must be YAML or JSON")
        .contains("1048576");
    assertThat(problems("nodes: " + "9".repeat(1_000_000)))
        .singleElement()
        .asString()
        .contains("more than 1000 characters without quotes (line 1, column 8)");
    assertThat(problems(LEAST + "schedulerName: '" + "a.".repeat(400_000) + "a'"))
        .singleElement()
        .asString()
        .contains("must have at most 253");
    String unknown = IntStream.range(0, 50_000).mapToObj(i -> "k" + i + ": 1\n").collect(joining());
    assertThat(problems(LEAST + unknown)).hasSize(101).last().asString().contains("49900 more");
    assertThat(problems(LEAST + "k".repeat(900) + ": 1\n"))
        .singleElement()
        .asString()
        .hasSizeLessThan(3_000);
  }

  @Test
  void theDataOfAConfigMapHasOneKey() {
    assertThat(problems(Map.of("config.yml", LEAST), ConfigurationTest::policies))
        .containsExactly(
            "data[config.yml] was present, but there is no such key. Known: config.yaml.",
            "data[config.yaml] was missing, must be the configuration.");
  }

  @Test
  void policiesOfPluginsAreFound() {
    List<Optional<Path>> asked = new ArrayList<>();
    Configuration.read(
        Map.of(Configuration.KEY, LEAST + "plugins: /plugins"),
        plugins -> {
          asked.add(plugins);
          return PolicyRegistry.load();
        });

    assertThat(asked).containsExactly(Optional.of(Path.of("/plugins")));
    assertThat(
            problems(
                Map.of(Configuration.KEY, LEAST + "plugins: /none"),
                plugins -> {
                  throw new IllegalStateException("There is no folder /none.");
                }))
        .containsExactly(
            "plugins was \"/none\", must be a folder of jars with policies."
                + " There is no folder /none.");
  }

  @Property(tries = 2000)
  void noTextMakesItFailOtherwise(@ForAll String text) {
    assertThat(problems(text)).isNotEmpty();
    assertThat(problems(LEAST + text)).isNotNull();
  }
}
