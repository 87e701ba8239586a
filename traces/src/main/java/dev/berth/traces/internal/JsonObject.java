package dev.berth.traces.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.core.error.JsonWords;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.InputException;
import dev.berth.traces.input.InputPart;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.util.Phrases;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A JSON object that is a line of a file or nested in one, whose members are accessed by name.
 *
 * @param location the line
 * @param path the path from the line to the object, ending in a full stop; empty for the line
 *     itself
 * @param node the object
 */
public record JsonObject(SourceLocation location, String path, JsonNode node) implements InputPart {

  private static final ObjectReader READER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(10).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build()
          .readerFor(JsonNode.class);

  /**
   * Parses a line.
   *
   * @throws InputException if the line is not an object
   */
  public static JsonObject of(SourceLocation location, String line) {
    JsonNode node;
    try {
      node = READER.readValue(line);
    } catch (JsonProcessingException malformed) {
      InputException error =
          location.error(
              "is not JSON%s: %s".formatted(at(malformed), JsonWords.describe(malformed)));
      error.initCause(malformed);
      throw error;
    }
    location.refuseIf(!node.isObject(), "must be a JSON object like {\"id\":\"r1\"}");
    return new JsonObject(location, "", node);
  }

  /** Returns where a line is malformed; nothing if it exceeds a limit, which has no location. */
  private static String at(JsonProcessingException malformed) {
    JsonLocation location = malformed.getLocation();
    return location == null ? "" : " at character " + location.getColumnNr();
  }

  /**
   * Checks that the object has no members but some known ones.
   *
   * @throws InputException if it has
   */
  public JsonObject only(Collection<String> known) {
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                throw new Field(location, path + name, node.get(name).toString())
                    .error("is not a member, must be one of " + String.join(", ", known));
              }
            });
    return this;
  }

  /** Returns an error about the object, which must not be the line itself. */
  @Override
  public InputException error(String rule) {
    return new Field(location, path.substring(0, path.length() - 1), node.toString()).error(rule);
  }

  /** Returns whether there is a member of that name. */
  public boolean has(String name) {
    return !node.path(name).isMissingNode();
  }

  /** Returns a required member that is a text, a number or a boolean. */
  public Field field(String name) {
    JsonNode member = node.path(name);
    if (member.isMissingNode()) {
      throw missing(name);
    }
    return scalar(path + name, member);
  }

  private InputException missing(String name) {
    return location.error("must have the member %s%s".formatted(path, name));
  }

  private Field scalar(String at, JsonNode value) {
    if (!value.isValueNode() || value.isNull()) {
      throw new Field(location, at, value.toString()).error("must be a single value");
    }
    return new Field(location, at, value.asText());
  }

  /** Returns an optional member that is a text, a number or a boolean. */
  public Optional<Field> optional(String name) {
    return has(name) ? Optional.of(field(name)) : Optional.empty();
  }

  /** Returns an optional member that is a text. */
  public Optional<String> text(String name) {
    return optional(name)
        .map(
            field -> {
              field.refuseIf(!node.get(name).isTextual(), "must be a text, in quotes");
              return field.required();
            });
  }

  /** Returns an optional member that is an object. */
  public Optional<JsonObject> object(String name) {
    return has(name) ? Optional.of(object(path + name, node.get(name))) : Optional.empty();
  }

  /** Returns a required member that is an object. */
  public JsonObject required(String name) {
    return object(name).orElseThrow(() -> missing(name));
  }

  private JsonObject object(String at, JsonNode value) {
    if (!value.isObject()) {
      throw new Field(location, at, value.toString()).error("must be an object, {...}");
    }
    return new JsonObject(location, at + ".", value);
  }

  /** Returns all members by name; each must be a single value. */
  public Map<String, Field> fields() {
    Map<String, Field> fields = new LinkedHashMap<>();
    node.fieldNames().forEachRemaining(name -> fields.put(name, field(name)));
    return fields;
  }

  /** Returns an optional member that is a list of objects. */
  public Optional<List<JsonObject>> objects(String name) {
    return list(name, (at, value) -> object(at, value));
  }

  /** Returns an optional member that is a list of single values. */
  public Optional<List<Field>> values(String name) {
    return list(name, this::scalar);
  }

  private interface Member<T> {
    T read(String at, JsonNode value);
  }

  private <T> Optional<List<T>> list(String name, Member<T> member) {
    if (!has(name)) {
      return Optional.empty();
    }
    JsonNode list = node.get(name);
    if (!list.isArray()) {
      throw new Field(location, path + name, list.toString()).error("must be a list, [...]");
    }
    List<T> all = new ArrayList<>();
    for (JsonNode each : list) {
      all.add(member.read("%s%s[%s]".formatted(path, name, all.size()), each));
    }
    return Optional.of(all);
  }

  /**
   * Converts the object.
   *
   * @throws InputException if the object is invalid for the conversion
   */
  public <T> T convert(Function<JsonObject, T> conversion) {
    try {
      return conversion.apply(this);
    } catch (IllegalArgumentException impossible) {
      InputException error =
          new Field(
                  location,
                  path.isEmpty() ? "line" : path.substring(0, path.length() - 1),
                  node.toString())
              .error("is invalid: " + Phrases.of(impossible));
      error.initCause(impossible);
      throw error;
    }
  }

  /** Returns the texts of fields. */
  public Set<String> texts(List<Field> fields) {
    return fields.stream().map(Field::text).collect(Collectors.toSet());
  }
}
