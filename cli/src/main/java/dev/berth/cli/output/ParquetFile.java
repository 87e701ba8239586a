package dev.berth.cli.output;

import dev.berth.experiments.page.ResultTable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Function;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.DelegatingPositionOutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/** Files of Apache Parquet. */
public final class ParquetFile {

  private static final int ROWS = 100_000; // of a group, which is held until it is written

  private ParquetFile() {}

  /** Writes a table and leaves the stream open. All columns are optional. */
  static <R> void write(ResultTable<R> table, OutputStream out) throws IOException {
    List<ResultTable.Column<R>> columns = table.columns();
    MessageType schema =
        new MessageType(
            table.name(),
            columns.stream()
                .map((Function<ResultTable.Column<R>, Type>) ParquetFile::type)
                .toList());
    try (ParquetWriter<Group> writer = writer(schema, out)) {
      table
          .rows()
          .each(
              row -> {
                Group group = new SimpleGroup(schema);
                for (int i = 0; i < columns.size(); i++) {
                  Object value = columns.get(i).of().apply(row);
                  if (value instanceof String text) {
                    group.add(i, text);
                  } else if (value instanceof Long number) {
                    group.add(i, (long) number);
                  } else if (value instanceof Double number) {
                    group.add(i, (double) number);
                  } else if (value instanceof Boolean truth) {
                    group.add(i, (boolean) truth);
                  }
                }
                writer.write(group);
              });
    }
  }

  private static Type type(ResultTable.Column<?> column) {
    return switch (column.type()) {
      case TEXT ->
          Types.optional(PrimitiveTypeName.BINARY)
              .as(LogicalTypeAnnotation.stringType())
              .named(column.name());
      case WHOLE -> Types.optional(PrimitiveTypeName.INT64).named(column.name());
      case NUMBER -> Types.optional(PrimitiveTypeName.DOUBLE).named(column.name());
      case TRUTH -> Types.optional(PrimitiveTypeName.BOOLEAN).named(column.name());
    };
  }

  /**
   * Returns a writer of rows; the stream stays open. The same rows give the same bytes.
   *
   * <p>The list of a column's encodings in the file is in the order of their identity hash codes.
   * Pages of version 2 without dictionaries have one encoding.
   */
  public static ParquetWriter<Group> writer(MessageType schema, OutputStream out)
      throws IOException {
    return ExampleParquetWriter.builder(new Sequential(out))
        .withType(schema)
        .withConf(new PlainParquetConfiguration())
        .withCompressionCodec(CompressionCodecName.ZSTD)
        .withWriterVersion(WriterVersion.PARQUET_2_0)
        .withDictionaryEncoding(false)
        .withRowGroupRowCountLimit(ROWS)
        .build();
  }

  /** A file that is written from front to back; its stream stays open. */
  private record Sequential(OutputStream out) implements OutputFile {

    @Override
    public PositionOutputStream create(long blockSize) {
      return new Counting(out);
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSize) {
      return create(blockSize);
    }

    @Override
    public boolean supportsBlockSize() {
      return false;
    }

    @Override
    public long defaultBlockSize() {
      return 0;
    }
  }

  private static final class Counting extends DelegatingPositionOutputStream {

    private long written;

    Counting(OutputStream out) {
      super(out);
    }

    @Override
    public long getPos() {
      return written;
    }

    @Override
    public void write(int value) throws IOException {
      super.write(value);
      written++;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      super.write(bytes, from, length);
      written += length;
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
