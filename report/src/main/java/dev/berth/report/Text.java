package dev.berth.report;

import java.util.List;

/**
 * Paragraphs, or the items of a list. The text is plain: no character of it is markup. A line break
 * within a line is one in text only; the other media treat it as a blank.
 *
 * @param bullets whether the lines are items of a list; otherwise they are paragraphs
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

  /** Returns paragraphs. */
  public static Text of(String... paragraphs) {
    return new Text(false, List.of(paragraphs));
  }

  /** Returns a list of items. */
  public static Text bullets(String... items) {
    return new Text(true, List.of(items));
  }

  /** Returns one paragraph, whose line breaks are those of the text. */
  public static Text ofLines(List<String> lines) {
    return of(String.join("\n", lines));
  }
}
