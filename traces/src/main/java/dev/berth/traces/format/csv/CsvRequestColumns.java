package dev.berth.traces.format.csv;

import static dev.berth.traces.format.csv.CsvWorkloadFormat.ADMITTED;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.AFTER;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.ANTI_AFFINITY;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.APPLICATION;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.BAG;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.BAG_TIME_TO_LIVE;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.BUDGET;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.CLASS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.COLUMNS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.CONSTRAINTS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.DEADLINE;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.ESTIMATE;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.GROUP;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.GROUP_MIN_COUNT;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.GROUP_ON_LOSS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.ID;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.JOB;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.LABELS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.LIMITS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.MAX_RUN_TIME;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.PREFERENCES;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.RULES;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.SERVICE_TIME;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.TOLERATIONS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.USER;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.core.config.Durations;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.format.csv.CsvRows.Column;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.internal.Groups;
import dev.berth.traces.internal.PlacementExpressions;
import dev.berth.traces.spi.EntryWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** The columns of requests, and which of them a workload needs. */
final class CsvRequestColumns {

  /** An empty cell means that the request has no such property. */
  private static final List<Column<Arrival>> OPTIONAL_COLUMNS =
      List.of(
          new Column<>(JOB, (it, fields) -> name(fields, JOB, it.request().job())),
          new Column<>(ANTI_AFFINITY, (it, fields) -> it.request().antiAffinity() ? "true" : ""),
          new Column<>(
              CONSTRAINTS,
              (it, fields) ->
                  CsvCells.cell(
                      fields,
                      CONSTRAINTS,
                      CsvCells.constraints(fields, it.request().constraints()))),
          new Column<>(
              TOLERATIONS,
              (it, fields) ->
                  CsvPlacement.tolerations(fields, it.request().placement().tolerations())),
          new Column<>(
              RULES, (it, fields) -> CsvPlacement.rules(fields, it.request().placement().rules())),
          new Column<>(
              PREFERENCES,
              (it, fields) ->
                  CsvPlacement.preferences(fields, it.request().placement().preferences())),
          new Column<>(
              LIMITS,
              (it, fields) -> CsvPlacement.limits(fields, it.request().placement().limits())),
          new Column<>(
              APPLICATION, (it, fields) -> name(fields, APPLICATION, it.request().application())),
          new Column<>(USER, (it, fields) -> name(fields, USER, it.request().user())),
          new Column<>(
              LABELS,
              (it, fields) ->
                  CsvCells.cell(
                      fields, LABELS, CsvCells.pairs(fields, "label", it.request().labels()))),
          new Column<>(
              ESTIMATE, (it, fields) -> time(fields, ESTIMATE, it.request().estimatedRunTime())),
          new Column<>(DEADLINE, (it, fields) -> time(fields, DEADLINE, it.request().deadline())),
          new Column<>(
              MAX_RUN_TIME, (it, fields) -> time(fields, MAX_RUN_TIME, it.request().maxRunTime())),
          new Column<>(
              AFTER,
              (it, fields) ->
                  CsvCells.cell(
                      fields,
                      AFTER,
                      it.request().after().stream()
                          .map(each -> CsvCells.word(fields, "id", fields.name(AFTER, each), false))
                          .collect(Collectors.joining(";")))),
          new Column<>(BAG, (it, fields) -> name(fields, BAG, it.bag().map(Arrival.InBag::id))),
          new Column<>(
              BAG_TIME_TO_LIVE,
              (it, fields) ->
                  it.bag()
                      .flatMap(Arrival.InBag::timeToLive)
                      .map(time -> fields.time(BAG_TIME_TO_LIVE, Durations.toNanosSaturated(time)))
                      .orElse("")),
          new Column<>(
              GROUP, (it, fields) -> name(fields, GROUP, it.group().map(Arrival.InGroup::id))),
          new Column<>(
              GROUP_MIN_COUNT,
              (it, fields) ->
                  it.group()
                      .filter(each -> each.minCount().isPresent())
                      .map(each -> Integer.toString(each.minCount().getAsInt()))
                      .orElse("")),
          new Column<>(
              GROUP_ON_LOSS,
              (it, fields) ->
                  it.group()
                      .filter(each -> each.onLoss() != GroupSpec.OnLoss.RESTORE)
                      .map(each -> Groups.word(each.onLoss()))
                      .orElse("")),
          new Column<>(
              BUDGET, (it, fields) -> it.budget().map(PlacementExpressions::text).orElse("")));

  static final List<String> OPTIONAL = OPTIONAL_COLUMNS.stream().map(Column::name).toList();

  private CsvRequestColumns() {}

  /** Returns a writer of the columns that the requests of a workload need. */
  static EntryWriter<Arrival> writer(Workload workload) {
    Set<Dimension> dimensions = new HashSet<>();
    Set<Column<Arrival>> needed = new HashSet<>();
    try (ArrivalSource source = workload.open()) {
      while (source.hasNext()) {
        Arrival arrival = source.next();
        FieldWriter fields = new FieldWriter(subject(arrival));
        requireColumnsFor(arrival, fields);
        dimensions.addAll(arrival.request().demand().dimensions());
        OPTIONAL_COLUMNS.stream()
            .filter(each -> !each.cell().apply(arrival, fields).isEmpty())
            .forEach(needed::add);
      }
    }
    List<Column<Arrival>> columns = new ArrayList<>();
    columns.add(new Column<>(ADMITTED, (it, fields) -> fields.time("admission", it.at())));
    columns.add(new Column<>(ID, (it, fields) -> CsvCells.name(fields, ID, it.request().id())));
    columns.add(
        new Column<>(
            CLASS, (it, fields) -> CsvCells.name(fields, CLASS, it.request().serviceClass())));
    columns.add(
        new Column<>(SERVICE_TIME, (it, fields) -> fields.time("service time", it.serviceTime())));
    columns.addAll(CsvRows.amounts(dimensions, COLUMNS, it -> it.request().demand()));
    OPTIONAL_COLUMNS.stream().filter(needed::contains).forEach(columns::add);
    return new CsvRows<>(CsvRequestColumns::subject, columns);
  }

  private static String subject(Arrival arrival) {
    return "request " + arrival.request().id();
  }

  private static void requireColumnsFor(Arrival arrival, FieldWriter fields) {
    Request request = arrival.request();
    if (!request.guaranteed().equals(request.demand())
        || request.moldability().isPresent()
        || !arrival.behaviour().equals(new ActualBehaviour(Optional.empty(), Optional.empty()))
        || !arrival.behaviour().equals(ActualBehaviour.asSaid(request))) {
      throw fields.refused(
          "csv cannot represent guaranteed resources, moldability, profiles and behaviour; jsonl"
              + " can");
    }
  }

  private static String name(FieldWriter fields, String column, Optional<String> name) {
    return name.map(each -> CsvCells.name(fields, column, each)).orElse("");
  }

  private static String time(FieldWriter fields, String column, OptionalLong nanos) {
    return nanos.isPresent() ? fields.time(column, nanos.getAsLong()) : "";
  }
}
