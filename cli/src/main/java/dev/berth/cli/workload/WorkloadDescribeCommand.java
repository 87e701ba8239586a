package dev.berth.cli.workload;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.Inputs;
import dev.berth.cli.input.WorkloadParameter;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.core.config.Durations;
import dev.berth.report.render.TextRenderer;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.prepare.DemandSample;
import dev.berth.traces.prepare.WorkloadDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth workload describe}: shows the properties of a workload. */
@Command(
    name = "describe",
    header = "Shows the size, distributions and demand over time of a workload.",
    description =
        "Counts requests, jobs and users. To find the demand over time, simulates one infinite host, "
            + "where each request starts on admission (QoS-driven scheduling, figures 1 and 2).",
    footer = {
      "  berth workload describe validation-1",
      "  berth workload describe trace.csv.gz --interval 1m --json demand.json"
    })
final class WorkloadDescribeCommand extends SessionCommand implements Runnable {

  private static final int ROWS = 24;
  private static final long MOST_ROWS = 10_000_000;
  private static final long SECOND = 1_000_000_000L;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      description = "Time between two samples shown; default: one that gives about 24 samples.")
  private @Nullable Duration interval;

  @Option(
      names = "--until",
      paramLabel = "DURATION",
      description = "Time of the last sample shown; default: the last admission.")
  private @Nullable Duration until;

  @Mixin private JsonTarget json = new JsonTarget();

  @Mixin private WorkloadParameter input = new WorkloadParameter();

  @Override
  public void run() {
    json.check();
    try (ProgressDisplay display = session().progress()) {
      describe(display);
    }
  }

  private void describe(ProgressDisplay display) {
    Workload workload = input.read(session(), display);
    display.begin("distributions");
    WorkloadDescription description = Inputs.checked(() -> WorkloadDescription.of(workload));
    long end = until == null ? shown(description) : until.toNanos();
    Duration apart = interval == null ? apart(description, end) : interval;
    requireRows(description, apart, end);
    List<DemandSample> series = new ArrayList<>();
    display.begin("demand over time");
    Inputs.checked(
        () ->
            WorkloadDescription.of(
                workload,
                apart,
                sample -> {
                  if (sample.at() <= end) {
                    series.add(sample);
                  }
                }));
    display.close();
    json.write(
        out(),
        () -> new TextRenderer().render(DescriptionDocument.of(description, series)),
        DescriptionJson.of(description, apart, series));
  }

  /** Returns the last admission; if all requests are admitted at one time, the end. */
  private static long shown(WorkloadDescription description) {
    return description.lastAdmission() > description.firstAdmission()
        ? description.lastAdmission()
        : description.lastEnd();
  }

  private static void requireRows(WorkloadDescription description, Duration apart, long end) {
    long rows = Math.max(0, end - description.firstAdmission()) / Math.max(1, apart.toNanos());
    BadInputException.unless(
        rows <= MOST_ROWS,
        "--interval was %s, which makes %s samples, must make at most %s."
            .formatted(Durations.format(apart), rows, MOST_ROWS));
  }

  /** Returns an interval in whole seconds. */
  private static Duration apart(WorkloadDescription description, long end) {
    long nanos = Math.max(0, end - description.firstAdmission()) / ROWS;
    return Duration.ofSeconds(nanos / SECOND + 1);
  }
}
