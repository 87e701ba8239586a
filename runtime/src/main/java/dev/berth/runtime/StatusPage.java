package dev.berth.runtime;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link WebServer} that shows what {@link StatusHandler} says of a loop. It changes nothing.
 *
 * <p>There is neither encryption nor a login. {@link #start} therefore accepts addresses of the
 * loopback interface only, and requests that name such a host; {@link #startExposed} accepts any.
 *
 * <p>Safe for use by several threads.
 */
public final class StatusPage implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatusPage.class);

  private final StatusHandler handler;
  private final WebServer server;

  private StatusPage(SchedulerLoop loop, InetSocketAddress address, boolean isExposed)
      throws IOException {
    this.handler = new StatusHandler(loop, isExposed);
    try {
      this.server = WebServer.start(address, handler);
    } catch (IOException taken) {
      handler.close();
      throw taken;
    }
    LOG.info("The status of the loop is at {}", uri());
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
    return new StatusPage(loop, address, false);
  }

  /**
   * Starts a server that other machines may reach. Anyone who reaches the address may read all.
   *
   * @param address its port may be 0 for any that is free
   * @throws IOException if the address is in use or cannot be bound
   */
  public static StatusPage startExposed(SchedulerLoop loop, InetSocketAddress address)
      throws IOException {
    Objects.requireNonNull(loop, "loop");
    Objects.requireNonNull(address, "address");
    return new StatusPage(loop, address, true);
  }

  /** Returns the address that the server is bound to, with the actual port. */
  public InetSocketAddress address() {
    return server.address();
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
    server.close();
    handler.close();
  }
}
