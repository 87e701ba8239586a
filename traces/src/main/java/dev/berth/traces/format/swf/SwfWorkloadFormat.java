package dev.berth.traces.format.swf;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.Lines;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.HostAttributes;
import dev.berth.traces.internal.OrderingWindow;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.SkipReport;
import dev.berth.traces.spi.WorkloadFormat;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Workloads in the Standard Workload Format of the Parallel Workloads Archive. Jobs that ran become
 * requests of the least important class.
 *
 * <p>The demand for cores is the number of processors used, or else the number requested. The
 * demand for memory is the memory requested, or else used, times the processors: the format gives
 * it for each processor in units of 1,024 bytes. It is 0 if neither is known. The requested time is
 * the estimate. A job starts {@linkplain Request#after after} its preceding job; the think time
 * between the two is not read, since submit times are those of the log. Time begins with the first
 * job. The format skips jobs without a known submit time, run time or number of processors.
 *
 * <p>Logs of MetaCentrum have three more columns, with the hosts used and the nodes requested.
 * Their memory is in bytes for each node. A requested or excluded cluster becomes a constraint on
 * the attribute {@code cluster}. A negative run time marks a job that had not ended.
 *
 * <p>Some logs are slightly out of order. The reader sorts jobs within a window of {@value #WINDOW}
 * jobs and refuses a log that is out of order beyond it.
 */
final class SwfWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

  static final String NO_SUBMIT_TIME = "job without a submit time";
  static final String DID_NOT_RUN = "job without a run time";
  static final String NO_PROCESSORS = "job without processors";

  private static final int WINDOW = 10_000;
  private static final int MOST_PROCESSORS = 100_000_000;
  private static final long KIB = 1_024;
  private static final Shape JOB = Shape.of("(?:-?[0-9.]++\\s++){17}+\\S");
  private static final Shape CHUNKS = Shape.of("(?:^|\\+)([0-9]{1,6})(?=[:+#]|$)");
  private static final Shape CLUSTER = Shape.of(":(\\^?)cl_([a-z0-9_]++)");

  SwfWorkloadFormat() {
    super("swf", "the Standard Workload Format: jobs that ran", SwfWorkloadFormat::looksLikeSwf);
  }

  private static boolean looksLikeSwf(Input input) {
    return input
        .firstLine()
        .filter(line -> SwfRow.isComment(line) ? hasJobAfterComments(input) : JOB.begins(line))
        .isPresent();
  }

  /**
   * Returns whether the first line that is not a comment is a job: other files also begin with ;.
   */
  private static boolean hasJobAfterComments(Input input) {
    try (Lines lines = input.open()) {
      String line = lines.next();
      while (line != null && SwfRow.isComment(line)) {
        line = lines.next();
      }
      return line != null && JOB.begins(line);
    }
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return skips -> {
      Jobs jobs = new Jobs(classes.leastImportant().name(), skips);
      return Entries.ofSome(
          new OrderingWindow<>(WINDOW, Entries.ofSome(SwfRow.rows(input), jobs::job)),
          jobs::arrival);
    };
  }

  private record Job(Request request, long runTime) {}

  private static final class Jobs {

    private final String serviceClass;
    private final SkipReport skips;
    private OptionalLong begin = OptionalLong.empty();

    Jobs(String serviceClass, SkipReport skips) {
      this.serviceClass = serviceClass;
      this.skips = skips;
    }

    /** Returns an arrival at the time since the first one. */
    Optional<Arrival> arrival(OrderingWindow.Timed<Job> timed) {
      if (begin.isEmpty()) {
        begin = OptionalLong.of(timed.at());
      }
      Job job = timed.entry();
      return Optional.of(new Arrival(timed.at() - begin.getAsLong(), job.request, job.runTime));
    }

    Optional<OrderingWindow.Timed<Job>> job(SwfRow row) {
      Field submitField = row.field("submit time", SwfRow.SUBMIT);
      OptionalLong submit =
          row.knows(SwfRow.SUBMIT) ? OptionalLong.of(submitField.nanos()) : OptionalLong.empty();
      Field id = row.field("job number", SwfRow.NUMBER);
      long number = id.wholeLong(0, Integer.MAX_VALUE);
      OptionalLong preceding =
          row.hasNodes() // such logs always have 1
              ? OptionalLong.empty()
              : row.positive("preceding job", SwfRow.PRECEDING, Integer.MAX_VALUE);
      if (preceding.isPresent() && preceding.getAsLong() == number) {
        throw row.field("preceding job", SwfRow.PRECEDING).error("must be another job");
      }
      long runTime = runTime(row);
      OptionalLong used = row.positive("processors", SwfRow.PROCESSORS, MOST_PROCESSORS);
      OptionalLong asked =
          row.positive("asked processors", SwfRow.ASKED_PROCESSORS, MOST_PROCESSORS);
      Optional<String> user =
          row.knows(SwfRow.USER)
              ? Optional.of(
                  Long.toString(row.field("user", SwfRow.USER).wholeLong(0, Integer.MAX_VALUE)))
              : Optional.empty();
      long estimate = row.estimate();
      if (submit.isEmpty()) {
        return skips.skip(NO_SUBMIT_TIME);
      }
      if (runTime == 0 || (used.isEmpty() && asked.isEmpty())) {
        return skips.skip(runTime == 0 ? DID_NOT_RUN : NO_PROCESSORS);
      }
      long processors = used.isPresent() ? used.getAsLong() : asked.getAsLong();
      Request.Builder builder =
          Request.builder(id.text(), serviceClass)
              .demand(
                  Resources.of(
                      Dimension.CPU,
                      Dimension.CPU.units(BigDecimal.valueOf(processors)),
                      Dimension.MEMORY,
                      memory(row, processors)));
      if (estimate > 0) {
        builder.estimatedRunTime(Duration.ofNanos(estimate));
      }
      user.ifPresent(builder::user);
      preceding.ifPresent(each -> builder.after(Long.toString(each)));
      cluster(row).ifPresent(builder::constraint);
      return Optional.of(
          new OrderingWindow.Timed<>(
              submitField, submit.getAsLong(), new Job(builder.build(), runTime)));
    }

    /** Returns the run time in nanoseconds; 0 if it is unknown. */
    private static long runTime(SwfRow row) {
      Field field = row.field("run time", SwfRow.RUN_TIME);
      boolean stillRuns =
          row.hasNodes() && field.number().signum() < 0; // the log has 0 minus its start
      return stillRuns || !row.knows(SwfRow.RUN_TIME) ? 0 : field.nanos();
    }

    private static long memory(SwfRow row, long processors) {
      long greatest = Long.MAX_VALUE >> 2;
      OptionalLong asked = row.positive("asked memory", SwfRow.ASKED_MEMORY, greatest);
      if (asked.isPresent() && row.hasNodes()) {
        return times(row, "asked memory", SwfRow.ASKED_MEMORY, asked.getAsLong(), nodes(row));
      }
      if (asked.isPresent()) {
        return times(row, "asked memory", SwfRow.ASKED_MEMORY, asked.getAsLong(), KIB * processors);
      }
      OptionalLong used = row.positive("used memory", SwfRow.USED_MEMORY, greatest);
      return used.isEmpty() || row.hasNodes() // such logs always have 1024
          ? 0
          : times(row, "used memory", SwfRow.USED_MEMORY, used.getAsLong(), KIB * processors);
    }

    private static long times(SwfRow row, String name, int index, long amount, long factor) {
      if (Math.multiplyHigh(amount, factor) != 0 || amount * factor < 0) {
        throw row.field(name, index).error("is too large to count");
      }
      return amount * factor;
    }

    /** Returns the number of requested nodes: {@code 2:ppn=8:x86_64+1:ppn=4} is three nodes. */
    private static long nodes(SwfRow row) {
      return Math.max(
          1,
          CHUNKS
              .find(row.fields().get(SwfRow.NODES))
              .mapToLong(each -> Long.parseLong(each.group(1)))
              .sum());
    }

    /**
     * Returns the requested cluster, {@code cl_zewura}, or excluded cluster, {@code ^cl_zewura}.
     */
    private static Optional<Constraint> cluster(SwfRow row) {
      return CLUSTER
          .find(row.hasNodes() ? row.fields().get(SwfRow.NODES) : "")
          .findFirst()
          .map(
              cluster ->
                  cluster.group(1).isEmpty()
                      ? new Constraint.Equal(HostAttributes.CLUSTER, cluster.group(2))
                      : new Constraint.NotEqual(HostAttributes.CLUSTER, cluster.group(2)));
    }
  }
}
