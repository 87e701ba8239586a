package dev.berth.report;

import java.util.List;
import java.util.stream.Collectors;

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

  /**
   * Returns one paragraph, whose lines end in line breaks. A line break within a line, as in a name
   * from a file, becomes visible.
   */
  public static Text ofLines(List<String> lines) {
    return of(lines.stream().map(Text::line).collect(Collectors.joining("\n")));
  }

  /** Returns one paragraph of lines, which stay apart. */
  public static Text ofLines(String... lines) {
    return ofLines(List.of(lines));
  }

  private static String line(String text) {
    return text.replace("\r", "\\u000d").replace("\n", "\\u000a");
  }
}
