package dev.berth.cli.terminal;

import dev.berth.report.render.Printable;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.regex.Pattern;

/**
 * The writer of everything that is printed: what could control a terminal becomes visible, as
 * {@link Printable} says. JSON keeps its meaning, since such characters occur only in its texts,
 * where {@code \}{@code uXXXX} stands for the character. The three sequences for colours stay.
 */
public final class CleanWriter extends FilterWriter {

  /** Begins green text. */
  public static final String GREEN = "\u001b[32m";

  /** Begins red text. */
  public static final String RED = "\u001b[31m";

  /** Ends coloured text. */
  public static final String PLAIN = "\u001b[0m";

  private static final Pattern COLOURS = Pattern.compile("\\\\u001b(\\[(?:32|31|0)m)");

  private CleanWriter(Writer target) {
    super(target);
  }

  /** Returns a writer that prints to another, and flushes that when it is flushed itself. */
  public static PrintWriter over(Writer target) {
    return new PrintWriter(new CleanWriter(target));
  }

  @Override
  public void write(int one) throws IOException {
    write(String.valueOf((char) one));
  }

  @Override
  public void write(char[] text, int from, int count) throws IOException {
    write(new String(text, from, count));
  }

  @Override
  public void write(String text, int from, int count) throws IOException {
    String clean = Printable.lines(text.substring(from, from + count));
    out.write(COLOURS.matcher(clean).replaceAll("\u001b$1")); // they do no harm
  }
}
