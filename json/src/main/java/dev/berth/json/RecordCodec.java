package dev.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads records, as objects with a member for each component. A component that is empty,
 * zero or false is left out. A reader refuses other members and missing ones.
 */
final class RecordCodec extends Codec {

  private final Constructor<?> constructor;
  private final String[] names;
  private final Map<String, Integer> places = new HashMap<>();
  private final Method[] accessors;
  private final Codec[] codecs;
  private final Spelling spelling;

  /**
   * Creates the codec of a record with a public canonical constructor.
   *
   * @param codecOf returns the codec of the values of a component
   */
  RecordCodec(Class<?> type, Function<Type, Codec> codecOf, Spelling spelling) {
    this.spelling = spelling;
    RecordComponent[] components = type.getRecordComponents();
    try {
      constructor =
          type.getConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    } catch (NoSuchMethodException hidden) {
      throw new IllegalStateException(type + " is not public", hidden);
    }
    names = Arrays.stream(components).map(RecordComponent::getName).toArray(String[]::new);
    accessors = Arrays.stream(components).map(RecordComponent::getAccessor).toArray(Method[]::new);
    codecs =
        Arrays.stream(components)
            .map(each -> codecOf.apply(each.getGenericType()))
            .toArray(Codec[]::new);
    for (int i = 0; i < names.length; i++) {
      places.put(names[i], i);
    }
  }

  /** Returns the codec of a public record of plain data. */
  static RecordCodec of(Class<?> type) {
    return new RecordCodec(type, RecordCodec::codecOf, Spelling.PLAIN);
  }

