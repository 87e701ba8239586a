package dev.berth.testkit.format;

import dev.berth.traces.spi.Format;
import java.util.List;

/** Finds formats of Berth by name, as users do. */
final class Provided {

  private Provided() {}

  static <F extends Format> F named(String name, List<F> formats) {
    return formats.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no format " + name));
  }
}
