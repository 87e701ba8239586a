package dev.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes and reads the values of one type. */
abstract class Codec {

  interface Writer<V> {
    void write(V value, JsonGenerator to) throws IOException;
  }

  interface Reader<V> {
    V read(JsonParser from) throws IOException;
  }

  /** Returns a codec that writes and reads like this. */
  static <V> Codec of(@Nullable V missing, Writer<V> writer, Reader<V> reader) {
    return new Codec() {
      @Override
      @SuppressWarnings("unchecked") // the codec of a type is only used for its values
      void write(Object value, JsonGenerator to) throws IOException {
        writer.write((V) value, to);
      }

      @Override
      Object read(JsonParser from) throws IOException {
        return reader.read(from);
      }

      @Override
      @Nullable Object missing() {
        return missing;
      }
    };
  }

  /** Returns the codec of values that are written as values of another type. */
  @SuppressWarnings("unchecked") // the content is what the codec of its type reads
  static <V, C> Codec mapped(
      @Nullable V missing, Codec content, Function<V, C> toContent, Function<C, V> toValue) {
    return Codec.<V>of(
        missing,
        (value, to) -> content.write(toContent.apply(value), to),
        from -> {
          C read = (C) content.read(from);
          try {
            return toValue.apply(read);
          } catch (IllegalArgumentException refused) {
            throw new Damage("is refused: " + refused.getMessage());
          }
        });
  }

  abstract void write(Object value, JsonGenerator to) throws IOException;

  /** Reads a value, of which the parser is at the first token; leaves it at the last one. */
  abstract Object read(JsonParser from) throws IOException;

  /** Returns the value that is left out; null if none is. */
  @Nullable Object missing() {
    return null;
  }

  /** Reads a value in a place that messages name. */
  final Object readAt(String place, JsonParser from) throws IOException {
    try {
      return read(from);
    } catch (Damage damage) {
      throw damage.in(place);
    }
  }

  /** Moves on to the next token, which must be there. */
  static JsonToken next(JsonParser from) throws IOException {
    JsonToken token = from.nextToken();
    if (token == null) {
      throw new Damage("ends too early");
    }
    return token;
  }

  static void require(JsonParser from, JsonToken token, String what) {
    if (from.currentToken() != token) {
      throw new Damage("must be " + what);
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
