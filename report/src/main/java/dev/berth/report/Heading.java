package dev.berth.report;

/**
 * A heading within a section.
 *
 * @param text not blank
 */
public record Heading(String text) implements Block {

  /**
   * Checks the text.
   *
   * @throws IllegalArgumentException if it is blank
   */
  public Heading {
    Checks.notBlank("heading", text);
  }
}
