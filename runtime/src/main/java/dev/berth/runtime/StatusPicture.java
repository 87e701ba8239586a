package dev.berth.runtime;

import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.State;
import dev.berth.timeline.Svg;
import dev.berth.timeline.TimelineSvg;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What ran where in the last hour, as a picture, and what runs now, as a table behind it. */
final class StatusPicture {

  private static final TimelineSvg.Look LOOK =
      new TimelineSvg.Look(
          IntStream.range(0, 8).mapToObj("var(--series-%d)"::formatted).toList(),
          "var(--raised)",
          "var(--paper)",
          16,
          true);

  private static final int LEFT = 90; // of the bars; names of hosts are there
  private static final int RIGHT = 16; // free
  private static final int TICK = 70; // least distance
  private static final long[] STEPS = {1, 2, 5, 10, 30, 60, 120, 300, 600, 1200};
  private static final int MOST_HOSTS = 200;
  private static final int MOST_NAMES = 50;

  private final StringBuilder html;
  private final RunTimeline timeline;

  private StatusPicture(StringBuilder html, RunTimeline timeline) {
    this.html = html;
    this.timeline = timeline;
  }

  /**
   * Appends both to a page.
   *
   * @param width of the picture, in pixels
   */
  static void append(StringBuilder html, StatusView view, int width) {
    StatusPicture picture = new StatusPicture(html, view.timeline());
    html.append("<h2>What runs where</h2>\n");
    if (view.timeline().hosts().isEmpty()) {
      html.append("<p>No host was up in the last hour.</p>\n");
      return;
    }
    picture.legend();
    picture.picture(width);
    html.append(
        "<p class=\"hint\">Pale: not in service yet, or paused. ▾: preempted or moved away.");
    html.append(" Below: what waited. The last hour at most.");
    if (view.isCut()) {
      html.append(
          String.format(
              Locale.ROOT,
              " Earlier bars were dropped: at most %,d are kept.",
              StatusRecording.MOST_SPANS));
    }
    html.append("</p>\n");
    picture.table();
  }

  private void legend() {
    html.append("<p class=\"legend\">");
    for (int i = 0; i < timeline.classes().size(); i++) {
      html.append("<span><svg width=\"12\" height=\"9\" aria-hidden=\"true\"><rect width=\"12\"")
          .append(" height=\"9\" fill=\"")
          .append(LOOK.colour(i))
          .append("\"/></svg>")
          .append(Svg.escaped(timeline.classes().get(i).name()))
          .append("</span>");
    }
    html.append("</p>\n");
  }

  private void picture(int width) {
    Svg svg = new Svg();
    int right = width - RIGHT;
    double bottom = new TimelineSvg(svg, LOOK, LEFT, right, timeline.end()).draw(timeline, 4) + 4;
    axis(svg, right, bottom);
    html.append("<div class=\"scroll picture\" tabindex=\"0\" role=\"region\"")
        .append(" aria-label=\"Timeline of the hosts\">")
        .append(
            String.format(
                Locale.ROOT,
                "<svg role=\"img\" aria-label=\"What ran where up to now; the table below has what"
                    + " runs now\" width=\"%d\" height=\"%.0f\" font-size=\"11\">%n",
                width,
                bottom + 22))
        .append(svg)
        .append("</svg></div>\n");
  }

  /** Labels the time axis by how long ago it is: a clock of a loop may count from anywhere. */
  private void axis(Svg svg, int right, double y) {
    double seconds = Math.max(1e-9, timeline.end() / 1e9);
    double perSecond = (right - LEFT) / seconds;
    long step = STEPS[STEPS.length - 1];
    for (int i = STEPS.length - 1; i >= 0 && STEPS[i] * perSecond >= TICK; i--) {
      step = STEPS[i];
    }
    svg.add("<path d=\"M%d,%.1fH%d\" stroke=\"var(--muted)\"/>", LEFT, y, right);
    for (long ago = 0; ago <= seconds; ago += step) {
      double x = right - ago * perSecond;
      svg.add("<path d=\"M%.1f,%.1fv4\" stroke=\"var(--muted)\"/>", x, y);
      String label = ago % 60 == 0 ? "−" + ago / 60 + " min" : "−" + ago + " s";
      svg.text(x, y + 16, ago == 0 ? "end" : "middle", ago == 0 ? "now" : label);
    }
  }

  private void table() {
    TreeMap<Integer, StringBuilder> names = new TreeMap<>();
    TreeMap<Integer, Integer> counts = new TreeMap<>();
    RunTimeline.Spans spans = timeline.spans();
    for (int i = 0; i < spans.to().size(); i++) {
      if (spans.to().get(i) == timeline.end() && spans.host().get(i) >= 0) {
        int host = spans.host().index(i);
        StringBuilder text = names.computeIfAbsent(host, none -> new StringBuilder());
        if (!spans.state().is(i, State.UP) && counts.merge(host, 1, Integer::sum) <= MOST_NAMES) {
          text.append(text.isEmpty() ? "" : ", ").append(words(i));
        }
      }
    }
    html.append("<details><summary>What runs now, as a table</summary>\n");
    html.append(
        "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Host</th>");
    html.append(
        "<th scope=\"col\" class=\"end\">Instances</th><th scope=\"col\">Which</th></tr></thead>");
    html.append("\n<tbody>\n");
    names.entrySet().stream()
        .limit(MOST_HOSTS)
        .forEach(
            each -> {
              int count = counts.getOrDefault(each.getKey(), 0);
              html.append("<tr><th scope=\"row\">")
                  .append(Svg.escaped(timeline.hosts().get(each.getKey()).name()))
                  .append("</th><td class=\"end\">")
                  .append(count)
                  .append("</td><td class=\"names\">")
                  .append(Svg.escaped(each.getValue().toString()))
                  .append(count > MOST_NAMES ? " and more" : "")
                  .append("</td></tr>\n");
            });
    html.append("</tbody>\n</table></div>\n");
    if (names.size() > MOST_HOSTS) {
      html.append("<p class=\"hint\">The first ").append(MOST_HOSTS).append(" hosts of ");
      html.append(names.size()).append(".</p>\n");
    }
    html.append("</details>\n");
  }

  private String words(int span) {
    RunTimeline.Spans spans = timeline.spans();
    int instance = spans.instance().index(span);
    int serviceClass = timeline.instances().serviceClass().index(instance);
    State state = spans.state().as(span, State.values());
    return "%s (%s%s)"
        .formatted(
            timeline.instances().ids().get(instance),
            timeline.classes().get(serviceClass).name(),
            state == State.RUNNING ? "" : ", " + state.name().toLowerCase(Locale.ROOT));
  }
}
