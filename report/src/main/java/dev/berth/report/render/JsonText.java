package dev.berth.report.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Builds and writes JSON trees. Fields keep their order, undefined values have no field, and the
 * bytes are the same on every system and every version of Java.
 */
public final class JsonText {

  private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");

  // The JDK's way to write a double has changed between versions; Jackson's is the same in all.
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build())
          .defaultPrettyPrinter(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance()
                          .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                  .withObjectIndenter(INDENT)
                  .withArrayIndenter(INDENT))
          .build();

  /** Up to here a double holds every whole number. */
  private static final double EXACT = 1L << 53;

  private JsonText() {}

  /** Returns an object without fields. */
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Returns a number, which has no fraction if it is whole and a double holds it exactly. */
  static NumericNode number(double value) {
    return value == Math.rint(value) && Math.abs(value) <= EXACT
        ? JsonNodeFactory.instance.numberNode((long) value)
        : JsonNodeFactory.instance.numberNode(value);
  }

  /** Puts a field if the value is defined. */
  public static void put(ObjectNode node, String key, OptionalDouble value) {
    value.ifPresent(defined -> node.put(key, defined));
  }

  /** Puts a field if the value is defined. */
  public static void put(ObjectNode node, String key, OptionalLong value) {
    value.ifPresent(defined -> node.put(key, defined));
  }

  /** Returns a tree over several lines, indented by two blanks; the last line has an end. */
  public static String pretty(JsonNode tree) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns a tree in one line without its end. */
  public static String line(JsonNode tree) {
    try {
      return MAPPER.writeValueAsString(tree);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
