package dev.berth.traces.format.sacct;

import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.CalendarTimes;
import dev.berth.traces.internal.util.Cells;
import dev.berth.traces.internal.util.Shape;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.stream.Stream;

/** A line of Slurm's accounting, whose columns the user chose. */
record SacctRow(CsvTable.Row row) {

  private static final char SEPARATOR = '|';

  private static final String SUBMIT = "Submit";
  static final String JOB_NAME = "JobName";
  static final String USER = "User";
  static final String ACCOUNT = "Account";
  static final String PARTITION = "Partition";
  static final String QOS = "QOS";

  private static final String ELIGIBLE = "Eligible";
  private static final String START = "Start";
  private static final String END = "End";
  private static final String STATE = "State";
  private static final String ELAPSED = "Elapsed";
  private static final String ELAPSED_RAW = "ElapsedRaw"; // seconds
  private static final String LIMIT = "Timelimit";
  private static final String LIMIT_RAW = "TimelimitRaw"; // minutes
  private static final String REQ_MEM = "ReqMem";
  private static final String ALLOCATED = "AllocTRES";
  private static final String REQUESTED = "ReqTRES";

  private static final List<String> IDS = List.of("JobID", "JobIDRaw");
  private static final List<String> CORES =
      List.of("AllocCPUS", "NCPUS", ALLOCATED, "ReqCPUS", REQUESTED);
  private static final List<String> NODES =
      List.of("NNodes", "AllocNodes", ALLOCATED, "ReqNodes", REQUESTED);
  private static final List<String> OTHERS =
      List.of(
          "", // after a | at the end of each line
          JOB_NAME,
          USER,
          ACCOUNT,
          PARTITION,
          QOS,
          ELIGIBLE,
          START,
          END,
          STATE,
          ELAPSED,
          ELAPSED_RAW,
          LIMIT,
          LIMIT_RAW,
          REQ_MEM,
          "AllocGRES", // of old versions; not misspelled
          "ReqGRES");
  private static final List<String> OPTIONAL =
      Stream.of(IDS, CORES, NODES, OTHERS).flatMap(List::stream).distinct().toList();

  private static final Set<String> UNKNOWN =
      Set.of("Unknown", "None", "N/A", "UNLIMITED", "Partition_Limit");
  private static final Set<String> WAITING = Set.of("PENDING", "REVOKED");
  private static final Set<String> ENDED =
      Set.of(
          "BOOT_FAIL",
          "CANCELLED",
          "COMPLETED",
          "DEADLINE",
          "FAILED",
          "LAUNCH_FAILED",
          "NODE_FAIL",
          "OUT_OF_MEMORY",
          "PREEMPTED",
          "RECONFIG_FAIL",
          "TIMEOUT");
  private static final Set<String> RUNNING =
      Set.of(
          "COMPLETING",
          "CONFIGURING",
          "REQUEUED",
          "REQUEUE_FED",
          "REQUEUE_HOLD",
          "RESIZING",
          "RUNNING",
          "SIGNALING",
          "SPECIAL_EXIT",
          "STAGE_OUT",
          "STOPPED",
          "SUSPENDED");

  private static final Shape DURATION =
      Shape.of("(?:([0-9]{1,5})-)?([0-9]{1,2}):([0-9]{2}):([0-9]{2})");
  private static final Shape AMOUNT =
      Shape.of("([0-9]{1,15}+(?:\\.[0-9]{1,9}+)?+)([KMGTPE]?+)([nc]?+)");
  private static final String PREFIXES = "KMGTPE";
  private static final int PREFIX_BITS = 10;
  private static final long MEBIBYTE = 1L << (2 * PREFIX_BITS);
  private static final int MOST_NODES = 10_000; // a short line must not make too many requests
  private static final int MOST = 100_000_000; // of other things
  private static final int MOST_BITS = 62;

  // In columns for all resources:
  private static final String NODE = "node";
  private static final String CORE = "cpu";
  private static final String MEMORY = "mem";
  private static final String GPU = "gres/gpu";

  /** How far a job came. */
  enum Progress {
    WAITED,
    RAN,
    RUNS
  }

