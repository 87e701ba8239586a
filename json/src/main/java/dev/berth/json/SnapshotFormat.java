package dev.berth.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import dev.berth.api.Experimental;
import dev.berth.core.error.SnapshotException;
import dev.berth.core.snapshot.SchedulerSnapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The formats in which snapshots of schedulers are written. Both have the same structure: that of
 * {@link SchedulerSnapshot}, without components that are empty, zero or false. Before the other
 * components come the version of the structure and the {@linkplain SchedulerSnapshot#digest digest}
 * of all of them, by which a reader finds damage.
 *
 * <p>The same snapshot is always written as the same bytes. Snapshots are written and read as
 * streams, without a copy in memory. Safe for use by several threads.
 */
@Experimental
public enum SnapshotFormat {
  /** JSON in one line (RFC 8259), in UTF-8. */
  JSON(new JsonFactory()),
  /** CBOR (RFC 8949), in which repeated text is written once; about half the size. */
  CBOR(CBORFactory.builder().enable(CBORGenerator.Feature.STRINGREF).build());

  @SuppressWarnings("ImmutableEnumChecker") // a factory does not change once it is in use
  private final JsonFactory factory;

  SnapshotFormat(JsonFactory factory) {
    this.factory = factory;
  }

  /**
   * Writes a snapshot. Leaves the stream open.
   *
   * @throws IOException if the stream throws it, or an id has half a character, which has no UTF-8
   */
  public void write(SchedulerSnapshot snapshot, OutputStream to) throws IOException {
    Objects.requireNonNull(snapshot, "snapshot");
    Objects.requireNonNull(to, "to");
    try (JsonGenerator generator = factory.createGenerator(to)) {
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      SnapshotCodec.write(snapshot, generator);
    }
  }

  /**
   * Reads a snapshot up to the end of a stream. Leaves the stream open.
   *
   * @throws SnapshotException if the version is unknown, or the snapshot damaged
   * @throws IOException if the stream throws it
   */
  public SchedulerSnapshot read(InputStream from) throws IOException {
    AtomicLong checksum = new AtomicLong();
    SchedulerSnapshot snapshot = read(from, checksum::set);
    snapshot.requireChecksum(checksum.get());
    return snapshot;
  }

  /**
   * Reads a snapshot up to the end of a stream, and leaves it to the caller to {@linkplain
   * SchedulerSnapshot#requireChecksum require} the checksum. Leaves the stream open.
   *
   * @param checksum receives the one that was written
   * @throws SnapshotException if the version is unknown, or no snapshot can be read
   * @throws IOException if the stream throws it
   */
  public SchedulerSnapshot read(InputStream from, LongConsumer checksum) throws IOException {
    Objects.requireNonNull(checksum, "checksum");
    Objects.requireNonNull(from, "from");
    try (JsonParser parser = factory.createParser(from)) {
      parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      return SnapshotCodec.read(parser, checksum);
    } catch (JsonProcessingException malformed) {
      throw new SnapshotException(
          "is damaged: %s, %s"
              .formatted(
                  malformed.getOriginalMessage(),
                  malformed.getLocation() == null
                      ? "somewhere"
                      : malformed.getLocation().offsetDescription()),
          malformed);
    }
  }

  /** Returns a snapshot in this format. */
  public byte[] toBytes(SchedulerSnapshot snapshot) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(snapshot, bytes);
    } catch (IOException unwritable) { // half a character, since the bytes are in memory
      throw new UncheckedIOException(unwritable);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a snapshot in this format.
   *
   * @throws SnapshotException if the version is unknown, or the snapshot damaged
   */
  public SchedulerSnapshot fromBytes(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    try {
      return read(new ByteArrayInputStream(bytes));
    } catch (IOException impossible) { // the bytes are in memory
      throw new UncheckedIOException(impossible);
    }
  }
}
