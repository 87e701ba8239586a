package dev.berth.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The number of points in each bin of a plane.
 *
 * @param id of the chart
 * @param title of the chart
 * @param description of the chart
 * @param x the horizontal axis; not logarithmic, with the range of the bins
 * @param y the vertical axis; not logarithmic, with the range of the bins
 * @param xBins the columns
 * @param yBins the rows
 * @param cells bins with points, each at most once
 * @param logarithmicColour whether the colour scale of the counts is logarithmic
 * @param quadrants two lines that divide the plane into four
 * @param diagonal whether a line shows where x equals y
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
   * @throws IllegalArgumentException if a cell occurs twice or is in no bin, quadrants meet outside
   *     of the plane, or an axis is logarithmic
   */
  public HeatMap {
    Checks.head(id, title, description);
    cells =
        cells.stream().sorted(Comparator.comparingInt(Cell::y).thenComparingInt(Cell::x)).toList();
    if (x.logarithmic() || y.logarithmic()) {
      throw new IllegalArgumentException(
          "An axis of %s was logarithmic, must be linear: all bins have the same width."
              .formatted(id));
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
   * Bins of the same width. Each contains its start but not its end; the last one contains both.
   *
   * @param from start of the first bin
   * @param to end of the last bin; above {@code from}
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
      Checks.refuseIf(from == to, "bins began and ended at %s, must end above their start.", from);
      Checks.refuseIf(count < 1 || count > 500, "count was %d, must be in 1..500.", count);
    }

    /**
     * Returns the index of the bin that contains the value.
     *
     * @throws IllegalArgumentException if no bin contains it
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
   * @param count number of points in it; positive
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
            "A cell was in column %d and row %d with %d points, must be at 0 or above with 1 or more."
                .formatted(x, y, count));
      }
    }
  }

  /**
   * Two lines that divide the plane, and the four parts.
   *
   * @param x position of the vertical line
   * @param y position of the horizontal line
   * @param upperLeft the part above and left of the lines
   * @param upperRight the part above and right of the lines
   * @param lowerLeft the part below and left of the lines
   * @param lowerRight the part below and right of the lines
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
   * @param label meaning of a point in it; not blank
   * @param share of the points in it, in [0, 1]; counted by the caller because bins may straddle
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
