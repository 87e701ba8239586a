package dev.berth.experiments.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * JSON as we write it: the same bytes on every system, keys in the order in which they were put,
 * undefined is absent.
 */
public final class Json {

  private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");
  private static final JsonMapper MAPPER =
      // Its own way to write doubles: that of the JDK has changed between versions.
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build())
          .defaultPrettyPrinter(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance()
                          .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                  .withObjectIndenter(INDENT)
                  .withArrayIndenter(INDENT))
          .build();

  private Json() {}

  /** Returns an object without keys. */
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Returns a tree over several lines, the last with its end. */
  public static String pretty(JsonNode tree) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns a tree in one line, without its end. */
  public static String line(JsonNode tree) {
    try {
      return MAPPER.writeValueAsString(tree);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Puts a value if it is defined. */
  public static void put(ObjectNode node, String key, OptionalDouble value) {
    value.ifPresent(defined -> node.put(key, defined));
  }

  /** Puts a value if it is defined. */
  public static void put(ObjectNode node, String key, OptionalLong value) {
    value.ifPresent(defined -> node.put(key, defined));
  }
}
