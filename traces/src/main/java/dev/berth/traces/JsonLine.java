package dev.berth.traces;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
 * A JSON object on a line of a file, or in one, whose members are asked for by name.
 *
 * @param path where it stands in the line, with a full stop behind; empty for the line itself
 */
record JsonLine(Place place, String path, JsonNode node) {

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
   * Reads the object on a line.
   *
   * @throws InputException if the line holds anything else
   */
  static JsonLine of(Place place, String line) {
    JsonNode node;
    try {
      node = READER.readValue(line);
    } catch (JsonProcessingException malformed) {
      String why = malformed.getOriginalMessage().replaceAll("\\s+", " ");
      InputException wrong =
          place.wrong(
              "is no JSON at character %s: %s"
                  .formatted(malformed.getLocation().getColumnNr(), InputException.quoted(why)));
      wrong.initCause(malformed);
      throw wrong;
    }
    if (!node.isObject()) {
      throw place.wrong("must be a JSON object like {\"id\":\"r1\"}");
    }
    return new JsonLine(place, "", node);
  }

  /**
   * Checks that there are no members but these.
   *
   * @throws InputException if there are
   */
  JsonLine only(Collection<String> known) {
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                throw new Field(place, path + name, node.get(name).toString())
                    .wrong("is no member, must be one of " + String.join(", ", known));
              }
            });
    return this;
  }

  boolean has(String name) {
    return !node.path(name).isMissingNode();
  }

  /** Returns a member that is a text, a number, true or false, and must be there. */
  Field field(String name) {
    JsonNode member = node.path(name);
    if (member.isMissingNode()) {
      throw place.wrong("must have the member %s%s".formatted(path, name));
    }
    return scalar(path + name, member);
  }

  private Field scalar(String at, JsonNode value) {
    if (!value.isValueNode() || value.isNull()) {
      throw new Field(place, at, value.toString()).wrong("must be a single value");
    }
    return new Field(place, at, value.asText());
  }

  Optional<Field> optional(String name) {
    return has(name) ? Optional.of(field(name)) : Optional.empty();
  }

  /** Returns a member that is a text. */
  Optional<String> text(String name) {
    return optional(name)
        .map(
            field -> {
              if (!node.get(name).isTextual()) {
                throw field.wrong("must be a text, in quotes");
              }
              return field.required();
            });
  }

  /** Returns a member that is an object. */
  Optional<JsonLine> object(String name) {
    return has(name) ? Optional.of(object(path + name, node.get(name))) : Optional.empty();
  }

  private JsonLine object(String at, JsonNode value) {
    if (!value.isObject()) {
      throw new Field(place, at, value.toString()).wrong("must be an object, {...}");
    }
    return new JsonLine(place, at + ".", value);
  }

  /** Returns the single values in an object, by name. */
  Map<String, Field> fields() {
    Map<String, Field> fields = new LinkedHashMap<>();
    node.fieldNames().forEachRemaining(name -> fields.put(name, field(name)));
    return fields;
  }

  /** Returns the objects in a list. */
  Optional<List<JsonLine>> objects(String name) {
    return list(name, (at, value) -> object(at, value));
  }

  /** Returns the single values in a list. */
  Optional<List<Field>> values(String name) {
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
      throw new Field(place, path + name, list.toString()).wrong("must be a list, [...]");
    }
    List<T> all = new ArrayList<>();
    for (JsonNode each : list) {
      all.add(member.read("%s%s[%s]".formatted(path, name, all.size()), each));
    }
    return Optional.of(all);
  }

  /**
   * Makes something of the object.
   *
   * @throws InputException with what is wrong, if it cannot be made
   */
  <T> T make(Function<JsonLine, T> maker) {
    try {
      return maker.apply(this);
    } catch (IllegalArgumentException impossible) {
      String rule = String.valueOf(impossible.getMessage()).replaceAll("\\.$", "");
      InputException wrong =
          new Field(
                  place,
                  path.isEmpty() ? "line" : path.substring(0, path.length() - 1),
                  node.toString())
              .wrong("makes no sense: " + rule);
      wrong.initCause(impossible);
      throw wrong;
    }
  }

  Set<String> texts(List<Field> fields) {
    return fields.stream().map(Field::text).collect(Collectors.toSet());
  }
}
