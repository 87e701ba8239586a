package dev.berth.traces.format.csv;

import static dev.berth.traces.format.csv.CsvWorkloadFormat.ANTI_AFFINITY;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.APPLICATION;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.BAG;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.BAG_TIME_TO_LIVE;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.BUDGET;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.COLUMNS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.CONSTRAINTS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.DEADLINE;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.ESTIMATE;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.GROUP;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.GROUP_MIN_COUNT;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.GROUP_ON_LOSS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.JOB;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.LABELS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.LIMITS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.OPTIONAL;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.PREFERENCES;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.REQUIRED;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.RULES;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.TOLERATIONS;
import static dev.berth.traces.format.csv.CsvWorkloadFormat.USER;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.api.batch.GroupSpec;
import dev.berth.core.config.Durations;
import dev.berth.simulator.workload.ActualBehaviour;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.internal.FieldWriter;
import dev.berth.traces.internal.Groups;
import dev.berth.traces.internal.PlacementExpressions;
import dev.berth.traces.spi.EntryWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Writes requests as rows of a table with the columns that they need and no others. */
final class CsvArrivalWriter implements EntryWriter<Arrival> {

  private final Set<Dimension> dimensions = new TreeSet<>();
  private final Set<String> optional = new TreeSet<>();

  /** Adds the columns that a request needs. */
  void addColumnsFor(Arrival arrival) {
    Request request = arrival.request();
    FieldWriter fields = new FieldWriter("request " + request.id());
    if (!request.guaranteed().equals(request.demand())
        || request.moldability().isPresent()
        || !arrival.behaviour().equals(new ActualBehaviour(Optional.empty(), Optional.empty()))
        || !arrival.behaviour().equals(ActualBehaviour.asSaid(request))) {
      throw fields.refused(
          "csv cannot represent guaranteed resources, moldability, profiles and behaviour; jsonl"
              + " can");
    }
    for (Dimension each : request.demand().dimensions()) {
      if (!each.equals(Dimension.CPU) && !each.equals(Dimension.MEMORY)) {
        dimensions.add(each);
      }
    }
    for (String each : OPTIONAL) {
      if (!cell(fields, each, arrival).isEmpty()) {
        optional.add(each);
      }
    }
  }

  @Override
  public Optional<String> header() {
    List<String> columns = new ArrayList<>(REQUIRED);
    CsvCells.addDimensions(dimensions, COLUMNS, columns);
    OPTIONAL.stream().filter(optional::contains).forEach(columns::add);
    return Optional.of(CsvCells.row(columns));
  }

  @Override
  public String line(Arrival arrival) {
    Request request = arrival.request();
    FieldWriter fields = new FieldWriter("request " + request.id());
    List<String> cells = new ArrayList<>();
    cells.add(fields.time("admission", arrival.at()));
    cells.add(name(fields, "id", request.id()));
    cells.add(name(fields, "class", request.serviceClass()));
    cells.add(fields.time("service time", arrival.serviceTime()));
    cells.add(fields.amount(Dimension.CPU, request.demand().amount(Dimension.CPU)));
    cells.add(fields.amount(Dimension.MEMORY, request.demand().amount(Dimension.MEMORY)));
    for (Dimension each : dimensions) {
      cells.add(fields.amount(each, request.demand().amount(each)));
    }
    OPTIONAL.stream()
        .filter(optional::contains)
        .forEach(column -> cells.add(cell(fields, column, arrival)));
    return CsvCells.row(cells);
  }

  /** Returns the cell of an optional column; empty if the request has no such property. */
  private static String cell(FieldWriter fields, String column, Arrival arrival) {
    Request request = arrival.request();
    return switch (column) {
      case JOB -> name(fields, column, request.job());
      case ANTI_AFFINITY -> request.antiAffinity() ? "true" : "";
      case CONSTRAINTS ->
          CsvCells.cell(fields, column, CsvCells.constraints(fields, request.constraints()));
      case TOLERATIONS -> CsvPlacement.tolerations(fields, request.placement().tolerations());
      case RULES -> CsvPlacement.rules(fields, request.placement().rules());
      case PREFERENCES -> CsvPlacement.preferences(fields, request.placement().preferences());
      case LIMITS -> CsvPlacement.limits(fields, request.placement().limits());
      case APPLICATION -> name(fields, column, request.application());
      case USER -> name(fields, column, request.user());
      case LABELS ->
          CsvCells.cell(fields, column, CsvCells.pairs(fields, "label", request.labels()));
      case ESTIMATE -> time(fields, column, request.estimatedRunTime());
      case DEADLINE -> time(fields, column, request.deadline());
      case BAG -> name(fields, column, arrival.bag().map(Arrival.InBag::id));
      case BAG_TIME_TO_LIVE ->
          arrival
              .bag()
              .flatMap(Arrival.InBag::timeToLive)
              .map(time -> fields.time(column, Durations.toNanosSaturated(time)))
              .orElse("");
      case GROUP -> name(fields, column, arrival.group().map(Arrival.InGroup::id));
      case GROUP_MIN_COUNT ->
          arrival
              .group()
              .filter(each -> each.minCount().isPresent())
              .map(each -> Integer.toString(each.minCount().getAsInt()))
              .orElse("");
      case GROUP_ON_LOSS ->
          arrival
              .group()
              .filter(each -> each.onLoss() != GroupSpec.OnLoss.RESTORE)
              .map(each -> Groups.word(each.onLoss()))
              .orElse("");
      case BUDGET -> arrival.budget().map(PlacementExpressions::text).orElse("");
      default -> throw new IllegalStateException(column);
    };
  }

  private static String name(FieldWriter fields, String column, Optional<String> name) {
    return name.map(each -> name(fields, column, each)).orElse("");
  }

  private static String name(FieldWriter fields, String column, String name) {
    return CsvCells.cell(fields, column, fields.name(column, name));
  }

  private static String time(FieldWriter fields, String column, OptionalLong nanos) {
    return nanos.isPresent() ? fields.time(column, nanos.getAsLong()) : "";
  }
}
