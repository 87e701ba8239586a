package dev.berth.kubernetes.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kubernetes.meaning.PodGroupRef;
import dev.berth.kubernetes.meaning.PodGroupRef.Api;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PodGroups of servers that are newer than the one of the other tests. */
class GroupSizesTest {

  private static final String OF_WORKLOADS = "/apis/scheduling.k8s.io/%s/namespaces/ml/podgroups/g";

  private final Map<String, String> objects = new ConcurrentHashMap<>(); // by path
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private KubernetesClient client;
  private GroupSizes sizes;
  private volatile int missing = 404; // read by the server

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .build())
            .build();
    sizes =
        new GroupSizes(
            new ApiCalls(client, () -> true, 4, Duration.ofMinutes(10)),
            client.getKubernetesSerialization());
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(path);
    String object = objects.get(path);
    byte[] body = (object == null ? "{}" : object).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(object == null ? missing : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private GroupSize sizeOf(Api api) {
    return sizes.of(new PodGroupRef(api, "ml", "g")).join();
  }

  private GroupSize withSpec(String spec) {
    objects.put(OF_WORKLOADS.formatted("v1beta1"), "{\"spec\": " + spec + "}");
    return sizeOf(Api.WORKLOAD);
  }

  @Test
  void aGangSaysHowManyPodsStartTogether() {
    assertThat(withSpec("{\"schedulingPolicy\": {\"gang\": {\"minCount\": 4}}}"))
        .isEqualTo(new GroupSize.AtLeast(4));
  }

  @Test
  void podsOfABasicGroupStartOneByOne() {
    assertThat(
            withSpec(
                """
                {"schedulingPolicy": {"basic": {}}, "priorityClassName": "high",
                 "disruptionMode": {"single": {}}, "resourceClaims": []}
                """))
        .isEqualTo(new GroupSize.AtLeast(1));
  }

  @Test
  void theNewestVersionOfTheServerIsRead() {
    objects.put(
        OF_WORKLOADS.formatted("v1alpha2"),
        "{\"spec\": {\"schedulingPolicy\": {\"gang\": {\"minCount\": 2}},"
            + " \"disruptionMode\": \"Pod\"}}");

    assertThat(sizeOf(Api.WORKLOAD)).isEqualTo(new GroupSize.AtLeast(2));
    assertThat(asked)
        .containsExactly(
            OF_WORKLOADS.formatted("v1beta1"),
            OF_WORKLOADS.formatted("v1alpha3"),
            OF_WORKLOADS.formatted("v1alpha2"));
  }

  @Test
  void theCoschedulingPluginHasItsOwnGroups() {
    objects.put(
        "/apis/scheduling.x-k8s.io/v1alpha1/namespaces/ml/podgroups/g",
        "{\"spec\": {\"minMember\": 3, \"scheduleTimeoutSeconds\": 10}}");

    assertThat(sizeOf(Api.COSCHEDULING)).isEqualTo(new GroupSize.AtLeast(3));
  }

  @Test
  void whatIsNotUnderstoodKeepsThePodsWaiting() {
    String gang = "\"schedulingPolicy\": {\"gang\": {\"minCount\": 2}}";

    assertThat(
            List.of(
                withSpec("{" + gang + ", \"schedulingConstraints\": {\"topology\": [{}]}}"),
                withSpec("{" + gang + ", \"disruptionMode\": \"PodGroup\"}"),
                withSpec("{" + gang + ", \"disruptionMode\": {\"all\": {}}}"),
                withSpec("{" + gang + ", \"resourceClaims\": [{\"name\": \"gpu\"}]}"),
                withSpec("{\"schedulingPolicy\": {\"tree\": {}}}")))
        .extracting(each -> ((GroupSize.Unknown) each).why())
        .containsExactly(
            "spec.schedulingConstraints of PodGroup ml/g is not understood by this scheduler.",
            "spec.disruptionMode of PodGroup ml/g is not understood by this scheduler.",
            "spec.disruptionMode of PodGroup ml/g is not understood by this scheduler.",
            "spec.resourceClaims of PodGroup ml/g is not understood by this scheduler.",
            "spec.schedulingPolicy of PodGroup ml/g is not understood by this scheduler.");
  }

  @Test
  void aGroupThatIsMissingOrForbiddenIsNamed() {
    GroupSize absent = sizeOf(Api.WORKLOAD);
    missing = 403;
    GroupSize forbidden = sizeOf(Api.WORKLOAD);

    assertThat(absent)
        .isEqualTo(new GroupSize.Unknown("there is no PodGroup ml/g of scheduling.k8s.io."));
    assertThat(forbidden)
        .isEqualTo(
            new GroupSize.Unknown(
                "this scheduler has no right to read PodGroups of scheduling.k8s.io."));
  }

  @Test
  void aServerThatFailsIsAskedAgainLater() {
    missing = 500;

    assertThatThrownBy(() -> sizeOf(Api.WORKLOAD)).hasMessageContaining("could not read PodGroup");
  }
}
