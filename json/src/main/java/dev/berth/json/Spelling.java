package dev.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How codecs write the frame of a value: with or without the sizes of objects and lists, and which
 * names CBOR has as numbers. JSON has neither.
 */
final class Spelling {

  /** Names are text, and objects and lists have an end mark in place of a size. */
  static final Spelling PLAIN = new Spelling(false, List.of(), Map.of());

  private final boolean sized;
  private final String[] names;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<Class<?>, String> records;

  private Spelling(boolean sized, List<String> names, Map<Class<?>, String> records) {
    this.sized = sized;
    this.records = records;
    this.names = names.toArray(new String[0]);
    for (String each : names) {
      if (numbers.put(each, numbers.size()) != null) {
        throw new IllegalArgumentException("name %s was given twice.".formatted(each));
      }
    }
  }

  /**
   * Returns a spelling with sizes.
   *
   * @param names the names that are numbers in CBOR, counted from 0; others are text
   * @param records the names of records that have another one than their simple name
   * @throws IllegalArgumentException if one is given twice
   */
  static Spelling sized(List<String> names, Map<Class<?>, String> records) {
    return new Spelling(true, names, records);
  }

  /** Returns the name of a record among the subtypes of a sealed interface. */
  String nameOf(Class<?> type) {
    String name = records.get(type);
    return name == null ? type.getSimpleName() : name;
  }

  void startObject(JsonGenerator to, int size) throws IOException {
    if (sized) {
      to.writeStartObject(null, size);
    } else {
      to.writeStartObject();
    }
  }

  void startArray(JsonGenerator to, int size) throws IOException {
    if (sized) {
      to.writeStartArray(null, size);
    } else {
      to.writeStartArray();
    }
  }

  /** Writes the name of a component or of a type. */
  void name(JsonGenerator to, String name) throws IOException {
    Integer number = to instanceof CBORGenerator ? numbers.get(name) : null;
    if (number == null) {
      to.writeFieldName(name);
    } else {
      to.writeFieldId(number);
    }
  }

  /** Returns the name at which a parser is, of a component or of a type. */
  String nameAt(JsonParser from) throws IOException {
    String name = from.currentName();
    if (names.length > 0 && from instanceof CBORParser && isNumber(name)) {
      int number = Integer.parseInt(name);
      return number < names.length ? names[number] : name;
    }
    return name;
  }

  /** Returns whether a name, which is no Java identifier then, is a small number. */
  private static boolean isNumber(String name) {
    if (name.isEmpty() || name.length() > 4) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) < '0' || name.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
