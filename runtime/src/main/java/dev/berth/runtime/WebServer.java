package dev.berth.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small web server of pages that change nothing. It needs {@code org.eclipse.jetty:jetty-server},
 * an optional dependency.
 *
 * <p>No client can keep it from answering others: no thread waits for a client, a connection serves
 * one request and is closed after {@value #LONGEST_SECONDS} s at the latest, and if {@value #MOST}
 * are open, the oldest is closed for the next one. There is neither encryption nor a login.
 *
 * <p>Safe for use by several threads. At most eight daemon threads serve it.
 */
public final class WebServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
  private static final int LONGEST_SECONDS = 10;
  private static final int MOST = 256;
  private static final int THREADS = 8;
  private static final int LONGEST_HEADERS = 8 * 1024;

  /**
   * A request, as far as it matters.
   *
   * @param path the decoded path: {@code "/status.json"}
   * @param parameters what follows the question mark, not decoded; may be empty
   * @param host the header {@code Host}; empty if there is none
   * @param reachedAt the address of this machine that the client has reached
   */
  public record Query(
      String path, String parameters, Optional<String> host, InetAddress reachedAt) {}

  /**
   * An answer.
   *
   * @param code the code of HTTP
   * @param type its media type, without a character set: {@code "text/html"}
   * @param text its content
   */
  public record Answer(int code, String type, String text) {

    /** Returns an answer in plain text. */
    public static Answer plain(int code, String text) {
      return new Answer(code, "text/plain", text);
    }

    /** Returns its headers. They forbid scripts other than that of {@link StatusHandler}. */
    public Map<String, String> headers() {
      return Map.of(
          "Content-Type", type + "; charset=utf-8",
          "Cache-Control", "no-store",
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "no-referrer",
          "Content-Security-Policy", StatusHtml.CONTENT_SECURITY_POLICY);
    }
  }

  /** What a server shows. Its threads call it, several at once. */
  @FunctionalInterface
  public interface Pages {
    /** Returns the answer to a request with the method GET or HEAD. It should not take long. */
    Answer answer(Query query);
  }

  private final Server server;
  private final ServerConnector connector;

  private WebServer(InetSocketAddress address, Pages pages, Duration longest) {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
    threads.setName("berth-web");
    threads.setDaemon(true);
    server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(LONGEST_HEADERS);
    http.setSendServerVersion(false);
    http.setPersistentConnectionsEnabled(false);
    connector = new ServerConnector(server, 0, 1, new HttpConnectionFactory(http));
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setAcceptQueueSize(MOST);
    connector.setIdleTimeout(longest.toMillis());
    connector.addBean(new Connections(connector, longest));
    server.addConnector(connector);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            send(answered(pages, request, response), request, response, callback);
            return true;
          }
        });
    server.setErrorHandler(
        (request, response, callback) -> {
          int code = response.getStatus();
          send(Answer.plain(code, "HTTP " + code + "\n"), request, response, callback);
          return true;
        });
  }

  /**
   * Starts a server.
   *
   * @param address its port may be 0 for any that is free
   * @throws IOException if the address is in use or cannot be bound
   */
  public static WebServer start(InetSocketAddress address, Pages pages) throws IOException {
    return start(address, pages, Duration.ofSeconds(LONGEST_SECONDS));
  }

  /** As the other one, for tests: with the longest time that a connection is open. */
  static WebServer start(InetSocketAddress address, Pages pages, Duration longest)
      throws IOException {
    Objects.requireNonNull(pages, "pages");
    if (address.isUnresolved()) {
      throw new IOException("unknown host " + address.getHostString());
    }
    WebServer started = new WebServer(address, pages, longest);
    try {
      started.server.start();
    } catch (Exception failed) {
      started.close();
      throw failed instanceof IOException taken ? taken : new IOException(failed);
    }
    return started;
  }

  private static Answer answered(Pages pages, Request request, Response response) {
    String path = Request.getPathInContext(request);
    SocketAddress reachedAt = request.getConnectionMetaData().getLocalSocketAddress();
    if (path == null || !path.startsWith("/")) {
      return Answer.plain(400, "The path must begin with a slash.\n");
    } else if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
      response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
      return Answer.plain(405, "Only GET and HEAD are supported.\n");
    }
    try {
      return pages.answer(
          new Query(
              path,
              Objects.requireNonNullElse(request.getHttpURI().getQuery(), ""),
              Optional.ofNullable(request.getHeaders().get(HttpHeader.HOST)),
              ((InetSocketAddress) reachedAt).getAddress()));
    } catch (RuntimeException failed) {
      LOG.error("A request for {} failed.", path, failed);
      return Answer.plain(500, "It failed; the log says more.\n");
    }
  }

  private static void send(Answer answer, Request request, Response response, Callback callback) {
    ByteBuffer body = ByteBuffer.wrap(answer.text().getBytes(StandardCharsets.UTF_8));
    response.setStatus(answer.code());
    answer.headers().forEach(response.getHeaders()::put);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.remaining());
    boolean hasBody = !request.getMethod().equals("HEAD");
    response.write(true, hasBody ? body : ByteBuffer.allocate(0), callback);
  }

  /** Closes connections that are too old, and the oldest if there are too many. */
  private static final class Connections implements Connection.Listener {

    private final ServerConnector connector;
    private final Duration longest;
    private final Map<Connection, Scheduler.Task> open = new LinkedHashMap<>(); // oldest first

    Connections(ServerConnector connector, Duration longest) {
      this.connector = connector;
      this.longest = longest;
    }

    @Override
    public void onOpened(Connection opened) {
      Connection oldest = null;
      synchronized (open) {
        open.put(
            opened,
            connector
                .getScheduler()
                .schedule(opened::close, longest.toMillis(), TimeUnit.MILLISECONDS));
        if (open.size() > MOST) {
          oldest = open.keySet().iterator().next();
          open.remove(oldest); // at once, so that the next one closes another
        }
      }
      if (oldest != null) {
        oldest.close();
      }
    }

    @Override
    public void onClosed(Connection closed) {
      Scheduler.Task close;
      synchronized (open) {
        close = open.remove(closed);
      }
      if (close != null) {
        close.cancel();
      }
    }
  }

  /** Returns the address that it is bound to, with the actual port. */
  public InetSocketAddress address() {
    return new InetSocketAddress(connector.getHost(), connector.getLocalPort());
  }

  /** Stops it at once. Has no effect on one that is closed. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception failed) {
      LOG.warn("The web server at port {} did not stop well.", connector.getPort(), failed);
    }
  }
}
