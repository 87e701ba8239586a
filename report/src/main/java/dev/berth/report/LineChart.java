package dev.berth.report;

import java.util.List;

/**
 * Values over a continuous quantity.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param style how lines join their points
 * @param lines not empty, with different names
 * @param references straight lines to compare with
 */
public record LineChart(
    String id,
    String title,
    String description,
    Axis x,
    Axis y,
    Style style,
    List<Line> lines,
    List<Reference> references)
    implements Chart {

  /** How lines join their points. */
  public enum Style {
    /** By straight lines. */
    STRAIGHT,
    /** By steps: a value holds until the next one. */
    STEP,
    /** Straight lines with stacked areas below them, the first lowest. */
    STACKED,
    /** Steps with stacked areas below them, the first lowest. */
    STACKED_STEP;

    /** Returns whether the areas below the lines are stacked. */
    public boolean isStacked() {
      return this == STACKED || this == STACKED_STEP;
    }
  }

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no line, two have the same name, an axis cannot
   *     show a value, or stacked lines have bands, values below 0, or other x values than the first
   */
  public LineChart {
    Checks.head(id, title, description);
    lines = List.copyOf(lines);
    references = List.copyOf(references);
    Checks.notEmpty("lines of " + id, lines);
    Checks.unique("lines of " + id, lines, Line::name);
    for (Line line : lines) {
      for (Point point : line.points()) {
        x.check(id, point.x());
        y.check(id, point.y());
      }
      for (Range range : line.band()) {
        y.check(id, range.low());
      }
      if (style.isStacked()) {
        checkStackable(id, y, line, lines.get(0));
      }
    }
    for (Reference reference : references) {
      reference.check(id, x, y);
    }
  }

  /** Returns straight lines without references. */
  public static LineChart of(
      String id, String title, String description, Axis x, Axis y, List<Line> lines) {
    return new LineChart(id, title, description, x, y, Style.STRAIGHT, lines, List.of());
  }

  private static void checkStackable(String id, Axis y, Line line, Line first) {
    Checks.refuseIf(
        y.logarithmic(), "y of %s was logarithmic, must be linear: its lines are stacked.", id);
    if (!line.band().isEmpty()) {
      throw new IllegalArgumentException(
          "Line '%s' of %s had a band, must have none: it is stacked.".formatted(line.name(), id));
    }
    if (!line.points().stream()
        .map(Point::x)
        .toList()
        .equals(first.points().stream().map(Point::x).toList())) {
      throw new IllegalArgumentException(
          "Line '%s' of %s had other x than '%s', must have the same: they are stacked."
              .formatted(line.name(), id, first.name()));
    }
    for (Point point : line.points()) {
      Checks.notNegative(
          "A value of stacked line '%s' of %s".formatted(line.name(), id), point.y());
    }
  }

  /**
   * One line.
   *
   * @param name not blank
   * @param points with ascending x; equal x are allowed
   * @param band around the line, with a range for each point; empty for none
   */
  public record Line(String name, List<Point> points, List<Range> band) {

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if the name is blank, x descends, or the band has another
     *     number of elements
     */
    public Line {
      Checks.notBlank("name", name);
      points = List.copyOf(points);
      band = List.copyOf(band);
      Checks.ascending("x of " + name, points.stream().mapToDouble(Point::x).toArray());
      if (!band.isEmpty() && band.size() != points.size()) {
        throw new IllegalArgumentException(
            "band of %s had %d ranges, must have %d as there are points."
                .formatted(name, band.size(), points.size()));
      }
    }

    /** Returns a line without a band. */
    public static Line of(String name, List<Point> points) {
      return new Line(name, points, List.of());
    }
  }

  /**
   * A range of values.
   *
   * @param low finite
   * @param high not below it
   */
  public record Range(double low, double high) {

    /**
     * Checks the order.
     *
     * @throws IllegalArgumentException if one is not finite or they descend
     */
    public Range {
      Checks.ascending("range", low, high);
    }
  }
}
