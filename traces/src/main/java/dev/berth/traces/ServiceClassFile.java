package dev.berth.traces;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.berth.api.ServiceClass;
import dev.berth.core.error.JsonWords;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.Lines;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.util.Phrases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads service classes from a JSON file: a list of objects with a name. */
final class ServiceClassFile {

  private static final String NAME = "name";
  private static final String SLO = "slo";
  private static final String IMPORTANCE = "importance";
  private static final String MARGIN = "safetyMargin";
  private static final String OVERHEAD = "preemptionOverheadLimit";
  private static final List<String> MEMBERS = List.of(NAME, SLO, IMPORTANCE, MARGIN, OVERHEAD);

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final Input input;
  private final JsonParser parser;
  private final Duration margin;
  private final Map<String, ServiceClass> classes = new LinkedHashMap<>();

  private ServiceClassFile(Input input, JsonParser parser, Duration margin) {
    this.input = input;
    this.parser = parser;
    this.margin = margin;
  }

  /**
   * Reads service classes.
   *
   * @param margin the safety margin of classes that omit it
   */
  static List<ServiceClass> read(Input input, Duration margin) {
    try (JsonParser parser = JSON.createParser(text(input))) {
      ServiceClassFile file = new ServiceClassFile(input, parser, margin);
      file.read();
      return List.copyOf(file.classes.values());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // it is in memory
    }
  }

  private void read() throws IOException {
    try {
      list();
    } catch (JsonProcessingException malformed) {
      JsonLocation location = malformed.getLocation();
      InputException error =
          at(location == null ? parser.currentLocation() : location) // a limit has no location
              .error("is not JSON: " + JsonWords.describe(malformed));
      error.initCause(malformed);
      throw error;
    }
  }

  /** Returns the content of the file with blank lines for comments, which keeps line numbers. */
  static String text(Input input) {
    StringBuilder text = new StringBuilder();
    long at = 1;
    try (Lines lines = input.open()) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        for (; at < lines.location().line() && text.length() <= Lines.LONGEST; at++) {
          text.append('\n');
        }
        text.append(line);
        if (text.length() > Lines.LONGEST) {
          throw input.error("is longer than %s characters".formatted(Lines.LONGEST));
        }
      }
    }
    return text.toString();
  }

  private void list() throws IOException {
    if (parser.nextToken() != JsonToken.START_ARRAY) {
      throw location()
          .error("must be a list of service classes, [{\"name\":\"best\",\"slo\":0.99}]");
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw location().error("must be an object like {\"name\":\"best\",\"slo\":0.99}");
      }
      serviceClass(location());
    }
    location().refuseIf(parser.nextToken() != null, "must end after the list");
    input.refuseIf(classes.isEmpty(), "holds no service class");
  }

  private void serviceClass(SourceLocation begin) throws IOException {
    Map<String, Field> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String member = parser.currentName();
      JsonToken value = parser.nextToken();
      String path = "[%s].%s".formatted(classes.size(), member);
      Field field = new Field(location(), path, String.valueOf(parser.getText()));
      if (!MEMBERS.contains(member)) {
        throw field.error("is not a member, must be one of " + String.join(", ", MEMBERS));
      }
      if (value == null || !value.isScalarValue() || value == JsonToken.VALUE_NULL) {
        throw field.error("must be a single value");
      }
      members.put(member, field);
    }
    Field name = members.get(NAME);
    if (name == null) {
      throw begin.error("must have a name");
    }
    if (classes.putIfAbsent(name.required(), serviceClass(members, name)) != null) {
      throw name.error("must be unique, an earlier class has the same");
    }
  }

  private ServiceClass serviceClass(Map<String, Field> members, Field name) {
    ServiceClass.Builder builder =
        valid(name, () -> ServiceClass.builder(name.required())).safetyMargin(margin);
    set(members.get(SLO), field -> builder.slo(field.number().doubleValue()));
    set(
        members.get(IMPORTANCE),
        field -> builder.importance((int) field.wholeLong(1, Integer.MAX_VALUE)));
    set(members.get(MARGIN), field -> builder.safetyMargin(Duration.ofNanos(field.nanos())));
    set(
        members.get(OVERHEAD),
        field -> builder.preemptionOverheadLimit(field.number().doubleValue()));
    return valid(name, builder::build);
  }

  private static void set(@Nullable Field field, Function<Field, ServiceClass.Builder> setter) {
    if (field != null) {
      valid(field, () -> setter.apply(field));
    }
  }

  private static <T> T valid(Field field, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException outOfRange) {
      InputException error = field.error("is invalid: " + Phrases.of(outOfRange));
      error.initCause(outOfRange);
      throw error;
    }
  }

  private SourceLocation location() {
    return at(parser.currentTokenLocation());
  }

  private SourceLocation at(JsonLocation location) {
    return new SourceLocation(input.file(), location.getLineNr());
  }
}
