package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Workloads in our own format: comma-separated values with a header. */
public final class CsvWorkload implements WorkloadFormat {

  static final String ADMITTED = "admitted";
  static final String ID = "id";
  static final String CLASS = "class";
  static final String SERVICE_TIME = "service_time";
  static final String JOB = "job";
  static final String ANTI_AFFINITY = "anti_affinity";
  static final String CONSTRAINTS = "constraints";
  static final String APPLICATION = "application";
  static final String USER = "user";
  static final String ESTIMATE = "estimate";
  static final String DEADLINE = "deadline";
  static final String BAG = "bag";
  static final String BAG_TIME_TO_LIVE = "bag_time_to_live";

  static final List<String> REQUIRED =
      List.of(ADMITTED, ID, CLASS, SERVICE_TIME, Dimensions.CPU, Dimensions.MEMORY);
  static final List<String> OPTIONAL =
      List.of(
          JOB,
          ANTI_AFFINITY,
          CONSTRAINTS,
          APPLICATION,
          USER,
          ESTIMATE,
          DEADLINE,
          BAG,
          BAG_TIME_TO_LIVE);

  private static final List<String> NO_DIMENSIONS =
      Stream.concat(Stream.of(ADMITTED, ID, CLASS, SERVICE_TIME), OPTIONAL.stream()).toList();

  /** For the service loader. */
  public CsvWorkload() {}

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public String description() {
    return "ours: " + String.join(",", REQUIRED) + " and more";
  }

  @Override
  public boolean recognises(Input input) {
    return input
        .firstLine()
        .filter(
            line ->
                CsvTable.names(line, Stream.concat(REQUIRED.stream(), OPTIONAL.stream()).toList()))
        .isPresent();
  }

  @Override
  public Opener<Arrival> prepare(Input input, Classes classes) {
    return leftOut -> open(input, classes);
  }

  private static EntryReader<Arrival> open(Input input, Classes classes) {
    CsvTable table = CsvTable.withOtherColumns(input, REQUIRED, OPTIONAL);
    Map<String, Dimension> dimensions = Dimensions.allBut(NO_DIMENSIONS, table.header());
    TimeOrder order = new TimeOrder();
    return new CsvReader<>(table, row -> arrival(row, classes, dimensions, order));
  }

  private static Arrival arrival(
      CsvTable.Row row, Classes classes, Map<String, Dimension> dimensions, TimeOrder order) {
    Field admission = row.field(ADMITTED);
    long admitted = admission.nanos();
    Request.Builder request =
        Request.builder(row.field(ID).required(), classes.named(row.field(CLASS)).name())
            .demand(Dimensions.read(row, dimensions));
    row.optional(JOB).ifPresent(job -> request.job(job.required()));
    row.optional(ANTI_AFFINITY).ifPresent(flag -> request.antiAffinity(antiAffinity(flag, row)));
    row.optional(CONSTRAINTS)
        .ifPresent(field -> Constraints.parse(field).forEach(request::constraint));
    row.optional(APPLICATION).ifPresent(name -> request.application(name.required()));
    row.optional(ESTIMATE).ifPresent(field -> request.estimatedRunTime(duration(field)));
    row.optional(DEADLINE).ifPresent(field -> request.deadline(duration(field)));
    Request built = request.build();
    Arrival arrival =
        new Arrival(
            admitted,
            built,
            row.field(SERVICE_TIME).positiveNanos(),
            ActualBehaviour.asSaid(built),
            bag(row),
            row.optional(USER).map(Field::required));
    order.read(admission, admitted); // last: a line that is left out has no time
    return arrival;
  }

  private static boolean antiAffinity(Field flag, CsvTable.Row row) {
    boolean refuses = flag.flag();
    if (refuses && row.optional(JOB).isEmpty()) {
      throw flag.wrong("needs a job, whose instances are kept apart");
    }
    return refuses;
  }

  private static Optional<Arrival.InBag> bag(CsvTable.Row row) {
    Optional<Field> timeToLive = row.optional(BAG_TIME_TO_LIVE);
    Optional<Field> bag = row.optional(BAG);
    if (bag.isEmpty() && timeToLive.isPresent()) {
      throw timeToLive.get().wrong("needs a bag, whose time it is");
    }
    return bag.map(id -> new Arrival.InBag(id.required(), timeToLive.map(CsvWorkload::duration)));
  }

  private static Duration duration(Field field) {
    return Duration.ofNanos(field.positiveNanos());
  }
}
