package dev.berth.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;

/** The content of a file of Apache Parquet. */
public record ParquetRows(List<ColumnChunkMetaData> chunks, List<Group> rows) {

  /** Reads a file. */
  public static ParquetRows read(Path file) throws IOException {
    List<ColumnChunkMetaData> chunks = new ArrayList<>();
    List<Group> rows = new ArrayList<>();
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
      MessageType schema = reader.getFileMetaData().getSchema();
      for (var group = reader.readNextRowGroup();
          group != null;
          group = reader.readNextRowGroup()) {
        RecordReader<Group> next =
            new ColumnIOFactory()
                .getColumnIO(schema)
                .getRecordReader(group, new GroupRecordConverter(schema));
        for (long i = 0; i < group.getRowCount(); i++) {
          rows.add(next.read());
        }
      }
      reader.getRowGroups().forEach(each -> chunks.addAll(each.getColumns()));
      return new ParquetRows(chunks, rows);
    }
  }

  /** Returns a value, or an empty text if the row has none. */
  public static String cell(Group row, String column) {
    return row.getFieldRepetitionCount(column) == 0
        ? ""
        : row.getValueToString(row.getType().getFieldIndex(column), 0);
  }
}
