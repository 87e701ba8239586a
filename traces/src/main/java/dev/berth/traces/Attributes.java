package dev.berth.traces;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the attributes of a host: {@code zone=a;rank=5}. */
final class Attributes {

  private static final Pattern SEPARATOR = Pattern.compile(";");
  private static final Pattern ATTRIBUTE = Pattern.compile("([^=<>!\\s]+)\\s*=\\s*([^=<>!]*)");

  private Attributes() {}

  static Map<String, String> parse(Field field) {
    Map<String, String> attributes = new TreeMap<>();
    for (Field each : field.parts(SEPARATOR)) {
      Matcher attribute = ATTRIBUTE.matcher(each.text());
      if (!attribute.matches()) {
        throw each.wrong("must be attributes like zone=a;rank=5");
      }
      add(attributes, each, attribute.group(1), attribute.group(2));
    }
    return attributes;
  }

  static void add(Map<String, String> attributes, Field field, String name, String value) {
    if (attributes.putIfAbsent(name, value) != null) {
      throw field.wrong("must give each attribute once");
    }
  }
}
