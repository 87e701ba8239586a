package dev.berth.cli.option;

import dev.berth.core.config.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads durations on the command line as configurations do: {@code 30s}, {@code 1h30m}, {@code
 * PT30S}.
 */
public final class DurationConverter implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String text) {
    try {
      return Durations.parse(text);
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException(wrong.getMessage());
    }
  }
}
