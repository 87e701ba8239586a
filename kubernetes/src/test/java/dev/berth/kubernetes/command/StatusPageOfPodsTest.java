package dev.berth.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.core.PolicyRegistry;
import dev.berth.kubernetes.config.Configuration;
import dev.berth.test.Chromium;
import dev.berth.test.PageCheck;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
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
  private final CountDownLatch ends = new CountDownLatch(1);

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

  /** Lists what there is, reports no change of it, and accepts all that is written. */
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (query.contains("watch=true")) {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        ends.await();
        return;
      }
      boolean isList = exchange.getRequestMethod().equals("GET") && !path.contains("/configmaps/");
      String items =
          path.endsWith("/nodes")
              ? NODE
              : path.endsWith("/pods") ? pod("first") + "," + pod("second") : "";
      String text =
          isList
              ? "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": [%s]}".formatted(items)
              : "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 404}";
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      boolean isWritten = !exchange.getRequestMethod().equals("GET");
      exchange.sendResponseHeaders(isList ? 200 : isWritten ? 201 : 404, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
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
    HttpServer server = HttpServer.create(any, 0);
    var threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withHttp2Disable(true)
            .build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
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
    } finally {
      ends.countDown();
      server.stop(0);
      threads.shutdownNow();
    }
  }
}
