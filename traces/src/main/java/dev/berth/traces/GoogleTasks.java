package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.simulator.Arrival;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of the Google cluster trace of 2011: a file of {@code task_events}, or a folder with
 * its parts, and {@code task_constraints} beside where there are.
 *
 * <p>A task is a request {@code job/index}, admitted at its first row. Its work is all the time
 * that it ran in the log, over evictions and resubmissions; where it still runs at the end of the
 * log, that is a lower bound. Amounts are those of its first SCHEDULE row, which at time 0 often
 * differ from those of its SUBMIT row; they are shares of the biggest machine, counted as cores and
 * gigabytes as in the other formats of the QoS-driven scheduling paper. Constraints are those of
 * the time of its first row. Left out are tasks that never ran in the log, or of which no amounts
 * are told.
 *
 * <p>Takes some 30 bytes for each task, and more for those that wait.
 */
public final class GoogleTasks implements WorkloadFormat {

  static final String NEVER_SCHEDULED = "task that was never scheduled in the log";
  static final String NO_TIME = "task that ran for no time in the log";
  static final String NO_AMOUNTS = "task without requests";
  static final String UNTOLD_CONSTRAINT = "task that asks for the absence of an attribute";

  private static final String TIME = "time";
  private static final String JOB = "job ID";
  private static final String INDEX = "task index";
  private static final String EVENT = "event type";
  private static final String USER = "user";
  private static final String PRIORITY = "priority";
  private static final String CPU = "CPU request";
  private static final String MEMORY = "memory request";
  private static final String ANTI_AFFINITY = "different machines restriction";

  private static final List<String> FIELDS =
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
  private static final long UNTOLD = -1;

  /** For the service loader. */
  public GoogleTasks() {}

  @Override
  public String name() {
    return GoogleTrace.NAME;
  }

  @Override
  public String description() {
    return "the Google cluster trace of 2011: task_events (and task_constraints beside)";
  }

  @Override
  public boolean recognises(Input input) {
    return input.isFolder()
        ? !GoogleTrace.parts(input, GoogleTrace.TASK_EVENTS).isEmpty()
        : input.firstLine().filter(GoogleTasks::isEvent).isPresent();
  }

  /** Returns whether a line looks like a row of {@code task_events}. */
  static boolean isEvent(String line) {
    return GoogleTrace.looksLike(line, FIELDS.size(), 0, 2, 3, 5, 8);
  }

  @Override
  public Opener<Arrival> prepare(Input input, Classes classes) {
    List<Input> events = GoogleTrace.parts(input, GoogleTrace.TASK_EVENTS);
    if (events.isEmpty()) {
      throw input.wrong("holds no task_events");
    }
    List<Input> constraints =
        GoogleTrace.partsBeside(input, GoogleTrace.TASK_EVENTS, GoogleTrace.TASK_CONSTRAINTS);
    Lives lives = new Lives();
    try (Events all = new Events(events, classes)) {
      for (Event each = all.nextGood(); each != null; each = all.nextGood()) {
        lives.add(each);
      }
    }
    lives.end();
    return leftOut -> new Reader(events, constraints, classes, lives, leftOut);
  }

  /** A row; amounts that it does not tell are {@link #UNTOLD}. */
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

