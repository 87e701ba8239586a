package dev.berth.cli.compare;

import dev.berth.cli.terminal.TerminalStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * Decorates the table of {@link Glance} for a terminal: a bar beside each share that is met, and
 * colours for the best and the worst of the policies. It only adds to the lines, so that the table
 * is the same everywhere else.
 *
 * @param style what the terminal understands
 * @param columns its width; without room there is no bar
 * @param policies the labels of the rows that compete; bounds do not
 */
record GlanceBars(TerminalStyle style, int columns, List<String> policies) {

  private static final String GREEN = "\u001b[32m";
  private static final String RED = "\u001b[31m";
  private static final String PLAIN = "\u001b[0m";
  private static final String HEAD = "met %";
  private static final int WIDTH = 5;
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

  /** Returns the lines of a text, decorated. */
  List<String> over(List<String> lines) {
    List<String> decorated = new ArrayList<>(lines);
    for (int head = 1; head < lines.size(); head++) {
      if (lines.get(head).contains(HEAD)) {
        int end = head;
        while (end < lines.size() && !lines.get(end).isEmpty()) {
          end++;
        }
        decorate(decorated, head, end);
      }
    }
    return decorated;
  }

  private void decorate(List<String> lines, int head, int end) {
    String heads = lines.get(head);
    int count = (heads.length() - heads.replace(HEAD, "").length()) / HEAD.length();
    int widest = lines.subList(head, end).stream().mapToInt(String::length).max().orElse(0);
    int width = style.bars() && widest + count * (WIDTH + 1) <= columns ? WIDTH : 0;
    for (int at = heads.lastIndexOf(HEAD); at >= 0; at = heads.lastIndexOf(HEAD, at - 1)) {
      int to = at + HEAD.length(); // from the right, so that those to the left stay in place
      if (width > 0) {
        int group = lines.get(head - 1).lastIndexOf("  ", at) + 2;
        lines.set(head - 1, inserted(lines.get(head - 1), group, "-".repeat(width + 1)));
        lines.set(head, inserted(lines.get(head), to, " ".repeat(width + 1)));
      }
      double best = shares(lines, head, end, to).max().orElse(0);
      double worst = shares(lines, head, end, to).min().orElse(0);
      for (int row = head + 1; row < end; row++) {
        String line = lines.get(row);
        OptionalDouble share = share(line, to);
        String bar =
            width == 0 ? "" : share.isPresent() ? bar(share.getAsDouble()) : " ".repeat(WIDTH + 1);
        boolean paints = style.colour() && best > worst && competes(line) && share.isPresent();
        if (paints && (share.getAsDouble() == best || share.getAsDouble() == worst)) {
          String colour = share.getAsDouble() == best ? GREEN : RED;
          int from = line.lastIndexOf(' ', to - 1) + 1;
          String cell = colour + line.substring(from, to) + bar + PLAIN;
          lines.set(row, line.substring(0, from) + cell + line.substring(to));
        } else {
          lines.set(row, inserted(line, to, bar));
        }
      }
    }
  }

  private DoubleStream shares(List<String> lines, int head, int end, int to) {
    return lines.subList(head + 1, end).stream()
        .filter(this::competes)
        .flatMapToDouble(each -> share(each, to).stream());
  }

  private boolean competes(String line) {
    return policies.stream().anyMatch(each -> line.startsWith(each + " "));
  }

  private static OptionalDouble share(String line, int to) {
    String cell = line.substring(line.lastIndexOf(' ', to - 1) + 1, to);
    return cell.matches("[0-9.]+")
        ? OptionalDouble.of(Double.parseDouble(cell))
        : OptionalDouble.empty();
  }

  private String bar(double percent) {
    int eighths = (int) Math.round(percent / 100 * WIDTH * 8);
    String bar =
        style.unicode()
            ? "█".repeat(eighths / 8) + (eighths % 8 == 0 ? "" : EIGHTHS.charAt(eighths % 8))
            : "#".repeat((eighths + 4) / 8);
    return " " + bar + " ".repeat(WIDTH - bar.length());
  }

  private static String inserted(String line, int at, String text) {
    return line.substring(0, at) + text + line.substring(at);
  }
}
