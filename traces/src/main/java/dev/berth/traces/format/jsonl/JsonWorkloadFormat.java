package dev.berth.traces.format.jsonl;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.Groups;
import dev.berth.traces.internal.JsonObject;
import dev.berth.traces.internal.TimeOrder;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.WorkloadFormat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Workloads as one JSON object a line, with every property of a request. */
public final class JsonWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

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
  static final String LABELS = "labels";
  static final String ESTIMATE = "estimate";
  static final String DEADLINE = "deadline";
  static final String BAG = "bag";
  static final String GROUP = "group";
  static final String MIN_COUNT = "minCount";
  static final String ON_LOSS = "onLoss";
  static final String BUDGET = "budget";
  static final String MAX_DOWN = "maxDown";
  static final String MIN_UP = "minUp";
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
  static final String MAX_RUN_TIME = "maxRunTime";
  static final String LOSES_PROGRESS = "losesProgress";
  static final String AFTER = "after";
  static final String KEEPS_PROGRESS = "keepsProgress";
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
          JsonPlacement.TOLERATIONS,
          JsonPlacement.RULES,
          JsonPlacement.PREFERENCES,
          JsonPlacement.LIMITS,
          APPLICATION,
          USER,
          LABELS,
          ESTIMATE,
          DEADLINE,
          MAX_RUN_TIME,
          LOSES_PROGRESS,
          AFTER,
          BAG,
          GROUP,
          BUDGET,
          MOLDABILITY,
          MEMORY_PROFILE,
          PERFORMANCE,
          BEHAVIOUR);

  private static final Shape FIRST = Shape.of("\\{\\s*+\"[^\"]*+\"\\s*+:");

  public JsonWorkloadFormat() {
    super(
        NAME,
        "Berth's own, JSON Lines: an object a line, with every property of a request",
        JsonWorkloadFormat::isObject);
  }

  static boolean isObject(Input input) {
    return input.firstLine().filter(FIRST::begins).isPresent();
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return skips -> {
      TimeOrder order = new TimeOrder();
      return Entries.ofLines(
          input.open(),
          (location, line) -> arrival(JsonObject.of(location, line).only(MEMBERS), classes, order));
    };
  }

  private static Arrival arrival(JsonObject line, ServiceClassCatalog classes, TimeOrder order) {
    Field admission = line.field(ADMITTED);
    long admitted = admission.nanos();
    Request request = line.convert(object -> request(object, classes));
    ActualBehaviour behaviour =
        line.object(BEHAVIOUR)
            .map(
                object ->
                    new ActualBehaviour(
                        memoryProfile(
                            object.only(List.of(MEMORY_PROFILE, PERFORMANCE, KEEPS_PROGRESS))),
                        performance(object),
                        object
                            .optional(KEEPS_PROGRESS)
                            .map(Field::flag)
                            .orElse(!request.losesProgress())))
            .orElseGet(() -> ActualBehaviour.asSaid(request));
    Arrival arrival =
        new Arrival(
            admitted,
            request,
            line.field(SERVICE_TIME).positiveNanos(),
            behaviour,
            line.object(BAG).map(JsonWorkloadFormat::bag),
            group(line),
            budget(line));
    order.check(admission, admitted); // last, because a skipped line has no time
    return arrival;
  }

  private static Request request(JsonObject line, ServiceClassCatalog classes) {
    Request.Builder request =
        Request.builder(
                line.text(ID).orElseGet(() -> line.field(ID).required()),
                classes.named(line.field(CLASS)).name())
            .demand(line.object(DEMAND).map(JsonWorkloadFormat::amounts).orElse(Resources.none()));
    line.object(GUARANTEED).ifPresent(guaranteed -> request.guaranteed(amounts(guaranteed)));
    line.text(JOB).ifPresent(request::job);
    line.optional(ANTI_AFFINITY).ifPresent(flag -> request.antiAffinity(flag.flag()));
    line.objects(CONSTRAINTS)
        .ifPresent(
            all ->
                all.forEach(
                    each -> request.constraint(each.convert(JsonWorkloadFormat::constraint))));
    request.placement(JsonPlacement.read(line, JsonWorkloadFormat::constraint));
    line.text(APPLICATION).ifPresent(request::application);
    line.text(USER).ifPresent(request::user);
    line.object(LABELS)
        .ifPresent(
            labels -> labels.fields().forEach((name, field) -> request.label(name, field.text())));
    line.optional(ESTIMATE).ifPresent(field -> request.estimatedRunTime(duration(field)));
    line.optional(DEADLINE).ifPresent(field -> request.deadline(duration(field)));
    line.optional(MAX_RUN_TIME).ifPresent(field -> request.maxRunTime(duration(field)));
    line.optional(LOSES_PROGRESS).ifPresent(flag -> request.losesProgress(flag.flag()));
    line.values(AFTER).ifPresent(ids -> ids.forEach(each -> request.after(each.text())));
    line.objects(MOLDABILITY).ifPresent(points -> request.moldability(moldability(points)));
    memoryProfile(line).ifPresent(request::memoryProfile);
    performance(line).ifPresent(request::performanceMemoryProfile);
    return request.build();
  }

  static Resources amounts(JsonObject object) {
    Resources.Builder amounts = Resources.builder();
    object
        .fields()
        .forEach(
            (name, field) -> {
              field.refuseIf(name.isBlank(), "must have the name of a dimension");
              Dimension dimension = FileDimensions.of(name);
              amounts.put(dimension, field.units(dimension));
            });
    return amounts.build();
  }

  private static Constraint constraint(JsonObject object) {
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
                  .orElseThrow(() -> operator.error("must have the member " + VALUES)));
      case EXISTS -> new Constraint.Exists(attribute);
      default -> throw operator.error("must be one of ==, !=, <, >, in, exists");
    };
  }

  private static long whole(Field field) {
    return field.wholeLong(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private static Moldability moldability(List<JsonObject> points) {
    return new Moldability(
        all(
            points,
            List.of(SHARE, FACTOR),
            each ->
                each.convert(
                    point ->
                        new Moldability.Point(
                            point.field(SHARE).number().doubleValue(),
                            point.field(FACTOR).number().doubleValue()))));
  }

  private static Optional<MemoryProfile> memoryProfile(JsonObject line) {
    return line.objects(MEMORY_PROFILE)
        .map(steps -> line.convert(object -> MemoryProfile.of(steps(steps))));
  }

  private static List<MemoryProfile.Step> steps(List<JsonObject> steps) {
    return all(
        steps,
        List.of(FROM, NEED),
        each ->
            new MemoryProfile.Step(
                each.field(FROM).nanos(), each.field(NEED).units(Dimension.MEMORY)));
  }

  private static Optional<PerformanceMemoryProfile> performance(JsonObject line) {
    return line.objects(PERFORMANCE)
        .map(points -> line.convert(object -> PerformanceMemoryProfile.of(points(points))));
  }

  private static List<PerformanceMemoryProfile.Point> points(List<JsonObject> points) {
    return all(
        points,
        List.of(MEMORY, RUN_TIME),
        each ->
            new PerformanceMemoryProfile.Point(
                each.field(MEMORY).units(Dimension.MEMORY), each.field(RUN_TIME).positiveNanos()));
  }

  private static <T> List<T> all(
      List<JsonObject> objects, List<String> members, Function<JsonObject, T> read) {
    return objects.stream().map(each -> read.apply(each.only(members))).toList();
  }

  private static Arrival.InBag bag(JsonObject object) {
    object.only(List.of(ID, TIME_TO_LIVE));
    return new Arrival.InBag(
        object.field(ID).required(),
        object.optional(TIME_TO_LIVE).map(JsonWorkloadFormat::duration));
  }

  private static Optional<Arrival.InGroup> group(JsonObject line) {
    Optional<JsonObject> group = line.object(GROUP);
    if (group.isPresent() && line.object(BAG).isPresent()) {
      throw group.get().field(ID).error("must not be there, since the request is in a bag");
    }
    return group.map(
        object -> {
          object.only(List.of(ID, MIN_COUNT, ON_LOSS));
          return Groups.read(
              object.field(ID), object.optional(MIN_COUNT), object.optional(ON_LOSS));
        });
  }

  private static Optional<DisruptionBudget> budget(JsonObject line) {
    Optional<JsonObject> budget = line.object(BUDGET);
    if (budget.isPresent() && !line.has(JOB)) {
      throw budget.get().error("requires a job, whose instances it protects");
    }
    return budget.map(
        object -> {
          object.only(List.of(MAX_DOWN, MIN_UP));
          if (object.has(MAX_DOWN) == object.has(MIN_UP)) {
            throw object.error("must have either the member maxDown or the member minUp");
          }
          return object.has(MAX_DOWN)
              ? DisruptionBudget.maxDown(object.field(MAX_DOWN).whole(0, Integer.MAX_VALUE))
              : DisruptionBudget.minUp(object.field(MIN_UP).whole(0, Integer.MAX_VALUE));
        });
  }

  private static Duration duration(Field field) {
    return Duration.ofNanos(field.positiveNanos());
  }
}
