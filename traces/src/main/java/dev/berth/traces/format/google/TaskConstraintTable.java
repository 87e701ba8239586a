package dev.berth.traces.format.google;

import dev.berth.api.Constraint;
import dev.berth.traces.input.CsvTable;
import dev.berth.traces.input.Field;
import dev.berth.traces.input.Input;
import dev.berth.traces.internal.PartitionedTable;
import dev.berth.traces.internal.TimeOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code task_constraints}, read in step with those of {@code task_events}. Only the
 * rows of one time are in memory.
 */
final class TaskConstraintTable implements AutoCloseable {

  private static final String TIME = "time";
  private static final String JOB = "job ID";
  private static final String INDEX = "task index";
  private static final String OPERATOR = "comparison operator";
  private static final String ATTRIBUTE = "attribute name";
  private static final String VALUE = "attribute value";

  private static final List<String> FIELDS = List.of(TIME, JOB, INDEX, OPERATOR, ATTRIBUTE, VALUE);

  private final PartitionedTable table;
  private final TimeOrder order = new TimeOrder();
  private final Map<Long, List<Optional<Constraint>>> now = new HashMap<>();
  private long time = -1;
  private @Nullable Row ahead;

  TaskConstraintTable(List<Input> parts) {
    this.table = new PartitionedTable(parts, FIELDS);
  }

  /**
   * The constraints of a task.
   *
   * @param constraints the constraints that its host must meet
   * @param unsupported whether the task also requires the absence of an attribute, which no {@link
   *     Constraint} expresses
   */
  record TaskConstraints(List<Constraint> constraints, boolean unsupported) {}

  private record Row(long at, long key, Optional<Constraint> constraint) {}

  /**
   * Returns the constraints of a task at a time.
   *
   * @param key the {@linkplain GoogleWorkloadFormat#key key} of the task
   * @param at the time in nanoseconds, not before that of an earlier call
   */
  TaskConstraints of(long key, long at) {
    if (at != time) {
      now.clear();
      time = at;
    }
    for (Row row = peek(); row != null && row.at <= at; row = peek()) {
      ahead = null;
      if (row.at == at) {
        now.computeIfAbsent(row.key, task -> new ArrayList<>()).add(row.constraint);
      }
    }
    List<Optional<Constraint>> found = now.getOrDefault(key, List.of());
    return new TaskConstraints(
        found.stream().flatMap(Optional::stream).toList(),
        found.stream().anyMatch(Optional::isEmpty));
  }

  private @Nullable Row peek() {
    if (ahead == null) {
      CsvTable.Row row = table.next();
      ahead = row == null ? null : row(row);
    }
    return ahead;
  }

  private Row row(CsvTable.Row row) {
    long at = GoogleTrace.time(row.field(TIME));
    Row read =
        new Row(at, GoogleWorkloadFormat.key(row.field(JOB), row.field(INDEX)), constraint(row));
    order.check(row.field(TIME), at);
    return read;
  }

  /** Returns a constraint; empty if it requires the absence of an attribute. */
  private static Optional<Constraint> constraint(CsvTable.Row row) {
    String attribute = row.field(ATTRIBUTE).required();
    Field value = row.field(VALUE);
    return switch ((int) row.field(OPERATOR).wholeLong(0, 3)) {
      case 0 ->
          value.isEmpty()
              ? Optional.empty()
              : Optional.of(new Constraint.Equal(attribute, value.text()));
      case 1 ->
          Optional.of(
              value.isEmpty()
                  ? new Constraint.Exists(attribute)
                  : new Constraint.NotEqual(attribute, value.text()));
      case 2 -> Optional.of(new Constraint.LessThan(attribute, bound(value)));
      default -> Optional.of(new Constraint.GreaterThan(attribute, bound(value)));
    };
  }

  private static long bound(Field value) {
    return value.wholeLong(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Override
  public void close() {
    table.close();
  }
}
