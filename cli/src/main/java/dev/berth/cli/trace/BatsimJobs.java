package dev.berth.cli.trace;

import dev.berth.report.CsvText;
import dev.berth.report.TimelineChart;
import dev.berth.timeline.RunTimeline;
import dev.berth.timeline.RunTimeline.End;
import dev.berth.timeline.RunTimeline.State;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The requests of runs with the columns of Batsim's {@code jobs.csv}, which Evalys draws. The
 * policy is the {@code workload_name}, the class the {@code profile}. A resource is a lane of a
 * host, counted over all hosts, and a request has one: of its last stay. Times are in seconds.
 */
final class BatsimJobs {

  private static final long NEVER = -1;

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
    RunTimeline.Instances instances = timeline.instances();
    RunTimeline.Spans spans = timeline.spans();
    int[] firstLanes = RunTrace.firstLanes(timeline);
    long[] started = new long[instances.ids().size()];
    long[] resource = new long[started.length];
    Arrays.fill(started, NEVER);
    for (int i = 0; i < spans.from().size(); i++) {
      if (spans.lane().get(i) >= 0) {
        int instance = spans.instance().index(i);
        resource[instance] = firstLanes[spans.host().index(i)] + spans.lane().get(i);
        if (spans.state().is(i, State.RUNNING) && started[instance] == NEVER) {
          started[instance] = spans.from().get(i);
        }
      }
    }
    for (int i = 0; i < started.length; i++) {
      long submitted = instances.submitted().get(i);
      long ended = instances.ended().get(i);
      boolean ran = started[i] != NEVER;
      long execution = ended - started[i];
      write(
          out,
          instances.ids().get(i),
          policy,
          timeline.classes().get(instances.serviceClass().index(i)).name(),
          seconds(submitted),
          "1",
          "",
          instances.end().is(i, End.COMPLETED) ? "1" : "0",
          ran ? seconds(started[i]) : "",
          ran ? seconds(execution) : "",
          seconds(ended),
          ran ? seconds(started[i] - submitted) : "",
          seconds(ended - submitted),
          ran && execution > 0 ? Double.toString((double) (ended - submitted) / execution) : "",
          ran ? Long.toString(resource[i]) : "");
    }
  }

  private static String seconds(long nanos) {
    return Double.toString(nanos / 1e9);
  }
}
