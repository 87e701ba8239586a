package dev.berth.traces;

import dev.berth.core.Providers;
import dev.berth.traces.internal.util.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The formats for one kind of content, and the selection of one of them for a location that a user
 * names.
 *
 * @param all the formats of all providers, sorted by name
 */
record Formats<F extends Format>(List<F> all) {

  private static final int MAX_NAME_LENGTH = 64;
  private static final Shape NAME = Shape.of("[a-z][a-z0-9]*+(?:-[a-z0-9]++)*+");

  private static volatile @Nullable List<FormatProvider> providers;

  /** An input and its format. */
  record Located<F extends Format>(Input input, F format) {}

  static Formats<WorkloadFormat> workloads() {
    return of(provided(FormatProvider::workloadFormats));
  }

  static Formats<InfrastructureFormat> infrastructures() {
    return of(provided(FormatProvider::infrastructureFormats));
  }

  static Formats<HostEventsFormat> hostEvents() {
    return of(provided(FormatProvider::hostEventsFormats));
  }

  /** Returns the formats that can be written, sorted by name. */
  static List<FormatWriter> writers() {
    List<FormatWriter> writers = provided(FormatProvider::writers);
    requireUnique(writers, FormatWriter::name);
    return sorted(writers, FormatWriter::name);
  }

  private static <T> List<T> provided(Function<FormatProvider, List<T>> part) {
    List<T> provided = new ArrayList<>();
    for (FormatProvider each : providers()) {
      // Copying refuses nulls, which providers may return by mistake.
      provided.addAll(Providers.call(each, "its formats", () -> List.copyOf(part.apply(each))));
    }
    return provided;
  }

  /** Returns the providers, which are looked up once. */
  private static List<FormatProvider> providers() {
    List<FormatProvider> known = providers;
    if (known == null) {
      ClassLoader loader = FormatProvider.class.getClassLoader();
      known =
          Providers.load(
              "format",
              FormatProvider.class,
              ServiceLoader.load(FormatProvider.class, loader),
              loader);
      providers = known;
    }
    return known;
  }

  /**
   * Checks and sorts formats.
   *
   * @throws IllegalStateException if a name is malformed, or two formats have the same name
   */
  static <F extends Format> Formats<F> of(List<F> formats) {
    for (F each : formats) {
      String name = Providers.call(each, "name()", each::name);
      if (name.length() > MAX_NAME_LENGTH || !NAME.matches(name)) {
        throw new IllegalStateException(
            "format %s is named \"%s\", must be named by lower-case words with - between."
                .formatted(each.getClass().getName(), name));
      }
    }
    requireUnique(formats, Format::name);
    return new Formats<>(sorted(formats, Format::name));
  }

  private static <T> void requireUnique(List<T> formats, Function<T, String> name) {
    Map<String, T> byName = new HashMap<>();
    for (T each : formats) {
      T other = byName.put(name.apply(each), each);
      if (other != null) {
        throw new IllegalStateException(
            "two formats are named %s: %s and %s."
                .formatted(
                    name.apply(each), other.getClass().getName(), each.getClass().getName()));
      }
    }
  }

  private static <T> List<T> sorted(List<T> formats, Function<T, String> name) {
    return formats.stream().sorted(Comparator.comparing(name)).toList();
  }

  /**
   * Selects the input and the format that a text denotes.
   *
   * @param text {@code path} or {@code format:path}
   * @throws InputException if the file does not exist, or its format cannot be determined
   */
  Located<F> locate(String text) {
    int colon = text.indexOf(':');
    if (colon > 0) {
      String name = text.substring(0, colon);
      Optional<F> named = all.stream().filter(each -> each.name().equals(name)).findFirst();
      if (named.isPresent()) {
        return new Located<>(Input.of(text.substring(colon + 1)), named.get());
      }
    }
    Input input = Input.of(text);
    if (colon > 1 && !input.exists()) { // one letter may be a drive
      throw input.error(
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
        throw input.error("is a directory and " + rule);
      }
      throw input
          .firstLocation()
          .error(rule, "the line is wrong; otherwise put the format in front, FORMAT:FILE");
    }
    throw input.error(
        "looks like each of the formats " + names(found),
        "put the intended one in front, FORMAT:FILE");
  }

  private static String names(List<? extends Format> formats) {
    return formats.stream().map(Format::name).collect(Collectors.joining(", "));
  }
}
