package dev.berth.experiments.study;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Published tables of figures. A JSON object has one object for each table: its columns, and a list
 * of numbers for each row.
 */
public final class PublishedTables {

  private final JsonNode root;

  private PublishedTables(JsonNode root) {
    this.root = root;
  }

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
    JsonNode table = root.required(name);
    List<String> columns = new ArrayList<>();
    table.get("columns").forEach(each -> columns.add(each.textValue()));
    Map<String, List<Double>> rows = new LinkedHashMap<>();
    table
        .properties()
        .forEach(
            entry -> {
              if (!entry.getKey().equals("columns")) {
                List<Double> values = new ArrayList<>();
                entry.getValue().forEach(each -> values.add(each.doubleValue()));
                rows.put(entry.getKey(), values);
              }
            });
    return new Table(columns, rows);
  }

  /**
   * A table.
   *
   * @param columns names of the columns
   * @param rows figures by name of the row, one for each column
   */
  public record Table(List<String> columns, Map<String, List<Double>> rows) {

    /** Returns a figure; empty if it was not published. */
    public OptionalDouble get(String row, String column) {
      List<Double> values = rows.get(row);
      int at = columns.indexOf(column);
      return values == null || at < 0 ? OptionalDouble.empty() : OptionalDouble.of(values.get(at));
    }
  }
}
