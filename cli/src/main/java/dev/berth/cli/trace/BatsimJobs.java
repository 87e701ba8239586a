package dev.berth.cli.trace;

import dev.berth.report.CsvText;
import dev.berth.report.TimelineChart;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.End;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The requests of runs with the columns of Batsim's {@code jobs.csv}, which Evalys draws. The
 * policy is the {@code workload_name}, the class the {@code profile}. A resource is a lane of a
 * host, counted over all hosts, and a request has one: of its last stay. Times are in seconds.
 */
final class BatsimJobs {

  private BatsimJobs() {}

  static void write(List<TimelineChart.Run> runs, OutputStream out) throws IOException {
    write(
        out,
        "job_id",
        "workload_name",
        "profile",
        "submission_time",
        "requested_number_of_resources",
        "requested_time",
        "success",
        "starting_time",
        "execution_time",
        "finish_time",
        "waiting_time",
        "turnaround_time",
        "stretch",
        "allocated_resources");
    for (TimelineChart.Run each : runs) {
      write(each.name(), each.timeline(), out);
    }
  }

  private static void write(OutputStream out, String... cells) throws IOException {
    out.write((CsvText.line(List.of(cells)) + '\n').getBytes(StandardCharsets.UTF_8));
  }

  private static void write(String policy, RunTimeline timeline, OutputStream out)
      throws IOException {
    RequestRows rows = new RequestRows(timeline);
    int[] firstLanes = RunTrace.firstLanes(timeline);
    for (int i = 0; i < rows.size(); i++) {
      long submitted = rows.submitted(i);
      long started = rows.started(i);
      long ended = rows.ended(i);
      boolean ran = rows.ran(i);
      long execution = ended - started;
      write(
          out,
          rows.id(i),
          policy,
          rows.serviceClass(i),
          seconds(submitted),
          "1",
          "",
          rows.end(i) == End.COMPLETED ? "1" : "0",
          ran ? seconds(started) : "",
          ran ? seconds(execution) : "",
          seconds(ended),
          ran ? seconds(started - submitted) : "",
          seconds(ended - submitted),
          ran && execution > 0 ? Double.toString((double) (ended - submitted) / execution) : "",
          ran ? Integer.toString(firstLanes[rows.host(i)] + rows.lane(i)) : "");
    }
  }

  private static String seconds(long nanos) {
    return Double.toString(nanos / 1e9);
  }
}
