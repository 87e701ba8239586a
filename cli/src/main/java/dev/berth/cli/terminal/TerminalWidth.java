package dev.berth.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The number of columns of the terminal, as {@code stty} reports it, because Java does not; 80 if
 * it reports none. Follows a change of the size within seconds.
 */
final class TerminalWidth implements IntSupplier {

  /** The width of a terminal that does not report its own. */
  static final int USUAL = 80;

  private static final Duration VALID = Duration.ofSeconds(5);
  private static final Pattern SIZE = Pattern.compile("\\d{1,5} (\\d{1,5})\\s*");
  private static final File TERMINAL = new File("/dev/tty");

  private int columns;
  private long askedAt;

  @Override
  public int getAsInt() {
    long now = System.nanoTime();
    if (columns == 0 || now - askedAt > VALID.toNanos()) {
      columns = ask();
      askedAt = now;
    }
    return columns;
  }

  /** Returns the width; empty if standard output goes to a file or a pipe, which has none. */
  static OptionalInt ofStandardOutput() {
    return of(Terminal.isOutput(), System.getenv("COLUMNS"), TerminalWidth::ask);
  }

  /**
   * Returns the width.
   *
   * @param terminal whether standard output goes to a terminal
   * @param variable the variable {@code COLUMNS}, which has precedence if it is a width
   * @param asked what the terminal reports
   */
  static OptionalInt of(boolean terminal, @Nullable String variable, IntSupplier asked) {
    if (!terminal) {
      return OptionalInt.empty();
    }
    OptionalInt wanted = width(variable == null ? "" : variable);
    return wanted.isPresent() ? wanted : OptionalInt.of(asked.getAsInt());
  }

  private static OptionalInt width(String text) {
    try {
      int width = Integer.parseInt(text.strip());
      return width > 0 ? OptionalInt.of(width) : OptionalInt.empty();
    } catch (NumberFormatException other) {
      return OptionalInt.empty();
    }
  }

  private static int ask() {
    try {
      Process process =
          new ProcessBuilder("stty", "size")
              .redirectInput(TERMINAL)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(1, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return USUAL;
      }
      return parse(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException noSuchCommand) {
      return USUAL;
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return USUAL;
    }
  }

  /** Returns the columns that {@code stty size} printed after the rows. */
  static int parse(String size) {
    Matcher parts = SIZE.matcher(size);
    int columns = parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    return columns == 0 ? USUAL : columns;
  }
}
