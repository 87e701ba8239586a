package dev.berth.experiments.study;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Published tables of figures. A JSON object has one object for each table: its columns, and a list
 * of numbers for each row.
 *
 * @param root the tables by name
 */
public record PublishedTables(JsonNode root) {

  private static final JsonMapper MAPPER = new JsonMapper();

  /**
   * Reads a resource.
   *
   * @param owner the class beside which the resource is
   * @param name of the resource, relative to the class
   * @throws IllegalStateException if it is missing or is not JSON
   */
  public static PublishedTables read(Class<?> owner, String name) {
    return new PublishedTables(Resource.json(owner, name));
  }

  /** Returns a table by name. */
  public Table table(String name) {
    ObjectNode rows = root.required(name).deepCopy();
    List<String> columns = MAPPER.convertValue(rows.remove("columns"), new TypeReference<>() {});
    return new Table(columns, MAPPER.convertValue(rows, new TypeReference<>() {}));
  }

  /**
   * A table.
   *
   * @param columns names of the columns
   * @param rows figures by name of the row, one for each column; null: it was not published
   */
  public record Table(List<String> columns, Map<String, List<@Nullable Double>> rows) {

    /** Returns a figure; empty if it was not published. */
    public OptionalDouble get(String row, String column) {
      List<@Nullable Double> values = rows.get(row);
      int at = columns.indexOf(column);
      return values == null || at < 0 || values.get(at) == null
          ? OptionalDouble.empty()
          : OptionalDouble.of(values.get(at));
    }
  }
}
