package dev.berth.cli;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Lengths of time for reading, where the last digit does not matter. */
final class TimeText {

  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private TimeText() {}

  /** Returns a length of time to the tenth of a second: {@code "1h20m4.5s"}, {@code "0s"}. */
  static String of(long nanos) {
    long tenth = SECOND / 10;
    long rest = (nanos + tenth / 2) / tenth * tenth;
    StringBuilder text = new StringBuilder();
    rest = take(text, rest, DAY, "d");
    rest = take(text, rest, HOUR, "h");
    rest = take(text, rest, MINUTE, "m");
    if (rest > 0 || text.isEmpty()) {
      BigDecimal seconds = BigDecimal.valueOf(rest, 9).setScale(1, RoundingMode.UNNECESSARY);
      text.append(seconds.toPlainString().replace(".0", "")).append('s');
    }
    return text.toString();
  }

  private static long take(StringBuilder text, long nanos, long unit, String name) {
    if (nanos >= unit) {
      text.append(nanos / unit).append(name);
    }
    return nanos % unit;
  }
}
