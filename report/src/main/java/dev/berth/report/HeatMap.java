package dev.berth.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many points lie where in a plane.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart
 * @param x what the columns measure; not logarithmic, its range is that of the bins
 * @param y what the rows measure; the same
 * @param xBins the columns
 * @param yBins the rows
 * @param cells those that hold something, each at most once
 * @param logarithmicColour whether equal ratios of counts are equally far apart in colour
 * @param quadrants the two lines that part the plane in four
 * @param diagonal whether there is a line where x equals y
 */
public record HeatMap(
    String id,
    String title,
    String description,
    Axis x,
    Axis y,
    Bins xBins,
    Bins yBins,
    List<Cell> cells,
    boolean logarithmicColour,
    Optional<Quadrants> quadrants,
    boolean diagonal)
    implements Chart {

  /**
   * Copies the list, and sorts it by row and column.
   *
   * @throws IllegalArgumentException if a cell is there twice or in no bin, quadrants meet outside
   *     of the plane, or an axis is logarithmic
   */
  public HeatMap {
    Checks.head(id, title, description);
    cells =
        cells.stream().sorted(Comparator.comparingInt(Cell::y).thenComparingInt(Cell::x)).toList();
    if (x.logarithmic() || y.logarithmic()) {
      throw new IllegalArgumentException(
          "An axis of %s was logarithmic, must not: all bins are equally wide.".formatted(id));
    }
    for (Cell cell : cells) {
      if (cell.x() >= xBins.count() || cell.y() >= yBins.count()) {
        throw new IllegalArgumentException(
            "A cell of %s was in column %d and row %d, must be below %d and %d."
                .formatted(id, cell.x(), cell.y(), xBins.count(), yBins.count()));
      }
    }
    Checks.unique("cells of " + id, cells, cell -> cell.x() + "," + cell.y());
    if (quadrants.isPresent()) {
      xBins.indexOf(quadrants.get().x());
      yBins.indexOf(quadrants.get().y());
    }
  }

  /**
   * Counts points.
   *
   * @return the cells that hold something
   * @throws IllegalArgumentException if a point lies in no bin
   */
  public static List<Cell> count(Bins xBins, Bins yBins, Iterable<Point> points) {
    SortedMap<Integer, Long> counts = new TreeMap<>();
    for (Point point : points) {
      counts.merge(
          yBins.indexOf(point.y()) * xBins.count() + xBins.indexOf(point.x()), 1L, Long::sum);
    }
    List<Cell> cells = new ArrayList<>();
    counts.forEach(
        (at, count) -> cells.add(new Cell(at % xBins.count(), at / xBins.count(), count)));
    return cells;
  }

  /**
   * Equally wide bins. Each holds its beginning and not its end, but the last one holds both.
   *
   * @param from where the first begins
   * @param to where the last ends; above {@code from}
   * @param count in 1..500
   */
  public record Bins(double from, double to, int count) {

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if it is empty, or the count is out of range
     */
    public Bins {
      Checks.ascending("bins", from, to);
      if (from == to) {
        throw new IllegalArgumentException("bins began and ended at %s.".formatted(from));
      }
      if (count < 1 || count > 500) {
        throw new IllegalArgumentException("count was %d, must be in 1..500.".formatted(count));
      }
    }

    /**
     * Returns the bin that holds the value.
     *
     * @throws IllegalArgumentException if none does
     */
    public int indexOf(double value) {
      if (!(value >= from && value <= to)) {
        throw new IllegalArgumentException(
            "A value was %s, must be in the bins from %s to %s.".formatted(value, from, to));
      }
      return Math.min(count - 1, (int) ((value - from) / (to - from) * count));
    }
  }

  /**
   * A bin of the plane.
   *
   * @param x its column, from 0
   * @param y its row from below, from 0
   * @param count how many points it holds; positive
   */
  public record Cell(int x, int y, long count) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if the place is negative or the count not positive
     */
    public Cell {
      if (x < 0 || y < 0 || count < 1) {
        throw new IllegalArgumentException(
            "A cell was in column %d and row %d with %d points, must be from 0 and hold some."
                .formatted(x, y, count));
      }
    }
  }

  /**
   * Two lines that part the plane, and what lies between them.
   *
   * @param x where the vertical line is
   * @param y where the horizontal line is
   * @param upperLeft what lies there
   * @param upperRight what lies there
   * @param lowerLeft what lies there
   * @param lowerRight what lies there
   */
  public record Quadrants(
      double x,
      double y,
      Quadrant upperLeft,
      Quadrant upperRight,
      Quadrant lowerLeft,
      Quadrant lowerRight) {}

  /**
   * A quarter of the plane.
   *
   * @param label what it means to lie there; not blank
   * @param share of the points that do, in [0, 1]; counted by the caller, since bins may straddle
   *     the lines
   */
  public record Quadrant(String label, double share) {

    /**
     * Checks label and share.
     *
     * @throws IllegalArgumentException if the label is blank or the share not in [0, 1]
     */
    public Quadrant {
      Checks.notBlank("label", label);
      Checks.ascending("share of '%s' in [0, 1]".formatted(label), 0, share, 1);
    }
  }
}
