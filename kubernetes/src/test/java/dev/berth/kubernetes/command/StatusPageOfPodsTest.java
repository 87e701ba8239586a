package dev.berth.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.FakeApiServer;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.test.Chromium;
import dev.berth.test.PageCheck;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The status page of the scheduler, before an API server that knows a node and two pods. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StatusPageOfPodsTest {

  private static final String CONFIGURATION =
      "nodes: {}\nserviceClasses: [{name: gold, slo: 0.99}]\n";

  private static final String NODE =
      """
      {"metadata": {"name": "node-1", "uid": "n1", "resourceVersion": "1"},
       "status": {"allocatable": {"cpu": "1", "memory": "4Gi", "pods": "10"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
      """;

  @TempDir private Path scratch;

  private static String pod(String name) {
    return """
        {"metadata": {"name": "%1$s", "namespace": "shop", "uid": "%1$s", "resourceVersion": "1",
                      "creationTimestamp": "2026-01-01T00:00:00Z",
                      "labels": {"berth.dev/service-class": "gold"}},
         "spec": {"schedulerName": "berth",
                  "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]},
         "status": {"phase": "Pending"}}
        """
        .formatted(name);
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s%s".formatted(port, path)))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void showsWhichPodsRunWhereAndWhyOthersWait() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (FakeApiServer server =
            new FakeApiServer(List.of(NODE), List.of(pod("first"), pod("second")));
        KubernetesClient client = server.client()) {
      Leading leading =
          new Leading(
              client,
              Configuration.read(
                  Map.of(Configuration.KEY, CONFIGURATION), plugins -> PolicyRegistry.load()),
              "default",
              "me");
      try (Endpoints endpoints = Endpoints.start(any, leading)) {
        assertThat(get(endpoints.port(), "/").statusCode()).isEqualTo(503);
        assertThat(get(endpoints.port(), "/").body()).contains("does not lead");
        leading.begin(() -> true);
        String page = get(endpoints.port(), "/").body();
        while (!page.contains("0 of 1 hosts")) {
          TimeUnit.MILLISECONDS.sleep(100);
          page = get(endpoints.port(), "/").body();
        }
        assertThat(page)
            .contains("shop/first/first (gold): ", " on node-1 for ")
            .contains("<th scope=\"row\">shop/second/second</th><td>gold</td>");
        assertThat(get(endpoints.port(), "/metrics").body()).contains("berth_up 1.0");
        String file = System.getProperty("berth.test.statusPage"); // to look at it
        if (file != null) {
          Files.writeString(Path.of(file), page);
        }
        if (Chromium.isNamed()) {
          String shown = page;
          assertThat(PageCheck.defects(() -> shown, scratch)).isEmpty();
        }
        leading.end();
        assertThat(get(endpoints.port(), "/").statusCode()).isEqualTo(503);
      }
    }
  }
}
