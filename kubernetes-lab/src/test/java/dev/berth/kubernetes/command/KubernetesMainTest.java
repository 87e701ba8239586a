package dev.berth.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.config.Configuration;
import dev.berth.kubernetes.lab.Delay;
import dev.berth.kubernetes.lab.Eventually;
import dev.berth.kubernetes.lab.FakeKubelet;
import dev.berth.kubernetes.lab.FakeNode;
import dev.berth.kubernetes.lab.LiveControlPlane;
import dev.berth.kubernetes.lab.PodBehaviour;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The command, on a real API server. */
class KubernetesMainTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  @RegisterExtension static final LiveControlPlane LIVE = LiveControlPlane.withUsers();

  @TempDir Path folder;

  private record Result(int code, String out, String err) {}

  private static Result berth(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        KubernetesMain.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
            .execute(args);
    return new Result(code, out.toString(), err.toString());
  }

  private Result onCluster(String test, String command, String... args) throws IOException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(file, configuration(test));
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--config", file.toString(), "--kubeconfig", kubeconfig()));
    all.addAll(List.of(args));
    return berth(all.toArray(String[]::new));
  }

  private static String kubeconfig() {
    return LIVE.controlPlane().kubeconfig().toString();
  }

  private static String configuration(String test) {
    return """
        schedulerName: %1$s
        nodes: {matchLabels: {test: %1$s}}
        serviceClasses:
        - {name: gold, slo: 0.99, importance: 1, safetyMargin: 1s}
        - {name: bronze, slo: 0.5, importance: 3}
        """
        .formatted(test);
  }

  private void nodes(String test, int number) throws IOException {
    LIVE.closing(
            FakeKubelet.start(
                LIVE.config(),
                PodBehaviour.drawn(Delay.constant(Duration.ZERO), Delay.constant(Duration.ZERO), 0),
                1))
        .addNodes(
            FakeNode.several(number, test, "1", "4Gi", 10).stream()
                .map(each -> each.withLabels(Map.of("test", test)))
                .toList());
  }

  private static Pod create(String namespace, String name, String test, String serviceClass) {
    return LIVE.client()
        .resource(
            new PodBuilder(LiveControlPlane.pod(namespace, name, "1", "1Gi"))
                .editMetadata()
                .addToLabels("berth.dev/service-class", serviceClass)
                .endMetadata()
                .editSpec()
                .withSchedulerName(test)
                .endSpec()
                .build())
        .create();
  }

  @Test
  void checkSaysWhatWouldBeDoneAndChangesNothing() throws IOException {
    String namespace = LIVE.newNamespace();
    nodes("check", 1);
    create(namespace, "first", "check", "gold");
    create(namespace, "second", "check", "bronze");
    create(namespace, "odd", "check", "platinum");

    Result result = onCluster("check", "check");

    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("3 pods: 1 placed, 1 waits, 1 refused")
        .contains("placed    %s/first (gold): on check-0".formatted(namespace))
        .contains("waits     %s/second (bronze): ".formatted(namespace))
        .contains("refused   %s/odd: ".formatted(namespace))
        .contains("platinum");
    for (Pod each : LIVE.client().pods().inNamespace(namespace).list().getItems()) {
      assertThat(each.getSpec().getNodeName()).isNull();
      assertThat(each.getStatus().getConditions()).isEmpty();
    }
    assertThat(LIVE.client().configMaps().inNamespace("berth-system").list().getItems()).isEmpty();
  }

  @Test
  void explainSaysWhyAPodWaits() throws IOException {
    String namespace = LIVE.newNamespace();
    nodes("explain", 1);
    create(namespace, "large", "explain", "gold");
    create(namespace, "other", "explain", "gold");

    Result waiting = onCluster("explain", "explain", namespace + "/other");
    Result missing = onCluster("explain", "explain", namespace + "/none");

    assertThat(waiting.out()).startsWith("waits ").contains("cpu");
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).contains("There is no pod %s/none".formatted(namespace));
  }

  @Test
  void runSchedulesAndServesItsMetrics() throws Exception {
    String namespace = LIVE.newNamespace();
    nodes("run", 1);
    int port = freePort();
    Thread running =
        new Thread(
            () -> {
              try {
                onCluster(
                    "run",
                    "run",
                    "--alone",
                    "--namespace",
                    namespace,
                    "--port",
                    String.valueOf(port));
              } catch (IOException failed) {
                throw new java.io.UncheckedIOException(failed);
              }
            });
    running.start();
    try {
      create(namespace, "one", "run", "gold");
      Eventually.holds(
          "the pod is bound",
          SOON,
          () ->
              LIVE.client()
                      .pods()
                      .inNamespace(namespace)
                      .withName("one")
                      .get()
                      .getSpec()
                      .getNodeName()
                  != null);
      assertThat(get(port, "/livez").statusCode()).isEqualTo(200);
      assertThat(get(port, "/readyz").body()).isEqualTo("ok\n");
      assertThat(get(port, "/metrics").body())
          .contains("berth_kubernetes_leading 1.0")
          .contains("berth_kubernetes_api_requests_total")
          .contains("berth_up 1.0");
      assertThat(get(port, "/other").statusCode()).isEqualTo(404);
    } finally {
      running.interrupt();
      running.join(SOON.toMillis());
    }
  }

  @Test
  void anInvalidConfigMapIsReportedAsAWhole() throws Exception {
    LIVE.client()
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("wrong")
                .endMetadata()
                .addToData(
                    Configuration.KEY,
                    "nodes: {}\nserviceClasses: [{name: gold, slo: 99}]\ndefaultClass: silver\n")
                .build())
        .create();

    Result result =
        berth(
            "run", "--kubeconfig", kubeconfig(), "--namespace", "default", "--config-map", "wrong");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("slo was 99").contains("defaultClass was \"silver\"");
    assertThat(LIVE.client().events().v1().events().inNamespace("default").list().getItems())
        .anySatisfy(
            event -> {
              assertThat(event.getReason()).isEqualTo("InvalidConfiguration");
              assertThat(event.getRegarding().getName()).isEqualTo("wrong");
              assertThat(event.getNote()).contains("slo was 99").contains("silver");
            });
  }

  @Test
  void aConfigurationThatIsMissingIsOneLine() {
    Result noMap = berth("check", "--kubeconfig", kubeconfig(), "--namespace", "default");

    assertThat(noMap.code()).isEqualTo(2);
    assertThat(noMap.err()).contains("There is no ConfigMap berth-config in namespace default.");
  }

  private static HttpResponse<String> get(int port, String path)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s%s".formatted(port, path)))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
