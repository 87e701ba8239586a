package dev.berth.report.render;

import dev.berth.report.Axis;
import dev.berth.report.BarChart;
import dev.berth.report.Chart;
import dev.berth.report.LineChart;
import dev.berth.report.Numbers;
import dev.berth.report.Point;
import dev.berth.report.Series;
import dev.berth.report.TimelineChart;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Draws upright bars, lines and timelines as SVG for papers: on white, with fonts that every system
 * has, and colours that differ in print and to the colour-blind.
 */
public final class SvgRenderer {

  private static final int WIDTH = 720;
  private static final int HEIGHT = 300;
  private static final int LEFT = 90;
  private static final int RIGHT = 12;
  private static final int TOP = 60;
  private static final int BOTTOM = 40;
  private static final int TICKS = 5;
  private static final int LANE = 8; // height in pixels, of few lanes
  private static final int MOST_HEIGHT = 420; // of the hosts of a run
  private static final int BAND = 40; // of waiting requests
  private static final int MOST_BARS = 20_000; // more are shown as shades
  private static final int SHADES = 8;

  /** Those of Okabe and Ito that are dark enough on white, then greys. */
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#2c3e50", "#56b4e9", "#777777");

  private static final List<String> DASHES = List.of("", "7 4", "2 3", "10 3 2 3");

  private final StringBuilder svg = new StringBuilder();

  private SvgRenderer() {}

