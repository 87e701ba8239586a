package dev.berth.traces.format.google;

import dev.berth.api.Dimension;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.PartitionedTable;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.internal.util.LongInterner;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.SkipReport;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of the Google cluster trace of 2011: a file of {@code task_events} or a folder of such
 * files, with {@code task_constraints} beside it, if present.
 *
 * <p>Each task becomes a request {@code job/index}, admitted at its first row. Its service time is
 * its total run time in the log, across evictions and resubmissions. For a task that still runs at
 * the end of the log, this is a lower bound. Amounts come from the first SCHEDULE row, because at
 * time 0 they often differ from those of the SUBMIT row. They are shares of the largest machine and
 * count as cores and gigabytes, as in the other formats of the QoS-driven scheduling paper.
 * Constraints are those at the time of the first row. The format skips tasks that never ran in the
 * log or that have no amounts.
 *
 * <p>Memory use is about 30 bytes for each task, plus a row for each task that waits to run.
 */
public final class GoogleWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

  static final String NEVER_SCHEDULED = "task that was never scheduled in the log";
  static final String NO_TIME = "task that ran for no time in the log";
  static final String NO_AMOUNTS = "task without requests";
  static final String ABSENT_ATTRIBUTE = "task that requires the absence of an attribute";

  private static final String TIME = "time";
  private static final String JOB = "job ID";
  private static final String INDEX = "task index";
  private static final String EVENT = "event type";
  private static final String USER = "user";
  private static final String PRIORITY = "priority";
  private static final String CPU = "CPU request";
  private static final String MEMORY = "memory request";
  private static final String ANTI_AFFINITY = "different machines restriction";

  static final List<String> FIELDS =
      List.of(
          TIME,
          "missing info",
          JOB,
          INDEX,
          "machine ID",
          EVENT,
          USER,
          "scheduling class",
          PRIORITY,
          CPU,
          MEMORY,
          "disk space request",
          ANTI_AFFINITY);

  private static final int SCHEDULE = 1;
  private static final int LAST_END = 6; // EVICT, FAIL, FINISH, KILL, LOST
  private static final int LAST_EVENT = 8;
  private static final long UNKNOWN = -1;
  private static final int INDEX_BITS = 23;

  public GoogleWorkloadFormat() {
    super(
        GoogleTrace.NAME,
        "the Google cluster trace of 2011: task_events (and task_constraints beside)",
        GoogleWorkloadFormat::holdsTaskEvents);
  }

  private static boolean holdsTaskEvents(Input input) {
    return input.isFolder()
        ? !GoogleTrace.parts(input, GoogleTrace.TASK_EVENTS).isEmpty()
        : input.firstLine().filter(GoogleTrace::isTaskEvent).isPresent();
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    List<Input> events = GoogleTrace.parts(input, GoogleTrace.TASK_EVENTS);
    input.refuseIf(events.isEmpty(), "holds no task_events");
    List<Input> constraints =
        GoogleTrace.partsBeside(input, GoogleTrace.TASK_EVENTS, GoogleTrace.TASK_CONSTRAINTS);
    TaskHistory history = new TaskHistory();
    Entries.survey(events(events, classes), history::add);
    history.end();
    return skips -> new Reader(events, constraints, classes, history, skips);
  }

  /** A row. Amounts that are absent are {@link #UNKNOWN}. */
  private record Event(
      long at,
      long key,
      String job,
      String index,
      int type,
      String user,
      String serviceClass,
      long cpu,
      long memory,
      boolean antiAffinity) {

    boolean hasAmounts() {
      return cpu != UNKNOWN && memory != UNKNOWN;
    }
  }

  /** Reads the rows of the tables in order. */
  private static EntryReader<Event> events(List<Input> parts, ServiceClassCatalog classes) {
    TimeOrder order = new TimeOrder();
    return Entries.ofSome(
        new PartitionedTable(parts, FIELDS), row -> Optional.of(event(row, classes, order)));
  }

  private static Event event(CsvTable.Row row, ServiceClassCatalog classes, TimeOrder order) {
    long at = GoogleTrace.time(row.field(TIME));
    Field job = row.field(JOB);
    Field index = row.field(INDEX);
    Event event =
        new Event(
            at,
            key(job, index),
            job.text(),
            index.text(),
            (int) row.field(EVENT).wholeLong(0, LAST_EVENT),
            row.field(USER).text(),
            classes.ofPriority(row.field(PRIORITY)).name(),
            row.optional(CPU).map(each -> each.units(Dimension.CPU)).orElse(UNKNOWN),
            row.optional(MEMORY).map(each -> each.units(Dimension.MEMORY)).orElse(UNKNOWN),
            row.field(ANTI_AFFINITY).flag());
    order.check(row.field(TIME), at); // last, because a skipped line has no time
    return event;
  }

  /** Packs the job (40 bits) and the index (23 bits) of a task into a key. */
  static long key(Field job, Field index) {
    return job.wholeLong(0, (1L << 40) - 1) << INDEX_BITS
        | index.wholeLong(0, (1L << INDEX_BITS) - 1);
  }

  /** The run time and amounts of each task, numbered in the order of their first rows. */
  private static final class TaskHistory {

    private final LongInterner numbers = new LongInterner();
    private long[] ran = new long[1024]; // while a task runs, reduced by its start time
    private final BitSet running = new BitSet();
    private final BitSet scheduled = new BitSet();
    private final Map<Integer, Event> waiting =
        new HashMap<>(); // first rows of tasks without a SCHEDULE row
    private final Map<Integer, Event> amounts =
        new HashMap<>(); // SCHEDULE rows whose amounts differ from the first row
    private long last;

    void add(Event event) {
      if (event.at == GoogleTrace.AFTER) {
        return;
      }
      last = event.at;
      int known = numbers.size();
      int number = numbers.of(event.key);
      if (number == known) {
        waiting.put(number, event);
        if (number == ran.length) {
          ran = Arrays.copyOf(ran, 2 * number);
        }
      }
      if (event.type == SCHEDULE) {
        scheduled(number, event);
      } else if (event.type > SCHEDULE && event.type <= LAST_END && running.get(number)) {
        ran[number] += event.at;
        running.clear(number);
      }
    }

    private void scheduled(int number, Event event) {
      Event first = waiting.remove(number);
      if (first != null
          && event.hasAmounts()
          && (event.cpu != first.cpu || event.memory != first.memory)) {
        amounts.put(number, event);
      }
      scheduled.set(number);
      if (!running.get(number)) {
        ran[number] -= event.at;
        running.set(number);
      }
    }

    /** Ends the run of tasks that still run at the time of the last row. */
    void end() {
      running.stream().forEach(number -> ran[number] += last);
      running.clear();
      waiting.clear();
    }
  }

  /** Reads the first row of each task, with the run time that the {@link TaskHistory} knows. */
  private static final class Reader implements EntryReader<Arrival> {

    private final EntryReader<Event> events;
    private final TaskConstraintTable constraints;
    private final TaskHistory history;
    private final SkipReport skips;
    private int next;

    Reader(
        List<Input> events,
        List<Input> constraints,
        ServiceClassCatalog classes,
        TaskHistory history,
        SkipReport skips) {
      this.events = events(events, classes);
      this.constraints = new TaskConstraintTable(constraints);
      this.history = history;
      this.skips = skips;
    }

    @Override
    public @Nullable Arrival next() {
      for (Event each = events.next(); each != null; each = events.next()) {
        if (each.at == GoogleTrace.AFTER || history.numbers.existing(each.key) != next) {
          continue;
        }
        int number = next++;
        Optional<Arrival> arrival = arrival(number, each);
        if (arrival.isPresent()) {
          return arrival.get();
        }
      }
      return null;
    }

    private Optional<Arrival> arrival(int number, Event first) {
      TaskConstraintTable.TaskConstraints required = constraints.of(first.key, first.at);
      Event amounts = history.amounts.getOrDefault(number, first);
      if (!history.scheduled.get(number)) {
        skips.count(NEVER_SCHEDULED);
      } else if (history.ran[number] == 0) {
        skips.count(NO_TIME);
      } else if (!amounts.hasAmounts()) {
        skips.count(NO_AMOUNTS);
      } else if (required.unsupported()) {
        skips.count(ABSENT_ATTRIBUTE);
      } else {
        return Optional.of(
            GoogleRequests.arrival(
                first.at,
                first.job,
                first.index,
                first.serviceClass,
                Resources.of(Dimension.CPU, amounts.cpu, Dimension.MEMORY, amounts.memory),
                first.antiAffinity,
                required.constraints(),
                history.ran[number],
                first.user));
      }
      return Optional.empty();
    }

    @Override
    public SourceLocation location() {
      return events.location();
    }

    @Override
    public void close() {
      events.close();
      constraints.close();
    }
  }
}
