package dev.berth.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An API server that lists nodes and pods, reports no change of them, and accepts all that is
 * written. It keeps Secrets only.
 */
public final class FakeApiServer implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch ends = new CountDownLatch(1);
  private final String nodes;
  private final String pods;
  private final Map<String, String> secrets = new ConcurrentHashMap<>(); // by path
  private final List<Written> written = new CopyOnWriteArrayList<>();

  /** A request that writes. */
  public record Written(String method, String path, String body) {}

  /** Starts a server with nodes and pods, as JSON. */
  public FakeApiServer(List<String> nodes, List<String> pods) throws IOException {
    this.nodes = String.join(",", nodes);
    this.pods = String.join(",", pods);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Returns a client; the caller closes it. */
  public KubernetesClient client() {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withHttp2Disable(true)
            .withMaxConcurrentRequestsPerHost(64)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Puts a Secret. */
  public void secret(String namespace, String name, String json) {
    secrets.put("/api/v1/namespaces/%s/secrets/%s".formatted(namespace, name), json);
  }

  /** Returns what was written so far. */
  public List<Written> written() {
    return written;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String method = exchange.getRequestMethod();
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (query.contains("watch=true")) {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        ends.await();
      } else if (!method.equals("GET")) {
        written.add(new Written(method, path, body));
        if (path.endsWith("/secrets")) {
          secrets.put(path + "/berth-history-key", body);
        }
        send(exchange, 201, path.endsWith("/secrets") ? body : "{}");
      } else if (path.contains("/configmaps/") || path.contains("/secrets/")) {
        String found = secrets.get(path);
        send(exchange, found == null ? 404 : 200, found == null ? "{}" : found);
      } else {
        String items = path.endsWith("/nodes") ? nodes : path.endsWith("/pods") ? pods : "";
        send(
            exchange,
            200,
            "{\"metadata\": {\"resourceVersion\": \"1\"}, \"items\": [%s]}".formatted(items));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    ends.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