    boolean tellsAmounts() {
      return cpu != UNTOLD && memory != UNTOLD;
    }
  }

  /** The rows, in order of time, up to the end of the trace. */
  private static final class Events implements AutoCloseable {

    private final PartedTable table;
    private final Classes classes;
    private final TimeOrder order = new TimeOrder();

    Events(List<Input> parts, Classes classes) {
      this.table = new PartedTable(parts, FIELDS);
      this.classes = classes;
    }

    /** Returns the next one that can be used; null at the end. */
    @Nullable Event nextGood() {
      while (true) {
        try {
          return next();
        } catch (InputException bad) {
          if (bad.endsReading()) {
            throw bad;
          }
          // It is met again.
        }
      }
    }

    @Nullable Event next() {
      CsvTable.Row row = table.next();
      return row == null ? null : event(row);
    }

    private Event event(CsvTable.Row row) {
      long at = GoogleTrace.time(row.field(TIME));
      Field job = row.field(JOB);
      Field index = row.field(INDEX);
      Event event =
          new Event(
              at,
              TaskKey.of(job, index),
              job.text(),
              index.text(),
              (int) row.field(EVENT).wholeLong(0, LAST_EVENT),
              row.field(USER).text(),
              classes.ofPriority(row.field(PRIORITY)).name(),
              row.optional(CPU).map(each -> each.units(Dimension.CPU)).orElse(UNTOLD),
              row.optional(MEMORY).map(each -> each.units(Dimension.MEMORY)).orElse(UNTOLD),
              row.field(ANTI_AFFINITY).flag());
      order.read(row.field(TIME), at); // last: a line that is left out has no time
      return event;
    }

    Place place() {
      return table.place();
    }

    @Override
    public void close() {
      table.close();
    }
  }

  /** Tasks as exact keys: 40 bits of the job, 23 of the index. */
  static final class TaskKey {

    private static final int INDEX_BITS = 23;

    private TaskKey() {}

    static long of(Field job, Field index) {
      return job.wholeLong(0, (1L << 40) - 1) << INDEX_BITS
          | index.wholeLong(0, (1L << INDEX_BITS) - 1);
    }
  }

  /** How long each task ran, and with what, in the order in which they were first submitted. */
  private static final class Lives {

    private final Numbering numbers = new Numbering();
    private long[] ran = new long[1024]; // while it runs: less the time since which it does
    private final BitSet running = new BitSet();
    private final BitSet scheduled = new BitSet();
    private final Map<Integer, Event> waiting = new HashMap<>(); // for their first SCHEDULE
    private final Map<Integer, Event> amounts = new HashMap<>(); // where those differ
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
          && event.tellsAmounts()
          && (event.cpu != first.cpu || event.memory != first.memory)) {
        amounts.put(number, event);
      }
      scheduled.set(number);
      if (!running.get(number)) {
        ran[number] -= event.at;
        running.set(number);
      }
    }

    /** Who runs has run until the last row. */
    void end() {
      running.stream().forEach(number -> ran[number] += last);
      running.clear();
      waiting.clear();
    }
  }

  /** A reading of what {@link Lives} knows the ends of. */
  private static final class Reader implements EntryReader<Arrival> {

    private final Events events;
    private final GoogleConstraints constraints;
    private final Lives lives;
    private final LeftOut leftOut;
    private int next;

    Reader(
        List<Input> events,
        List<Input> constraints,
        Classes classes,
        Lives lives,
        LeftOut leftOut) {
      this.events = new Events(events, classes);
      this.constraints = new GoogleConstraints(constraints);
      this.lives = lives;
      this.leftOut = leftOut;
    }

    @Override
    public @Nullable Arrival next() {
      for (Event each = events.next(); each != null; each = events.next()) {
        if (each.at == GoogleTrace.AFTER || lives.numbers.existing(each.key) != next) {
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
      GoogleConstraints.Of wanted = constraints.of(first.key, first.at);
      Event amounts = lives.amounts.getOrDefault(number, first);
      if (!lives.scheduled.get(number)) {
        leftOut.count(NEVER_SCHEDULED);
      } else if (lives.ran[number] == 0) {
        leftOut.count(NO_TIME);
      } else if (!amounts.tellsAmounts()) {
        leftOut.count(NO_AMOUNTS);
      } else if (wanted.untold()) {
        leftOut.count(UNTOLD_CONSTRAINT);
      } else {
        return Optional.of(
            Requests.arrival(
                first.at,
                first.job,
                first.index,
                first.serviceClass,
                Requests.amounts(amounts.cpu, amounts.memory),
                first.antiAffinity,
                wanted.constraints(),
                lives.ran[number],
                first.user));
      }
      return Optional.empty();
    }

    @Override
    public Place place() {
      return events.place();
    }

    @Override
    public void close() {
      events.close();
      constraints.close();
    }
  }
}
