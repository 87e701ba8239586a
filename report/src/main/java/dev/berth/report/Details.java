package dev.berth.report;

/**
 * Text that unfolds when asked for, with its line breaks and blanks as they are: a configuration,
 * say.
 *
 * @param summary what is seen of it when folded; not blank
 * @param text what unfolds
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
