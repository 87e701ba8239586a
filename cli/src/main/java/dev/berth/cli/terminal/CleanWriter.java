package dev.berth.cli.terminal;

import dev.berth.report.render.Printable;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * The writer of everything that is printed: what could control a terminal becomes visible, as
 * {@link Printable} says. JSON keeps its meaning, since such characters occur only in its texts,
 * where {@code \}{@code uXXXX} stands for the character.
 */
public final class CleanWriter extends FilterWriter {

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
    out.write(Printable.lines(text.substring(from, from + count)));
  }
}