  /** Returns a chart as a file of SVG; empty for kinds that it does not draw. */
  public static Optional<String> render(Chart chart) {
    SvgRenderer renderer = new SvgRenderer();
    int height = HEIGHT;
    if (chart instanceof LineChart lines && !lines.style().isStacked()) {
      renderer.lines(lines);
    } else if (chart instanceof BarChart bars && !bars.horizontal()) {
      renderer.bars(bars);
    } else if (chart instanceof TimelineChart timeline) {
      height = renderer.timeline(timeline);
    } else {
      return Optional.empty();
    }
    return Optional.of(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif" \
        font-size="11" fill="#1b1f23" role="img">
        <title>%s</title><desc>%s</desc>
        <rect width="%d" height="%d" fill="#ffffff"/>
        """
                .formatted(
                    WIDTH,
                    height,
                    escaped(chart.title()),
                    escaped(chart.description()),
                    WIDTH,
                    height)
            + renderer.svg
            + "</svg>\n");
  }

  // ---- Pieces

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private void text(double x, double y, String anchor, String text) {
    add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(text));
  }

  private void rectangle(double x, double y, double width, double height, String style) {
    add(
        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s/>",
        x, y, width, height, style);
  }

  private static String fill(int colour) {
    return "fill=\"%s\"".formatted(COLOURS.get(colour % COLOURS.size()));
  }

  private static String dash(int index) {
    String dash = DASHES.get(index % DASHES.size());
    return dash.isEmpty() ? "" : " stroke-dasharray=\"%s\"".formatted(dash);
  }

  private void title(String title, List<String> names) {
    add("<text x=\"8\" y=\"16\" font-size=\"13\" font-weight=\"bold\">%s</text>", escaped(title));
    double x = 8;
    for (int i = 0; i < names.size(); i++) {
      rectangle(x, 25, 12, 9, fill(i));
      text(x + 16, 33, "start", names.get(i));
      x += 30 + 6.2 * names.get(i).length();
    }
  }

  /** Values on a line of pixels. */
  private record Scale(double from, double to, double start, double end) {

    double at(double value) {
      return start + (value - from) / (to - from) * (end - start);
    }

    /** Returns round values at about equal distances. */
    List<Double> ticks() {
      double step = Math.pow(10, Math.floor(Math.log10((to - from) / TICKS)));
      double wanted = (to - from) / TICKS;
      step *= wanted / step > 5 ? 10 : wanted / step > 2 ? 5 : wanted / step > 1 ? 2 : 1;
      List<Double> ticks = new ArrayList<>();
      for (double tick = Math.ceil(from / step) * step; tick <= to + step / 1e6; tick += step) {
        ticks.add(Math.round(tick / step) * step);
      }
      return ticks;
    }
  }

  private void vertical(Axis axis, Scale scale) {
    for (double tick : scale.ticks()) {
      add("<path d=\"M%d,%.1fH%d\" stroke=\"#d5d9de\"/>", LEFT, scale.at(tick), WIDTH - RIGHT);
      text(LEFT - 6, scale.at(tick) + 4, "end", Numbers.plain(rounded(tick)));
    }
    text(LEFT - 6, TOP - 12, "end", named(axis));
  }

  private void horizontal(String name, Scale scale, double y) {
    add("<path d=\"M%d,%.1fH%d\" stroke=\"#57606a\"/>", LEFT, y, WIDTH - RIGHT);
    for (double tick : scale.ticks()) {
      add("<path d=\"M%.1f,%.1fv4\" stroke=\"#57606a\"/>", scale.at(tick), y);
      text(scale.at(tick), y + 16, "middle", Numbers.plain(rounded(tick)));
    }
    text(WIDTH - RIGHT, y + 31, "end", name);
  }

  private static double rounded(double tick) {
    return Math.round(tick * 1e9) / 1e9;
  }

  private static String named(Axis axis) {
    return axis.unit().isEmpty() ? axis.name() : axis.name() + " (" + axis.unit() + ")";
  }

  private static Scale upwards(Axis axis, double most) {
    double to = axis.max().orElse(most > 0 ? 1.05 * most : 1);
    return new Scale(axis.min().orElse(0), to, HEIGHT - (double) BOTTOM, TOP);
  }

  // ---- Charts

  private void lines(LineChart chart) {
    List<Point> all = chart.lines().stream().flatMap(each -> each.points().stream()).toList();
    double last = all.stream().mapToDouble(Point::x).max().orElse(1);
    double most = all.stream().mapToDouble(Point::y).max().orElse(1);
    Scale x = new Scale(chart.x().min().orElse(0), last, LEFT, WIDTH - (double) RIGHT);
    Scale y = upwards(chart.y(), most);
    title(chart.title(), chart.lines().stream().map(LineChart.Line::name).toList());
    vertical(chart.y(), y);
    horizontal(named(chart.x()), x, HEIGHT - (double) BOTTOM);
    for (int i = 0; i < chart.lines().size(); i++) {
      StringBuilder path = new StringBuilder();
      double before = 0;
      for (Point each : chart.lines().get(i).points()) {
        if (chart.style() == LineChart.Style.STEP && !path.isEmpty()) {
          path.append(String.format(Locale.ROOT, "L%.1f,%.1f", x.at(each.x()), y.at(before)));
        }
        path.append(path.isEmpty() ? 'M' : 'L')
            .append(String.format(Locale.ROOT, "%.1f,%.1f", x.at(each.x()), y.at(each.y())));
        before = each.y();
      }
      add(
          "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s/>",
          path, COLOURS.get(i % COLOURS.size()), dash(i));
    }
  }

  private void bars(BarChart chart) {
    double most =
        chart.series().stream()
            .flatMap(each -> each.values().values().stream())
            .mapToDouble(BarChart.Bar::value)
            .max()
            .orElse(1);
    Scale y = upwards(chart.value(), most);
    title(chart.title(), chart.series().stream().map(Series::name).toList());
    vertical(chart.value(), y);
    double step = (double) (WIDTH - LEFT - RIGHT) / chart.categories().size();
    double width = 0.8 * step / chart.series().size();
    for (int c = 0; c < chart.categories().size(); c++) {
      String category = chart.categories().get(c);
      double left = LEFT + c * step + 0.1 * step;
      for (int i = 0; i < chart.series().size(); i++) {
        BarChart.Bar bar = chart.series().get(i).values().get(category);
        if (bar != null) {
          double x = left + i * width;
          double top = y.at(bar.value());
          rectangle(x, top, 0.92 * width, y.at(y.from()) - top, fill(i));
          double middle = x + 0.46 * width;
          bar.error()
              .ifPresent(
                  error ->
                      add(
                          "<path d=\"M%.1f,%.1fV%.1f\" stroke=\"#1b1f23\"/>",
                          middle, y.at(bar.value() - error), y.at(bar.value() + error)));
        }
      }
      Double mark = chart.marks().map(each -> each.values().get(category)).orElse(null);
      if (mark != null) {
        add(
            "<path d=\"M%.1f,%.1fh%.1f\" stroke=\"#1b1f23\" stroke-dasharray=\"5 3\"/>",
            left - 0.05 * step, y.at(mark), 0.9 * step);
      }
      text(left + 0.4 * step, HEIGHT - BOTTOM + 16, "middle", category);
    }
    text(WIDTH - RIGHT, HEIGHT - BOTTOM + 31, "end", chart.category());
    chart
        .marks()
        .ifPresent(each -> text(LEFT, HEIGHT - BOTTOM + 31, "start", "dashed: " + each.name()));
  }

  /** Draws the runs below each other; returns the height of the picture. */
  private int timeline(TimelineChart chart) {
    title(
        chart.title(),
        chart.runs().get(0).timeline().classes().stream()
            .map(RunTimeline.ServiceLevel::name)
            .toList());
    long end = chart.runs().stream().mapToLong(each -> each.timeline().end()).max().orElse(1);
    Scale time = new Scale(0, Math.max(1, end) / 3600e9, LEFT, WIDTH - (double) RIGHT);
    double top = TOP;
    for (TimelineChart.Run each : chart.runs()) {
      add("<text x=\"8\" y=\"%.1f\" font-weight=\"bold\">%s</text>", top + 8, escaped(each.name()));
      top = run(each.timeline(), time, top + 16) + 18;
    }
    horizontal("time (h)", time, top - 12);
    return (int) top + 26;
  }

  private double run(RunTimeline timeline, Scale time, double top) {
    int[] first = new int[timeline.hosts().size() + 1];
    for (int i = 0; i < timeline.hosts().size(); i++) {
      first[i + 1] = first[i] + Math.max(1, timeline.hosts().get(i).lanes());
    }
    int lanes = Math.max(1, first[first.length - 1]);
    double high = Math.min(LANE, (double) MOST_HEIGHT / lanes);
    double bottom = top + lanes * high;
    rectangle(LEFT, top, WIDTH - LEFT - (double) RIGHT, bottom - top, "fill=\"#f5f6f7\"");
    double free = top;
    for (int i = 0; i < timeline.hosts().size(); i++) {
      double middle = top + (first[i] + first[i + 1]) / 2.0 * high;
      if (middle - 6 >= free) {
        text(LEFT - 6, middle + 4, "end", timeline.hosts().get(i).name());
        free = middle + 6;
      }
    }
    if (timeline.spans().from().size() <= MOST_BARS) {
      spans(timeline, time, first, top, high);
    } else {
      shades(timeline, first, top, bottom);
    }
    waiting(timeline, time, bottom + 4);
    return bottom + 4 + BAND;
  }

  private static double hours(long nanos) {
    return nanos / 3600e9;
  }

  private static int classOf(RunTimeline timeline, int span) {
    return timeline.instances().serviceClass().index(timeline.spans().instance().index(span));
  }

  private void spans(RunTimeline timeline, Scale time, int[] first, double top, double high) {
    RunTimeline.Spans spans = timeline.spans();
    double gap = high > 3 ? 0.6 : 0;
    Map<String, StringBuilder> byStyle = new LinkedHashMap<>(); // a path of each keeps files small
    for (int i = 0; i < spans.from().size(); i++) {
      if (spans.lane().get(i) >= 0) {
        double from = time.at(hours(spans.from().get(i)));
        double row = first[spans.host().index(i)] + (double) spans.lane().get(i);
        double width = Math.max(0.15, time.at(hours(spans.to().get(i))) - from);
        String style =
            fill(classOf(timeline, i))
                + (spans.state().is(i, State.RUNNING) ? "" : " opacity=\"0.4\"");
        byStyle
            .computeIfAbsent(style, none -> new StringBuilder())
            .append(
                String.format(
                    Locale.ROOT,
                    "M%.1f,%.1fh%.2fv%.1fh-%.2fz",
                    from,
                    top + row * high,
                    width,
                    high - gap,
                    width));
      }
    }
    byStyle.forEach((style, path) -> add("<path d=\"%s\" %s/>", path, style));
    RunTimeline.Marks marks = timeline.marks();
    StringBuilder path = new StringBuilder();
    for (int i = 0; high > 3 && i < marks.at().size(); i++) {
      if (marks.lane().get(i) >= 0) {
        double row = first[marks.host().index(i)] + (double) marks.lane().get(i);
        path.append(
            String.format(
                Locale.ROOT,
                "M%.1f,%.1fh5l-2.5,4z",
                time.at(hours(marks.at().get(i))) - 2.5,
                top + row * high + 1));
      }
    }
    if (!path.isEmpty()) {
      add("<path d=\"%s\"/>", path);
    }
  }

  /** Draws for each small cell which class had most of it, the darker the more of it was taken. */
  private void shades(RunTimeline timeline, int[] first, double top, double bottom) {
    int columns = WIDTH - LEFT - RIGHT;
    int rows = (int) Math.min(first[first.length - 1], (bottom - top) / 2);
    int classes = timeline.classes().size();
    double[][][] taken = new double[rows][columns][classes];
    RunTimeline.Spans spans = timeline.spans();
    double step = (double) timeline.end() / columns;
    double share = (double) rows / first[first.length - 1];
    for (int i = 0; i < spans.from().size(); i++) {
      if (spans.lane().get(i) >= 0) {
        double lane = first[spans.host().index(i)] + (double) spans.lane().get(i);
        double[][] row = taken[(int) Math.min(rows - 1, lane * share)];
        double from = (double) spans.from().get(i);
        double to = (double) spans.to().get(i);
        for (int x = (int) (from / step); x < columns && x * step < to; x++) {
          double covered = Math.min(to, (x + 1) * step) - Math.max(from, x * step);
          row[x][classOf(timeline, i)] += covered / step * share;
        }
      }
    }
    double high = (bottom - top) / rows;
    for (int y = 0; y < rows; y++) {
      int start = 0;
      int before = 0;
      for (int x = 0; x <= columns; x++) {
        int shade = x == columns ? 0 : shade(taken[y][x]);
        if (shade != before) {
          if (before != 0) {
            rectangle(
                LEFT + (double) start,
                top + y * high,
                x - (double) start,
                high,
                "%s opacity=\"%.3f\""
                    .formatted(
                        fill(before / (SHADES + 1)), before % (SHADES + 1) / (double) SHADES));
          }
          start = x;
          before = shade;
        }
      }
    }
  }

  /** Returns a class and a shade above 0 in one number; 0 if nothing is taken. */
  private static int shade(double[] taken) {
    double sum = Arrays.stream(taken).sum();
    int most = 0;
    for (int i = 1; i < taken.length; i++) {
      most = taken[i] > taken[most] ? i : most;
    }
    return sum <= 0
        ? 0
        : most * (SHADES + 1) + (int) Math.max(1, Math.min(SHADES, Math.round(sum * SHADES)));
  }

  private void waiting(RunTimeline timeline, Scale time, double top) {
    int columns = (WIDTH - LEFT - RIGHT) / 2;
    double[] below = new double[columns];
    List<double[]> counts = new ArrayList<>();
    for (int i = 0; i < timeline.classes().size(); i++) {
      counts.add(timeline.in(State.WAITING, i, columns));
    }
    double most = 1e-9;
    for (int x = 0; x < columns; x++) {
      int at = x;
      most = Math.max(most, counts.stream().mapToDouble(each -> each[at]).sum());
    }
    rectangle(LEFT, top, WIDTH - LEFT - (double) RIGHT, BAND, "fill=\"#f5f6f7\"");
    double step = (time.at(hours(timeline.end())) - LEFT) / columns;
    for (int i = 0; i < counts.size(); i++) {
      StringBuilder path = new StringBuilder();
      for (int x = 0; x < columns; x++) {
        double high = counts.get(i)[x] / most * BAND;
        if (high > 0) {
          path.append(
              String.format(
                  Locale.ROOT,
                  "M%.1f,%.1fv%.1fh%.1fv%.1fz",
                  LEFT + x * step,
                  top + BAND - below[x],
                  -high,
                  step,
                  high));
        }
        below[x] += high;
      }
      if (!path.isEmpty()) {
        add("<path d=\"%s\" %s/>", path, fill(i));
      }
    }
    text(LEFT - 6, top + 10, "end", "max " + (long) Math.ceil(most - 1e-6));
    text(LEFT - 6, top + BAND - 4, "end", "waiting");
  }
}
