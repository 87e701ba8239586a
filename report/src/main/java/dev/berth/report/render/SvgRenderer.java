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
import dev.berth.timeline.Svg;
import dev.berth.timeline.TimelineSvg;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

  /** Those of Okabe and Ito that are dark enough on white, then greys. */
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#2c3e50", "#56b4e9", "#777777");

  private static final TimelineSvg.Look LOOK =
      new TimelineSvg.Look(COLOURS, "#f5f6f7", "#ffffff", 8, false);

  private static final List<String> DASHES = List.of("", "7 4", "2 3", "10 3 2 3");

  private final Svg svg = new Svg();

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
                    Svg.escaped(chart.title()),
                    Svg.escaped(chart.description()),
                    WIDTH,
                    height)
            + renderer.svg
            + "</svg>\n");
  }

  // ---- Pieces

  private static String fill(int colour) {
    return "fill=\"%s\"".formatted(LOOK.colour(colour));
  }

  private static String dash(int index) {
    String dash = DASHES.get(index % DASHES.size());
    return dash.isEmpty() ? "" : " stroke-dasharray=\"%s\"".formatted(dash);
  }

  private void title(String title, List<String> names) {
    svg.add(
        "<text x=\"8\" y=\"16\" font-size=\"13\" font-weight=\"bold\">%s</text>",
        Svg.escaped(title));
    double x = 8;
    for (int i = 0; i < names.size(); i++) {
      svg.rectangle(x, 25, 12, 9, fill(i));
      svg.text(x + 16, 33, "start", names.get(i));
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
      svg.add("<path d=\"M%d,%.1fH%d\" stroke=\"#d5d9de\"/>", LEFT, scale.at(tick), WIDTH - RIGHT);
      svg.text(LEFT - 6, scale.at(tick) + 4, "end", Numbers.plain(rounded(tick)));
    }
    svg.text(LEFT - 6, TOP - 12, "end", named(axis));
  }

  private void horizontal(String name, Scale scale, double y) {
    svg.add("<path d=\"M%d,%.1fH%d\" stroke=\"#57606a\"/>", LEFT, y, WIDTH - RIGHT);
    for (double tick : scale.ticks()) {
      svg.add("<path d=\"M%.1f,%.1fv4\" stroke=\"#57606a\"/>", scale.at(tick), y);
      svg.text(scale.at(tick), y + 16, "middle", Numbers.plain(rounded(tick)));
    }
    svg.text(WIDTH - RIGHT, y + 31, "end", name);
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
      svg.add(
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
          svg.rectangle(x, top, 0.92 * width, y.at(y.from()) - top, fill(i));
          double middle = x + 0.46 * width;
          bar.error()
              .ifPresent(
                  error ->
                      svg.add(
                          "<path d=\"M%.1f,%.1fV%.1f\" stroke=\"#1b1f23\"/>",
                          middle, y.at(bar.value() - error), y.at(bar.value() + error)));
        }
      }
      Double mark = chart.marks().map(each -> each.values().get(category)).orElse(null);
      if (mark != null) {
        svg.add(
            "<path d=\"M%.1f,%.1fh%.1f\" stroke=\"#1b1f23\" stroke-dasharray=\"5 3\"/>",
            left - 0.05 * step, y.at(mark), 0.9 * step);
      }
      svg.text(left + 0.4 * step, HEIGHT - BOTTOM + 16, "middle", category);
    }
    svg.text(WIDTH - RIGHT, HEIGHT - BOTTOM + 31, "end", chart.category());
    chart
        .marks()
        .ifPresent(each -> svg.text(LEFT, HEIGHT - BOTTOM + 31, "start", "dashed: " + each.name()));
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
    TimelineSvg runs = new TimelineSvg(svg, LOOK, LEFT, WIDTH - RIGHT, end);
    double top = TOP;
    for (TimelineChart.Run each : chart.runs()) {
      svg.add(
          "<text x=\"8\" y=\"%.1f\" font-weight=\"bold\">%s</text>",
          top + 8, Svg.escaped(each.name()));
      top = runs.draw(each.timeline(), top + 16) + 18;
    }
    horizontal("time (h)", time, top - 12);
    return (int) top + 26;
  }
}
