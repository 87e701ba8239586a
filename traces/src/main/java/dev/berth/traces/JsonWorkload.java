package dev.berth.traces;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Workloads in our own format that tells all there is: a JSON object a line. */
public final class JsonWorkload implements WorkloadFormat {

  static final String NAME = "jsonl";

  static final String ADMITTED = "admitted";
  static final String ID = "id";
  static final String CLASS = "class";
  static final String SERVICE_TIME = "serviceTime";
  static final String DEMAND = "demand";
  static final String GUARANTEED = "guaranteed";
  static final String JOB = "job";
  static final String ANTI_AFFINITY = "antiAffinity";
  static final String CONSTRAINTS = "constraints";
  static final String ATTRIBUTE = "attribute";
  static final String OPERATOR = "operator";
  static final String VALUE = "value";
  static final String VALUES = "values";
  static final String IN = "in";
  static final String EXISTS = "exists";
  static final String APPLICATION = "application";
  static final String USER = "user";
  static final String ESTIMATE = "estimate";
  static final String DEADLINE = "deadline";
  static final String BAG = "bag";
  static final String TIME_TO_LIVE = "timeToLive";
  static final String MOLDABILITY = "moldability";
  static final String SHARE = "share";
  static final String FACTOR = "factor";
  static final String MEMORY_PROFILE = "memoryProfile";
  static final String FROM = "from";
  static final String NEED = "need";
  static final String PERFORMANCE = "performanceMemoryProfile";
  static final String MEMORY = "memory";
  static final String RUN_TIME = "runTime";
  static final String BEHAVIOUR = "behaviour";

  private static final List<String> MEMBERS =
      List.of(
          ADMITTED,
          ID,
          CLASS,
          SERVICE_TIME,
          DEMAND,
          GUARANTEED,
          JOB,
          ANTI_AFFINITY,
          CONSTRAINTS,
          APPLICATION,
          USER,
          ESTIMATE,
          DEADLINE,
          BAG,
          MOLDABILITY,
          MEMORY_PROFILE,
          PERFORMANCE,
          BEHAVIOUR);

  private static final Pattern FIRST = Pattern.compile("\\{\\s*\"[^\"]*\"\\s*:.*");

