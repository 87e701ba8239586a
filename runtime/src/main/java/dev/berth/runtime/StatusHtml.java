package dev.berth.runtime;

import dev.berth.api.InstanceState;
import dev.berth.timeline.Svg;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The status of a loop as a page in the look of the reports. It loads nothing but itself, and shows
 * all without its script.
 */
final class StatusHtml {

  private static final String STYLE = resource("status.css");

  /** Replaces the content every few seconds. */
  private static final String SCRIPT = resource("status.js");

  /** Permits the script of the page alone, by its digest, and no address but its own. */
  static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
          + " form-action 'none'; frame-ancestors 'none'; connect-src 'self'; script-src "
          + digest(SCRIPT);

  private final StringBuilder html = new StringBuilder(8192);
  private final LoopStatus status;
  private final Optional<StatusView> view;
  private final int width;

  private StatusHtml(LoopStatus status, Optional<StatusView> view, int width) {
    this.status = status;
    this.view = view;
    this.width = width;
  }

  private static String digest(String script) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException impossible) { // every Java platform has it
      throw new IllegalStateException(impossible);
    }
  }

  private static String resource(String name) {
    try (InputStream in = StatusHtml.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) { // it is in the jar
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Returns the page.
   *
   * @param refresh after how many seconds the browser loads it again; 0 to leave that to the script
   * @param width of pictures, in pixels
   */
  static String of(LoopStatus status, Optional<StatusView> view, int refresh, int width) {
    return new StatusHtml(status, view, width).page(refresh);
  }

  private String page(int refresh) {
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    if (refresh > 0) {
      html.append("<meta http-equiv=\"refresh\" content=\"").append(refresh).append("\">\n");
    }
    html.append("<link rel=\"icon\" href=\"data:,\">\n<title>Berth: ");
    html.append(Svg.escaped(status.policy())).append("</title>\n<style>\n").append(STYLE);
    html.append("</style>\n</head>\n<body>\n<header>\n<h1>Scheduler loop</h1>\n");
    html.append("<p class=\"subtitle\">Policy ").append(Svg.escaped(status.policy())).append(", ");
    boolean bad = status.phase() == LoopStatus.Phase.FAILED;
    html.append(bad ? "<span class=\"bad\">" : "<span>");
    html.append(Svg.escaped(status.phase().name().toLowerCase(Locale.ROOT)));
    html.append("</span>, at ").append(status.taken().truncatedTo(ChronoUnit.SECONDS));
    html.append(". <a href=\"status.json\">JSON</a>");
    html.append(
        refresh > 0
            ? ", <a href=\"./\">stop refreshing</a>"
            : "<noscript>, <a href=\"?refresh=5\">refresh every 5 s</a></noscript>");
    html.append(".</p>\n<p><button type=\"button\" id=\"pause\" hidden>Stop refreshing</button> ");
    html.append("<span id=\"news\" class=\"bad\" role=\"status\"></span></p>\n</header>\n<main>\n");
    status
        .failure()
        .ifPresent(
            why -> html.append("<p class=\"bad\">").append(Svg.escaped(why)).append("</p>\n"));
    view.ifPresentOrElse(
        each -> {
          StatusPicture.append(html, each, width);
          waitingInstances(each);
        },
        () -> html.append("<p>The loop has not answered yet. Load this page again.</p>\n"));
    waiting();
    instances();
    hosts();
    passes();
    facts();
    html.append("</main>\n");
    if (refresh == 0) {
      html.append("<script>").append(SCRIPT).append("</script>\n");
    }
    return html.append("</body>\n</html>\n").toString();
  }

  private void waitingInstances(StatusView shown) {
    heading("What waits, and why");
    if (shown.waiting().isEmpty()) {
      html.append("<p>No instance waits.</p>\n");
      return;
    }
    html.append("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>");
    for (String each : List.of("Instance", "Class", "Waits for", "Why")) {
      html.append("<th scope=\"col\">").append(each).append("</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (StatusView.Waiting each : shown.waiting()) {
      html.append("<tr><th scope=\"row\">")
          .append(Svg.escaped(each.instance()))
          .append("</th><td>");
      html.append(Svg.escaped(each.serviceClass())).append("</td><td>").append(time(each.since()));
      html.append("</td><td class=\"why\">");
      html.append(
          Svg.escaped(
              each.why().isEmpty()
                  ? "not explained this time: it would take too long"
                  : each.why()));
      html.append("</td></tr>\n");
    }
    html.append("</tbody>\n</table></div>\n<p class=\"hint\">");
    int more = status.totalWaiting() - shown.waiting().size();
    html.append("The most important class first, then the longest wait");
    html.append(more > 0 ? "; " + more + " more wait" : "").append(".</p>\n");
  }

  private void facts() {
    heading("The loop");
    LoopStatus.Inputs inputs = status.inputs();
    LoopStatus.Actions actions = status.actions();
    html.append("<dl class=\"facts\">\n");
    fact("Waiting", String.valueOf(status.totalWaiting()));
    status.longestWait().ifPresent(it -> fact("Longest wait", time(it)));
    fact("Queue", inputs.queued() + " of " + inputs.capacity() + " inputs");
    fact(
        "Inputs",
        "%s, %s refused, %s found the queue full"
            .formatted(inputs.applied(), inputs.refused(), inputs.overloaded()));
    fact(
        "Passes",
        "%s, %s failed, %s decisions, %s in total"
            .formatted(
                status.passes().count(),
                status.passes().failed(),
                status.passes().decisions(),
                time(status.passes().time())));
    fact("Actions", actions.open() + " open, " + actions.underWay() + " under way");
    fact(
        "Attempts",
        "%s, %s retried, %s timed out, %s rejected"
            .formatted(actions.begun(), actions.retried(), actions.timedOut(), actions.rejected()));
    status
        .journal()
        .ifPresent(
            journal ->
                fact(
                    "Journal",
                    "%s bytes, %s forces in %s, the longest %s, %s failed snapshots"
                        .formatted(
                            journal.bytes(),
                            journal.forces(),
                            time(journal.forceTime()),
                            time(journal.longestForce()),
                            journal.failedSnapshots())));
    fact(
        "Reconciliations",
        "%s, %s differences%s"
            .formatted(
                status.reconciliations().count(),
                status.reconciliations().differences(),
                status.reconciliations().holdsPasses() ? "; no pass before the next one" : ""));
    html.append("</dl>\n");
  }

  private void fact(String label, String value) {
    html.append("<dt>").append(Svg.escaped(label)).append("</dt><dd>");
    html.append(Svg.escaped(value)).append("</dd>\n");
  }

  private void waiting() {
    heading("Waiting, by class and reason");
    TreeSet<String> reasons = new TreeSet<>();
    status.waiting().values().forEach(each -> reasons.addAll(each.keySet()));
    if (reasons.isEmpty()) {
      html.append("<p>No instance waits.</p>\n");
      return;
    }
    List<String> columns = new ArrayList<>(List.of("Class"));
    columns.addAll(reasons);
    columns.add("Total");
    begin(columns);
    status.waiting().forEach((name, counts) -> row(name, counts, reasons));
    Map<String, Integer> totals = new HashMap<>();
    status
        .waiting()
        .values()
        .forEach(
            each -> each.forEach((reason, count) -> totals.merge(reason, count, Integer::sum)));
    html.append("</tbody>\n<tfoot>\n");
    row("Total", totals, reasons);
    html.append("</tfoot>\n</table></div>\n");
    html.append("<p class=\"hint\">The reasons are those that the latest pass left behind.</p>\n");
  }

  private void row(String name, Map<String, Integer> counts, Set<String> columns) {
    html.append("<tr><th scope=\"row\">").append(Svg.escaped(name)).append("</th>");
    int sum = 0;
    for (String each : columns) {
      int count = counts.getOrDefault(each, 0);
      sum += count;
      number(count);
    }
    number(sum);
    html.append("</tr>\n");
  }

  private void instances() {
    heading("Instances, by class and state");
    List<String> columns = new ArrayList<>(List.of("Class"));
    List<InstanceState> states = new ArrayList<>();
    for (InstanceState each : InstanceState.values()) {
      if (each != InstanceState.DONE) {
        states.add(each);
        columns.add(each.name().toLowerCase(Locale.ROOT));
      }
    }
    columns.add("Preempted so far");
    columns.add("Objective met");
    begin(columns);
    status
        .instances()
        .forEach(
            (name, counts) -> {
              html.append("<tr><th scope=\"row\">").append(Svg.escaped(name)).append("</th>");
              states.forEach(each -> number(counts.getOrDefault(each, 0)));
              number(status.passes().preemptions().getOrDefault(name, 0L));
              Double met = status.fulfilment().get(name);
              cell(met == null ? "–" : String.format(Locale.ROOT, "%.1f %%", met * 100));
              html.append("</tr>\n");
            });
    html.append("</tbody>\n</table></div>\n");
  }

  private void hosts() {
    heading("Hosts, by state");
    if (status.hosts().isEmpty()) {
      html.append("<p>There is no host.</p>\n");
      return;
    }
    begin(List.of("State", "Hosts"));
    status
        .hosts()
        .forEach(
            (state, count) -> {
              html.append("<tr><th scope=\"row\">").append(Svg.escaped(state)).append("</th>");
              number(count);
              html.append("</tr>\n");
            });
    html.append("</tbody>\n<tfoot>\n<tr><th scope=\"row\">Total</th>");
    number(status.totalHosts());
    html.append("</tr>\n</tfoot>\n</table></div>\n");
  }

  private void passes() {
    heading("Latest passes");
    if (status.passes().latest().isEmpty()) {
      html.append("<p>No pass has run yet.</p>\n");
      return;
    }
    begin(List.of("Pass", "Ago", "Duration", "Decisions", "Waiting after it"));
    for (LoopStatus.Pass each : status.passes().latest()) {
      html.append("<tr><th scope=\"row\">").append(each.number()).append("</th>");
      cell(time(Duration.ofNanos(Math.max(0, status.now() - each.at()))));
      cell(time(each.time()));
      number(each.decisions());
      number(each.waiting());
      html.append("</tr>\n");
    }
    html.append("</tbody>\n</table></div>\n");
  }

  private void heading(String text) {
    html.append("<h2>").append(Svg.escaped(text)).append("</h2>\n");
  }

  private void begin(List<String> columns) {
    html.append("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>");
    for (int i = 0; i < columns.size(); i++) {
      html.append(i == 0 ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"end\">");
      html.append(Svg.escaped(columns.get(i))).append("</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
  }

  private void number(long number) {
    html.append(number == 0 ? "<td class=\"end zero\">" : "<td class=\"end\">");
    html.append(number).append("</td>");
  }

  private void cell(String text) {
    html.append("<td class=\"end\">").append(Svg.escaped(text)).append("</td>");
  }

  private static String time(Duration time) {
    double seconds = time.toNanos() / 1e9;
    if (seconds < 1) {
      return String.format(Locale.ROOT, "%.3f ms", seconds * 1e3);
    }
    return seconds < 600
        ? String.format(Locale.ROOT, "%.1f s", seconds)
        : "%s h %s min".formatted(time.toHours(), time.toMinutesPart());
  }
}
