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
import java.util.OptionalInt;
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
        return list(codecOf(contents[0]), Spelling.PLAIN);
      }
      return generic.getRawType() == Optional.class
          ? optional(codecOf(contents[0]))
          : map(codecOf(contents[1]), Spelling.PLAIN);
    }
    if (type == Object.class) {
      return new PlainCodec();
    }
    Codec scalar = SCALARS.get(type);
    return scalar != null ? scalar : of((Class<?>) type);
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
      values[place] = codecs[place].readAt(name, from);
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

  static final Codec LONG =
      Codec.<Long>of(0L, (value, to) -> to.writeNumber(value), from -> number(from).getLongValue());
  static final Codec INT =
      Codec.<Integer>of(
          0, (value, to) -> to.writeNumber(value), from -> number(from).getIntValue());
  static final Codec BOOLEAN =
      Codec.<Boolean>of(
          false,
          (value, to) -> to.writeBoolean(value),
          from -> {
            if (!from.currentToken().isBoolean()) {
              throw new Damage("must be true or false");
            }
            return from.currentToken() == JsonToken.VALUE_TRUE;
          });
  static final Codec OPTIONAL_LONG =
      Codec.<OptionalLong, Long>mapped(
          OptionalLong.empty(), LONG, OptionalLong::orElseThrow, OptionalLong::of);
  static final Codec OPTIONAL_INT =
      Codec.<OptionalInt, Integer>mapped(
          OptionalInt.empty(), INT, OptionalInt::orElseThrow, OptionalInt::of);
  private static final Codec DOUBLE =
      Codec.<Double>of(null, (value, to) -> to.writeNumber(value), RecordCodec::readDouble);
  private static final Codec TEXT =
      Codec.<String>of(null, (value, to) -> to.writeString(value), RecordCodec::readText);

  private static final Map<Type, Codec> SCALARS =
      Map.of(
          long.class, LONG,
          Long.class, LONG,
          int.class, INT,
          OptionalLong.class, OPTIONAL_LONG,
          OptionalInt.class, OPTIONAL_INT,
          boolean.class, BOOLEAN,
          double.class, DOUBLE,
          String.class, TEXT);

  private static JsonParser number(JsonParser from) {
    require(from, JsonToken.VALUE_NUMBER_INT, "a whole number");
    return from;
  }

  static double readDouble(JsonParser from) throws IOException {
    if (!from.currentToken().isNumeric()) {
      throw new Damage("must be a number");
    }
    return from.getDoubleValue();
  }

  static String readText(JsonParser from) throws IOException {
    require(from, JsonToken.VALUE_STRING, "text");
    return from.getText();
  }

  static Codec optional(Codec content) {
    return Codec.<Optional<?>, Object>mapped(
        Optional.empty(), content, Optional::orElseThrow, Optional::of);
  }

  static Codec list(Codec content, Spelling spelling) {
    return Codec.<List<?>>of(
        List.of(),
        (values, to) -> {
          spelling.startArray(to, values.size());
          for (Object each : values) {
            content.write(each, to);
          }
          to.writeEndArray();
        },
        from -> {
          require(from, JsonToken.START_ARRAY, "a list");
          List<Object> values = new ArrayList<>();
          while (next(from) != JsonToken.END_ARRAY) {
            values.add(content.readAt("[" + values.size() + "]", from));
          }
          return values;
        });
  }

  /** Returns the codec of an object with members of one type, in the order of the map. */
  static Codec map(Codec content, Spelling spelling) {
    return Codec.<Map<String, ?>>of(
        Map.of(),
        (values, to) -> {
          spelling.startObject(to, values.size());
          for (Map.Entry<String, ?> each : values.entrySet()) {
            to.writeFieldName(each.getKey());
            content.write(each.getValue(), to);
          }
          to.writeEndObject();
        },
        from -> {
          require(from, JsonToken.START_OBJECT, "an object");
          Map<String, Object> values = new LinkedHashMap<>();
          while (next(from) != JsonToken.END_OBJECT) {
            String name = from.currentName();
            next(from);
            if (values.put(name, content.readAt(name, from)) != null) {
              throw new Damage("is there twice").in(name);
            }
          }
          return values;
        });
  }

  /** Text, numbers, booleans, lists and maps, as policies save them. */
  private static final class PlainCodec extends Codec {
    private final Codec lists = list(this, Spelling.PLAIN);
    private final Codec maps = map(this, Spelling.PLAIN);

    @Override
    void write(Object value, JsonGenerator to) throws IOException {
      Codec codec =
          value instanceof String
              ? TEXT
              : value instanceof Long
                  ? LONG
                  : value instanceof Double
                      ? DOUBLE
                      : value instanceof Boolean
                          ? BOOLEAN
                          : value instanceof List<?> ? lists : maps;
      codec.write(value, to);
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
}
