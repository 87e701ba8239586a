package dev.berth.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * Charts side by side, in rows; below each other where the screen is narrow.
 *
 * @param columns how many charts a row has where there is room, in 1..6
 * @param charts not empty
 */
public record Grid(int columns, List<Chart> charts) implements Block {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if there is no chart, or the columns are out of range
   */
  public Grid {
    Checks.refuseIf(columns < 1 || columns > 6, "columns was %d, must be in 1..6.", columns);
    charts = List.copyOf(charts);
    Checks.notEmpty("charts", charts);
  }

  @Override
  public Stream<Block> leaves(Medium medium) {
    return charts.stream().map(Block.class::cast);
  }
}
