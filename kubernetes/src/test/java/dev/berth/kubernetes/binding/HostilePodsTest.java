package dev.berth.kubernetes.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.History;
import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.FakeApiServer;
import dev.berth.kubernetes.FakeApiServer.Written;
import dev.berth.kubernetes.config.Configuration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pods by which a user wants to stop the scheduler, or to be preferred. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HostilePodsTest {

  private static final String CONFIGURATION =
      """
      nodes: {}
      serviceClasses:
      - {name: gold, slo: 0.99, importance: 1, safetyMargin: 1s}
      - {name: bronze, slo: 0.5, importance: 3, safetyMargin: 10m}
      """;

  private static final HistoryKey KEY = new HistoryKey(new byte[32]);

  private static final String OVERFLOWS =
      "{\"instance\":\"over\",\"history\":{\"admittedAt\":1,\"served\":9223372036854775807,"
          + "\"restartOverhead\":9223372036854775807}}";

  private FakeApiServer server;
  private KubernetesClient client;
  private PodScheduler scheduler;

  @AfterEach
  void stop() {
    scheduler.close();
    client.close();
    server.close();
  }

  private void start(List<String> nodes, String... pods) throws Exception {
    server = new FakeApiServer(nodes, List.of(pods));
    server.secret(
        "default",
        "berth-history-key",
        "{\"data\": {\"key\": \"%s\"}}"
            .formatted(Base64.getEncoder().encodeToString(new byte[32])));
    client = server.client();
    scheduler =
        PodScheduler.start(
            client,
            Configuration.read(
                Map.of(Configuration.KEY, CONFIGURATION), plugins -> PolicyRegistry.load()),
            "default",
            "me",
            () -> true);
  }

  private static String node(String name, int cpu) {
    return """
        {"metadata": {"name": "%s", "uid": "%1$s", "resourceVersion": "1"},
         "status": {"allocatable": {"cpu": "%s", "memory": "64Gi", "pods": "100"},
                    "conditions": [{"type": "Ready", "status": "True"}]}}
        """
        .formatted(name, cpu);
  }

  /** Returns a pod of class bronze that asks for one CPU: it is new, or ran for an hour. */
  private static String pod(String name, String node, String annotation, String memory) {
    Duration age = node.isEmpty() ? Duration.ZERO : Duration.ofHours(1);
    String created = Instant.now().minus(age).truncatedTo(ChronoUnit.SECONDS).toString();
    String conditions =
        node.isEmpty()
            ? ""
            : "{\"type\": \"Ready\", \"status\": \"True\", \"lastTransitionTime\": \"%s\"}"
                .formatted(created);
    return """
        {"metadata": {"name": "%1$s", "namespace": "shop", "uid": "uid-%1$s", "resourceVersion": "1",
                      "creationTimestamp": "%2$s", "annotations": {%3$s},
                      "labels": {"berth.dev/service-class": "bronze"}},
         "spec": {"schedulerName": "berth"%4$s,
                  "containers": [{"name": "c",
                                  "resources": {"requests": {"cpu": "1", "memory": "%5$s"}}}]},
         "status": {"phase": "%6$s", "conditions": [%7$s]}}
        """
        .formatted(
            name,
            created,
            annotation.isEmpty()
                ? ""
                : "\"berth.dev/history\": \"%s\"".formatted(annotation.replace("\"", "\\\"")),
            node.isEmpty() ? "" : ", \"nodeName\": \"%s\"".formatted(node),
            memory,
            node.isEmpty() ? "Pending" : "Running",
            conditions);
  }

  private static String pod(String name, String node, String annotation) {
    return pod(name, node, annotation, "1Gi");
  }

  private static String sealed(String pod, String instance, History history) {
    Placed open = new Placed(instance, history, Optional.empty());
    return new Placed(instance, history, Optional.of(KEY.seal("uid-" + pod, open.sealed())))
        .toJson();
  }

  private boolean has(Predicate<Written> what) {
    return server.written().stream().anyMatch(what);
  }

  private void await(Predicate<Written> what) throws InterruptedException {
    while (!has(what)) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static Predicate<Written> binding(String pod) {
    return each -> each.path().endsWith("/pods/%s/binding".formatted(pod));
  }

  private static Predicate<Written> event(String pod, String reason) {
    return each ->
        each.path().endsWith("/events")
            && each.body().contains(reason)
            && each.body().contains("uid-" + pod);
  }

  private static Predicate<Written> deletion() {
    return each -> each.method().equals("DELETE");
  }

  private List<String> instances() {
    return scheduler
        .loop()
        .ask(core -> core.instances().stream().map(each -> each.id()).sorted().toList())
        .join();
  }

  private static History served(int minutes) {
    long admitted =
        TimeUnit.SECONDS.toNanos(Instant.now().getEpochSecond()) - Duration.ofHours(2).toNanos();
    return History.since(admitted).served(Duration.ofMinutes(minutes));
  }

  // ---- One pod does not stop the others

  @Test
  void aHistoryThatCannotBeAddedUpStopsNothing() throws Exception {
    start(
        List.of(node("n1", 4)),
        pod("over", "n1", OVERFLOWS),
        pod("sealed", "n1", sealed("sealed", "s", served(0).served(Duration.ofSeconds(1L << 62)))),
        pod("good", "", ""));
    await(binding("good"));
    await(event("over", "HistoryIgnored"));
    await(event("sealed", "HistoryIgnored"));
    assertThat(instances())
        .containsExactly("shop/good/uid-good", "shop/over/uid-over", "shop/sealed/uid-sealed");
    assertThat(scheduler.unready()).isEmpty();
  }

  @Test
  void ofTwoPodsWithOneInstanceTheLaterBeginsAnew() throws Exception {
    start(
        List.of(node("n1", 8)),
        pod("a", "n1", sealed("a", "same", served(1))),
        pod("b", "n1", sealed("b", "same", served(1))),
        pod("c", "n1", OVERFLOWS.replace("over", "forged")),
        pod("d", "n1", OVERFLOWS.replace("over", "forged")),
        pod("good", "", ""));
    await(binding("good"));
    await(event("b", "another pod is its instance"));
    assertThat(instances())
        .containsExactly(
            "same", "shop/b/uid-b", "shop/c/uid-c", "shop/d/uid-d", "shop/good/uid-good");
  }

  @Test
  void podsThatHoldMoreThanCanBeCountedStopNothing() throws Exception {
    String most = "4611686018427387903";
    start(
        List.of(node("n1", 8), node("n2", 1)),
        pod("a", "n1", "", most),
        pod("b", "n1", "", most),
        pod("c", "n1", "", most),
        pod("good", "", ""));
    await(binding("good"));
    await(event("b", "PodLeftOut"));
    await(event("c", "PodLeftOut"));
    assertThat(instances()).containsExactly("shop/a/uid-a", "shop/good/uid-good");
  }

  @Test
  void aResourceThatNoNodeHasIsNotKept() throws Exception {
    start(
        List.of(node("n1", 8)),
        pod("a", "n1", "").replace("\"cpu\": \"1\"", "\"a.io/x\": \"1\""),
        pod("b", "", "").replace("\"cpu\": \"1\"", "\"b.io/x\": \"1\""),
        pod("good", "", ""));
    await(binding("good"));
    await(event("b", "must be a resource that some node has"));
    assertThat(instances()).containsExactly("shop/good/uid-good");
  }

  @Test
  void whatFailsForOnePodIsSaidOnIt() throws Exception {
    start(List.of(node("n1", 1)), pod("good", "", ""));
    PodNotes notes =
        new PodNotes(
            new ApiCalls(client, () -> true, 1, Duration.ofMinutes(1)),
            client.getKubernetesSerialization(),
            "berth",
            "me");
    notes.guard(
        client.pods().inAnyNamespace().list().getItems().get(0),
        1,
        () -> {
          throw new IllegalStateException("odd");
        });
    await(event("good", "PodLeftOut"));
  }

  // ---- A history that the scheduler did not write has no effect

  private void noneIsPreempted(String annotation) throws Exception {
    History poor = History.since(served(0).admittedAt() - Duration.ofDays(10).toNanos());
    start(
        List.of(node("n1", 1)),
        pod("old", "n1", sealed("old", "old", poor)),
        pod("forged", "", annotation));
    await(
        deletion()
            .or(
                each ->
                    each.path().endsWith("/pods/forged/status")
                        && each.body().contains("Unschedulable")));
    assertThat(server.written()).noneMatch(deletion());
    assertThat(has(event("forged", "HistoryIgnored"))).isTrue();
  }

  @Test
  void aForgedAgePreemptsNothing() throws Exception {
    noneIsPreempted("{\"instance\":\"x\",\"history\":{\"admittedAt\":1}}");
  }

  @Test
  void forgedPlacementsPreemptNothing() throws Exception {
    noneIsPreempted(
        "{\"instance\":\"x\",\"history\":{\"admittedAt\":1,\"placements\":1000000000}}");
  }

  @Test
  void aSealOfAnotherPodPreemptsNothing() throws Exception {
    noneIsPreempted(sealed("other", "x", History.since(1)));
  }

  @Test
  void aSealOfAnotherContentPreemptsNothing() throws Exception {
    noneIsPreempted(
        sealed("forged", "x", History.since(2)).replace("\"admittedAt\":2", "\"admittedAt\":1"));
  }

  @Test
  void aHistoryFarBeforeTheEpochIsIgnoredAndThePodIsScheduled() throws Exception {
    start(
        List.of(node("n1", 4)),
        pod("far", "", "{\"instance\":\"x\",\"history\":{\"admittedAt\":-9223372036854775808}}"),
        pod("sealed", "", sealed("sealed", "y", History.since(Long.MIN_VALUE))));
    await(binding("far"));
    await(binding("sealed"));
    assertThat(has(event("far", "HistoryIgnored"))).isTrue();
  }

  @Test
  void whatTheSchedulerWroteCounts() throws Exception {
    start(
        List.of(node("n1", 4)),
        pod("runs", "n1", sealed("runs", "first", served(30))),
        pod("waits", "", sealed("waits", "first", served(20))));
    await(binding("waits"));
    assertThat(instances()).containsExactly("first", "shop/waits/uid-waits");
    Written bound = server.written().stream().filter(binding("waits")).findFirst().orElseThrow();
    assertThat(bound.body()).contains("seal").contains("1200000000000");
  }

  // ---- The key

  @Test
  void theKeyIsMadeOnceAndKept() throws Exception {
    start(List.of(node("n1", 4)), pod("good", "", ""));
    ApiCalls calls = new ApiCalls(client, () -> true, 1, Duration.ofMinutes(1));
    var json = client.getKubernetesSerialization();
    HistoryKey made = HistoryKey.load(calls, json, "other").get();
    HistoryKey read = HistoryKey.load(calls, json, "other").get();
    assertThat(read.isSealed("uid", "text", made.seal("uid", "text"))).isTrue();
    assertThat(read.isSealed("uid", "texT", made.seal("uid", "text"))).isFalse();
    assertThat(KEY.isSealed("uid", "text", made.seal("uid", "text"))).isFalse();
    assertThat(server.written().stream().filter(each -> each.path().endsWith("/secrets")))
        .hasSize(1);
    server.secret("short", "berth-history-key", "{\"data\": {\"key\": \"YWJj\"}}");
    assertThat(HistoryKey.load(calls, json, "short"))
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withMessageContaining("must have at least 32 bytes");
  }
}
