package dev.berth.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Described;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The keys of a configuration, in words. */
class ConfigKeyTest {

  private enum Mode {
    FIRST,
    BEST;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Range(long min, double max) {}

  private record Settings(
      @Described(value = "how long to wait", range = "above 0s") Duration pause,
      boolean eager,
      @Nullable Boolean maybe,
      @Described(value = "what to share", unit = "cores") double share,
      @Nullable Double part,
      int count,
      @Nullable Integer most,
      Mode mode,
      String label,
      List<String> zones,
      Map<String, Integer> sizes,
      Range range,
      @Nullable Range other) {}

  @Test
  void describeTypesRangesAndDefaultsInTheOrderOfTheRecord() {
    Settings defaults =
        new Settings(
            Duration.ofSeconds(90),
            true,
            null,
            0.5,
            null,
            3,
            null,
            Mode.BEST,
            "x",
            List.of("a"),
            Map.of(),
            new Range(1, 2),
            null);

    assertThat(ConfigKey.of(defaults))
        .containsExactly(
            new ConfigKey("pause", "duration", "above 0s", "", "\"1m30s\"", "how long to wait"),
            key("eager", "true or false", "true"),
            key("maybe", "true or false", "null"),
            new ConfigKey("share", "number", "", "cores", "0.5", "what to share"),
            key("part", "number", "null"),
            key("count", "whole number", "3"),
            key("most", "whole number", "null"),
            new ConfigKey("mode", "text", "one of first, best", "", "\"best\"", ""),
            key("label", "text", "\"x\""),
            key("zones", "list", "[\"a\"]"),
            key("sizes", "object", "{}"),
            key("range.min", "whole number", "1"),
            key("range.max", "number", "2.0"),
            key("other", "object", "null"));
  }

  private static ConfigKey key(String path, String type, String defaultValue) {
    return new ConfigKey(path, type, "", "", defaultValue, "");
  }
}
