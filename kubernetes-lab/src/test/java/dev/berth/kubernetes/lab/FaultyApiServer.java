package dev.berth.kubernetes.lab;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Stands between a client and an API server, and misbehaves as one does that is overloaded or
 * restarts: it answers 429 and 500, answers late or not at all although the request was carried
 * out, cuts or delays watches, and says that they begin too long ago (410). One seed draws what it
 * does to each request.
 */
public final class FaultyApiServer implements AutoCloseable {

  private static final Set<String> NOT_PASSED_ON =
      Set.of("host", "connection", "content-length", "upgrade", "transfer-encoding", "expect");
  private static final String EXPIRED =
      """
      {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",\
      "reason":"Expired","code":410,"message":"too old resource version"}}
      """;

  private final URI upstream;
  private final HttpClient client;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Random random;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, Integer> draws = new TreeMap<>();
  private volatile boolean misbehaves = true;

  private FaultyApiServer(Config real, long seed) throws IOException, GeneralSecurityException {
    this.upstream = URI.create(real.getMasterUrl());
    this.random = new Random(seed);
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
    this.client =
        HttpClient.newBuilder()
            .sslContext(trusting)
            .version(HttpClient.Version.HTTP_1_1)
            .executor(threads)
            .build();
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  /** Starts one in front of an API server. */
  public static FaultyApiServer start(Config real, long seed) throws IOException {
    try {
      return new FaultyApiServer(real, seed);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns how to connect through it. */
  public Config config(Config real) {
    return new ConfigBuilder(real)
        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
        .withOnlyHttpWatches(true)
        .build();
  }

  /** Ends all faults. */
  public void behave() {
    misbehaves = false;
  }

  /** Returns how often each fault occurred. */
  public synchronized Map<String, Integer> counts() {
    return new TreeMap<>(counts);
  }

  /**
   * Draws whether a fault occurs. The first of its kind comes after 1/probability draws at last.
   */
  private synchronized boolean happens(String fault, double probability) {
    if (!misbehaves) {
      return false;
    }
    boolean isDrawn = random.nextDouble() < probability;
    boolean isOverdue =
        draws.merge(fault, 1, Integer::sum) * probability >= 1 && !counts.containsKey(fault);
    if (isDrawn || isOverdue) {
      counts.merge(fault, 1, Integer::sum);
      return true;
    }
    return false;
  }

  private synchronized long drawn(int most) {
    return random.nextInt(most);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try {
      String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
      if (query.contains("watch=true")) {
        watch(exchange);
      } else {
        answer(exchange);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close();
    }
  }

  private HttpRequest request(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                upstream.resolve(
                    exchange.getRequestURI().getRawPath()
                        + (exchange.getRequestURI().getRawQuery() == null
                            ? ""
                            : "?" + exchange.getRequestURI().getRawQuery())))
            .method(
                exchange.getRequestMethod(),
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(each -> request.header(name, each));
              }
            });
    return request.build();
  }

  private void answer(HttpExchange exchange) throws IOException, InterruptedException {
    HttpRequest request = request(exchange);
    if (happens("429", 0.08)) {
      exchange.getResponseHeaders().set("Retry-After", "1");
      send(exchange, 429, "{}".getBytes(StandardCharsets.UTF_8));
      return;
    } else if (happens("500", 0.03)) {
      send(exchange, 500, "{}".getBytes(StandardCharsets.UTF_8));
      return;
    } else if (happens("late", 0.1)) {
      TimeUnit.MILLISECONDS.sleep(drawn(1_500));
    }
    HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (happens("answer lost", 0.05)) {
      return; // the connection closes
    }
    passOn(response, exchange, "Content-Type");
    passOn(response, exchange, "Content-Encoding");
    send(exchange, response.statusCode(), response.body());
  }

  private static void passOn(HttpResponse<?> from, HttpExchange to, String header) {
    from.headers().firstValue(header).ifPresent(it -> to.getResponseHeaders().set(header, it));
  }

  private static void send(HttpExchange exchange, int code, byte[] body) throws IOException {
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  private void watch(HttpExchange exchange) throws IOException, InterruptedException {
    HttpRequest request = request(exchange);
    if (happens("410", 0.2)) {
      send(exchange, 200, EXPIRED.getBytes(StandardCharsets.UTF_8));
      return;
    }
    HttpResponse<InputStream> response =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    passOn(response, exchange, "Content-Type");
    passOn(response, exchange, "Content-Encoding");
    exchange.sendResponseHeaders(response.statusCode(), 0);
    try (InputStream in = response.body();
        OutputStream out = exchange.getResponseBody()) {
      long cut = System.nanoTime() + Duration.ofMillis(500 + drawn(4_000)).toNanos();
      byte[] buffer = new byte[8_192];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (misbehaves && System.nanoTime() > cut) {
          happens("watch cut", 1); // what was just read is lost with it
          return;
        }
        if (happens("watch late", 0.2)) {
          TimeUnit.MILLISECONDS.sleep(drawn(2_000));
        }
        out.write(buffer, 0, read);
        out.flush();
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Trusts the API server of the lab, whose certificate it has made itself. */
  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkServerTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