  /** Returns whether a line appears to be a header. */
  static boolean isHeader(String line) {
    List<String> names = Cells.split(line, SEPARATOR);
    return !Collections.disjoint(names, IDS)
        && names.stream().filter(each -> each.equals(SUBMIT) || OPTIONAL.contains(each)).count()
            > 2;
  }

  /** Opens a file and checks its header. */
  static CsvTable open(Input input) {
    CsvTable table = CsvTable.withOtherColumns(input, SEPARATOR, List.of(SUBMIT), OPTIONAL);
    Optional<String> missing = missing(table.header());
    if (missing.isPresent()) {
      table.close();
      throw table.location().error("must name a column of " + missing.get()).endingReading();
    }
    return table;
  }

  private static Optional<String> missing(Collection<String> header) {
    if (Collections.disjoint(header, IDS)) {
      return Optional.of("the job: " + String.join(", ", IDS));
    }
    if (Collections.disjoint(header, List.of(ELAPSED, ELAPSED_RAW))
        && !header.containsAll(List.of(START, END))) {
      return Optional.of("the run time: Elapsed, ElapsedRaw, or both Start and End");
    }
    return Collections.disjoint(header, CORES)
        ? Optional.of("the number of cores: " + String.join(", ", CORES))
        : Optional.empty();
  }

  /** Returns a command that puts the rows of a file in order. */
  static String sorting(CsvTable table) {
    int column = 1 + table.header().indexOf(table.header().contains(ELIGIBLE) ? ELIGIBLE : SUBMIT);
    return "sort the lines below the header with sort -t'%s' -k%s,%s"
        .formatted(SEPARATOR, column, column);
  }

  Field id() {
    return IDS.stream()
        .flatMap(each -> row.optional(each).stream())
        .findFirst()
        .orElseThrow(() -> row.location().error("must have the id of a job"));
  }

  /** Returns a value; empty if it is not known, or there is no limit. */
  private Optional<Field> known(String column) {
    return row.optional(column).filter(each -> !UNKNOWN.contains(each.text()));
  }

  Field qos() {
    return row.optional(QOS).orElseGet(() -> new Field(row.location(), QOS, ""));
  }

  /** Returns a name; empty without one. */
  Optional<String> name(String column) {
    return row.optional(column).map(Field::required);
  }

  /** Returns when the job could start at the earliest; empty if it is not known. */
  Optional<Field> admission() {
    Optional<Field> submit = known(SUBMIT);
    return submit
        .flatMap(
            time ->
                known(ELIGIBLE)
                    .filter(
                        each -> CalendarTimes.withoutZone(each) > CalendarTimes.withoutZone(time)))
        .or(() -> submit);
  }

  Progress progress() {
    Optional<Field> field = known(STATE);
    String state = field.map(each -> Cells.split(each.text(), ' ').get(0)).orElse("");
    if (WAITING.contains(state)) {
      return Progress.WAITED;
    }
    if (RUNNING.contains(state)) {
      return Progress.RUNS;
    }
    if (field.isPresent() && !ENDED.contains(state)) {
      throw field.get().error("must be a state of a job, such as COMPLETED");
    }
    boolean runs =
        row.columns().containsKey(END) && known(START).isPresent() && known(END).isEmpty();
    return runs ? Progress.RUNS : Progress.RAN;
  }

  /** Returns the run time in nanoseconds; 0 if it is not known. */
  long runTime() {
    Optional<Field> raw = known(ELAPSED_RAW);
    if (raw.isPresent()) {
      return raw.get().nanos();
    }
    Optional<Field> elapsed = known(ELAPSED);
    if (elapsed.isPresent()) {
      return duration(elapsed.get());
    }
    Optional<Field> start = known(START);
    Optional<Field> end = known(END);
    if (start.isEmpty() || end.isEmpty()) {
      return 0;
    }
    long nanos = CalendarTimes.withoutZone(end.get()) - CalendarTimes.withoutZone(start.get());
    if (nanos < 0) {
      throw end.get().error("must not be before Start, " + start.get().text());
    }
    return nanos;
  }

  /** Returns the time limit in nanoseconds; 0 without one. */
  long timeLimit() {
    return known(LIMIT)
        .map(SacctRow::duration)
        .or(() -> known(LIMIT_RAW).map(each -> each.part(each.text() + "m").nanos()))
        .orElse(0L);
  }

  int nodes() {
    return (int) first(NODES, NODE).orElse(1);
  }

