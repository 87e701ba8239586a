package dev.berth.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import dev.berth.api.Experimental;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes the values of one type as CBOR (RFC 8949) or JSON, and reads them back.
 *
 * <p>Types that have a format:
 *
 * <ul>
 *   <li>The records of the API, and other public records made of such types: an object with a
 *       member for each component. A component that is empty, zero or false is left out.
 *   <li>Sealed interfaces of records, such as {@code Action}: an object with one member, which
 *       names the record. Enums: their name.
 *   <li>{@code Request}, {@code Resources}, {@code ServiceClass}, {@code MemoryProfile} and {@code
 *       PerformanceMemoryProfile}. Service classes are written by their properties, and an {@code
 *       Adoption} with the components of its history.
 *   <li>Text, {@code long}, {@code int}, {@code double}, {@code boolean}, and {@code Duration} as
 *       nanoseconds.
 *   <li>{@code List}, {@code Optional}, {@code Map} with text as keys, and {@code Set} of values
 *       that have an order.
 * </ul>
 *
 * <p>A value that is read equals the one that was written, in all that its methods return. The same
 * value is always the same bytes and the same text; maps and sets are written in ascending order. A
 * reader refuses unknown members, and values that the constructors of the API refuse.
 *
 * <p>This class differs from {@link BerthJson}: that one writes JSON for people and other programs,
 * with times in seconds, which is not read back. Safe for use by several threads.
 *
 * @param <T> the type
 */
@Experimental
public final class ValueFormat<T> {

  /** The longest text that is read, in characters. */
  private static final int LONGEST_TEXT = 20_000_000;

  /** From this size on, CBOR is written with references to repeated text, where that is shorter. */
  private static final int WORTH_REFERENCES = 256;

  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder()
          .maxStringLength(LONGEST_TEXT)
          .maxNameLength(LONGEST_TEXT)
          .build();

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(LIMITS)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private static final CBORFactory CBOR =
      CBORFactory.builder()
          .streamReadConstraints(LIMITS)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(CBORGenerator.Feature.WRITE_MINIMAL_DOUBLES)
          .build();

  private static final CBORFactory CBOR_WITH_REFERENCES =
      CBOR.rebuild().enable(CBORGenerator.Feature.STRINGREF).build();

  private final Class<T> type;
  private final Codec codec;

  private ValueFormat(Class<T> type, List<String> names, Map<Class<?>, String> records) {
    this.type = type;
    this.codec = new ValueCodecs(Spelling.sized(names, records)).of(type);
  }

  /**
   * Returns the format of a type. Keep it: making one is slow.
   *
   * @throws IllegalArgumentException if the type, or one that it contains, has no format
   */
  public static <T> ValueFormat<T> of(Class<T> type) {
    return of(type, List.of(), Map.of());
  }

  /**
   * Returns the format of a type, with short CBOR.
   *
   * @param names names of components and records, which CBOR has as their place in this list. Later
   *     versions may only add names at its end. Other names are text
   * @param records the names of records that are renamed but were stored under an earlier name; the
   *     others have their simple name
   * @throws IllegalArgumentException if the type, or one that it contains, has no format, or a name
   *     is given twice
   */
  public static <T> ValueFormat<T> of(
      Class<T> type, List<String> names, Map<Class<?>, String> records) {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(names, "names");
    Objects.requireNonNull(records, "records");
    return new ValueFormat<>(type, names, Map.copyOf(records));
  }

  /**
   * Returns a value as CBOR.
   *
   * @throws IllegalArgumentException if a text in it has half a character, which has no UTF-8
   */
  public byte[] toCbor(T value) {
    Objects.requireNonNull(value, "value");
    byte[] plain = toCbor(value, CBOR);
    if (plain.length < WORTH_REFERENCES) {
      return plain;
    }
    byte[] referring = toCbor(value, CBOR_WITH_REFERENCES);
    return referring.length < plain.length ? referring : plain;
  }

  private byte[] toCbor(T value, CBORFactory factory) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator generator = factory.createGenerator(bytes)) {
      codec.write(value, generator);
    } catch (IOException impossible) { // the bytes are in memory
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a value from CBOR.
   *
   * @throws UnreadableException if it is damaged, or has members that this version does not know
   */
  public T fromCbor(byte[] cbor) {
    Objects.requireNonNull(cbor, "cbor");
    return fromCbor(cbor, 0, cbor.length);
  }

  /**
   * Reads a value from CBOR, which is a part of an array.
   *
   * @throws UnreadableException if it is damaged, or has members that this version does not know
   * @throws IndexOutOfBoundsException if the array has no such part
   */
  public T fromCbor(byte[] cbor, int offset, int length) {
    Objects.requireNonNull(cbor, "cbor");
    Objects.checkFromIndexSize(offset, length, cbor.length);
    try (JsonParser parser = CBOR.createParser(cbor, offset, length)) {
      return read(parser);
    } catch (IOException malformed) {
      throw damaged(malformed);
    }
  }

  /**
   * Returns a value as JSON in one line.
   *
   * @throws IllegalArgumentException if a text in it has half a character, which has no UTF-8
   */
  public String toJson(T value) {
    Objects.requireNonNull(value, "value");
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      codec.write(value, generator);
    } catch (IOException impossible) { // the text is in memory
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  /**
   * Reads a value from JSON.
   *
   * @throws UnreadableException if it is damaged, or has members that this version does not know
   */
  public T fromJson(String json) {
    Objects.requireNonNull(json, "json");
    try (JsonParser parser = JSON.createParser(json)) {
      return read(parser);
    } catch (IOException malformed) {
      throw damaged(malformed);
    }
  }

  private T read(JsonParser from) throws IOException {
    try {
      Codec.next(from);
      Object value = codec.read(from);
      JsonToken after = from.nextToken();
      if (after != null) {
        throw new Codec.Damage("must end, but something follows");
      }
      return type.cast(value);
    } catch (Codec.Damage damage) {
      throw new UnreadableException(message(damage.describe()));
    }
  }

  private UnreadableException damaged(IOException malformed) {
    String where =
        malformed instanceof JsonProcessingException known && known.getLocation() != null
            ? ", " + known.getLocation().offsetDescription()
            : "";
    String what =
        malformed instanceof JsonProcessingException known
            ? known.getOriginalMessage()
            : String.valueOf(malformed.getMessage());
    UnreadableException error = new UnreadableException(message(what + where));
    error.initCause(malformed);
    return error;
  }

  private String message(String what) {
    return "%s is damaged: %s%s"
        .formatted(type.getSimpleName(), what, what.endsWith(".") ? "" : ".");
  }

  /** Returns the type, for messages. */
  @Override
  public String toString() {
    return "format of " + type.getSimpleName();
  }
}
