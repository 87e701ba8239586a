package dev.berth.runtime;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small web server that shows the {@linkplain SchedulerLoop#status status} of a loop. It reads
 * and changes nothing. It needs the module {@code jdk.httpserver} of the JDK.
 *
 * <ul>
 *   <li>{@code /} is a page for people: what waits and why, hosts, the latest passes
 *   <li>{@code /status.json} has the same figures, and all others
 *   <li>{@code /healthz} answers 200 while the loop runs or drains, and 503 once it has ended or
 *       has not answered for {@value #PATIENCE_SECONDS} s
 * </ul>
 *
 * <p>There is neither encryption nor a login. {@link #start} therefore accepts addresses of the
 * loopback interface only, and requests that name such a host; {@link #startExposed} accepts any.
 * The names of policies, classes and reasons are on the page, but none of instances and hosts.
 *
 * <p>Safe for use by several threads. Two daemon threads serve it. A request costs at most what
 * {@link SchedulerLoop#status} does.
 */
public final class StatusPage implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatusPage.class);
  private static final int PATIENCE_SECONDS = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);
  private static final int LONGEST_REFRESH = 3600;
  private static final List<String> LOCAL_NAMES = List.of("localhost", "127.0.0.1", "[::1]");

  private final SchedulerLoop loop;
  private final boolean isExposed;
  private final HttpServer server;
  private final ExecutorService threads;

  private StatusPage(SchedulerLoop loop, InetSocketAddress address, boolean isExposed)
      throws IOException {
    this.loop = loop;
    this.isExposed = isExposed;
    this.server = HttpServer.create(address, 0);
    this.threads =
        Executors.newFixedThreadPool(
            2,
            task -> {
              Thread thread = new Thread(task, "berth-status");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    server.createContext("/", this::serve);
  }

  /**
   * Starts a server on an address of the loopback interface. Close it before the loop, or let it
   * show how the loop ended.
   *
   * @param address its port may be 0 for any that is free
   * @throws IllegalArgumentException if the address is not a loopback address
   * @throws IOException if the address is in use or cannot be bound
   */
  public static StatusPage start(SchedulerLoop loop, InetSocketAddress address) throws IOException {
    Objects.requireNonNull(loop, "loop");
    Objects.requireNonNull(address, "address");
    if (address.getAddress() == null || !address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "StatusPage.start: %s is not a loopback address. Use 127.0.0.1, or startExposed behind a proxy with a login."
              .formatted(address));
    }
    return started(new StatusPage(loop, address, false));
  }

  /**
   * Starts a server that other machines may reach. Anyone who reaches the address may read the
   * figures.
   *
   * @param address its port may be 0 for any that is free
   * @throws IOException if the address is in use or cannot be bound
   */
  public static StatusPage startExposed(SchedulerLoop loop, InetSocketAddress address)
      throws IOException {
    Objects.requireNonNull(loop, "loop");
    Objects.requireNonNull(address, "address");
    return started(new StatusPage(loop, address, true));
  }

  private static StatusPage started(StatusPage page) {
    page.server.start();
    LOG.info("The status of the loop is at {}", page.uri());
    return page;
  }

  /** Returns the address that the server is bound to, with the actual port. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Returns the address of the page. */
  public URI uri() {
    InetSocketAddress bound = address();
    String host = bound.getAddress().getHostAddress();
    return URI.create(
        "http://%s:%s/".formatted(host.contains(":") ? "[" + host + "]" : host, bound.getPort()));
  }

  /** Stops the server at once. Has no effect on one that is closed. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  // ---- In the threads of the server

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!isExposed && !namesLocalHost(exchange)) { // a page of another site may have sent it
        answer(exchange, 421, "text/plain", "This server answers to localhost only.\n");
      } else if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        answer(exchange, 405, "text/plain", "Only GET and HEAD are supported.\n");
      } else {
        serve(exchange, exchange.getRequestURI());
      }
    } catch (RuntimeException failed) {
      LOG.error("A request for the status failed.", failed);
      throw failed;
    }
  }

  private void serve(HttpExchange exchange, URI uri) throws IOException {
    switch (uri.getPath()) {
      case "/" -> answer(exchange, 200, "text/html", StatusHtml.of(loop.status(), refresh(uri)));
      case "/status.json" ->
          answer(exchange, 200, "application/json", StatusJson.of(loop.status()));
      case "/healthz" -> health(exchange);
      default -> answer(exchange, 404, "text/plain", "There are /, /status.json and /healthz.\n");
    }
  }

  private void health(HttpExchange exchange) throws IOException {
    LoopStatus.Phase phase = loop.status().phase();
    Duration silent = Duration.ofNanos(loop.unanswered());
    boolean runs = phase == LoopStatus.Phase.RUNNING || phase == LoopStatus.Phase.DRAINING;
    if (!runs) {
      answer(exchange, 503, "text/plain", phase.name().toLowerCase(Locale.ROOT) + "\n");
    } else if (silent.compareTo(PATIENCE) > 0) {
      answer(exchange, 503, "text/plain", "no answer for " + silent.toSeconds() + " s\n");
    } else {
      answer(exchange, 200, "text/plain", phase.name().toLowerCase(Locale.ROOT) + "\n");
    }
  }

  private static int refresh(URI uri) {
    String query = uri.getRawQuery();
    if (query == null || !query.matches("refresh=[0-9]{1,4}")) {
      return 0;
    }
    return Math.min(LONGEST_REFRESH, Integer.parseInt(query.substring("refresh=".length())));
  }

  private static boolean namesLocalHost(HttpExchange exchange) {
    String host = exchange.getRequestHeaders().getFirst("Host");
    if (host == null) {
      return false;
    }
    String name = host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
    return LOCAL_NAMES.contains(name)
        || name.equals(exchange.getLocalAddress().getAddress().getHostAddress());
  }

  private static void answer(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", type + "; charset=utf-8");
    headers.set("Cache-Control", "no-store");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
            + " form-action 'none'; frame-ancestors 'none'");
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", String.valueOf(bytes.length));
      exchange.sendResponseHeaders(code, -1);
      return;
    }
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