  private static Codec codecOf(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] contents = generic.getActualTypeArguments();
      if (generic.getRawType() == List.class) {
        return new ListCodec(codecOf(contents[0]), Spelling.PLAIN);
      }
      if (generic.getRawType() == Optional.class) {
        return new OptionalCodec(codecOf(contents[0]));
      }
      return new MapCodec(codecOf(contents[1]));
    }
    if (type == long.class || type == Long.class) {
      return new LongCodec();
    }
    if (type == int.class) {
      return new IntCodec();
    }
    if (type == OptionalLong.class) {
      return new OptionalLongCodec();
    }
    if (type == boolean.class) {
      return new BooleanCodec();
    }
    if (type == double.class) {
      return new DoubleCodec();
    }
    if (type == String.class) {
      return new TextCodec();
    }
    return type == Object.class ? new PlainCodec() : of((Class<?>) type);
  }

  @Nullable Object[] newValues() {
    return new @Nullable Object[names.length];
  }

  @Override
  void write(Object value, JsonGenerator to) throws IOException {
    @Nullable Object[] components = new @Nullable Object[names.length];
    spelling.startObject(to, components(value, components));
    writeComponents(components, to, 0);
    to.writeEndObject();
  }

  /** Writes the components from one on. */
  void writeComponents(Object value, JsonGenerator to, int from) throws IOException {
    @Nullable Object[] components = new @Nullable Object[names.length];
    components(value, components);
    writeComponents(components, to, from);
  }

  private void writeComponents(@Nullable Object[] components, JsonGenerator to, int from)
      throws IOException {
    for (int i = from; i < names.length; i++) {
      Object component = components[i];
      if (component != null) {
        spelling.name(to, names[i]);
        codecs[i].write(component, to);
      }
    }
  }

  /** Fills in the components that are not left out, and returns how many there are. */
  private int components(Object value, @Nullable Object[] components) {
    int written = 0;
    for (int i = 0; i < names.length; i++) {
      Object component;
      try {
        component = accessors[i].invoke(value);
      } catch (ReflectiveOperationException impossible) { // the records are public
        throw new IllegalStateException(impossible);
      }
      if (!component.equals(codecs[i].missing())) {
        components[i] = component;
        written++;
      }
    }
    return written;
  }

  @Override
  Object read(JsonParser from) throws IOException {
    require(from, JsonToken.START_OBJECT, "an object");
    @Nullable Object[] values = newValues();
    next(from);
    readComponents(values, from);
    return make(values);
  }

  /** Reads components up to the end of the object; the first of them is the current token. */
  void readComponents(@Nullable Object[] values, JsonParser from) throws IOException {
    for (JsonToken token = from.currentToken(); token != JsonToken.END_OBJECT; token = next(from)) {
      require(from, JsonToken.FIELD_NAME, "a member");
      String name = spelling.nameAt(from);
      Integer place = places.get(name);
      if (place == null) {
        throw new Damage("has an unknown member " + name);
      }
      if (values[place] != null) {
        throw new Damage("has two members " + name);
      }
      next(from);
      try {
        values[place] = codecs[place].read(from);
      } catch (Damage damage) {
        throw damage.in(name);
      }
    }
  }

  /** Returns the record of its components; those that are null are missing. */
  Object make(@Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        values[i] = codecs[i].missing();
        if (values[i] == null) {
          throw new Damage("has no " + names[i]);
        }
      }
    }
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException refused) {
      Throwable why = refused.getCause();
      throw new Damage("is refused: " + (why == null ? "for no reason" : why.getMessage()));
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  // ---- Values

  static final class LongCodec extends Codec {
    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeNumber((Long) value);
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.VALUE_NUMBER_INT, "a whole number");
      return from.getLongValue();
    }

    @Override
    Object missing() {
      return 0L;
    }
  }

  static final class IntCodec extends Codec {
    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeNumber((Integer) value);
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.VALUE_NUMBER_INT, "a whole number");
      return from.getIntValue();
    }

    @Override
    Object missing() {
      return 0;
    }
  }

  static final class OptionalLongCodec extends Codec {
    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeNumber(((OptionalLong) value).orElseThrow());
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.VALUE_NUMBER_INT, "a whole number");
      return OptionalLong.of(from.getLongValue());
    }

    @Override
    Object missing() {
      return OptionalLong.empty();
    }
  }

  static final class BooleanCodec extends Codec {
    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeBoolean((Boolean) value);
    }

    @Override
    Object read(JsonParser from) {
      if (!from.currentToken().isBoolean()) {
        throw new Damage("must be true or false");
      }
      return from.currentToken() == JsonToken.VALUE_TRUE;
    }

    @Override
    Object missing() {
      return false;
    }
  }

  static final class DoubleCodec extends Codec {
    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeNumber((Double) value);
    }

    @Override
    Object read(JsonParser from) throws IOException {
      if (!from.currentToken().isNumeric()) {
        throw new Damage("must be a number");
      }
      return from.getDoubleValue();
    }
  }

  static final class TextCodec extends Codec {
    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeString((String) value);
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.VALUE_STRING, "text");
      return from.getText();
    }
  }

  static final class OptionalCodec extends Codec {
    private final Codec content;

    OptionalCodec(Codec content) {
      this.content = content;
    }

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      content.write(((Optional<?>) value).orElseThrow(), to);
    }

    @Override
    Object read(JsonParser from) throws IOException {
      return Optional.of(content.read(from));
    }

    @Override
    Object missing() {
      return Optional.empty();
    }
  }

  static final class ListCodec extends Codec {
    private final Codec content;
    private final Spelling spelling;

    ListCodec(Codec content, Spelling spelling) {
      this.content = content;
      this.spelling = spelling;
    }

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      List<?> values = (List<?>) value;
      spelling.startArray(to, values.size());
      for (Object each : values) {
        content.write(each, to);
      }
      to.writeEndArray();
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.START_ARRAY, "a list");
      List<Object> values = new ArrayList<>();
      while (next(from) != JsonToken.END_ARRAY) {
        try {
          values.add(content.read(from));
        } catch (Damage damage) {
          throw damage.in("[" + values.size() + "]");
        }
      }
      return values;
    }

    @Override
    Object missing() {
      return List.of();
    }
  }

  static final class MapCodec extends Codec {
    private final Codec content;

    MapCodec(Codec content) {
      this.content = content;
    }

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      to.writeStartObject();
      writeMembers((Map<?, ?>) value, to);
      to.writeEndObject();
    }

    void writeMembers(Map<?, ?> map, JsonGenerator to) throws IOException {
      for (Map.Entry<?, ?> each : map.entrySet()) {
        to.writeFieldName((String) each.getKey());
        content.write(each.getValue(), to);
      }
    }

    @Override
    Object read(JsonParser from) throws IOException {
      require(from, JsonToken.START_OBJECT, "an object");
      Map<String, Object> values = new LinkedHashMap<>();
      while (next(from) != JsonToken.END_OBJECT) {
        String name = from.currentName();
        next(from);
        try {
          if (values.put(name, content.read(from)) != null) {
            throw new Damage("is there twice");
          }
        } catch (Damage damage) {
          throw damage.in(name);
        }
      }
      return values;
    }

    @Override
    Object missing() {
      return Map.of();
    }
  }

  /** Text, numbers, booleans, lists and maps, as policies save them. */
  static final class PlainCodec extends Codec {
    private final ListCodec lists = new ListCodec(this, Spelling.PLAIN);
    private final MapCodec maps = new MapCodec(this);

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      if (value instanceof String text) {
        to.writeString(text);
      } else if (value instanceof Long number) {
        to.writeNumber(number);
      } else if (value instanceof Double number) {
        to.writeNumber(number);
      } else if (value instanceof Boolean flag) {
        to.writeBoolean(flag);
      } else if (value instanceof List<?> list) {
        lists.write(list, to);
      } else {
        maps.write(value, to);
      }
    }

    @Override
    Object read(JsonParser from) throws IOException {
      return switch (from.currentToken()) {
        case VALUE_STRING -> from.getText();
        case VALUE_NUMBER_INT -> from.getLongValue();
        case VALUE_NUMBER_FLOAT -> from.getDoubleValue();
        case VALUE_TRUE -> true;
        case VALUE_FALSE -> false;
        case START_ARRAY -> lists.read(from);
        case START_OBJECT -> maps.read(from);
        default -> throw new Damage("must be text, a number, a boolean, a list or an object");
      };
    }
  }

  /** What is wrong with the data, and where. */
  static final class Damage extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String path;
    private final String what;

    Damage(String what) {
      this("", what);
    }

    private Damage(String path, String what) {
      super(path + ": " + what, null, false, false);
      this.path = path;
      this.what = what;
    }

    Damage in(String place) {
      String joint = path.isEmpty() || path.startsWith("[") ? "" : ".";
      return new Damage(place + joint + path, what);
    }

    String describe() {
      return path.isEmpty() ? what : path + " " + what;
    }
  }
}
