package dev.berth.traces;

import dev.berth.core.Providers;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.Format;
import dev.berth.traces.spi.FormatProvider;
import dev.berth.traces.spi.FormatWriter;
import dev.berth.traces.spi.HostEventsFormat;
import dev.berth.traces.spi.InfrastructureFormat;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.WorkloadFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
 * @param kind what the formats read
 * @param all the formats of all providers, sorted by name
 * @param opening how a format opens an input
 */
record Formats<F extends Format>(FileKind kind, List<F> all, Opening<F> opening) {

  /** Characters that separate the columns of tables in other formats, and their names. */
  private static final Map<Character, String> OTHER_SEPARATORS =
      Map.of(';', "semicolons", '\t', "tabs", '|', "bars");

  private static final Shape WORDS = Shape.of("[A-Za-z][\\w .-]*+(?:,[\\w .-]*+)++");

  private static final List<String> OWN = List.of("csv", "jsonl");

  private static final int MAX_NAME_LENGTH = 64;
  private static final Shape NAME = Shape.of("[a-z][a-z0-9]*+(?:-[a-z0-9]++)*+");

  private static volatile @Nullable List<FormatProvider> providers;

  /** An input and its format. */
  record Located<F extends Format>(Input input, F format) {}

  /** How a format opens an input. */
  @FunctionalInterface
  interface Opening<F extends Format> {

    /**
     * Opens an input for reading.
     *
     * @throws InputException if the input cannot be used, of which the header is a part
     */
    EntryReader<?> open(F format, Input input);
  }

  static Formats<WorkloadFormat> workloads(ServiceClassCatalog classes) {
    return of(
        FileKind.REQUESTS,
        provided(FormatProvider::workloadFormats),
        (format, input) -> format.prepare(input, classes).open(reason -> {}));
  }

  static Formats<InfrastructureFormat> infrastructures() {
    return of(
        FileKind.HOSTS,
        provided(FormatProvider::infrastructureFormats),
        (format, input) -> format.open(input, reason -> {}));
  }

  static Formats<HostEventsFormat> hostEvents() {
    return of(
        FileKind.HOST_EVENTS,
        provided(FormatProvider::hostEventsFormats),
        (format, input) -> format.open(input, reason -> {}));
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
  static <F extends Format> Formats<F> of(FileKind kind, List<F> formats, Opening<F> opening) {
    for (F each : formats) {
      String name = Providers.call(each, "name()", each::name);
      if (name.length() > MAX_NAME_LENGTH || !NAME.matches(name)) {
        throw new IllegalStateException(
            "format %s is named \"%s\", must be named by lower-case words with - between."
                .formatted(each.getClass().getName(), name));
      }
    }
    requireUnique(formats, Format::name);
    return new Formats<>(kind, sorted(formats, Format::name), opening);
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
    Map<F, InputException> misfits = new LinkedHashMap<>();
    List<F> found = new ArrayList<>();
    for (F each : all) {
      if (each.recognises(input)) {
        misfit(each, input)
            .ifPresentOrElse(error -> misfits.put(each, error), () -> found.add(each));
      }
    }
    if (found.size() == 1 && headerError(found.get(0), input).isEmpty()) {
      return found.get(0);
    }
    if (found.size() <= 1) {
      requireNoOtherKind(input);
    }
    if (found.isEmpty()) {
      throw unrecognised(input, misfits);
    }
    if (found.size() == 1) {
      return found.get(0); // whose reader explains the header
    }
    throw input.error(
        "looks like each of the formats " + names(found),
        "put the intended one in front, FORMAT:FILE");
  }

  /**
   * Returns why the first line of a file is not a line of a format; empty if it is one. A header
   * always is: it shows the format, even if a column is wrong.
   */
  private Optional<InputException> misfit(F format, Input input) {
    return headerError(format, input).isPresent()
        ? Optional.empty()
        : firstLine(input)
            .flatMap(head -> firstError(opening.open(format, head)))
            .filter(error -> error.line().orElse(0) == 1);
  }

  /** Returns the first line of a file as a file of its own; empty for a folder. */
  private static Optional<Input> firstLine(Input input) {
    return input
        .firstLine()
        .map(line -> Input.of(input.file(), line.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns why a format cannot be opened; empty if it can. */
  private Optional<InputException> headerError(F format, Input input) {
    return firstLine(input)
        .flatMap(
            head -> {
              try {
                opening.open(format, head).close();
                return Optional.empty();
              } catch (InputException badHeader) {
                return Optional.of(badHeader);
              }
            });
  }

  /**
   * Returns whether the first line of a file is one of Berth's own formats among these. A row of
   * another format, which has no header, may resemble many things.
   */
  boolean anyFits(Input input) {
    return all.stream()
        .filter(each -> OWN.contains(each.name()))
        .anyMatch(
            each ->
                each.recognises(input)
                    && headerError(each, input).isEmpty()
                    && misfit(each, input).isEmpty());
  }

  /** Refuses a file that holds something else, which other formats can read. */
  private void requireNoOtherKind(Input input) {
    FileKind other = FileKind.of(input).orElse(kind);
    if (other != kind) {
      throw other.insteadOf(kind, input);
    }
  }

  /** Returns the error of the first entry, if it is bad, and closes the reader. */
  private static <T> Optional<InputException> firstError(EntryReader<T> reader) {
    try (LenientReader<T> entries =
        new LenientReader<>(skips -> reader, 0, (entry, location) -> {})) {
      entries.next();
      return Optional.empty();
    } catch (InputException bad) {
      return Optional.of(bad);
    }
  }

  private InputException unrecognised(Input input, Map<F, InputException> misfits) {
    String rule = "looks like none of the formats " + names(all);
    if (input.isFolder()) {
      return input.error("is a directory and " + rule);
    }
    requireCommas(input);
    String otherwise = "; otherwise put the format in front, FORMAT:FILE";
    String guess =
        misfits.entrySet().stream()
            .map(each -> each.getKey().name() + ", but " + reason(each.getValue()))
            .collect(Collectors.joining("; or "));
    return input
        .firstLocation()
        .error(rule, (guess.isEmpty() ? unguessed(input) : "it is meant as " + guess) + otherwise);
  }

  /** Refuses a header of one of these formats that has other separators. */
  private void requireCommas(Input input) {
    String line = input.firstLine().orElse("");
    OTHER_SEPARATORS.forEach(
        (separator, name) -> {
          byte[] commas = line.replace(separator, ',').getBytes(StandardCharsets.UTF_8);
          if (line.indexOf(separator) >= 0 && anyFits(Input.of(input.file(), commas))) {
            throw input
                .firstLocation()
                .error("has %s between the columns, must have commas".formatted(name));
          }
        });
  }

  /** Returns what a line that resembles no format may be. */
  private String unguessed(Input input) {
    return all.stream()
        .filter(each -> each.name().equals("csv"))
        .filter(each -> input.firstLine().filter(WORDS::matches).isPresent())
        .findFirst()
        .map(each -> "it is meant as csv (%s)".formatted(each.description()))
        .orElse("the line is wrong");
  }

  private static String reason(InputException error) {
    String subject = error.field().orElse("the line");
    String value = error.found().map(each -> " " + each).orElse("");
    String hint = error.hint().map(each -> " (maybe " + each + ")").orElse("");
    return subject + value + " " + error.rule() + hint;
  }

  private static String names(List<? extends Format> formats) {
    return formats.stream().map(Format::name).collect(Collectors.joining(", "));
  }
}
