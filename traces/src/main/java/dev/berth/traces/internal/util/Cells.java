package dev.berth.traces.internal.util;

import java.util.ArrayList;
import java.util.List;

/** Splits lines into fields. */
public final class Cells {

  private Cells() {}

  /** Returns all parts between separators, including empty ones. */
  public static List<String> split(String text, char separator) {
    return split(text, separator, Integer.MAX_VALUE);
  }

  /**
   * Returns the parts between separators, including empty ones.
   *
   * @param most the number of parts at most, at least 1; the last has the rest of the text
   */
  public static List<String> split(String text, char separator, int most) {
    List<String> cells = new ArrayList<>();
    int from = 0;
    for (int end = text.indexOf(separator);
        end >= 0 && cells.size() < most - 1;
        end = text.indexOf(separator, from)) {
      cells.add(text.substring(from, end));
      from = end + 1;
    }
    cells.add(text.substring(from));
    return cells;
  }

  /**
   * Returns the parts between runs of spaces and tabs. The text begins with another character.
   *
   * @param most the number of parts at most, at least 1; the last has the rest of the text
   */
  public static List<String> atBlanks(String text, int most) {
    List<String> cells = new ArrayList<>();
    int from = 0;
    for (int at = 0; at < text.length() && cells.size() < most - 1; at++) {
      if (isBlank(text.charAt(at))) {
        cells.add(text.substring(from, at));
        while (at + 1 < text.length() && isBlank(text.charAt(at + 1))) {
          at++;
        }
        from = at + 1;
      }
    }
    cells.add(text.substring(from));
    return cells;
  }

  private static boolean isBlank(char each) {
    return each == ' ' || each == '\t';
  }
}
