package dev.berth.timeline;

import dev.berth.timeline.RunTimeline.Kind;
import dev.berth.timeline.RunTimeline.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws timelines as SVG: a bar for each stay of an instance on a host, in the colour of its class
 * and pale before it is in service, marks for what took it off its host, and the waiting requests
 * below.
 */
public final class TimelineSvg {

  private static final int MOST_HEIGHT = 420; // of the hosts of a run
  private static final int BAND = 40; // of waiting requests
  private static final int MOST_BARS = 20_000; // more are shown as shades
  private static final int MOST_NAMED = 2_000; // more make large files
  private static final int SHADES = 8;
  private static final double LETTER = 6.4; // width in pixels, at most on average
  private static final double LOWEST_NAMED = 12; // lane, in pixels

  /**
   * How timelines look.
   *
   * @param colours of the classes; further classes begin again. Any that CSS knows, as all colours
   * @param panel colour behind the bars
   * @param letters colour of names on bars
   * @param lane height in pixels of a lane, unless there are many
   * @param named whether bars have names: in sight where there is room, and when pointed at. Needs
   *     a name for each instance, so it holds for 2,000 spans at most
   */
  public record Look(
      List<String> colours, String panel, String letters, double lane, boolean named) {

    /** Copies the list. */
    public Look {
      colours = List.copyOf(colours);
    }

    /** Returns the colour of a class, by its index. */
    public String colour(int serviceClass) {
      return colours.get(serviceClass % colours.size());
    }
  }

  private final Svg svg;
  private final Look look;
  private final int left;
  private final int right;
  private final double hours;

  /**
   * Creates what draws into a picture.
   *
   * @param left where time 0 is; names of hosts are left of it
   * @param right where the end is
   * @param end in nanoseconds, above 0
   */
  public TimelineSvg(Svg svg, Look look, int left, int right, long end) {
    this.svg = svg;
    this.look = look;
    this.left = left;
    this.right = right;
    this.hours = Math.max(1, end) / 3600e9;
  }

  /**
   * Draws a timeline.
   *
   * @param top its upper edge
   * @return its lower edge
   */
  public double draw(RunTimeline timeline, double top) {
    int[] first = new int[timeline.hosts().size() + 1];
    for (int i = 0; i < timeline.hosts().size(); i++) {
      first[i + 1] = first[i] + Math.max(1, timeline.hosts().get(i).lanes());
    }
    int lanes = Math.max(1, first[first.length - 1]);
    double high = Math.min(look.lane(), (double) MOST_HEIGHT / lanes);
    double bottom = top + lanes * high;
    svg.rectangle(left, top, right - left, bottom - top, "fill=\"%s\"".formatted(look.panel()));
    double free = top;
    for (int i = 0; i < timeline.hosts().size(); i++) {
      double middle = top + (first[i] + first[i + 1]) / 2.0 * high;
      if (middle - 6 >= free) {
        svg.text(left - 6, middle + 4, "end", fitted(timeline.hosts().get(i).name(), left - 6));
        free = middle + 6;
      }
    }
    if (timeline.spans().from().size() <= MOST_BARS) {
      spans(timeline, first, top, high);
    } else {
      shades(timeline, first, top, bottom);
    }
    waiting(timeline, bottom + 4);
    return bottom + 4 + BAND;
  }

  private double at(long nanos) {
    return left + nanos / 3600e9 / hours * (right - left);
  }

  private String fill(int serviceClass) {
    return "fill=\"%s\"".formatted(look.colour(serviceClass));
  }

  /** Returns text, shortened to a width in pixels. */
  private static String fitted(String text, double width) {
    int letters = (int) Math.max(1, width / LETTER);
    return text.length() <= letters ? text : text.substring(0, letters - 1) + "…";
  }

  private static int classOf(RunTimeline timeline, int span) {
    return timeline.instances().serviceClass().index(timeline.spans().instance().index(span));
  }

