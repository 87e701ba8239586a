package dev.berth.experiments.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Published tables of figures, from a resource. */
public final class PublishedTables {

  private final JsonNode root;

  private PublishedTables(JsonNode root) {
    this.root = root;
  }

  /** Reads those of the thesis on memory elasticity. */
  public static PublishedTables ofMemoryThesis() {
    return read("published-memory.json");
  }

  /** Reads those of the thesis on ElasticCluster. */
  public static PublishedTables ofElasticThesis() {
    return read("published-elastic.json");
  }

  private static PublishedTables read(String resource) {
    try (InputStream input = PublishedTables.class.getResourceAsStream(resource)) {
      if (input == null) {
        throw new IllegalStateException("resource " + resource + " is missing from the jar.");
      }
      return new PublishedTables(new JsonMapper().readTree(input));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Returns a table. */
  public Table table(String name) {
    JsonNode table = root.get(name);
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

  /** Figures by row and column. */
  public record Table(List<String> columns, Map<String, List<Double>> rows) {

    /** Returns a figure, or empty if it was not published. */
    public OptionalDouble get(String row, String column) {
      List<Double> values = rows.get(row);
      int at = columns.indexOf(column);
      return values == null || at < 0 ? OptionalDouble.empty() : OptionalDouble.of(values.get(at));
    }
  }
}
