package dev.berth.traces;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The formats of one kind, and how one of them is found for what a user names.
 *
 * @param all ours and those of third parties, by name
 */
record Formats<F extends Format>(List<F> all) {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(?:-[a-z0-9]+)*");

  /** A format, and what is to be read in it. */
  record Located<F extends Format>(Input input, F format) {}

  static <F extends Format> Formats<F> load(Class<F> kind) {
    return of(
        ServiceLoader.load(kind, kind.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /**
   * Checks and sorts formats.
   *
   * @throws IllegalStateException if a name is malformed, or two have one name
   */
  static <F extends Format> Formats<F> of(List<F> formats) {
    Map<String, F> byName = new HashMap<>();
    for (F each : formats) {
      if (!NAME.matcher(each.name()).matches()) {
        throw new IllegalStateException(
            "format %s is named \"%s\", must be named by lower-case words with - between."
                .formatted(each.getClass().getName(), each.name()));
      }
      F other = byName.put(each.name(), each);
      if (other != null) {
        throw new IllegalStateException(
            "two formats are named %s: %s and %s."
                .formatted(each.name(), other.getClass().getName(), each.getClass().getName()));
      }
    }
    List<F> sorted = new ArrayList<>(formats);
    sorted.sort((a, b) -> a.name().compareTo(b.name()));
    return new Formats<>(List.copyOf(sorted));
  }

  /**
   * Finds out what is meant.
   *
   * @param text {@code path} or {@code format:path}
   * @throws InputException if there is no such file, or its format cannot be told
   */
  Located<F> locate(String text) {
    int colon = text.indexOf(':');
    if (colon > 0) {
      String name = text.substring(0, colon);
      Optional<F> forced = all.stream().filter(each -> each.name().equals(name)).findFirst();
      if (forced.isPresent()) {
        return new Located<>(Input.of(text.substring(colon + 1)), forced.get());
      }
    }
    Input input = Input.of(text);
    if (colon > 1 && !input.exists()) { // one letter may be a drive
      throw input.wrong(
          "does not exist",
          "you meant one of the formats %s in front of the colon".formatted(names(all)));
    }
    return new Located<>(input, recognise(input));
  }

  private F recognise(Input input) {
    List<F> found = all.stream().filter(each -> each.recognises(input)).toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    if (found.isEmpty()) {
      String rule = "looks like none of the formats " + names(all);
      if (input.isFolder()) {
        throw input.wrong("is a directory and " + rule);
      }
      throw input
          .firstPlace()
          .wrong(rule, "the line is wrong; else put the format in front, FORMAT:FILE");
    }
    throw input.wrong(
        "looks like each of the formats " + names(found),
        "put the one it is in front, FORMAT:FILE");
  }

  private static String names(List<? extends Format> formats) {
    return formats.stream().map(Format::name).collect(Collectors.joining(", "));
  }
}
