package dev.berth.traces.internal;

import dev.berth.traces.input.Field;
import dev.berth.traces.internal.util.Shape;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;

/** Parses names and values, such as the attributes of a host: {@code zone=a;rank=5}. */
public final class HostAttributes {

  /** The attribute by which several formats name the cluster of a host. */
  public static final String CLUSTER = "cluster";

  private static final Shape ATTRIBUTE = Shape.of("([^=<>!\\s]++)\\s*+=\\s*+([^=<>!]*+)");

  private HostAttributes() {}

  /**
   * Returns the attributes in a field.
   *
   * @throws dev.berth.traces.input.InputException if the field is malformed
   */
  public static Map<String, String> parse(Field field) {
    return parse(field, "must be attributes like zone=a;rank=5");
  }

  /**
   * Returns the names and values in a field, in ascending order of name.
   *
   * @param rule what the field must be, for errors
   * @throws dev.berth.traces.input.InputException if the field is malformed
   */
  public static Map<String, String> parse(Field field, String rule) {
    Map<String, String> attributes = new TreeMap<>();
    for (Field each : field.parts(';')) {
      MatchResult attribute = ATTRIBUTE.match(each.text()).orElseThrow(() -> each.error(rule));
      add(attributes, each, attribute.group(1), attribute.group(2));
    }
    return attributes;
  }

  /**
   * Adds an attribute.
   *
   * @param field the field to name in an error
   * @throws dev.berth.traces.input.InputException if there already is an attribute of that name
   */
  public static void add(Map<String, String> attributes, Field field, String name, String value) {
    field.refuseIf(attributes.putIfAbsent(name, value) != null, "must give each name once");
  }
}
