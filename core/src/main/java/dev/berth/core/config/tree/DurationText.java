package dev.berth.core.config.tree;

import com.google.common.base.Ascii;
import com.google.common.collect.Comparators;
import dev.berth.core.error.Printable;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes durations in a short form: {@code 30s}, {@code 1500ms}, {@code 1h30m}, {@code
 * 2.5s}, {@code PT30S}. Each unit occurs once at most, and a larger one precedes a smaller one.
 */
public final class DurationText {

  /** The rule for the text that {@link #parse} accepts, for messages. */
  public static final String RULE = "must be a duration such as 30s, 1500ms, 10m, 1h30m or 2d";

  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L,
          "d", 86_400_000_000_000L);

  private static final Pattern PART =
      Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)(ns|us|ms|s|m|h|d)");

  /** More than twice the longest text that {@link #format} returns. */
  private static final int LONGEST_TEXT = 64;

  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private DurationText() {}

  /** Returns the nanoseconds of a duration; {@link Long#MAX_VALUE} if it is longer. */
  public static long toNanosSaturated(Duration duration) {
    return Comparators.min(duration, LONGEST).toNanos();
  }

  /**
   * Reads a duration.
   *
   * @return not negative, at most {@link Long#MAX_VALUE} nanoseconds
   * @throws IllegalArgumentException if the text is no duration; the message states the rule
   */
  public static Duration parse(String text) {
    if (text.length() > LONGEST_TEXT) {
      throw wrong(text, " The longest text has %s characters.".formatted(LONGEST_TEXT));
    }
    String trimmed = text.strip();
    if (trimmed.startsWith("P") || trimmed.startsWith("p")) {
      return parseIso(trimmed);
    }
    Matcher part = PART.matcher(trimmed);
    BigDecimal nanos = BigDecimal.ZERO;
    int at = 0;
    long larger = Long.MAX_VALUE;
    while (part.lookingAt()) {
      long unit = nanosOf(part.group(2));
      if (unit >= larger) {
        throw wrong(text, " Each unit may occur once, after the larger ones.");
      }
      larger = unit;
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
      at = part.end();
      part.region(at, trimmed.length());
    }
    if (at == 0 || at < trimmed.length()) {
      throw wrong(
          text, trimmed.matches("\\d+(\\.\\d+)?") ? " Maybe you meant " + trimmed + "s." : "");
    }
    if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw wrong(text, " The longest is 292 years.");
    }
    try {
      return Duration.ofNanos(nanos.longValueExact());
    } catch (ArithmeticException fraction) {
      throw wrong(text, " The shortest unit is 1ns.");
    }
  }

  /**
   * Returns a duration in the form that {@link #parse} reads, in the largest units that represent
   * it exactly. No unit between the first and the last one is left out: {@code 1h0m36.5s}.
   */
  public static String format(Duration duration) {
    if (duration.abs().compareTo(LONGEST) > 0) {
      return duration.toString();
    }
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0s";
    }
    if (Math.abs(nanos) >= nanosOf("s")) {
      return (duration.isNegative() ? "-" : "") + inSeconds(Math.abs(nanos));
    }
    for (String unit : List.of("ms", "us")) {
      if (nanos % nanosOf(unit) == 0) {
        return nanos / nanosOf(unit) + unit;
      }
    }
    return nanos + "ns";
  }

  private static String inSeconds(long nanos) {
    StringBuilder text = new StringBuilder();
    long rest = nanos;
    for (String unit : List.of("d", "h", "m")) {
      boolean between = !text.isEmpty() && rest > 0; // a zero between two units is written
      if (rest >= nanosOf(unit) || between) {
        text.append(rest / nanosOf(unit)).append(unit);
        rest %= nanosOf(unit);
      }
    }
    if (rest > 0) {
      text.append(BigDecimal.valueOf(rest, 9).stripTrailingZeros().toPlainString()).append('s');
    }
    return text.toString();
  }

  private static Duration parseIso(String text) {
    try {
      Duration parsed = Duration.parse(Ascii.toUpperCase(text));
      if (parsed.isNegative() || parsed.compareTo(LONGEST) > 0) {
        throw wrong(text, "");
      }
      return parsed;
    } catch (DateTimeParseException malformed) {
      throw wrong(text, "");
    }
  }

  private static long nanosOf(String unit) {
    return Objects.requireNonNull(NANOS.get(unit));
  }

  private static IllegalArgumentException wrong(String text, String hint) {
    return new IllegalArgumentException(
        "was \"%s\", %s.%s".formatted(Printable.quote(text), RULE, hint));
  }
}
