package dev.berth.report;

import java.util.List;

/**
 * Plain text: no character of it is markup.
 *
 * @param bullets whether the lines are the items of a list, or else paragraphs
 * @param lines not empty
 */
public record Text(boolean bullets, List<String> lines) implements Block {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if there is no line
   */
  public Text {
    lines = List.copyOf(lines);
    Checks.notEmpty("lines", lines);
  }

  /** Paragraphs. */
  public static Text of(String... paragraphs) {
    return new Text(false, List.of(paragraphs));
  }

  /** A list of items. */
  public static Text bullets(String... items) {
    return new Text(true, List.of(items));
  }
}
