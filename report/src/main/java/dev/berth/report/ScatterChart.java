package dev.berth.report;

import java.util.List;

/**
 * Many points, each on its own: one for each request, say, or a sorted curve of them.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart
 * @param x from left to right
 * @param y from below to above
 * @param clouds not empty, of different names
 * @param references lines to hold them against
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

  /** How many points a series may have: more are a burden to a browser and no gain to the eye. */
  public static final int MOST_POINTS = 10_000;

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no series, two have one name, or a value cannot be
   *     on its axis
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
   * Points that belong together.
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
      if (points.size() > MOST_POINTS) {
        throw new IllegalArgumentException(
            "points of %s were %d, must be at most %d. Maybe show every so manieth?"
                .formatted(name, points.size(), MOST_POINTS));
      }
    }
  }
}
