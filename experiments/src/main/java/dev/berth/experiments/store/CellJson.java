package dev.berth.experiments.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.berth.simulator.metrics.RunMetrics;
import dev.berth.simulator.result.RunResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Measurements as JSON. Reading and writing again gives the same bytes. */
public final class CellJson {

  private static final JsonMapper MAPPER =
      // Its own way to write doubles: that of the JDK has changed between versions.
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build())
          .addModule(new Jdk8Module())
          .addModule(
              new SimpleModule()
                  .addSerializer(Duration.class, ToStringSerializer.instance)
                  .addDeserializer(Duration.class, new Reader()))
          .build();

  private CellJson() {}

  /** Returns a value as JSON. */
  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** Returns a value as JSON in one line. */
  public static String line(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns measurements as compressed JSON. */
  static byte[] deflated(RunMetrics metrics) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    MAPPER.writeValue(new DeflaterOutputStream(bytes), metrics);
    return bytes.toByteArray();
  }

  /** Reads what {@link #deflated} returned. */
  static RunMetrics metrics(InputStream deflated) throws IOException {
    return MAPPER.readValue(new InflaterInputStream(deflated), RunMetrics.class);
  }

  /** Reads the first part of what {@link #deflated} returned: the totals. */
  static RunResult totals(InputStream deflated) throws IOException {
    try (JsonParser json = MAPPER.createParser(new InflaterInputStream(deflated))) {
      json.nextToken();
      json.nextToken();
      json.nextToken(); // past the name of the first component
      return MAPPER.readValue(json, RunResult.class);
    }
  }

  /** Returns a writer of lines, one for each value. */
  static SequenceWriter lines(java.io.Writer out) throws IOException {
    return MAPPER.writer().withRootValueSeparator("\n").writeValues(out);
  }

  /** Reads what a writer of {@link #lines} wrote. */
  static <T> MappingIterator<T> lines(java.io.Reader in, Class<T> type) throws IOException {
    return MAPPER.readerFor(type).readValues(in);
  }

  private static final class Reader extends StdDeserializer<Duration> {

    private static final long serialVersionUID = 1;

    Reader() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return Duration.parse(in.getText());
    }
  }
}
