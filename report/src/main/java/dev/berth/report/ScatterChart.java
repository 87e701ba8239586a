package dev.berth.report;

import java.util.List;

/**
 * Many single points, such as one for each request.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param clouds not empty, with different names
 * @param references straight lines to compare with
 */
public record ScatterChart(
    String id,
    String title,
    String description,
    Axis x,
    Axis y,
    List<Cloud> clouds,
    List<Reference> references)
    implements Chart {

  /** The most points of a cloud: more slow a browser down without being seen. */
  public static final int MOST_POINTS = 10_000;

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no cloud, two have the same name, or an axis
   *     cannot show a value
   */
  public ScatterChart {
    Checks.head(id, title, description);
    clouds = List.copyOf(clouds);
    references = List.copyOf(references);
    Checks.notEmpty("clouds of " + id, clouds);
    Checks.unique("clouds of " + id, clouds, Cloud::name);
    for (Cloud cloud : clouds) {
      for (Point point : cloud.points()) {
        x.check(id, point.x());
        y.check(id, point.y());
      }
    }
    for (Reference reference : references) {
      reference.check(id, x, y);
    }
  }

  /**
   * Points with one name and colour.
   *
   * @param name not blank
   * @param points at most {@link #MOST_POINTS}
   */
  public record Cloud(String name, List<Point> points) {

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if the name is blank or there are too many points
     */
    public Cloud {
      Checks.notBlank("name", name);
      points = List.copyOf(points);
      Checks.refuseIf(
          points.size() > MOST_POINTS,
          "points of %s were %d, must be at most %d. Maybe show every %d. point?",
          name,
          points.size(),
          MOST_POINTS,
          (points.size() + MOST_POINTS - 1) / MOST_POINTS);
    }
  }
}
