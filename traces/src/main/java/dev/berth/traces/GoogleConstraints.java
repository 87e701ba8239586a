package dev.berth.traces;

import dev.berth.api.Constraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code task_constraints}, read beside those of {@code task_events}: those of one time
 * are held at once.
 */
final class GoogleConstraints implements AutoCloseable {

  private static final String TIME = "time";
  private static final String JOB = "job ID";
  private static final String INDEX = "task index";
  private static final String OPERATOR = "comparison operator";
  private static final String ATTRIBUTE = "attribute name";
  private static final String VALUE = "attribute value";

  private static final List<String> FIELDS = List.of(TIME, JOB, INDEX, OPERATOR, ATTRIBUTE, VALUE);

  private final PartedTable table;
  private final TimeOrder order = new TimeOrder();
  private final Map<Long, Of> now = new HashMap<>();
  private long time = -1;
  private @Nullable Row ahead;

  GoogleConstraints(List<Input> parts) {
    this.table = new PartedTable(parts, FIELDS);
  }

  /**
   * What a task asks for.
   *
   * @param constraints that its host must meet
   * @param untold whether it asks for more, which no {@link Constraint} says: an attribute that a
   *     host must not have
   */
  record Of(List<Constraint> constraints, boolean untold) {
    static final Of NOTHING = new Of(List.of(), false);

    Of and(@Nullable Constraint more) {
      if (more == null) {
        return new Of(constraints, true);
      }
      List<Constraint> all = new ArrayList<>(constraints);
      all.add(more);
      return new Of(List.copyOf(all), untold);
    }
  }

  private record Row(long at, long key, @Nullable Constraint constraint) {}

  /**
   * Returns what a task asks for from a time on.
   *
   * @param at not before that of an earlier call
   */
  Of of(long key, long at) {
    if (at != time) {
      now.clear();
      time = at;
    }
    for (Row row = peek(); row != null && row.at <= at; row = peek()) {
      ahead = null;
      if (row.at == at) {
        now.put(row.key, now.getOrDefault(row.key, Of.NOTHING).and(row.constraint));
      }
    }
    return now.getOrDefault(key, Of.NOTHING);
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
        new Row(at, GoogleTasks.TaskKey.of(row.field(JOB), row.field(INDEX)), constraint(row));
    order.read(row.field(TIME), at);
    return read;
  }

  /** Returns a constraint; null if it wants the attribute to be absent. */
  private static @Nullable Constraint constraint(CsvTable.Row row) {
    String attribute = row.field(ATTRIBUTE).required();
    Field value = row.field(VALUE);
    return switch ((int) row.field(OPERATOR).wholeLong(0, 3)) {
      case 0 -> value.isEmpty() ? null : new Constraint.Equal(attribute, value.text());
      case 1 ->
          value.isEmpty()
              ? new Constraint.Exists(attribute)
              : new Constraint.NotEqual(attribute, value.text());
      case 2 -> new Constraint.LessThan(attribute, value.wholeLong(Long.MIN_VALUE, Long.MAX_VALUE));
      default ->
          new Constraint.GreaterThan(attribute, value.wholeLong(Long.MIN_VALUE, Long.MAX_VALUE));
    };
  }

  @Override
  public void close() {
    table.close();
  }
}
