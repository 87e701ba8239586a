package dev.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes and reads the values of one type. */
abstract class Codec {

  abstract void write(Object value, JsonGenerator to) throws IOException;

  /** Reads a value, of which the parser is at the first token; leaves it at the last one. */
  abstract Object read(JsonParser from) throws IOException;

  /** Returns the value that is left out; null if none is. */
  @Nullable Object missing() {
    return null;
  }

  /** Moves on to the next token, which must be there. */
  static JsonToken next(JsonParser from) throws IOException {
    JsonToken token = from.nextToken();
    if (token == null) {
      throw new RecordCodec.Damage("ends too early");
    }
    return token;
  }

  static void require(JsonParser from, JsonToken token, String what) {
    if (from.currentToken() != token) {
      throw new RecordCodec.Damage("must be " + what);
    }
  }
}
