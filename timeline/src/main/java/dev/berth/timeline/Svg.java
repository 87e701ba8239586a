package dev.berth.timeline;

import java.util.Locale;

/** Shapes of a picture as elements of SVG. Lengths are in pixels, from the top left. */
public final class Svg {

  private final StringBuilder elements = new StringBuilder();

  /** Creates an empty picture. */
  public Svg() {}

  /** Adds an element, by a format of {@link String#format} without a locale. */
  public void add(String format, Object... values) {
    elements.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /**
   * Adds text.
   *
   * @param y of its base line
   * @param anchor what is at x: {@code start}, {@code middle} or {@code end}
   */
  public void text(double x, double y, String anchor, String text) {
    add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(text));
  }

  /**
   * Adds a rectangle.
   *
   * @param style further attributes
   */
  public void rectangle(double x, double y, double width, double height, String style) {
    add(
        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s/>",
        x, y, width, height, style);
  }

  /** Returns text that shows as it is in content and in quoted attributes. */
  public static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Returns the elements, to be put into an element {@code svg}. */
  @Override
  public String toString() {
    return elements.toString();
  }
}
