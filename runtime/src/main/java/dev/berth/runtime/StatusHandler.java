package dev.berth.runtime;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows a loop on a web server that is there; {@link StatusPage} brings its own. It changes nothing
 * of the loop.
 *
 * <ul>
 *   <li>{@code /} is a page for people: what ran where in the last hour, what waits and why, and
 *       the {@linkplain SchedulerLoop#status status}. It refreshes itself, and needs no script
 *   <li>{@code /status.json} has all figures of the status
 *   <li>{@code /healthz} answers 200 while the loop runs or drains, and 503 once it has ended or
 *       has not answered for {@value #PATIENCE_SECONDS} s
 * </ul>
 *
 * <p>The page names policies, classes, reasons, instances and hosts.
 *
 * <p>From when it is made until it is closed, the loop records what runs where. That costs O(1) for
 * each event and action on average, and holds at most 20,000 spans of time, or twice as many as
 * there are instances and hosts; older ones are dropped. A page costs the thread of the loop what
 * {@link SchedulerLoop#status} does, O(spans), and at most about 50 ms for explaining why instances
 * wait, at most once a second.
 *
 * <p>Safe for use by several threads.
 */
public final class StatusHandler implements HttpHandler, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatusPage.class);
  private static final int PATIENCE_SECONDS = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);
  private static final int LONGEST_REFRESH = 3600;
  private static final int USUAL_WIDTH = 720;
  private static final int NARROWEST = 300;
  private static final int WIDEST = 2000;
  private static final List<String> LOCAL_NAMES = List.of("localhost", "127.0.0.1", "[::1]");
  private static final String SCRIPT_HASH = hash(StatusHtml.SCRIPT);

  private final SchedulerLoop loop;
  private final StatusRecording recording;
  private final boolean isExposed;

  StatusHandler(SchedulerLoop loop, boolean isExposed) {
    this.loop = loop;
    this.recording = new StatusRecording(loop, StatusRecording.MOST_SPANS);
    this.isExposed = isExposed;
  }

  /**
   * Returns a handler that answers only requests that come by the loopback interface and name such
   * a host, even if its server listens elsewhere too.
   */
  public static StatusHandler local(SchedulerLoop loop) {
    return new StatusHandler(Objects.requireNonNull(loop, "loop"), false);
  }

  /** Ends the recording. It still shows what was recorded. */
  @Override
  public void close() {
    recording.stop();
  }

  private static String hash(String script) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException impossible) { // every Java platform has it
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!isExposed && !isLocal(exchange)) {
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
      case "/" ->
          answer(
              exchange,
              200,
              "text/html",
              StatusHtml.of(
                  loop.status(),
                  recording.view(),
                  parameter(uri, "refresh", 0, LONGEST_REFRESH),
                  Math.max(NARROWEST, parameter(uri, "width", USUAL_WIDTH, WIDEST))));
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

  private static int parameter(URI uri, String name, int usual, int most) {
    String query = uri.getRawQuery();
    return query != null && query.matches(name + "=[0-9]{1,4}")
        ? Math.min(most, Integer.parseInt(query.substring(name.length() + 1)))
        : usual;
  }

  /** Returns whether a request comes from this machine, and not from a page of another site. */
  private static boolean isLocal(HttpExchange exchange) {
    if (!exchange.getLocalAddress().getAddress().isLoopbackAddress()) {
      return false;
    }
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
            + " form-action 'none'; frame-ancestors 'none'; connect-src 'self'; script-src "
            + SCRIPT_HASH);
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", String.valueOf(bytes.length));
      exchange.sendResponseHeaders(code, -1);
      return;
    }
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
