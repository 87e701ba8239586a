package dev.berth.traces;

import dev.berth.api.Dimension;
import dev.berth.api.Request;
import dev.berth.core.config.Durations;
import dev.berth.simulator.ActualBehaviour;
import dev.berth.simulator.Arrival;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Writes requests as rows of a table that has the columns they need and no others. */
final class CsvColumns {

  private final Set<Dimension> dimensions = new TreeSet<>();
  private final Set<String> optional = new TreeSet<>();

  /** Sees that there are columns for a request. */
  void need(Arrival arrival) {
    Request request = arrival.request();
    Written written = new Written("request " + request.id());
    if (!request.guaranteed().equals(request.demand())
        || request.moldability().isPresent()
        || !arrival.behaviour().equals(new ActualBehaviour(Optional.empty(), Optional.empty()))
        || !arrival.behaviour().equals(ActualBehaviour.asSaid(request))) {
      throw written.refused(
          "csv cannot tell what is guaranteed, moldability, profiles and behaviour; jsonl can");
    }
    for (Dimension each : request.demand().dimensions()) {
      if (!each.equals(Dimension.CPU) && !each.equals(Dimension.MEMORY)) {
        dimensions.add(each);
      }
    }
    for (String each : CsvWorkload.OPTIONAL) {
      if (!cell(written, each, arrival).isEmpty()) {
        optional.add(each);
      }
    }
  }

  String header() {
    List<String> columns = new ArrayList<>(CsvWorkload.REQUIRED);
    for (Dimension each : dimensions) {
      Written written = new Written("dimension " + each);
      if (Stream.concat(CsvWorkload.REQUIRED.stream(), CsvWorkload.OPTIONAL.stream())
          .anyMatch(known -> CsvTable.names(each.name(), List.of(known)))) {
        throw written.refused(
            "its name is like that of a column, which csv cannot tell; jsonl can");
      }
      columns.add(CsvText.cell(written, "name", written.name("name", each.name())));
    }
    CsvWorkload.OPTIONAL.stream().filter(optional::contains).forEach(columns::add);
    return CsvText.row(columns);
  }

  String row(Arrival arrival) {
    Request request = arrival.request();
    Written written = new Written("request " + request.id());
    List<String> cells = new ArrayList<>();
    cells.add(written.time("admission", arrival.at()));
    cells.add(name(written, "id", request.id()));
    cells.add(name(written, "class", request.serviceClass()));
    cells.add(written.time("service time", arrival.serviceTime()));
    cells.add(written.amount(Dimension.CPU, request.demand().amount(Dimension.CPU)));
    cells.add(written.amount(Dimension.MEMORY, request.demand().amount(Dimension.MEMORY)));
    for (Dimension each : dimensions) {
      cells.add(written.amount(each, request.demand().amount(each)));
    }
    CsvWorkload.OPTIONAL.stream()
        .filter(optional::contains)
        .forEach(column -> cells.add(cell(written, column, arrival)));
    return CsvText.row(cells);
  }

  /** Returns what stands in a column that may be left out; empty if there is nothing to say. */
  private static String cell(Written written, String column, Arrival arrival) {
    Request request = arrival.request();
    return switch (column) {
      case CsvWorkload.JOB -> name(written, column, request.job());
      case CsvWorkload.ANTI_AFFINITY -> request.antiAffinity() ? "true" : "";
      case CsvWorkload.CONSTRAINTS ->
          CsvText.cell(written, column, CsvText.constraints(written, request.constraints()));
      case CsvWorkload.APPLICATION -> name(written, column, request.application());
      case CsvWorkload.USER -> name(written, column, arrival.user());
      case CsvWorkload.ESTIMATE -> time(written, column, request.estimatedRunTime());
      case CsvWorkload.DEADLINE -> time(written, column, request.deadline());
      case CsvWorkload.BAG -> name(written, column, arrival.bag().map(Arrival.InBag::id));
      case CsvWorkload.BAG_TIME_TO_LIVE ->
          arrival
              .bag()
              .flatMap(Arrival.InBag::timeToLive)
              .map(time -> written.time(column, Durations.toNanosSaturated(time)))
              .orElse("");
      default -> throw new IllegalStateException(column);
    };
  }

  private static String name(Written written, String column, Optional<String> name) {
    return name.map(each -> name(written, column, each)).orElse("");
  }

  private static String name(Written written, String column, String name) {
    return CsvText.cell(written, column, written.name(column, name));
  }

  private static String time(Written written, String column, OptionalLong nanos) {
    return nanos.isPresent() ? written.time(column, nanos.getAsLong()) : "";
  }
}
