package dev.berth.cli.terminal;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What may decorate standard output.
 *
 * @param bars whether it may have bars, as only a terminal may
 * @param unicode whether bars may be of Unicode; otherwise they are of ASCII
 * @param colour whether it may have colours
 */
public record TerminalStyle(boolean bars, boolean unicode, boolean colour) {

  /** That of a file or a pipe. */
  static final TerminalStyle NONE = new TerminalStyle(false, false, false);

  /**
   * Returns the style.
   *
   * @param terminal whether standard output goes to a terminal
   * @param variables those of the environment
   */
  public static TerminalStyle of(boolean terminal, Map<String, String> variables) {
    if (!terminal) {
      return NONE;
    }
    String charset =
        Stream.of("LC_ALL", "LC_CTYPE", "LANG") // the first that is set counts
            .map(each -> variables.getOrDefault(each, ""))
            .filter(each -> !each.isEmpty())
            .findFirst()
            .orElse("")
            .toLowerCase(Locale.ROOT);
    boolean colour =
        variables.getOrDefault("NO_COLOR", "").isEmpty()
            && !variables.getOrDefault("TERM", "dumb").equals("dumb");
    return new TerminalStyle(true, charset.matches(".*utf-?8.*"), colour);
  }
}
