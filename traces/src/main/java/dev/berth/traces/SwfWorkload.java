package dev.berth.traces;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Workloads in the Standard Workload Format of the Parallel Workloads Archive: jobs that ran, as
 * requests of the least important class.
 *
 * <p>The demand is the processors that were used, or else asked for, as cores; and the memory asked
 * for, or else used, which the format tells per processor in units of 1,024 bytes, times the
 * processors; none where neither is known. The time asked for is the estimate. Time begins with the
 * first job. Left out are jobs whose run time or processors are not known.
 *
 * <p>Logs of MetaCentrum have three more columns, with the hosts used and the nodes wanted: there
 * the memory is in bytes per node, a cluster that is wanted, or not, is a constraint on the
 * attribute {@code cluster}, and a negative run time is that of a job which had not ended.
 *
 * <p>Some logs are slightly out of order: jobs are put in order of time among {@value #WINDOW}
 * following each other; a log in worse order is refused.
 */
public final class SwfWorkload implements WorkloadFormat {

  static final String DID_NOT_RUN = "job without a run time";
  static final String NO_PROCESSORS = "job without processors";

  private static final int WINDOW = 10_000;
  private static final int MOST_PROCESSORS = 100_000_000;
  private static final long KIB = 1_024;
  private static final Pattern FIRST = Pattern.compile(";.*|(?:-?[0-9.]+\\s+){17,}\\S.*");
  private static final Pattern CHUNKS = Pattern.compile("(?:^|\\+)([0-9]{1,6})(?=[:+#]|$)");
  private static final Pattern CLUSTER = Pattern.compile(":(\\^?)cl_([a-z0-9_]+)");

  /** For the service loader. */
  public SwfWorkload() {}

  @Override
  public String name() {
    return "swf";
  }

  @Override
  public String description() {
    return "the Standard Workload Format: jobs that ran";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(line -> FIRST.matcher(line).matches()).isPresent();
  }

  @Override
  public Opener<Arrival> prepare(Input input, Classes classes) {
    return leftOut -> new Reader(input.open(), classes.leastImportant().name(), leftOut);
  }

  private record Job(Place place, Field submitField, long submit, Arrival arrival) {}

  private static final class Reader implements EntryReader<Arrival> {

    private final Lines lines;
    private final String serviceClass;
    private final LeftOut leftOut;
    private final PriorityQueue<Job> window =
        new PriorityQueue<>(
            Comparator.comparingLong(Job::submit).thenComparing(job -> job.place().line()));
    private final TimeOrder order = new TimeOrder();
    private OptionalLong begin = OptionalLong.empty();
    private boolean ended;
    private Place place;

    Reader(Lines lines, String serviceClass, LeftOut leftOut) {
      this.lines = lines;
      this.serviceClass = serviceClass;
      this.leftOut = leftOut;
      this.place = lines.place();
    }

    @Override
    public @Nullable Arrival next() {
      while (!ended && window.size() < WINDOW) {
        String line = lines.next();
        place = lines.place();
        if (line == null) {
          ended = true;
        } else if (!SwfRow.isComment(line)) {
          job(SwfRow.of(place, line)).ifPresent(window::add);
        }
      }
      Job first = window.poll();
      if (first == null) {
        return null;
      }
      place = first.place;
      long at = order.read(first.submitField, first.submit);
      if (begin.isEmpty()) {
        begin = OptionalLong.of(at);
      }
      return first.arrival.withTime(at - begin.getAsLong());
    }

    private Optional<Job> job(SwfRow row) {
      Field submitField = row.field("submit time", SwfRow.SUBMIT);
      long submit = submitField.nanos();
      Field id = row.field("job number", SwfRow.NUMBER);
      id.wholeLong(0, Integer.MAX_VALUE);
      long runTime = runTime(row);
      OptionalLong used = row.positive("processors", SwfRow.PROCESSORS, MOST_PROCESSORS);
      OptionalLong asked =
          row.positive("asked processors", SwfRow.ASKED_PROCESSORS, MOST_PROCESSORS);
      Optional<String> user =
          row.knows(SwfRow.USER)
              ? Optional.of(
                  Long.toString(row.field("user", SwfRow.USER).wholeLong(0, Integer.MAX_VALUE)))
              : Optional.empty();
      long estimate =
          row.knows(SwfRow.ASKED_TIME) ? row.field("asked time", SwfRow.ASKED_TIME).nanos() : 0;
      if (runTime == 0 || (used.isEmpty() && asked.isEmpty())) {
        leftOut.count(runTime == 0 ? DID_NOT_RUN : NO_PROCESSORS);
        return Optional.empty();
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
      cluster(row).ifPresent(builder::constraint);
      Request request = builder.build();
      return Optional.of(
          new Job(
              row.place(),
              submitField,
              submit,
              new Arrival(
                  0, request, runTime, ActualBehaviour.asSaid(request), Optional.empty(), user)));
    }

    /** Returns nanoseconds; 0 where they are not known. */
    private static long runTime(SwfRow row) {
      Field field = row.field("run time", SwfRow.RUN_TIME);
      boolean stillRuns = row.tellsNodes() && field.number().signum() < 0; // 0 less its start
      return stillRuns || !row.knows(SwfRow.RUN_TIME) ? 0 : field.nanos();
    }

    private static long memory(SwfRow row, long processors) {
      long greatest = Long.MAX_VALUE >> 2;
      OptionalLong asked = row.positive("asked memory", SwfRow.ASKED_MEMORY, greatest);
      if (asked.isPresent() && row.tellsNodes()) {
        return times(row, "asked memory", SwfRow.ASKED_MEMORY, asked.getAsLong(), nodes(row));
      }
      if (asked.isPresent()) {
        return times(row, "asked memory", SwfRow.ASKED_MEMORY, asked.getAsLong(), KIB * processors);
      }
      OptionalLong used = row.positive("used memory", SwfRow.USED_MEMORY, greatest);
      return used.isEmpty() || row.tellsNodes() // there it is always 1024
          ? 0
          : times(row, "used memory", SwfRow.USED_MEMORY, used.getAsLong(), KIB * processors);
    }

    private static long times(SwfRow row, String name, int index, long amount, long factor) {
      if (Math.multiplyHigh(amount, factor) != 0 || amount * factor < 0) {
        throw row.field(name, index).wrong("is too large to count");
      }
      return amount * factor;
    }

    /** Returns how many nodes are wanted: {@code 2:ppn=8:x86_64+1:ppn=4} are three. */
    private static long nodes(SwfRow row) {
      Matcher chunks = CHUNKS.matcher(row.fields().get(SwfRow.NODES));
      return Math.max(
          1,
          Stream.iterate(chunks, Matcher::find, each -> each)
              .mapToLong(each -> Long.parseLong(each.group(1)))
              .sum());
    }

    /** Returns what is wanted of the cluster: {@code cl_zewura} or not, {@code ^cl_zewura}. */
    private static Optional<Constraint> cluster(SwfRow row) {
      Matcher cluster = CLUSTER.matcher(row.tellsNodes() ? row.fields().get(SwfRow.NODES) : "");
      if (!cluster.find()) {
        return Optional.empty();
      }
      String name = cluster.group(2);
      return Optional.of(
          cluster.group(1).isEmpty()
              ? new Constraint.Equal(AleaMachines.CLUSTER, name)
              : new Constraint.NotEqual(AleaMachines.CLUSTER, name));
    }

    @Override
    public Place place() {
      return place;
    }

    @Override
    public void close() {
      lines.close();
    }
  }
}
