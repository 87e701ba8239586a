package dev.berth.experiments.page;

import dev.berth.report.Axis;
import dev.berth.report.Block;
import dev.berth.report.Chart;
import dev.berth.report.LineChart;
import dev.berth.report.Point;
import dev.berth.report.TimelineChart;
import dev.berth.timeline.RunTimeline;
import java.util.ArrayList;
import java.util.List;

/** The pictures of what ran where and when. */
public final class TimelineFigures {

  private static final int STEPS = 240;
  private static final double HOUR = 3600e9;

  private TimelineFigures() {}

  /** Returns all pictures of runs. */
  public static List<Block> of(List<TimelineChart.Run> runs) {
    return List.of(timeline(runs), below(runs));
  }

  static Chart timeline(List<TimelineChart.Run> runs) {
    return new TimelineChart(
        "timeline",
        "Instances on hosts",
        "A bar is an instance on a host, in the colour of its class. Below, how many requests wait. Where bars"
            + " would be too small, the shade is the share of time in which hosts are taken.",
        runs);
  }

  /** Returns how many live requests were below their objective, over time. */
  static Chart below(List<TimelineChart.Run> runs) {
    List<LineChart.Line> lines = new ArrayList<>();
    for (TimelineChart.Run each : runs) {
      RunTimeline timeline = each.timeline();
      double[] values = timeline.belowObjective(STEPS);
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < STEPS; i++) {
        points.add(new Point((double) i * timeline.end() / STEPS / HOUR, values[i]));
      }
      lines.add(LineChart.Line.of(each.name(), points));
    }
    return LineChart.of(
        "below",
        "Requests below their objective",
        "Live requests with less service so far than their class promises; fewer is better.",
        Axis.of("time", "h"),
        Axis.of("requests"),
        lines);
  }
}