  /** Returns the number of cores on all nodes; 0 if it is not known. */
  long cores() {
    return first(CORES, CORE).orElse(0);
  }

  /** Returns the number of GPUs on all nodes. */
  long gpus() {
    return Stream.of(ALLOCATED, REQUESTED)
        .mapToLong(this::gpus)
        .filter(each -> each > 0)
        .findFirst()
        .orElse(0);
  }

  private long gpus(String column) {
    OptionalLong all = first(List.of(column), GPU);
    if (all.isPresent()) {
      return all.getAsLong();
    }
    long sum =
        resources(column) // a number for each model
            .filter(each -> each.text().startsWith(GPU + ":"))
            .mapToLong(each -> count(value(each), MOST))
            .sum();
    if (sum > MOST) {
      throw row.field(column).error("must have at most %s GPUs".formatted(MOST));
    }
    return sum;
  }

  /** Returns the bytes of memory on all nodes. */
  long memory() {
    return first(List.of(ALLOCATED, REQ_MEM, REQUESTED), MEMORY).orElse(0);
  }

  /** Returns the first positive amount of a resource in some columns. */
  private OptionalLong first(List<String> columns, String resource) {
    return columns.stream()
        .flatMap(each -> field(each, resource).stream())
        .mapToLong(
            each ->
                switch (resource) {
                  case MEMORY -> bytes(each);
                  case NODE -> count(each, MOST_NODES);
                  default -> count(each, MOST);
                })
        .filter(each -> each > 0)
        .findFirst();
  }

  /** Returns the amount of a resource in a column, which may have all resources. */
  private Optional<Field> field(String column, String resource) {
    return column.equals(ALLOCATED) || column.equals(REQUESTED)
        ? resources(column)
            .filter(each -> each.text().startsWith(resource + "="))
            .map(SacctRow::value)
            .findFirst()
        : known(column);
  }

  private Stream<Field> resources(String column) {
    return known(column).stream().flatMap(each -> each.parts(',').stream());
  }

  private static Field value(Field resource) {
    return resource.part(resource.text().substring(resource.text().indexOf('=') + 1));
  }

  /** Returns a number of things: {@code 4}, or {@code 2K} for 2,048. */
  private static long count(Field field, int most) {
    MatchResult parts =
        AMOUNT
            .match(field.text())
            .filter(each -> each.group(3).isEmpty())
            .orElseThrow(() -> field.error("must be a number such as 4"));
    long count = amount(field, parts, 1);
    field.refuseIf(count > most, "must be at most %s", most);
    return count;
  }

  /** Returns bytes: {@code 2.50G}, {@code 4Gn} for each node, or {@code 2000Mc} for each core. */
  private long bytes(Field field) {
    MatchResult parts =
        AMOUNT
            .match(field.text())
            .orElseThrow(() -> field.error("must be an amount such as 16G, 4Gn or 2000Mc"));
    long times =
        switch (parts.group(3)) {
          case "n" -> nodes();
          case "c" -> cores();
          default -> 1;
        };
    return amount(field, parts, times * (parts.group(2).isEmpty() ? MEBIBYTE : 1));
  }

  private static long amount(Field field, MatchResult parts, long factor) {
    int prefix = parts.group(2).isEmpty() ? 0 : 1 + PREFIXES.indexOf(parts.group(2));
    BigDecimal amount =
        new BigDecimal(parts.group(1))
            .multiply(BigDecimal.valueOf(1L << (PREFIX_BITS * prefix)))
            .multiply(BigDecimal.valueOf(factor))
            .setScale(0, RoundingMode.CEILING);
    field.refuseIf(amount.unscaledValue().bitLength() > MOST_BITS, "is too large to count");
    return amount.longValueExact();
  }

  /** Returns a duration in nanoseconds: {@code 1-02:03:04} is a day and two hours. */
  private static long duration(Field field) {
    MatchResult parts =
        DURATION
            .match(field.text())
            .orElseThrow(() -> field.error("must be a duration such as 02:30:00 or 1-12:00:00"));
    String days = parts.group(1) == null ? "0" : parts.group(1);
    return field
        .part("%sd%sh%sm%ss".formatted(days, parts.group(2), parts.group(3), parts.group(4)))
        .nanos();
  }
}
