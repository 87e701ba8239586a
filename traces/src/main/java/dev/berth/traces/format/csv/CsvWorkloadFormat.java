package dev.berth.traces.format.csv;

import static dev.berth.traces.format.csv.CsvRequestColumns.OPTIONAL;

import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.EntryReader;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.InputPart;
import dev.berth.traces.internal.ConstraintExpressions;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.Groups;
import dev.berth.traces.internal.HostAttributes;
import dev.berth.traces.internal.PlacementExpressions;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.WorkloadFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Workloads as comma-separated values with a header. */
public final class CsvWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

  static final String NAME = "csv";

  static final String ADMITTED = "admitted";
  static final String ID = "id";
  static final String CLASS = "class";
  static final String SERVICE_TIME = "service_time";
  static final String JOB = "job";
  static final String ANTI_AFFINITY = "anti_affinity";
  static final String CONSTRAINTS = "constraints";
  static final String TOLERATIONS = "tolerations";
  static final String RULES = "rules";
  static final String PREFERENCES = "preferences";
  static final String LIMITS = "limits";
  static final String APPLICATION = "application";
  static final String USER = "user";
  static final String LABELS = "labels";
  static final String ESTIMATE = "estimate";
  static final String DEADLINE = "deadline";
  static final String MAX_RUN_TIME = "max_run_time";
  static final String AFTER = "after";
  static final String BAG = "bag";
  static final String BAG_TIME_TO_LIVE = "bag_time_to_live";
  static final String GROUP = "group";
  static final String GROUP_MIN_COUNT = "group_min_count";
  static final String GROUP_ON_LOSS = "group_on_loss";
  static final String BUDGET = "budget";

  static final List<String> REQUIRED =
      List.of(ADMITTED, ID, CLASS, SERVICE_TIME, FileDimensions.CPU, FileDimensions.MEMORY);

  static final List<String> COLUMNS = Stream.concat(REQUIRED.stream(), OPTIONAL.stream()).toList();

  /** Columns that show that a table has requests, and not hosts. */
  static final List<String> OF_REQUESTS = List.of(ADMITTED, CLASS, SERVICE_TIME);

  private static final List<String> NO_DIMENSIONS =
      Stream.concat(Stream.of(ADMITTED, ID, CLASS, SERVICE_TIME), OPTIONAL.stream()).toList();

  public CsvWorkloadFormat() {
    super(
        NAME,
        "Berth's own: " + String.join(",", REQUIRED) + " and more",
        firstLine(line -> CsvTable.isHeader(line, REQUIRED)));
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return skips -> open(input, classes);
  }

  private static EntryReader<Arrival> open(Input input, ServiceClassCatalog classes) {
    CsvTable table = CsvTable.withOtherColumns(input, REQUIRED, OPTIONAL);
    Map<String, Dimension> dimensions = FileDimensions.allBut(NO_DIMENSIONS, table.header());
    TimeOrder order = new TimeOrder();
    return Entries.ofRows(table, row -> arrival(row, classes, dimensions, order));
  }

  private static Arrival arrival(
      CsvTable.Row row,
      ServiceClassCatalog classes,
      Map<String, Dimension> dimensions,
      TimeOrder order) {
    Field admission = row.field(ADMITTED);
    long admitted = admission.nanos();
    Request.Builder request =
        Request.builder(row.field(ID).required(), classes.named(row.field(CLASS)).name())
            .demand(FileDimensions.read(row, dimensions));
    row.optional(JOB).ifPresent(job -> request.job(job.required()));
    row.optional(ANTI_AFFINITY).ifPresent(flag -> request.antiAffinity(antiAffinity(flag, row)));
    row.optional(CONSTRAINTS)
        .ifPresent(field -> ConstraintExpressions.parse(field).forEach(request::constraint));
    request.placement(placement(row));
    row.optional(APPLICATION).ifPresent(name -> request.application(name.required()));
    row.optional(USER).ifPresent(name -> request.user(name.required()));
    row.optional(LABELS).ifPresent(field -> addLabels(request, field));
    row.optional(ESTIMATE).ifPresent(field -> request.estimatedRunTime(duration(field)));
    row.optional(DEADLINE).ifPresent(field -> request.deadline(duration(field)));
    row.optional(MAX_RUN_TIME).ifPresent(field -> request.maxRunTime(duration(field)));
    row.optional(AFTER).ifPresent(field -> after(request, field));
    Request built = request.build();
    Arrival arrival =
        new Arrival(
            admitted,
            built,
            row.field(SERVICE_TIME).positiveNanos(),
            ActualBehaviour.asSaid(built),
            bag(row),
            group(row),
            budget(row));
    order.check(admission, admitted); // last, because a skipped line has no time
    return arrival;
  }

  private static PlacementSpec placement(CsvTable.Row row) {
    Optional<Field> tolerations = row.optional(TOLERATIONS);
    Optional<Field> rules = row.optional(RULES);
    Optional<Field> preferences = row.optional(PREFERENCES);
    Optional<Field> limits = row.optional(LIMITS);
    return new PlacementSpec(
        tolerations.map(PlacementExpressions::tolerations).orElse(List.of()),
        rules.map(PlacementExpressions::rules).orElse(List.of()),
        preferences.map(PlacementExpressions::preferences).orElse(List.of()),
        limits.map(PlacementExpressions::limits).orElse(List.of()));
  }

  private static void addLabels(Request.Builder request, Field field) {
    Map<String, String> labels =
        HostAttributes.parse(field, "must be labels like team=a;project=b");
    try {
      request.labels(labels);
    } catch (IllegalArgumentException beyondLimits) {
      throw field.error(
          "must be at most %s labels, with names and values of at most %s characters"
              .formatted(Request.MOST_LABELS, Request.LONGEST_LABEL));
    }
  }

  private static void after(Request.Builder request, Field field) {
    try {
      field.parts(';').forEach(each -> request.after(each.text()));
    } catch (IllegalArgumentException blankOrItself) {
      throw field.error("must be ids of other requests, like r1;r2");
    }
  }

  private static boolean antiAffinity(Field flag, CsvTable.Row row) {
    boolean apart = flag.flag();
    if (apart && row.optional(JOB).isEmpty()) {
      throw flag.error("requires a job, whose instances it keeps on different hosts");
    }
    return apart;
  }

  private static Optional<Arrival.InBag> bag(CsvTable.Row row) {
    Optional<Field> timeToLive = row.optional(BAG_TIME_TO_LIVE);
    Optional<Field> bag = row.optional(BAG);
    InputPart.refuse(timeToLive.filter(each -> bag.isEmpty()), "requires a bag");
    return bag.map(
        id -> new Arrival.InBag(id.required(), timeToLive.map(CsvWorkloadFormat::duration)));
  }

  private static Optional<Arrival.InGroup> group(CsvTable.Row row) {
    Optional<Field> minCount = row.optional(GROUP_MIN_COUNT);
    Optional<Field> onLoss = row.optional(GROUP_ON_LOSS);
    Optional<Field> group = row.optional(GROUP);
    if (group.isEmpty()) {
      InputPart.refuse(minCount.or(() -> onLoss), "requires a group");
    } else if (row.optional(BAG).isPresent()) {
      throw group.get().error("must not be there, since the request is in a bag");
    }
    return group.map(id -> Groups.read(id, minCount, onLoss));
  }

  private static Optional<DisruptionBudget> budget(CsvTable.Row row) {
    Optional<Field> budget = row.optional(BUDGET);
    InputPart.refuse(
        budget.filter(each -> row.optional(JOB).isEmpty()),
        "requires a job, whose instances it protects");
    return budget.map(PlacementExpressions::budget);
  }

  private static Duration duration(Field field) {
    return Duration.ofNanos(field.positiveNanos());
  }
}
