package dev.berth.runtime;

import dev.berth.api.InstanceState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A {@link LoopStatus} as a page in the look of the reports. It loads nothing and runs no script.
 */
final class StatusHtml {

  private static final String STYLE =
      """
      :root {
        color-scheme: light dark;
        --paper: light-dark(#ffffff, #14171a);
        --raised: light-dark(#f5f6f7, #1e2226);
        --ink: light-dark(#1b1f23, #e8eaec);
        --muted: light-dark(#57606a, #a3abb3);
        --rule: light-dark(#d5d9de, #3a4149);
        --faint: light-dark(#eaecef, #272c31);
        --link: light-dark(#005a9c, #7cc0ff);
        --bad: light-dark(#b3142d, #ff7b86);
      }
      * { box-sizing: border-box; }
      body {
        margin: 0 auto; max-width: 74rem; padding: 0 1.25rem 3rem;
        background: var(--paper); color: var(--ink);
        font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
        font-variant-numeric: tabular-nums; overflow-wrap: break-word;
      }
      a { color: var(--link); text-underline-offset: .15em; }
      :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
      header { padding-top: 2rem; border-bottom: 1px solid var(--rule); margin-bottom: 1rem; }
      h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; font-weight: 650; letter-spacing: -.01em; }
      h2 { font-size: 1.35rem; line-height: 1.3; margin: 2.5rem 0 .75rem; font-weight: 650; }
      .subtitle { margin: .4rem 0 .75rem; color: var(--muted); max-width: 46rem; }
      .bad { color: var(--bad); font-weight: 600; }
      .facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .6rem 0; }
      .facts dt { color: var(--muted); }
      .facts dd { margin: 0; overflow-wrap: anywhere; }
      .scroll { overflow-x: auto; max-width: 100%; margin-top: .5rem; }
      table { border-collapse: collapse; font-size: .9375rem; }
      th, td { padding: .3rem .8rem; text-align: start; white-space: nowrap; border-bottom: 1px solid var(--faint); }
      th:first-child, td:first-child { padding-left: .25rem; }
      .end { text-align: end; }
      thead th { border-bottom: 1px solid var(--muted); vertical-align: bottom; font-weight: 600; }
      tbody th { font-weight: 400; }
      tbody tr:hover :is(th, td) { background: var(--raised); }
      tfoot :is(th, td) { font-weight: 600; border-bottom: 0; }
      .zero { color: var(--muted); }
      .hint { margin: .3rem 0 0; font-size: .875rem; color: var(--muted); }
      """;

  private final StringBuilder html = new StringBuilder(8192);
  private final LoopStatus status;

  private StatusHtml(LoopStatus status) {
    this.status = status;
  }

  /**
   * Returns the page.
   *
   * @param refresh after how many seconds the browser loads it again; 0 for never
   */
  static String of(LoopStatus status, int refresh) {
    return new StatusHtml(status).page(refresh);
  }

  private String page(int refresh) {
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    if (refresh > 0) {
      html.append("<meta http-equiv=\"refresh\" content=\"").append(refresh).append("\">\n");
    }
    html.append("<link rel=\"icon\" href=\"data:,\">\n<title>Berth: ");
    html.append(escape(status.policy())).append("</title>\n<style>\n").append(STYLE);
    html.append("</style>\n</head>\n<body>\n<header>\n<h1>Scheduler loop</h1>\n");
    html.append("<p class=\"subtitle\">Policy ").append(escape(status.policy())).append(", ");
    boolean bad = status.phase() == LoopStatus.Phase.FAILED;
    html.append(bad ? "<span class=\"bad\">" : "<span>");
    html.append(escape(status.phase().name().toLowerCase(Locale.ROOT)));
    html.append("</span>, at ").append(status.taken().truncatedTo(ChronoUnit.SECONDS));
    html.append(". <a href=\"status.json\">JSON</a>, <a href=\"");
    html.append(refresh > 0 ? "./\">stop refreshing" : "?refresh=5\">refresh every 5 s");
    html.append("</a>.</p>\n</header>\n<main>\n");
    status
        .failure()
        .ifPresent(why -> html.append("<p class=\"bad\">").append(escape(why)).append("</p>\n"));
    facts();
    waiting();
    instances();
    hosts();
    passes();
    return html.append("</main>\n</body>\n</html>\n").toString();
  }

  private void facts() {
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
    html.append("<dt>").append(escape(label)).append("</dt><dd>");
    html.append(escape(value)).append("</dd>\n");
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
    html.append("<tr><th scope=\"row\">").append(escape(name)).append("</th>");
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
              html.append("<tr><th scope=\"row\">").append(escape(name)).append("</th>");
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
              html.append("<tr><th scope=\"row\">").append(escape(state)).append("</th>");
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
    html.append("<h2>").append(escape(text)).append("</h2>\n");
  }

  private void begin(List<String> columns) {
    html.append("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>");
    for (int i = 0; i < columns.size(); i++) {
      html.append(i == 0 ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"end\">");
      html.append(escape(columns.get(i))).append("</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
  }

  private void number(long number) {
    html.append(number == 0 ? "<td class=\"end zero\">" : "<td class=\"end\">");
    html.append(number).append("</td>");
  }

  private void cell(String text) {
    html.append("<td class=\"end\">").append(escape(text)).append("</td>");
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

  /** Returns text that HTML shows as it is, in content and in quoted attributes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
