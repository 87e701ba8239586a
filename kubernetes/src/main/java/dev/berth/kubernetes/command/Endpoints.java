package dev.berth.kubernetes.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kubernetes.tasks.TaskThread;
import dev.berth.runtime.StatusHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Serves {@code /livez}, {@code /readyz} and {@code /metrics}, and to this machine the status page,
 * as {@code kubectl port-forward} asks for it.
 *
 * <p>A process is live until its scheduler fails. It is ready as long as it is live: one that does
 * not lead is ready to take over.
 */
final class Endpoints implements AutoCloseable {

  private static final int THREADS = 2;

  private final HttpServer server;
  private final ExecutorService threads;

  private record Answer(int code, String text) {}

  private Endpoints(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  static Endpoints start(InetSocketAddress address, Leading leading) throws IOException {
    if (address.isUnresolved()) {
      throw new ClusterOptions.UnusableException(
          "--address was %s, must be an address of this machine."
              .formatted(address.getHostString()));
    }
    HttpServer server;
    try {
      server = HttpServer.create(address, 0);
    } catch (IOException taken) {
      throw new IOException(
          "Cannot serve %s: %s. Maybe choose another --port."
              .formatted(address, taken.getMessage()),
          taken);
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(THREADS, TaskThread.daemons("berth-http"));
    Supplier<Answer> health =
        () -> leading.isAlive() ? new Answer(200, "ok\n") : new Answer(500, "it has failed\n");
    serve(server, "/livez", health);
    serve(server, "/readyz", health);
    serve(server, "/metrics", () -> new Answer(200, leading.scrape()));
    server.createContext("/", exchange -> servePage(exchange, leading));
    server.setExecutor(threads);
    server.start();
    return new Endpoints(server, threads);
  }

  private static void serve(HttpServer server, String path, Supplier<Answer> answers) {
    server.createContext(
        path,
        exchange -> {
          boolean isKnown = exchange.getRequestURI().getPath().equals(path);
          boolean isRead =
              exchange.getRequestMethod().equals("GET")
                  || exchange.getRequestMethod().equals("HEAD");
          send(
              exchange,
              !isKnown
                  ? new Answer(404, "not found\n")
                  : isRead ? answers.get() : new Answer(405, "only GET\n"));
        });
  }

  private static void servePage(HttpExchange exchange, Leading leading) throws IOException {
    Optional<StatusHandler> page = leading.page();
    if (page.isPresent()) {
      page.get().handle(exchange);
    } else {
      send(
          exchange,
          new Answer(503, "This process does not lead: the one that does has the page.\n"));
    }
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(answer.code(), hasBody ? body.length : -1);
    if (hasBody) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
    exchange.close();
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
