package dev.berth.cli.prose;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The comments and string literals of a Java source, line by line. */
final class JavaText {

  private static final Pattern TOKEN =
      Pattern.compile(
          "//[^\n]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'",
          Pattern.DOTALL);
  private static final Pattern INLINE_CODE =
      Pattern.compile("\\{@(?:code|link|linkplain|value|literal)\\s+[^\\s{}]*");

  private JavaText() {}

  /** A line of text, and its number in the source. */
  record Line(int number, String text) {}

  static List<Line> of(String source) {
    List<Line> lines = new ArrayList<>();
    Matcher token = TOKEN.matcher(source);
    int number = 1;
    int counted = 0;
    while (token.find()) {
      for (; counted < token.start(); counted++) {
        number += source.charAt(counted) == '\n' ? 1 : 0;
      }
      if (token.group().charAt(0) != '\'') {
        int at = number;
        for (String line : token.group().lines().toList()) {
          lines.add(new Line(at++, INLINE_CODE.matcher(line).replaceAll("")));
        }
      }
    }
    return lines;
  }
}
