package dev.berth.report;

/**
 * Text that a page unfolds on demand, such as a configuration. Line breaks and blanks are kept. The
 * other media show summary and text.
 *
 * @param summary shown when folded; not blank
 * @param text shown when unfolded
 */
public record Details(String summary, String text) implements Block {

  /**
   * Checks the summary.
   *
   * @throws IllegalArgumentException if it is blank
   */
  public Details {
    Checks.notBlank("summary", summary);
  }
}
