package dev.berth.kubernetes.command;

import dev.berth.runtime.WebServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Serves {@code /livez}, {@code /readyz} and {@code /metrics}, and to this machine the status page,
 * as {@code kubectl port-forward} asks for it.
 *
 * <p>A process is live until its scheduler fails. It is ready while it is live and can compare the
 * cluster: one that does not lead is ready to take over.
 */
final class Endpoints implements AutoCloseable {

  private final WebServer server;

  private Endpoints(WebServer server) {
    this.server = server;
  }

  static Endpoints start(InetSocketAddress address, Leading leading) throws IOException {
    if (address.isUnresolved()) {
      throw new ClusterOptions.UnusableException(
          "--address was %s, must be an address of this machine."
              .formatted(address.getHostString()));
    }
    try {
      return new Endpoints(WebServer.start(address, query -> answer(query, leading)));
    } catch (IOException taken) {
      throw new IOException(
          "Cannot serve %s: %s. Maybe choose another --port."
              .formatted(address, taken.getMessage()),
          taken);
    }
  }

  private static WebServer.Answer answer(WebServer.Query query, Leading leading) {
    return switch (query.path()) {
      case "/livez" -> health(leading, Optional.empty());
      case "/readyz" -> health(leading, leading.unready());
      case "/metrics" -> new WebServer.Answer(200, "text/plain; version=0.0.4", leading.scrape());
      default ->
          leading
              .page()
              .map(page -> page.answer(query))
              .orElseGet(
                  () ->
                      WebServer.Answer.plain(
                          503, "This process does not lead: the one that does has the page.\n"));
    };
  }

  private static WebServer.Answer health(Leading leading, Optional<String> unready) {
    if (!leading.isAlive()) {
      return WebServer.Answer.plain(500, "it has failed\n");
    }
    return unready
        .map(why -> WebServer.Answer.plain(503, why + "\n"))
        .orElseGet(() -> WebServer.Answer.plain(200, "ok\n"));
  }

  int port() {
    return server.address().getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
