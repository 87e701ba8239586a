package dev.berth.cli.input;

import dev.berth.cli.error.BadInputException;
import dev.berth.core.config.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads durations on the command line as configurations do: {@code 30s}, {@code 1h30m}, {@code
 * PT30S}.
 */
public final class DurationConverter implements ITypeConverter<Duration> {

  /** Sums of two such times are exact. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  @Override
  public Duration convert(String text) {
    try {
      Duration time = Durations.parse(text);
      if (time.compareTo(LONGEST) > 0) {
        throw new TypeConversionException(
            "was \"%s\", must be at most %s.".formatted(text, Durations.format(LONGEST)));
      }
      return time;
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException(wrong.getMessage());
    }
  }

  /**
   * Checks that a duration is not zero.
   *
   * @param option the option that has it, for the message
   * @throws BadInputException if it is zero
   */
  public static void requirePositive(String option, Duration duration) {
    if (duration.isZero()) {
      throw new BadInputException("%s was 0s, must be positive.".formatted(option));
    }
  }
}