  /** For the service loader. */
  public JsonWorkload() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "ours, JSON Lines: an object a line, with all that requests can tell";
  }

  @Override
  public boolean recognises(Input input) {
    return isObject(input);
  }

  static boolean isObject(Input input) {
    return input.firstLine().filter(line -> FIRST.matcher(line).matches()).isPresent();
  }

  @Override
  public Opener<Arrival> prepare(Input input, Classes classes) {
    return leftOut -> {
      TimeOrder order = new TimeOrder();
      return new LineReader<>(
          input.open(),
          (place, line) -> arrival(JsonLine.of(place, line).only(MEMBERS), classes, order));
    };
  }

  private static Arrival arrival(JsonLine line, Classes classes, TimeOrder order) {
    Field admission = line.field(ADMITTED);
    long admitted = admission.nanos();
    Request request = line.make(object -> request(object, classes));
    ActualBehaviour behaviour =
        line.object(BEHAVIOUR)
            .map(
                object ->
                    new ActualBehaviour(
                        memoryProfile(object.only(List.of(MEMORY_PROFILE, PERFORMANCE))),
                        performance(object)))
            .orElseGet(() -> ActualBehaviour.asSaid(request));
    Arrival arrival =
        new Arrival(
            admitted,
            request,
            line.field(SERVICE_TIME).positiveNanos(),
            behaviour,
            line.object(BAG).map(JsonWorkload::bag),
            line.text(USER));
    order.read(admission, admitted); // last: a line that is left out has no time
    return arrival;
  }

  private static Request request(JsonLine line, Classes classes) {
    Request.Builder request =
        Request.builder(
                line.text(ID).orElseGet(() -> line.field(ID).required()),
                classes.named(line.field(CLASS)).name())
            .demand(line.object(DEMAND).map(JsonWorkload::amounts).orElse(Resources.none()));
    line.object(GUARANTEED).ifPresent(guaranteed -> request.guaranteed(amounts(guaranteed)));
    line.text(JOB).ifPresent(request::job);
    line.optional(ANTI_AFFINITY).ifPresent(flag -> request.antiAffinity(flag.flag()));
    line.objects(CONSTRAINTS)
        .ifPresent(
            all -> all.forEach(each -> request.constraint(each.make(JsonWorkload::constraint))));
    line.text(APPLICATION).ifPresent(request::application);
    line.optional(ESTIMATE).ifPresent(field -> request.estimatedRunTime(duration(field)));
    line.optional(DEADLINE).ifPresent(field -> request.deadline(duration(field)));
    line.objects(MOLDABILITY).ifPresent(points -> request.moldability(moldability(points)));
    memoryProfile(line).ifPresent(request::memoryProfile);
    performance(line).ifPresent(request::performanceMemoryProfile);
    return request.build();
  }

  static Resources amounts(JsonLine object) {
    Resources.Builder amounts = Resources.builder();
    object
        .fields()
        .forEach(
            (name, field) -> {
              if (name.isBlank()) {
                throw field.wrong("must be of a dimension with a name");
              }
              Dimension dimension = Dimensions.of(name);
              amounts.put(dimension, field.units(dimension));
            });
    return amounts.build();
  }

  private static Constraint constraint(JsonLine object) {
    object.only(List.of(ATTRIBUTE, OPERATOR, VALUE, VALUES));
    String attribute = object.field(ATTRIBUTE).required();
    Field operator = object.field(OPERATOR);
    return switch (operator.text()) {
      case "==" -> new Constraint.Equal(attribute, object.field(VALUE).text());
      case "!=" -> new Constraint.NotEqual(attribute, object.field(VALUE).text());
      case "<" -> new Constraint.LessThan(attribute, whole(object.field(VALUE)));
      case ">" -> new Constraint.GreaterThan(attribute, whole(object.field(VALUE)));
      case IN ->
          new Constraint.In(
              attribute,
              object
                  .values(VALUES)
                  .map(object::texts)
                  .orElseThrow(() -> operator.wrong("must have the member " + VALUES)));
      case EXISTS -> new Constraint.Exists(attribute);
      default -> throw operator.wrong("must be one of ==, !=, <, >, in, exists");
    };
  }

  private static long whole(Field field) {
    return field.wholeLong(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static Moldability moldability(List<JsonLine> points) {
    return new Moldability(
        points.stream()
            .map(
                each ->
                    each.only(List.of(SHARE, FACTOR))
                        .make(
                            point ->
                                new Moldability.Point(
                                    point.field(SHARE).number().doubleValue(),
                                    point.field(FACTOR).number().doubleValue())))
            .toList());
  }

  private static Optional<MemoryProfile> memoryProfile(JsonLine line) {
    return line.objects(MEMORY_PROFILE)
        .map(
            steps ->
                line.make(
                    object ->
                        MemoryProfile.of(
                            steps.stream()
                                .map(each -> each.only(List.of(FROM, NEED)))
                                .map(
                                    each ->
                                        new MemoryProfile.Step(
                                            each.field(FROM).nanos(),
                                            each.field(NEED).units(Dimension.MEMORY)))
                                .toList())));
  }

  private static Optional<PerformanceMemoryProfile> performance(JsonLine line) {
    return line.objects(PERFORMANCE)
        .map(
            points ->
                line.make(
                    object ->
                        PerformanceMemoryProfile.of(
                            points.stream()
                                .map(each -> each.only(List.of(MEMORY, RUN_TIME)))
                                .map(
                                    each ->
                                        new PerformanceMemoryProfile.Point(
                                            each.field(MEMORY).units(Dimension.MEMORY),
                                            each.field(RUN_TIME).positiveNanos()))
                                .toList())));
  }

  private static Arrival.InBag bag(JsonLine object) {
    object.only(List.of(ID, TIME_TO_LIVE));
    return new Arrival.InBag(
        object.field(ID).required(), object.optional(TIME_TO_LIVE).map(JsonWorkload::duration));
  }

  private static Duration duration(Field field) {
    return Duration.ofNanos(field.positiveNanos());
  }
}
