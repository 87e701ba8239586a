package dev.berth.traces.format.kubectl;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.core.error.JsonWords;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.JsonObject;
import dev.berth.traces.internal.util.Shape;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The objects of some kinds in a list of Kubernetes, a JSON document. Memory use is limited to one
 * of them.
 */
final class KubectlObjects implements EntryReader<JsonObject> {

  static final String FORMAT = "kubectl";
  static final String POD = "Pod";
  static final String NODE = "Node";

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .disable(JsonNodeFeature.READ_NULL_PROPERTIES) // null is as good as missing
          .build();
  private static final Shape BEGIN =
      Shape.of("\\{\\s*+\"apiVersion\"\\s*+:\\s*+\"v1\"\\s*+,\\s*+\"(?:items|kind)\"\\s*+:");
  private static final int BEGIN_LINES = 3;
  private static final String ITEMS = "items";

  private final Text text;
  private final JsonParser parser;
  private final Set<String> kinds;
  private SourceLocation location;
  private int number;
  private boolean ended;

  private KubectlObjects(Lines lines, Set<String> kinds) {
    this.text = new Text(lines);
    this.kinds = kinds;
    this.location = lines.location();
    this.parser = parse(() -> JSON.getFactory().createParser(text));
  }

  /** Returns whether a file appears to be a list of Kubernetes. */
  static boolean isIn(Input input) {
    if (input.firstLine().filter(line -> line.startsWith("{")).isEmpty()) {
      return false;
    }
    try (Lines lines = input.open()) {
      StringBuilder begin = new StringBuilder();
      for (int i = 0; i < BEGIN_LINES; i++) {
        String line = lines.next();
        begin.append(line == null ? "" : line);
      }
      return BEGIN.begins(begin.toString());
    }
  }

  /**
   * Opens a list.
   *
   * @throws InputException if the file cannot be opened or is no list
   */
  static KubectlObjects open(Input input, String... kinds) {
    KubectlObjects objects = new KubectlObjects(input.open(), Set.of(kinds));
    try {
      objects.parse(objects::begin);
      return objects;
    } catch (RuntimeException failure) {
      objects.close();
      throw failure;
    }
  }

  private boolean begin() throws IOException {
    boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
    while (isObject && parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean isItems = parser.currentName().equals(ITEMS);
      if (parser.nextToken() == JsonToken.START_ARRAY && isItems) {
        return true;
      }
      parser.skipChildren();
    }
    throw text.location
        .error("must be a list of Kubernetes, as of kubectl get pods,nodes -A -o json")
        .endingReading();
  }

  @Override
  public @Nullable JsonObject next() {
    Optional<JsonObject> next = Optional.empty();
    while (next.isEmpty() && !ended) {
      next = parse(this::read);
    }
    return next.orElse(null);
  }

  /** Returns the next object if it is of one of the kinds. */
  private Optional<JsonObject> read() throws IOException {
    if (parser.nextToken() == JsonToken.END_ARRAY) {
      while (parser.nextToken() != null) {
        // The rest must be JSON, too.
      }
      ended = true;
      return Optional.empty();
    }
    location = text.location;
    JsonNode node = parser.readValueAsTree();
    if (!node.isObject()) {
      throw location.error("must have an object as items[%s]".formatted(number++));
    }
    JsonObject object = new JsonObject(location, "%s[%s].".formatted(ITEMS, number++), node);
    return object.text("kind").filter(kinds::contains).map(kind -> object);
  }

  @Override
  public SourceLocation location() {
    return location;
  }

  @Override
  public void close() {
    text.close();
  }

  private interface Step<T> {
    T run() throws IOException;
  }

  private <T> T parse(Step<T> step) {
    try {
      return step.run();
    } catch (JsonProcessingException malformed) {
      InputException error =
          text.location.error("is not JSON: " + JsonWords.describe(malformed)).endingReading();
      error.initCause(malformed);
      throw error;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // lines fail with other errors
    }
  }

  /** The text of lines. It reads a line only when the parser needs it, so that errors name it. */
  private static final class Text extends Reader {

    private final Lines lines;
    private SourceLocation location;
    private String line = "";
    private int position;

    Text(Lines lines) {
      this.lines = lines;
      this.location = lines.location();
    }

    @Override
    public int read(char[] buffer, int offset, int length) {
      if (position == line.length()) {
        String next = nextLine();
        if (next == null) {
          return -1;
        }
        line = next + "\n";
        position = 0;
        location = lines.location();
      }
      int count = Math.min(length, line.length() - position);
      line.getChars(position, position + count, buffer, offset);
      position += count;
      return count;
    }

    /** Returns the next line. A bad one ends the reading, since the document goes on after it. */
    private @Nullable String nextLine() {
      try {
        return lines.next();
      } catch (InputException bad) {
        throw bad.endingReading();
      }
    }

    @Override
    public void close() {
      lines.close();
    }
  }
}
