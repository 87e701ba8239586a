package dev.berth.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes and reads a snapshot: its version and its digest first, then its other components. */
final class SnapshotCodec {

  private static final String FORMAT = "format";
  private static final String DIGEST = "digest";
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{16}");
  private static final RecordCodec SNAPSHOT = RecordCodec.of(SchedulerSnapshot.class);

  private SnapshotCodec() {}

  static void write(SchedulerSnapshot snapshot, JsonGenerator to) throws IOException {
    to.writeStartObject();
    to.writeNumberField(FORMAT, snapshot.format());
    to.writeStringField(DIGEST, hex(snapshot.checksum()));
    SNAPSHOT.writeComponents(snapshot, to, 1);
    to.writeEndObject();
  }

  private static String hex(long digest) {
    return String.format(Locale.ROOT, "%016x", digest);
  }

  /**
   * Reads a snapshot.
   *
   * @param checksum receives the one that was written
   */
  static SchedulerSnapshot read(JsonParser from, LongConsumer checksum) throws IOException {
    if (from.nextToken() != JsonToken.START_OBJECT
        || !FORMAT.equals(from.nextFieldName())
        || from.nextToken() != JsonToken.VALUE_NUMBER_INT) {
      throw damaged("it does not begin with its format");
    }
    int format = from.getIntValue();
    if (format < 1 || format > SchedulerSnapshot.FORMAT) {
      throw new SnapshotException(
          List.of(
              "it is of format %s, this version of Berth reads formats up to %s"
                  .formatted(format, SchedulerSnapshot.FORMAT)));
    }
    if (!DIGEST.equals(from.nextFieldName()) || from.nextToken() != JsonToken.VALUE_STRING) {
      throw damaged("its digest is missing after its format");
    }
    String digest = from.getText();
    if (!HEX.matcher(digest).matches()) {
      throw damaged("its digest is " + digest + ", must be 16 hexadecimal digits");
    }
    checksum.accept(Long.parseUnsignedLong(digest, 16));
    @Nullable Object[] values = SNAPSHOT.newValues();
    values[0] = format;
    SchedulerSnapshot snapshot;
    try {
      Codec.next(from);
      SNAPSHOT.readComponents(values, from);
      snapshot = (SchedulerSnapshot) SNAPSHOT.make(values);
    } catch (Codec.Damage damage) {
      throw damaged(damage.describe());
    }
    if (from.nextToken() != null) {
      throw damaged("something follows its end");
    }
    return snapshot;
  }

  private static SnapshotException damaged(String how) {
    return new SnapshotException(List.of("is damaged: " + how));
  }
}
