package dev.berth.traces;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.simulator.Arrival;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Workloads of the Borg simulator of the QoS-driven scheduling group: the production tasks of the
 * Google cluster trace of 2011 that are alive at one moment, with their constraints.
 *
 * <p>All are admitted at 0, whenever they were submitted. How long they run is not told: they have
 * {@link #SERVICE_TIME}, longer than any simulation of them.
 */
public final class BorgSnapshot implements WorkloadFormat {

  /** Ten years, in nanoseconds. */
  public static final long SERVICE_TIME = 3_650L * 86_400 * 1_000_000_000;

  private static final String CONSTRAINTS = "constraints";
  private static final List<String> FIELDS =
      List.of("time", "task index", "job id", "cpu", "mem", "priority", "anti-affinity");
  private static final Pattern FIRST = Pattern.compile("(?:[^,\\[]+,){7}\\[.*");

  /** For the service loader. */
  public BorgSnapshot() {}

  @Override
  public String name() {
    return BorgRow.NAME;
  }

  @Override
  public String description() {
    return "snapshots of the Google trace for the Borg simulator: tasks with constraints";
  }

  @Override
  public boolean recognises(Input input) {
    return input.firstLine().filter(line -> FIRST.matcher(line).matches()).isPresent();
  }

  @Override
  public Opener<Arrival> prepare(Input input, Classes classes) {
    return leftOut ->
        new LineReader<>(input.open(), (place, line) -> arrival(place, line, classes));
  }

  private static Arrival arrival(Place place, String line, Classes classes) {
    BorgRow row = BorgRow.of(place, line, FIELDS, CONSTRAINTS);
    row.field("time").wholeLong(0, Long.MAX_VALUE);
    List<Constraint> constraints = row.list().stream().map(BorgSnapshot::constraint).toList();
    Field job = row.field("job id");
    Field index = row.field("task index");
    return Requests.arrival(
        0,
        job.required(),
        index.required(),
        classes.ofPriority(row.field("priority")).name(),
        Requests.amounts(
            row.field("cpu").units(Dimension.CPU), row.field("mem").units(Dimension.MEMORY)),
        row.field("anti-affinity").flag(),
        constraints,
        SERVICE_TIME,
        "");
  }

  private static final Pattern CLAUSE = Pattern.compile("([^,]+),([^,]+),([^,]*)");

  private static Constraint constraint(Field clause) {
    Matcher parts = CLAUSE.matcher(clause.text());
    if (!parts.matches()) {
      throw clause.wrong("must be a constraint like attribute,==,value");
    }
    return Constraints.comparison(clause, parts.group(1), parts.group(2), parts.group(3));
  }
}
