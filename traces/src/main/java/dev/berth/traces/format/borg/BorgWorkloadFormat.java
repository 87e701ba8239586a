package dev.berth.traces.format.borg;

import dev.berth.api.Constraint;
import dev.berth.simulator.workload.Arrival;
import dev.berth.traces.format.google.GoogleRequests;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.input.SourceLocation;
import dev.berth.traces.internal.ConstraintExpressions;
import dev.berth.traces.internal.DeclaredFormat;
import dev.berth.traces.internal.Entries;
import dev.berth.traces.internal.FileDimensions;
import dev.berth.traces.internal.Snapshots;
import dev.berth.traces.internal.util.Shape;
import dev.berth.traces.spi.ReaderSupplier;
import dev.berth.traces.spi.ServiceClassCatalog;
import dev.berth.traces.spi.WorkloadFormat;
import java.util.List;
import java.util.regex.MatchResult;

/**
 * Workloads of the Borg simulator of the QoS-driven scheduling group: the production tasks of the
 * Google cluster trace of 2011 that are alive at one moment, with their constraints.
 *
 * <p>All tasks are admitted at 0, regardless of their submission. The files have no run times, so
 * every task runs for {@link Snapshots#SERVICE_TIME}.
 */
public final class BorgWorkloadFormat extends DeclaredFormat implements WorkloadFormat {

  private static final String CONSTRAINTS = "constraints";
  private static final List<String> FIELDS =
      List.of("time", "task index", "job id", "cpu", "mem", "priority", "anti-affinity");
  private static final Shape FIRST = Shape.of("(?:[^,\\[]++,){7}+\\[");

  public BorgWorkloadFormat() {
    super(
        BorgRow.NAME,
        "snapshots of the Google trace for the Borg simulator: tasks with constraints",
        firstLine(FIRST::begins));
  }

  @Override
  public ReaderSupplier<Arrival> prepare(Input input, ServiceClassCatalog classes) {
    return skips ->
        Entries.ofLines(input.open(), (location, line) -> arrival(location, line, classes));
  }

  private static Arrival arrival(
      SourceLocation location, String line, ServiceClassCatalog classes) {
    BorgRow row = BorgRow.of(location, line, FIELDS, CONSTRAINTS);
    row.field("time").wholeLong(0, Long.MAX_VALUE);
    List<Constraint> constraints = row.list().stream().map(BorgWorkloadFormat::constraint).toList();
    Field job = row.field("job id");
    Field index = row.field("task index");
    return GoogleRequests.arrival(
        0,
        job.required(),
        index.required(),
        classes.ofPriority(row.field("priority")).name(),
        FileDimensions.cpuAndMemory(row.field("cpu"), row.field("mem")),
        row.field("anti-affinity").flag(),
        constraints,
        Snapshots.SERVICE_TIME,
        "");
  }

  private static final Shape CLAUSE = Shape.of("([^,]++),([^,]++),([^,]*+)");

  private static Constraint constraint(Field clause) {
    MatchResult parts =
        CLAUSE
            .match(clause.text())
            .orElseThrow(() -> clause.error("must be a constraint like attribute,==,value"));
    return ConstraintExpressions.comparison(clause, parts.group(1), parts.group(2), parts.group(3));
  }
}
