package dev.berth.cli.input;

import dev.berth.core.config.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/**
 * A duration and the number of times it occurs in a list: {@code 2s}, or {@code 2sx625} for many.
 *
 * @param times at least 1, at most {@value #MOST}
 */
public record Repeated(Duration value, int times) {

  private static final int MOST = 1_000_000;

  /** The longest list that is written value by value. */
  private static final int FEW = 8;

  private static final Pattern TIMES = Pattern.compile("(.*\\D)x(\\d{1,7})");

  public static List<Duration> expand(List<Repeated> counted) {
    List<Duration> values = new ArrayList<>();
    counted.forEach(each -> values.addAll(Collections.nCopies(each.times, each.value)));
    return values;
  }

  /** Writes a list as {@link #read} reads it, with repeated values counted if it is long. */
  public static List<String> words(List<Duration> values) {
    List<Repeated> counted = new ArrayList<>();
    for (Duration each : values) {
      int last = counted.size() - 1;
      if (values.size() > FEW && last >= 0 && counted.get(last).value.equals(each)) {
        counted.set(last, new Repeated(each, counted.get(last).times + 1));
      } else {
        counted.add(new Repeated(each, 1));
      }
    }
    return counted.stream().map(Repeated::toString).collect(Collectors.toList());
  }

  @Override
  public String toString() {
    return Durations.format(value) + (times == 1 ? "" : "x" + times);
  }

  /** Reads a value on the command line. */
  static Repeated read(String text) {
    Matcher many = TIMES.matcher(text);
    int times = many.matches() ? Integer.parseInt(many.group(2)) : 1;
    if (times < 1 || times > MOST) {
      throw new TypeConversionException(
          "was \"%s\", must be a duration, or a duration repeated 1 to %s times like 2sx625."
              .formatted(text, MOST));
    }
    return new Repeated(ValueConverters.duration(many.matches() ? many.group(1) : text), times);
  }
}
