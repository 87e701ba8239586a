package dev.berth.cli.trace;

import dev.berth.cli.output.ParquetFile;
import dev.berth.report.TimelineChart;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.End;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** The requests of runs as Parquet, a row each. Times are in nanoseconds. */
final class ParquetRequests {

  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message request {
            required binary policy (STRING);
            required binary id (STRING);
            required binary class (STRING);
            required int64 submitted_ns;
            optional int64 started_ns;
            optional int64 ended_ns;
            optional binary host (STRING);
            optional int32 lane;
            required int32 preemptions;
            required int64 service_ns;
            required int64 waiting_ns;
            required boolean met;
            required binary outcome (STRING);
          }
          """);

  private ParquetRequests() {}

  static void write(List<TimelineChart.Run> runs, OutputStream out) throws IOException {
    try (ParquetWriter<Group> writer = ParquetFile.writer(SCHEMA, out)) {
      for (TimelineChart.Run each : runs) {
        RunTimeline timeline = each.timeline();
        RequestRows rows = new RequestRows(timeline);
        for (int i = 0; i < rows.size(); i++) {
          writer.write(row(each.name(), timeline, rows, i));
        }
      }
    }
  }

  private static Group row(String policy, RunTimeline timeline, RequestRows rows, int request) {
    Group row = new SimpleGroup(SCHEMA);
    row.add("policy", policy);
    row.add("id", rows.id(request));
    row.add("class", rows.serviceClass(request));
    row.add("submitted_ns", rows.submitted(request));
    if (rows.ran(request)) {
      row.add("started_ns", rows.started(request));
    }
    End end = rows.end(request);
    if (end != End.UNFINISHED) {
      row.add("ended_ns", rows.ended(request));
    }
    if (rows.wasPlaced(request)) {
      row.add("host", timeline.hosts().get(rows.host(request)).name());
      row.add("lane", rows.lane(request));
    }
    row.add("preemptions", rows.preemptions(request));
    row.add("service_ns", rows.service(request));
    row.add("waiting_ns", rows.waiting(request));
    row.add("met", rows.met(request));
    row.add("outcome", end.name().toLowerCase(Locale.ROOT));
    return row;
  }
}
