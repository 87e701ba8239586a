package dev.berth.api;

import static dev.berth.api.Arguments.refuseIf;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The slow-down of a job on fewer cores than it demands, as a function of the share of the cores.
 * The function is linear between its points (MEMiC thesis, section 4.2, table 4.4). Immutable.
 *
 * @param points by descending share; the first is share 1 at factor 1; fewer cores are never faster
 */
public record Moldability(List<Point> points) {

  private static final double EPSILON = 1e-9;

  /**
   * The measurements of the thesis with LINPACK: 80 % of the cores take 130 % of the time, 70 %
   * take 150 %, 60 % take 180 %, 50 % take 210 %, 40 % take 250 %.
   */
  public static final Moldability LINPACK =
      new Moldability(
          List.of(
              new Point(1, 1),
              new Point(0.8, 1.3),
              new Point(0.7, 1.5),
              new Point(0.6, 1.8),
              new Point(0.5, 2.1),
              new Point(0.4, 2.5)));

  /**
   * Sorts and checks the points.
   *
   * @throws IllegalArgumentException if the whole demand is missing or not at full speed, a share
   *     is given twice, or fewer cores are faster
   */
  public Moldability {
    Objects.requireNonNull(points, "points");
    points = points.stream().sorted(Comparator.comparingDouble(Point::share).reversed()).toList();
    refuseIf(
        points.isEmpty() || points.get(0).share != 1 || points.get(0).factor != 1,
        "moldability: the points must start with share 1 at factor 1, were %s.",
        points);
    for (int i = 1; i < points.size(); i++) {
      Point more = points.get(i - 1);
      Point less = points.get(i);
      refuseIf(less.share == more.share, "moldability: share %s was given twice.", less.share);
      refuseIf(
          less.factor < more.factor,
          "moldability: factor %s at share %s was less than %s at share %s; fewer cores must not be faster.",
          less.factor,
          less.share,
          more.factor,
          more.share);
    }
  }

  /** Returns the smallest measured share of the cores, in (0, 1]. */
  public double leastShare() {
    return points.get(points.size() - 1).share;
  }

  /**
   * Returns the smallest share of the cores that slows the job down by no more than a factor.
   *
   * @param factor at least 1
   * @return in (0, 1]
   */
  public double leastShare(double factor) {
    for (int i = 1; i < points.size(); i++) {
      Point more = points.get(i - 1);
      Point less = points.get(i);
      if (less.factor > factor) {
        double way = (factor - more.factor) / (less.factor - more.factor);
        return more.share + way * (less.share - more.share);
      }
    }
    return leastShare();
  }

  /**
   * Returns the slow-down on a share of the demanded cores.
   *
   * @param share at least {@link #leastShare()}; more than 1 is no faster than 1
   * @throws IllegalArgumentException if the share is less
   */
  public Slowdown slowdown(double share) {
    if (!(share >= leastShare() - EPSILON)) {
      throw new IllegalArgumentException(
          "moldability: share was %s, must be at least %s.".formatted(share, leastShare()));
    }
    for (int i = 1; i < points.size(); i++) {
      Point more = points.get(i - 1);
      Point less = points.get(i);
      if (share >= less.share) {
        double way = (Math.min(share, more.share) - more.share) / (less.share - more.share);
        return Slowdown.of(more.factor + way * (less.factor - more.factor));
      }
    }
    return Slowdown.of(points.get(points.size() - 1).factor);
  }

  /**
   * A measured point.
   *
   * @param share of the demanded cores, in (0, 1]
   * @param factor factor by which the run time grows, from 1 to 1000
   */
  public record Point(double share, double factor) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public Point {
      refuseIf(!(share > 0 && share <= 1), "moldability: share was %s, must be in (0, 1].", share);
      refuseIf(
          !(factor >= 1 && factor <= 1000),
          "moldability: factor was %s, must be from 1 to 1000.",
          factor);
    }
  }
}
