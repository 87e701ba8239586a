package dev.berth.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Shows a loop on a web server that is there; {@link StatusPage} brings its own. It changes nothing
 * of the loop. Have the server pass each GET on, and send the answer with its headers.
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
public final class StatusHandler implements WebServer.Pages, AutoCloseable {

  private static final int PATIENCE_SECONDS = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);
  private static final int LONGEST_REFRESH = 3600;
  private static final int USUAL_WIDTH = 720;
  private static final int NARROWEST = 300;
  private static final int WIDEST = 2000;
  private static final List<String> LOCAL_NAMES = List.of("localhost", "127.0.0.1", "[::1]");

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

  @Override
  public WebServer.Answer answer(WebServer.Query query) {
    if (!isExposed && !isLocal(query)) {
      return WebServer.Answer.plain(421, "This server answers to localhost only.\n");
    }
    return switch (query.path()) {
      case "/" ->
          new WebServer.Answer(
              200,
              "text/html",
              StatusHtml.of(
                  loop.status(),
                  recording.view(),
                  parameter(query, "refresh", 0, LONGEST_REFRESH),
                  Math.max(NARROWEST, parameter(query, "width", USUAL_WIDTH, WIDEST))));
      case "/status.json" ->
          new WebServer.Answer(200, "application/json", StatusJson.of(loop.status()));
      case "/healthz" -> health();
      default -> WebServer.Answer.plain(404, "There are /, /status.json and /healthz.\n");
    };
  }

  private WebServer.Answer health() {
    LoopStatus.Phase phase = loop.status().phase();
    Duration silent = Duration.ofNanos(loop.unanswered());
    boolean runs = phase == LoopStatus.Phase.RUNNING || phase == LoopStatus.Phase.DRAINING;
    if (runs && silent.compareTo(PATIENCE) > 0) {
      return WebServer.Answer.plain(503, "no answer for " + silent.toSeconds() + " s\n");
    }
    return WebServer.Answer.plain(runs ? 200 : 503, phase.name().toLowerCase(Locale.ROOT) + "\n");
  }

  private static int parameter(WebServer.Query query, String name, int usual, int most) {
    String given = query.parameters();
    return given.matches(name + "=[0-9]{1,4}")
        ? Math.min(most, Integer.parseInt(given.substring(name.length() + 1)))
        : usual;
  }

  /** Returns whether a request comes from this machine, and not from a page of another site. */
  private static boolean isLocal(WebServer.Query query) {
    if (!query.reachedAt().isLoopbackAddress() || query.host().isEmpty()) {
      return false;
    }
    String name = query.host().get().replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
    return LOCAL_NAMES.contains(name) || name.equals(query.reachedAt().getHostAddress());
  }
}