  private void spans(RunTimeline timeline, int[] first, double top, double high) {
    RunTimeline.Spans spans = timeline.spans();
    boolean isNamed = look.named() && spans.from().size() <= MOST_NAMED;
    double gap = high > 3 ? 0.6 : 0;
    Map<String, StringBuilder> byStyle = new LinkedHashMap<>(); // a path of each keeps files small
    for (int i = 0; i < spans.from().size(); i++) {
      if (spans.lane().get(i) >= 0) {
        double from = at(spans.from().get(i));
        double row = first[spans.host().index(i)] + (double) spans.lane().get(i);
        double width = Math.max(0.15, at(spans.to().get(i)) - from);
        boolean isRunning = spans.state().is(i, State.RUNNING);
        String style = fill(classOf(timeline, i)) + (isRunning ? "" : " opacity=\"0.4\"");
        String shape =
            String.format(
                Locale.ROOT,
                "M%.1f,%.1fh%.2fv%.1fh-%.2fz",
                from,
                top + row * high,
                width,
                high - gap,
                width);
        if (isNamed) {
          svg.add(
              "<path d=\"%s\" %s><title>%s</title></path>",
              shape, style, Svg.escaped(words(timeline, i)));
          if (high >= LOWEST_NAMED && width > 4 * LETTER) {
            svg.add(
                "<text x=\"%.1f\" y=\"%.1f\"%s>%s</text>",
                from + 3,
                top + (row + 1) * high - 4,
                isRunning ? " fill=\"%s\"".formatted(look.letters()) : "",
                Svg.escaped(fitted(id(timeline, spans.instance().index(i)), width - 6)));
          }
        } else {
          byStyle.computeIfAbsent(style, none -> new StringBuilder()).append(shape);
        }
      }
    }
    byStyle.forEach((style, path) -> svg.add("<path d=\"%s\" %s/>", path, style));
    marks(timeline, first, top, high, isNamed);
  }

  private void marks(RunTimeline timeline, int[] first, double top, double high, boolean isNamed) {
    RunTimeline.Marks marks = timeline.marks();
    StringBuilder path = new StringBuilder();
    for (int i = 0; high > 3 && i < marks.at().size(); i++) {
      if (marks.lane().get(i) >= 0) {
        double row = first[marks.host().index(i)] + (double) marks.lane().get(i);
        String shape =
            String.format(
                Locale.ROOT,
                "M%.1f,%.1fh5l-2.5,4z",
                at(marks.at().get(i)) - 2.5,
                top + row * high + 1);
        if (isNamed) {
          svg.add(
              "<path d=\"%s\"><title>%s</title></path>",
              shape, Svg.escaped(markWords(timeline, i)));
        } else {
          path.append(shape);
        }
      }
    }
    if (!path.isEmpty()) {
      svg.add("<path d=\"%s\"/>", path);
    }
  }

  private static String id(RunTimeline timeline, int instance) {
    return timeline.instances().ids().get(instance);
  }

  private static String words(RunTimeline timeline, int span) {
    RunTimeline.Spans spans = timeline.spans();
    return "%s (%s): %s on %s for %s s"
        .formatted(
            id(timeline, spans.instance().index(span)),
            timeline.classes().get(classOf(timeline, span)).name(),
            spans.state().as(span, State.values()).name().toLowerCase(Locale.ROOT),
            timeline.hosts().get(spans.host().index(span)).name(),
            (spans.to().get(span) - spans.from().get(span)) / 1_000_000_000);
  }

  private static String markWords(RunTimeline timeline, int mark) {
    RunTimeline.Marks marks = timeline.marks();
    int other = marks.other().index(mark);
    int why = marks.why().index(mark);
    return "%s of %s%s%s"
        .formatted(
            marks.kind().as(mark, Kind.values()).name().toLowerCase(Locale.ROOT),
            id(timeline, marks.instance().index(mark)),
            other < 0 ? "" : " for " + id(timeline, other),
            why < 0 ? "" : ": " + marks.texts().get(why));
  }

  /** Draws for each small cell which class had most of it, the darker the more of it was taken. */
  private void shades(RunTimeline timeline, int[] first, double top, double bottom) {
    int columns = right - left;
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
            svg.rectangle(
                left + (double) start,
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

  private void waiting(RunTimeline timeline, double top) {
    int columns = (right - left) / 2;
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
    svg.rectangle(left, top, right - left, BAND, "fill=\"%s\"".formatted(look.panel()));
    double step = (at(timeline.end()) - left) / columns;
    for (int i = 0; i < counts.size(); i++) {
      StringBuilder path = new StringBuilder();
      for (int x = 0; x < columns; x++) {
        double high = counts.get(i)[x] / most * BAND;
        if (high > 0) {
          path.append(
              String.format(
                  Locale.ROOT,
                  "M%.1f,%.1fv%.1fh%.1fv%.1fz",
                  left + x * step,
                  top + BAND - below[x],
                  -high,
                  step,
                  high));
        }
        below[x] += high;
      }
      if (!path.isEmpty()) {
        svg.add("<path d=\"%s\" %s/>", path, fill(i));
      }
    }
    svg.text(left - 6, top + 10, "end", "max " + (long) Math.ceil(most - 1e-6));
    svg.text(left - 6, top + BAND - 4, "end", "waiting");
  }
}
